"""Decode a page's bytes to text, only by the encodings of the WHATWG standard."""

import re

import webencodings

_BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le"))
_GB18030 = webencodings.lookup("gb18030")
_WINDOWS_1252 = webencodings.lookup("windows-1252")
_PRESCANNED_BYTES = 1024
_LATEST_DECLARATION = 8_192
_MOST_GUESSED_BYTES = 200_000  # 40 ms
_REPLACEMENT = "\ufffd"
_COMMENT = re.compile(rb"<!--(?:-?>|.*?-->)", re.DOTALL)
# The prescan's units: a tag with its attributes, or markup that ends at the next ">". Nothing is tried twice.
_MARKUP = re.compile(
    rb"""<(?:(?P<meta>meta)(?=[\s/])|/?[a-z][^\s>]*+)(?P<attributes>(?:[^>"']++|"[^"]*+"|'[^']*+')*+)>|<[!/?][^>]*+>""",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(rb"""[\s/]*+([^\s/>=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"'][^\s>]*+)))?""")
_CHARSET_IN_CONTENT = re.compile(rb"""charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"'][^\s;]*))""", re.IGNORECASE)


def decode(html: bytes, charset: str | None = None) -> str:
    """Return a page's text, decoded as in a browser; invalid bytes become U+FFFD.

    A byte-order mark decides, then the HTTP header, then a declaration in the first 1024 bytes. Without any it is
    UTF-8, unless most of its letters are not: then a later declaration decides, or a guess, as in browsers. A label
    outside the Encoding Standard is ignored.

    Args:
        html: the page.
        charset: the label in the HTTP header.
    """
    for mark, codec in _BYTE_ORDER_MARKS:
        if html.startswith(mark):
            return html[len(mark) :].decode(codec, "replace")
    encoding = (webencodings.lookup(charset) if charset else None) or _declared(html[:_PRESCANNED_BYTES])
    if encoding is None:
        text = html.decode("utf-8", "replace")
        if not _is_garbled(text):
            return text
        encoding = _declared(html[:_LATEST_DECLARATION]) or _guessed(html)
    if encoding.name == "gbk":  # gbk decodes as gb18030 (Encoding Standard, 10.1.1)
        encoding = _GB18030
    text, _ = encoding.codec_info.decode(html, "replace")
    return str(text)


def _is_garbled(text: str) -> bool:
    """Return whether most of a text's letters beyond ASCII could not be read."""
    unread = text.count(_REPLACEMENT)
    return unread > 0 and 2 * unread > sum(character > "\x7f" for character in text)


def _guessed(html: bytes) -> webencodings.Encoding:
    """Guess the encoding as Firefox does; without its guesser take the web's commonest old one."""
    try:
        from chardetng_py import EncodingDetector
    except ImportError:  # it has no wheel for the newest Python
        return _WINDOWS_1252
    detector = EncodingDetector()
    detector.feed(html[:_MOST_GUESSED_BYTES], last=True)
    return webencodings.lookup(detector.guess(tld=None, allow_utf8=False)) or _WINDOWS_1252


def _declared(start: bytes) -> webencodings.Encoding | None:
    """Scan the start of a page for a declaration (HTML Standard, 13.2.3.2)."""
    start = _COMMENT.sub(b"", start)
    for markup in _MARKUP.finditer(start):
        encoding = _of_meta(markup["attributes"]) if markup["meta"] else None
        if encoding is not None:
            # A text read as ASCII so far is not UTF-16; the standard gives these labels another meaning here.
            meant = {"utf-16be": "utf-8", "utf-16le": "utf-8", "x-user-defined": "windows-1252"}
            return webencodings.lookup(meant.get(encoding.name, encoding.name))
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
