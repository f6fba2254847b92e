# ruff: noqa: RUF001 - the words are of several alphabets
"""List words of addresses that show something and words that order something, in several languages.

The first lists allow: where a link may act for the person, only addresses of these words, titles and pages like the
key page are loaded (`site.menu_links`). The last list forbids. All words are compared in lower case without
accents.
"""

from sitestencil.site.acting_words import ALONE, NOUNS, PARAMETER_VERBS, SURE_WORDS, VERBS, folded


def _words(text: str) -> frozenset[str]:
    return frozenset(folded(text).split())


# A segment of only these words shows a page: about-us, contact, blog, articles, impressum.
PAGE_WORDS = _words(
    # English
    "about aboutus us our company team teams people staff history mission values vision story stories contact "
    "contacts contactus home homepage index main welcome overview introduction intro "
    "news newsroom blog blogs article articles magazine journal media publications publication papers "
    "events calendar agenda schedule program programme sessions talks speakers sponsors venue keynotes posters "
    "products product services solutions catalog catalogue collection collections category categories brands "
    "brand shop store pricing prices plans offers portfolio projects project cases work works "
    "gallery galleries "
    "photos videos podcast episodes music books library archive archives downloads resources "
    "resource documents "
    "documentation docs manual manuals guide guides tutorial tutorials handbook reference examples example faq "
    "faqs help support community forum forums topics topic members member groups authors author users tags tag "
    "series sitemap map site legal privacy policy policies terms conditions imprint disclaimer cookies "
    "accessibility copyright licence license licenses security careers jobs vacancies partners "
    "clients customers "
    "testimonials reviews locations location directions opening hours departments department "
    "research education "
    "courses course school schools students faculty academic admissions sports culture politics business "
    "technology science health travel lifestyle entertainment opinion world local weather recipes menu menus "
    "features feature glossary dictionary wiki pages page changelog roadmap releases whatsnew newsletter "
    "newsletters statistics stats status quickstart getting started learn more latest popular all "
    "other general "
    "investors governance sustainability diversity conduct volunteer volunteers sponsorship "
    "and the of for to in with how what who why is are your you my new visit visitors exhibition exhibitions "
    # German, Dutch, Swedish, Polish
    "über ueber uber uns wir das der die und von zur zum im kontakt impressum datenschutz "
    "datenschutzerklaerung "
    "datenschutzerklärung agb aktuelles aktuell neuigkeiten nachrichten veranstaltungen termine produkte "
    "leistungen angebote angebot unternehmen verein vorstand geschichte presse anfahrt galerie bilder archiv "
    "karriere stellenangebote hilfe startseite seite seiten themen thema kategorie kategorien schlagwort autor "
    "autoren beitraege beiträge artikel projekte referenzen partner mitglieder schule kurse buecher bücher "
    "over ons onze nieuws diensten producten evenementen voorwaarden "
    "om oss nyheter tjänster produkter kalender personal historia integritet "
    "aktualnosci aktualności wydarzenia oferta produkty usługi uslugi kontakty galeria o nas firma historia "
    "polityka prywatnosci regulamin ogloszenia ogłoszenia "
    # French, Spanish, Portuguese, Italian
    "accueil propos qui sommes nous actualités actualites nouvelles événements evenements produits prestations "
    "équipe equipe entreprise histoire presse galerie photos mentions légales legales confidentialité "
    "confidentialite plan aide ressources catégorie partenaires tarifs horaires "
    "inicio acerca quiénes quienes quién quien somos soy nosotros contacto noticias actualidad "
    "eventos productos "
    "servicios empresa equipo historia galería galeria aviso privacidad política politica condiciones ayuda "
    "recursos artículos articulos categorías categorias categoría categoria etiqueta etiquetas enlaces archivo "
    "archivos proyectos socios precios horarios de la el los y en "
    "sobre quem nós nos contato contactos notícias produtos serviços servicos equipa projetos galeria política "
    "categorias arquivo autor autores e da dos das "
    "chi siamo contatti notizie eventi prodotti servizi azienda storia galleria categorie archivio "
    # Russian, Bulgarian, Greek, Persian, Indonesian
    "о нас компания контакты новости статьи услуги продукция каталог галерея проекты вакансии отзывы o nas "
    "kontakty novosti stati uslugi produkciya produktsiya katalog galereya proekty vakansii otzyvy za контакти "
    "новини продукти услуги επικοινωνία νέα προϊόντα υπηρεσίες درباره ما تماس اخبار محصولات "
    "tentang kami kontak berita produk layanan artikel kategori beranda "
    # Chinese, Japanese, Korean
    "关于我们 联系我们 新闻 产品 服务 首页 会社概要 お問い合わせ ニュース 製品 회사소개 소개 공지사항 갤러리"
)

