"""Decode a page's bytes to text, only by the encodings of the WHATWG standard."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import webencodings

_BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le"))
_GB18030 = webencodings.lookup("gb18030")
_WINDOWS_1252 = webencodings.lookup("windows-1252")
_PRESCANNED_BYTES = 1024
_START = 4096
_LATEST_DECLARATION = 8_192
_MOST_GUESSED_BYTES = 200_000  # 40 ms
_MOST_CHECKED_BYTES = 20_000
_ENOUGH_CHECKED_BYTES = 40  # so many bytes beyond ASCII contradict a label
_BEYOND_ASCII = bytes(range(0x80, 0x100))
# Shares of a page's letters beyond ASCII: an old double-byte encoding has up to a third that UTF-8 can read.
_MOST_UNREAD, _FEW_UNREAD = 0.5, 0.1
_RUN = re.compile(rb"[^<>]+")
# A guess confuses the encodings of one family, or they differ in a few characters.
_LATIN = (
    "windows-1252 windows-1250 windows-1254 windows-1257 windows-1258 macintosh iso-8859-2 iso-8859-3 iso-8859-4 "
    "iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16"
)
_FAMILIES = tuple(
    frozenset(names.split())
    for names in (
        _LATIN,
        "koi8-r koi8-u",
        "windows-1253 iso-8859-7",
        "windows-1255 iso-8859-8 iso-8859-8-i",
        "windows-1256 iso-8859-6",
        "gbk gb18030",
    )
)
# Servers call every page latin1. A guess of these two beats that label if each third of the page says the same.
_CENTRAL_EUROPEAN = frozenset({"windows-1250", "iso-8859-2"})
_REPLACEMENT = "\ufffd"
_COMMENT = re.compile(rb"<!--(?:-?>|.*?-->)", re.DOTALL)
# The prescan's units: a tag with its attributes, or markup that ends at the next ">". Nothing is tried twice.
_MARKUP = re.compile(
    rb"""<(?:(?P<meta>meta)(?=[\s/])|/?[a-z][^\s>]*+)(?P<attributes>(?:[^>"']++|"[^"]*+"|'[^']*+')*+)>|<[!/?][^>]*+>""",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(rb"""[\s/]*+([^\s/>=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"'][^\s>]*+)))?""")
_CHARSET_IN_CONTENT = re.compile(rb"""charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"'][^\s;]*))""", re.IGNORECASE)


class Decoded(NamedTuple):
    """A page's text.

    Attributes:
        text: the text, without a byte-order mark.
        charset: the name of the encoding that it was read by.
        declared: the label in the HTTP header, else the encoding that the page declares; None without both.
    """

    text: str
    charset: str
    declared: str | None


def decode(html: bytes, charset: str | None = None) -> str:
    """Return a page's text, as `decoded` does."""
    return decoded(html, charset).text


def decoded(html: bytes, charset: str | None = None) -> Decoded:
    """Return a page's text with its encoding; invalid bytes become U+FFFD.

    A byte-order mark decides, then the HTTP header, then a declaration in the first 1024 bytes, as in browsers.
    Unlike there, bytes that are UTF-8 are read as UTF-8 whatever a label says, and a label gives way to a guess if
    the bytes contradict it. Without a label the page is UTF-8, unless most of its letters are not: then a later
    declaration decides, or a guess. A label outside the Encoding Standard is ignored.

    Args:
        html: the page.
        charset: the label in the HTTP header.

    Example:
        >>> text, charset, declared = decoded("café".encode(), "iso-8859-1")
        >>> text, charset, declared
        ('café', 'utf-8', 'iso-8859-1')
    """
    named = webencodings.lookup(charset) if charset else None
    in_page = None if named is not None else _declared(html[:_PRESCANNED_BYTES])
    declared = charset if named is not None else in_page and in_page.name
    for mark, codec in _BYTE_ORDER_MARKS:
        if html.startswith(mark):
            return Decoded(html[len(mark) :].decode(codec, "replace"), codec.removesuffix("-le"), declared)
    label = named or in_page
    if label is not None and label.name.startswith("utf-16") and b"\0" not in html[:_PRESCANNED_BYTES]:
        label = None
    if label is None or not html.isascii():
        text = html.decode("utf-8", "replace")
        if _unread(text) <= (_MOST_UNREAD if label is None or label.name == "utf-8" else _FEW_UNREAD):
            return Decoded(text, "utf-8", declared)
        label = _found(html, label)
    # gbk decodes as gb18030 (Encoding Standard, 10.1.1)
    text, _ = (_GB18030 if label.name == "gbk" else label).codec_info.decode(html, "replace")
    return Decoded(str(text), label.name, declared)


