"""List the words of links that act instead of showing a page, in the languages of the benchmark's sites.

The lists differ in how many other words a name may have. All words are compared in lower case without accents.
"""

import unicodedata

_LETTERS = str.maketrans({"ł": "l", "ø": "o", "ß": "ss", "đ": "d"})


def folded(text: str) -> str:
    """Return a text in lower case without accents."""
    lower = text.casefold().translate(_LETTERS)
    if lower.isascii():
        return lower
    bare = "".join(char for char in unicodedata.normalize("NFD", lower) if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", bare)


def _words(text: str) -> frozenset[str]:
    return frozenset(folded(text).split())


# One of these anywhere in a name of a few words: delete-post, confirm_delete, item/5/remove.
SURE_WORDS = _words(
    # English, and English words in addresses of all languages
    "delete remove rm unlink logout logoff signout signoff unsubscribe optout deactivate uninstall unfollow unlike "
    "unvote unpublish unregister revoke upvote downvote undelete addtocart addtobasket addtowishlist addcart "
    "tocart cartadd buynow deletepost deleteitem deletecookies removeitem dologout dodelete honeypot poweroff "
    "factoryreset impersonate killsession newreply newthread newtopic markread poweron opendoor buildnow wipeout "
    # Dutch, Czech, Turkish
    "uitloggen afmelden verwijderen odhlásit cikis "
    # German, French
    "löschen loeschen entfernen abmelden abmeldung ausloggen abbestellen austragen supprimer effacer retirer "
    "déconnexion déconnecter désabonner désabonnement désinscrire désinscription "
    # Spanish, Portuguese
    "eliminar borrar quitar desconectar desconectarse desuscribir desuscribirse excluir apagar desinscrever "
    "descadastrar "
    # Polish, Swedish, Indonesian
    "usuń skasuj wyloguj wypisz radera avprenumerera hapus "
    # Russian, Bulgarian
    "удалить удали удаление выйти отписаться отписка udalit vyiti otpisatsya изтрий изтриване премахни премахване "
    "отпиши отписване "
    # Greek, Persian
    "διαγραφή αφαίρεση αποσύνδεση απεγγραφή حذف خروج"
)

# A name of one or two words that begins with one of these: edit, edit-profile, add_item, vote.php.
VERBS = _words(
    "add del edit modify erase purge destroy vote rate like dislike follow subscribe reply cancel confirm approve "
    "reject accept decline activate disable enable verify reset reboot restart shutdown restore ban block unblock "
    "mute unmute pin unpin lock unlock flag bookmark favorite favourite leave quit toggle exec execute trash flush "
    "revert rollback undo checkout remover wipe eject evict redeploy disarm "
    "bearbeiten ändern hinzufügen abstimmen kündigen ajouter modifier voter aimer añadir agregar editar modificar "
    "votar adicionar alterar curtir dodaj edytuj głosuj redigera rösta gilla tambah tambahkan sunting "
    "добавить редактировать изменить голосовать dobavit добави редактирай гласувай "
    "προσθήκη επεξεργασία ψήφος افزودن ویرایش"
)

# A name that is one of these alone: /buy/12, /stop, "Save"; with more words it names a page.
ALONE = _words(
    "buy purchase order pay bid save send submit share clear stop flash off on exit sair salir "
    "kaufen bestellen acheter commander comprar kup zamów köp köpa beställ beli keluar suka "
    "купить заказать выход kupit vyhod купи поръчай изход αγορά έξοδος خرید"
)

# A name of up to three words that ends in one of these: cart, my-cart, wp-admin, shopping_cart.
NOUNS = _words(
    "cart basket bag wishlist admin administrator admincp modcp cpanel "
    "warenkorb einkaufswagen merkzettel kasse panier carrito cesta carrinho koszyk varukorg kundvagn kassa "
    "keranjang корзина korzina количка кошница καλάθι"
)

# Parameters with these names or values act, too: ?run=5 acts, but ?start=5 may show a page.
PARAMETER_VERBS = _words(
    "create update install upload import move copy rename merge publish post send save submit share report exec "
    "run buy purchase kill poweron poweroff reconnect scan clear empty claim invite donate pay"
)

# Phrases that act only as a whole, anywhere in a name of a few words.
PHRASES = tuple(
    map(
        folded,
        (
            *("log me out", "sign me out", "add to cart", "add to basket", "add to bag", "buy now", "buy it now"),
            *("jetzt kaufen", "in den warenkorb", "se déconnecter", "fermer la session", "cerrar sesión"),
            *("darse de baja", "dar de baja", "terminar sessão", "encerrar sessão", "cancelar inscrição"),
            *("do koszyka", "ta bort", "logga ut", "lägg till", "lägg i", "berhenti berlangganan"),
            *("لغو اشتراک", "سبد خرید", "в корзину", "мне нравится"),
        ),
    )
)

# Languages without spaces: anywhere in a name of a few letters.
_CHINESE = (
    "删除 刪除 移除 退出 登出 注销 註銷 退订 退訂 取消订阅 取消訂閱 编辑 編輯 "
    "购物车 購物車 购买 購買 点赞 投票 重启 重啟"
)
_JAPANESE = "削除 ログアウト サインアウト 退会 配信停止 カート 買い物かご 購入 編集 いいね"
_KOREAN = "삭제 로그아웃 구독취소 수신거부 장바구니 담기 편집 구매하기 좋아요 투표 탈퇴"
WRITTEN_TOGETHER = (*map(folded, f"{_CHINESE} {_JAPANESE} {_KOREAN}".split()), folded("구독 취소"))