# Any name below one of these names a list of pages: tags/git, category/cinema, author/anna.
COLLECTIONS = _words(
    "tag tags category categories author authors topic topics genre genres schlagwort kategorie "
    "kategorien autor categoria categorias categoría categorías "
    "catégorie etiqueta etiquetas autores kategori"
)

# A number below one of these names a page: node/42, threads/7.
RECORDS = _words("article entry item items node page question questions story thread threads topic video videos")
# A parameter with one of these names may have another number than on the key page.
NUMBERED = _words("article cat id itemid month p page paged pageid pid start t topic year")
LANGUAGES = _words(
    "ar bg bn ca cs cy da de el en es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka kk ko lt lv "
    "mk ms nb nl nn no "
    "pl pt ro ru sk sl sq sr sv ta te th tr uk ur uz vi zh"
)

# One of these in a short name excludes a link, whatever else speaks for it.
_ORDERS = _words(
    # English: switching, controlling, ending, changing, sending
    "abort acknowledge action allow apply arm assign attach authorize backup boot build bump burn "
    "cancel change charge checkin claim clean cleanup clear click clone close commit compile connect "
    "convert copy "
    "create cut deauthorize debug decommission decrease deny deploy deprovision detach dial dim "
    "disarm disconnect "
    "discard dismiss dispatch do down drain drop dump duplicate eject emergency empty encrypt end enroll evict "
    "expire export extend fail failover fetch fire fix force format forget freeze generate give "
    "grant halt hang "
    "heat hibernate hide hold ignore import increase init initialise initialize inject insert "
    "install invalidate "
    "invite join keep kick kill launch load log login lower make mark merge migrate mount move "
    "notify nuke off on open optimise optimize order override panic pair park patch pause perform ping "
    "play post power poweron print process promote provision prune publish pull pulse push put quarantine "
    "raise rebuild recalculate recall receive recompute reconnect record recover recreate recycle redeem "
    "redeploy reduce refill refresh refund regenerate reindex reload relay rename renew reopen "
    "repair replace replay report republish request rerun resend resize resolve resume retire retry return "
    "ring rotate run save scale scan seal send set setup siren skip sleep snooze sound spin split "
    "spray squash stage standby start step stop stopall strobe submit suspend swap switch sync synchronise "
    "synchronize take tare tear terminate test throw thaw tick toggle transfer trigger trip truncate trust try "
    "turn unassign unarm unarchive unban unclaim undeploy undock unfreeze unjoin unload unmount unpair unpark "
    "unpause unpin unregister unseal unset unsuspend untrust up update upgrade upload vacuum vacate vent void "
    "actions ajax api callback cgi cmd command commands control emergencies goform hook hooks macro "
    "rpc scene trigger webhook "
    "wake wakeup warm wash water wipe withdraw write zap zero "
    # German
    "abbrechen an aus abschalten abspielen akzeptieren aktivieren aktualisieren alarm anhalten "
    "anlegen anrufen anschalten "
    "anwenden auflegen aufwachen ausführen ausfuehren auslösen ausloesen ausschalten auswerfen "
    "beenden bestätigen "
    "bestaetigen bewegen deaktivieren einschalten entkoppeln entriegeln entsperren erneuern erstellen erzeugen "
    "fahren formatieren freigeben genehmigen herunterfahren hochfahren importieren kopieren koppeln leeren "
    "neustart neustarten öffne öffnen oeffnen oeffne schalten schließen schliessen schliesse senden sichern "
    "sperren speichern starten starte stopp stoppen synchronisieren testen trennen überweisen ueberweisen "
    "umschalten verbinden verriegeln verschieben wiederherstellen zurücksetzen zuruecksetzen zahlen "
    # Dutch, Swedish
    "aanzetten afmelden afsluiten annuleren bevestigen herstarten inschakelen openen opslaan overschrijven "
    "uitloggen uitschakelen uitzetten verbreken versturen verwijder verwijderen vrijgeven wissen "
    "avbryt avsluta bekräfta logga låsa låsup öppna skicka släck spara stäng starta stoppa tända "
    "töm återställ "
    # French
    "activer actualiser allumer annuler appliquer arrêter arreter autoriser bloquer confirmer connecter couper "
    "débloquer debloquer débrancher declencher déclencher démarrer demarrer désactiver desactiver enregistrer "
    "envoyer éteindre eteindre exécuter executer fermer formater ouvrir payer publier recharger redémarrer "
    "redemarrer réinitialiser reinitialiser relancer restaurer sauvegarder suspendre transférer "
    "transferer valider "
    "verrouiller déverrouiller vider "
    # Spanish, Portuguese, Italian
    "abrir activar actualizar anular aplicar apagar arrancar bloquear cancelar cerrar conectar confirmar "
    "desbloquear desactivar detener ejecutar encender enviar formatear guardar iniciar instalar lanzar limpiar "
    "matar pagar parar publicar pulsar reanudar reiniciar restablecer restaurar subir suspender "
    "transferir vaciar "
    "abortar acionar ativar atualizar desativar desligar executar fechar ligar limpar reiniciar salvar "
    "accendere accendi aggiorna apri arresta attiva avvia blocca cancella chiudi conferma disattiva "
    "disconnetti "
    "elimina esci invia paga pubblica riavvia ripristina rimuovi salva sblocca scollega spegni svuota "
    # Polish, Czech, Turkish, Indonesian
    "anuluj drukuj odłącz odblokuj otwórz przelej przywróć resetuj restartuj rozłącz uruchom wyczyść wyłącz "
    "wyślij włącz zablokuj zamknij zapisz zapłać zatrzymaj zatwierdź zrestartuj "
    "odeslat odpojit otevřít restartovat smazat spustit uložit vypnout zapnout zastavit zrušit odhlásit "
    "aç başlat çıkış durdur gönder iptal kaldır kapat kaydet onayla sıfırla sil temizle "
    "batalkan buka bersihkan hidupkan jalankan kirim kunci matikan mulai nyalakan putuskan simpan tutup "
    # What links say: the imperatives of French, Spanish, German, Dutch, Danish, Norwegian, Finnish
    "active allume annule arrête arrete débloque debloque désactive desactive éteins eteins envoie ferme "
    "lance ouvre "
    "paie redémarre redemarre supprime valide verrouille vide "
    "abre abrete activa apaga apagado apague bloquea borra cierra desactiva elimina enciende encendido envia "
    "inicia paga reinicia vacía vacia "
    "klingel klingle lichtan öffne oeffne relais schalt schalte schließe schliesse starte stoppe tuerauf "
    "doe sluit verwijder verwijderd wis zet "
    "åbn aaben afbryd slet sluk tænd taend lukk slå slett åpne "
    "avaa käynnistä kaynnista poista sammuta sulje sytytä sytyta tyhjennä tyhjenna "
    "agree buzzer defaults doit factory horn relay signmeout wpspbc "
    # Russian, Bulgarian, Greek, Persian, Arabic, Hebrew, Hindi
    "включить включи выключить выключи выполнить закрыть запустить заблокировать отключить отключи открыть "
    "отменить отправить оплатить очистить перевести перезагрузить перезагрузка перезапустить подтвердить "
    "разблокировать разъединить сбросить сброс сохранить создать стереть убить остановить обновить vklyuchit "
    "vyklyuchit otkryt zakryt perezagruzit otpravit otmenit ochistit "
    "включване изключи изключване изчисти откажи отвори плати рестартирай рестарт запази затвори изпрати спри "
    "άνοιγμα ακύρωση απενεργοποίηση ενεργοποίηση επανεκκίνηση αποστολή εκκίνηση κλείσιμο διακοπή πληρωμή "
    "باز بستن راه‌اندازی ارسال توقف قطع إيقاف تشغيل فتح إغلاق إرسال دفع إلغاء كبה נתק מחק הפעל כבה פתח שלח "
    "बंद हटाएं भेजें "
    # Chinese, Japanese, Korean
    "开门 開門 电源 开关 開關 打开 关闭 關閉 开启 開啟 启动 啟動 停止 重置 断开 斷開 清空 格式化 "
    "发送 發送 转账 轉帳 支付 确认 確認 "
    "取消 保存 提交 发布 發布 关机 關機 开机 解锁 解鎖 切断 接続 再起動 起動 実行 送信 初期化 消去 "
    "解錠 施錠 開く "
    "閉じる 保存する 支払う 電源 열기 닫기 켜기 끄기 재시작 재부팅 종료 시작 중지 초기화 전송 송금 "
    "결제 연결해제 "
    "연결끊기 확인 취소 저장"
)
ORDERS = _ORDERS | SURE_WORDS | VERBS | ALONE | NOUNS | PARAMETER_VERBS
