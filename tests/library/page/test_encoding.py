"""Encodings: the labels of the WHATWG standard and no others, from the mark, the header or the page."""

import encodings.aliases

from hypothesis import given
from hypothesis import strategies as st
from tests.support.tables import table

from sitestencil.page.encoding import decode, decoded
from sitestencil.page.parsing import parse

TEXT = "<p>Привет"


@table(
    ("label", "codec"),
    [
        ("utf-8", "utf-8"),
        ("UTF8", "utf-8"),
        (" unicode-1-1-utf-8\t", "utf-8"),
        ("windows-1251", "cp1251"),
        ("x-cp1251", "cp1251"),
        ("koi", "koi8-r"),
        ("KOI8-R", "koi8-r"),
        ("cyrillic", "iso8859-5"),
        ("866", "cp866"),
        ("x-mac-ukrainian", "mac-cyrillic"),
        ("utf-16", "utf-16-le"),
        ("unicodefffe", "utf-16-be"),
        ("gbk", "gb18030"),
        ("gb2312", "gb18030"),
        ("sjis", "cp932"),
        ("windows-949", "cp949"),
        ("big5-hkscs", "big5hkscs"),
        ("x-euc-jp", "euc-jp"),
    ],
)
def test_a_label_of_the_standard_is_understood_as_there(label: str, codec: str) -> None:
    assert decode(TEXT.encode(codec, "replace"), label) == TEXT.encode(codec, "replace").decode(codec)


@table("label", ["latin1", "iso-8859-1", "ascii", "us-ascii", "l1", "windows-1252", "cp819"])
def test_the_wests_labels_are_all_windows_1252(label: str) -> None:
    assert decode(b"\x80\x93", label) == "€“"


NO_LABELS = (
    "undefined idna punycode utf-7 unicode_escape raw_unicode_escape utf-32 cp037 mbcs rot13 hex base64 zlib bz2 "
    "uu quopri utf_8_sig none"
).split()


@table("label", [*NO_LABELS, "", "\0", "é", "x" * 10_000])
@table("declared", [False, True])
def test_a_label_that_the_standard_does_not_have_is_ignored(label: str, declared: bool) -> None:
    page = TEXT.encode()
    if declared:
        assert decode(b'<meta charset="' + label.encode() + b'">' + page).endswith(TEXT)
    else:
        assert decode(page, label) == TEXT


@table("label", sorted({*encodings.aliases.aliases, *encodings.aliases.aliases.values()}))
def test_no_label_that_python_knows_ends_a_parse(label: str) -> None:
    assert parse(TEXT.encode(), "http://x.test/", charset=label).tags[-1] in {"p", "body"}


@table(
    "start",
    [
        '<meta charset="windows-1251">',
        "<META CHARSET=windows-1251 />",
        "<meta charset = 'windows-1251'>",
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
        "<meta content='text/html;charset=\"windows-1251\"' http-equiv=content-type>",
        '<!-- <meta charset="utf-8"> --><meta charset="windows-1251">',
        '<!--><meta charset="windows-1251"><!-- -->',
        '<html a="<meta charset=utf-8>"><meta charset="windows-1251">',
        '<metal charset="utf-8"><meta name=x charset="windows-1251">',
        '<meta charset="no-such"><meta charset="windows-1251">',
        '<!doctype html><title>x</title><meta charset="windows-1251" charset="utf-8">',
    ],
)
def test_a_declaration_is_found_as_browsers_find_it(start: str) -> None:
    assert decode((start + TEXT).encode("cp1251")).endswith(TEXT)


@table(
    "start",
    [
        '<meta charset="utf-16le">',
        '<meta content="text/html; charset=windows-1251">',
        '<!-- <meta charset="windows-1251"> -->',
        " " * 1024 + '<meta charset="windows-1251">',
        '<metacharset="windows-1251">',
        "",
    ],
)
def test_what_is_no_declaration_leaves_utf_8(start: str) -> None:
    assert decode((start + TEXT).encode()).endswith(TEXT)


@given(st.binary(max_size=300), st.one_of(st.none(), st.text(max_size=20)))
def test_every_bytes_under_every_label_are_a_text(html: bytes, label: str | None) -> None:
    decode(b"<meta charset=" + html, label).encode()
    decode(html, label).encode()


GREEK = "<title>Νέα</title><p>άνθρωποι ζούνε περισσότερα χρόνια, σύμφωνα με μια νέα μελέτη."


@table(
    ("text", "codec"),
    [
        (GREEK, "cp1253"),
        ("<p>Съешь же ещё этих мягких французских булок, да выпей чаю.", "koi8-r"),
        ("<p>国务院新闻办公室今天举行新闻发布会介绍有关情况和计划。", "gb18030"),
    ],
)
def test_an_old_encoding_that_nothing_declares_is_guessed(text: str, codec: str) -> None:
    assert decode(text.encode(codec)) == text


