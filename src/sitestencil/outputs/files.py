"""The files that a page is drawn with: style sheets, and images and fonts, which ``data:`` URLs can hold."""

import re
from base64 import b64encode
from dataclasses import dataclass
from typing import Literal

Kind = Literal["sheet", "picture"]

# What a file is, by how it begins: no server's word is taken for it (MIME Sniffing Standard, 6).
_BEGINNINGS = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "image/png"),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg"),
    (re.compile(rb"GIF8[79]a"), "image/gif"),
    (re.compile(rb"RIFF....WEBPVP", re.DOTALL), "image/webp"),
    (re.compile(rb"....ftypavi[fs]", re.DOTALL), "image/avif"),
    (re.compile(rb"BM"), "image/bmp"),
    (re.compile(rb"\x00\x00\x01\x00"), "image/x-icon"),
    (re.compile(rb"wOF2"), "font/woff2"),
    (re.compile(rb"wOFF"), "font/woff"),
    (re.compile(rb"\x00\x01\x00\x00"), "font/ttf"),
    (re.compile(rb"OTTO"), "font/otf"),
    (
        re.compile(rb"(?:\xef\xbb\xbf)?(?:\s|<\?xml[^>]*>|<!--.*?-->|<!DOCTYPE[^>]*>)*<svg[\s>]", re.DOTALL),
        "image/svg+xml",
    ),
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file that a page is drawn with.

    Attributes:
        url: its address, absolute.
        kind: a style sheet; or what is drawn, an image or a font.
    """

    url: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class File:
    """A file as it came.

    Attributes:
        url: the address it came from, after redirects.
        content: its bytes.
        charset: the encoding that the HTTP header names.

    Example:
        >>> from sitestencil import extract
        >>> sheet = File("https://site.example/a.css", b"nav { color: red }")
        >>> page = "<link rel=stylesheet href=/a.css><nav>Menu</nav>"
        >>> pages = {"https://site.example/": page, "https://site.example/b": page}
        >>> template = extract("https://site.example/", pages=pages, detector="pagelevel")
        >>> "<style>nav { color: red }</style>" in template.to_html(files={sheet.url: sheet})
        True
    """

    url: str
    content: bytes
    charset: str | None = None


def media_type(content: bytes) -> str | None:
    """Return what image or font a file holds; None for anything else.

    >>> media_type(b"GIF89a..."), media_type(b"<html>")
    ('image/gif', None)
    """
    start = content[:4096]
    return next((name for beginning, name in _BEGINNINGS if beginning.match(start)), None)


def data_url(content: bytes) -> str | None:
    """Return an image or a font as an address that holds it; None for anything else."""
    name = media_type(content)
    return None if name is None else f"data:{name};base64,{b64encode(content).decode('ascii')}"