def _found(html: bytes, label: webencodings.Encoding | None) -> webencodings.Encoding:
    """Return the encoding of bytes that are not UTF-8.

    Args:
        html: the page.
        label: the encoding that the header or the page names.
    """
    if b"\0" in html[:_PRESCANNED_BYTES] and label is not None:
        return label  # UTF-16
    if label is None or label.name == "utf-8":
        return _declared(html[:_LATEST_DECLARATION], but="utf-8") or _guessed(html[:_MOST_GUESSED_BYTES])
    runs = [run for run in _RUN.findall(html) if not run.isascii()]
    checked = b" ".join(runs)[:_MOST_CHECKED_BYTES]
    if len(checked) - len(checked.translate(None, _BEYOND_ASCII)) < _ENOUGH_CHECKED_BYTES:
        return label
    guess = _guessed(checked)
    is_alike = guess.name == label.name or any({guess.name, label.name} <= family for family in _FAMILIES)
    return label if is_alike and not _is_told(guess, label, html, runs) else guess


def _is_told(
    guess: webencodings.Encoding, label: webencodings.Encoding, html: bytes, runs: Sequence[bytes]
) -> bool:
    """Return whether a guess of the label's family is certain: the page declares it, or all of its parts agree."""
    if guess == _declared(html[:_PRESCANNED_BYTES]):
        return True
    thirds = (b" ".join(runs[part::3])[:_MOST_CHECKED_BYTES] for part in range(3))
    is_likely = label == _WINDOWS_1252 and guess.name in _CENTRAL_EUROPEAN
    return is_likely and all(_guessed(third) == guess for third in thirds)


def _unread(text: str) -> float:
    """Return the share of a text's letters beyond ASCII that could not be read."""
    unread = text.count(_REPLACEMENT)
    return unread and unread / sum(character > "\x7f" for character in text)


def _guessed(html: bytes) -> webencodings.Encoding:
    """Guess the encoding as Firefox does; without its guesser take the web's commonest old one."""
    try:
        from chardetng_py import EncodingDetector
    except ImportError:  # it has no wheel for the newest Python
        return _WINDOWS_1252
    detector = EncodingDetector()
    detector.feed(html, last=False)  # the end may cut a character
    return webencodings.lookup(detector.guess(tld=None, allow_utf8=False)) or _WINDOWS_1252


def may_be_html(data: bytes) -> bool:
    """Return whether bytes have a tag, and are text: only UTF-16 has zero bytes, and begins with its mark."""
    return b"<" in data and (b"\0" not in data[:_START] or data.startswith((b"\xff\xfe", b"\xfe\xff")))


def _declared(start: bytes, but: str = "") -> webencodings.Encoding | None:
    """Scan the start of a page for a declaration (HTML Standard, 13.2.3.2), other than one."""
    start = _COMMENT.sub(b"", start)
    for markup in _MARKUP.finditer(start):
        encoding = _of_meta(markup["attributes"]) if markup["meta"] else None
        if encoding is not None:
            # A text read as ASCII so far is not UTF-16; the standard gives these labels another meaning here.
            meant = {"utf-16be": "utf-8", "utf-16le": "utf-8", "x-user-defined": "windows-1252"}
            name = meant.get(encoding.name, encoding.name)
            if name != but:
                return webencodings.lookup(name)
    return None


def _of_meta(attributes: bytes) -> webencodings.Encoding | None:
    values: dict[bytes, bytes] = {}
    for name, *quoted in _ATTRIBUTE.findall(attributes):
        values.setdefault(name.lower(), b"".join(quoted))
    label = values.get(b"charset")
    if label is None and values.get(b"http-equiv", b"").lower() == b"content-type":
        named = _CHARSET_IN_CONTENT.search(values.get(b"content", b""))
        label = b"".join(part or b"" for part in named.groups()) if named else None
    return webencodings.lookup(label.decode("latin-1")) if label else None