def test_a_late_declaration_counts_where_the_bytes_are_not_utf_8() -> None:
    late = "<meta charset=iso-8859-2>" + "<p>" + "ąęłó "
    padded = "<!-- " + "x" * 2000 + " -->" + late
    assert decode(padded.encode("iso-8859-2")) == padded
    assert decode(padded.encode()) == padded


def test_one_damaged_letter_leaves_a_page_utf_8() -> None:
    assert decode(GREEK.encode() + b"\xce") == GREEK + "\ufffd"


RUSSIAN = "<title>Булки</title><p>Съешь же ещё этих мягких французских булок, да выпей чаю."
JAPANESE = "<p>今日は天気がとても良いので、港まで散歩に行きましょう。"


@table(
    ("text", "codec", "label"),
    [
        (RUSSIAN, "utf-8", "iso-8859-1"),
        (JAPANESE, "utf-8", "shift_jis"),
        (RUSSIAN, "cp1251", "utf-8"),
        (RUSSIAN, "koi8-r", "windows-1251"),
        (JAPANESE, "euc-jp", "iso-8859-1"),
        (JAPANESE, "shift_jis", "utf-16"),
        (GREEK, "cp1253", "iso-8859-1"),
    ],
)
@table("in_page", [False, True])
def test_a_label_that_the_bytes_contradict_is_passed_over(text: str, codec: str, label: str, in_page: bool) -> None:
    page = (f"<meta charset={label}>" if in_page else "") + text
    assert decode(page.encode(codec), None if in_page else label) == page


@table(
    ("text", "codec", "label"),
    [
        (
            "<p>Zażółć gęślą jaźń, mówi stary żeglarz z portu Świnoujście i pije swoją gorącą herbatę.",
            "cp1250",
            "cp1250",
        ),
        ("<p>Le café fermé", "cp1252", "iso-8859-1"),
        ("<p>Ёж", "cp1251", "windows-1251"),
        (JAPANESE, "iso2022_jp", "iso-2022-jp"),
        (JAPANESE, "utf-16-le", "utf-16"),
    ],
)
def test_a_label_that_may_be_true_is_kept(text: str, codec: str, label: str) -> None:
    assert decode(text.encode(codec), label) == text


def test_the_header_gives_way_to_the_page_where_the_bytes_agree_with_the_page() -> None:
    page = (
        "<meta charset=windows-1250><p>Zażółć gęślą jaźń, mówi stary żeglarz z portu Świnoujście nad morzem i pije."
    )
    padded = page + page[26:] * 3
    assert decode(padded.encode("cp1250"), "iso-8859-1") == padded


POLISH = (
    "<p>Zażółć gęślą jaźń, mówi stary żeglarz z portu Świnoujście.<p>Później pije gorącą herbatę i śpiewa piosenkę."
    "<p>Łódź wróciła wczoraj z dalekiej wyprawy.<p>Załoga śmiała się głośno, choć była już bardzo zmęczona."
    "<p>Następnego dnia żagle suszyły się w słońcu.<p>Każdy węzeł trzeba było jeszcze raz rozwiązać i sprawdzić."
)
GERMAN = (
    "<p>Das schöne Mädchen fährt übers Meer.<p>Später erzählt der Kapitän größere Lügen über Fische und Stürme."
    "<p>Für die Rückkehr müssen wir früh aufstehen.<p>Die Möwen hören nicht auf, während wir frühstücken."
    "<p>Natürlich können wir morgen weiterfahren.<p>Die Küste lässt sich schon erkennen, sagt der Junge fröhlich."
)


@table("codec", ["cp1250", "iso8859_2"])
@table("in_page", [False, True])
def test_polish_that_is_called_latin1_is_read(codec: str, in_page: bool) -> None:
    page = ("<meta charset=iso-8859-1>" if in_page else "") + POLISH
    assert decode(page.encode(codec), None if in_page else "iso-8859-1") == page


def test_german_that_is_called_latin1_is_latin1() -> None:
    assert decode(GERMAN.encode("cp1252"), "iso-8859-1") == GERMAN


def test_the_encoding_and_its_label_are_told() -> None:
    assert decoded(RUSSIAN.encode("cp1251"), "UTF-8")[1:] == ("windows-1251", "UTF-8")
    assert decoded(b"<meta charset=latin1>caf\xe9")[1:] == ("windows-1252", "windows-1252")
    assert decoded(b"\xef\xbb\xbf<p>")[1:] == ("utf-8", None)
    assert decoded(b"<p>", "no-such")[1:] == ("utf-8", None)
