"""The files of a page: style sheets, and images, fonts, sound and film, which ``data:`` can hold."""

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["sheet", "picture", "media"]
SVG = "image/svg+xml"

# A file's first bytes decide its type, never the server's word (MIME Sniffing Standard, 6).
_TYPES: Mapping[Kind, Sequence[tuple[str, bytes]]] = {
    "sheet": (),
    "picture": (
        ("image/png", rb"\x89PNG\r\n\x1a\n"),
        ("image/jpeg", rb"\xff\xd8\xff"),
        ("image/gif", rb"GIF8[79]a"),
        ("image/webp", rb"RIFF....WEBPVP"),
        ("image/avif", rb"....ftypavi[fs]"),
        ("image/bmp", rb"BM"),
        ("image/x-icon", rb"\x00\x00\x01\x00"),
        ("font/woff2", rb"wOF2"),
        ("font/woff", rb"wOFF"),
        ("font/ttf", rb"\x00\x01\x00\x00"),
        ("font/otf", rb"OTTO"),
        (SVG, rb"(?:\xef\xbb\xbf)?(?:\s|<\?xml[^>]*+>|<!--(?>.*?-->)|<!DOCTYPE[^>]*+>)*+<svg[\s>]"),
    ),
    "media": (
        ("audio/mp4", rb"....ftypM4A"),
        ("video/mp4", rb"....ftyp(?!avi[fs])"),
        ("video/webm", rb"\x1a\x45\xdf\xa3"),
        ("application/ogg", rb"OggS\x00"),
        ("audio/mpeg", rb"ID3|\xff[\xfb\xf3\xf2]"),
        ("audio/flac", rb"fLaC"),
        ("audio/wave", rb"RIFF....WAVE"),
    ),
}
_OTHER_ENDINGS = {
    "jpeg": "jpg",
    "x-icon": "ico",
    "svg+xml": "svg",
    "audio/mp4": "m4a",
    "mpeg": "mp3",
    "wave": "wav",
}


@dataclass(frozen=True, slots=True)
class NeededFile:
    """A file that a page needs.

    Attributes:
        url: its absolute address.
        kind: a style sheet; a picture, which is an image or a font; or media, which is sound or film.
    """

    url: str
    kind: Kind


@dataclass(frozen=True, slots=True, repr=False)
class File:
    """A loaded file.

    Attributes:
        url: its address after redirects.
        content: its bytes.
        charset: the encoding that the HTTP header names.

    Example:
        >>> from sitestencil import extract
        >>> sheet = File("https://site.example/a.css", b"nav { color: red }")
        >>> page = "<link rel=stylesheet href=/a.css><nav>Menu</nav>"
        >>> pages = {"https://site.example/": page, "https://site.example/b": page}
        >>> template = extract("https://site.example/", pages=pages, detector="pagelevel")
        >>> "<style>nav { color: red; }</style>" in template.to_html(files={sheet.url: sheet})
        True
    """

    url: str
    content: bytes
    charset: str | None = None

    def __repr__(self) -> str:
        """Return the file's address and size."""
        return f"<File {self.url} of {len(self.content):,} bytes>"


def media_type(content: bytes, kind: Kind = "picture") -> str | None:
    """Return the media type of an image or a font, or of sound or film; None for anything else.

    >>> media_type(b"GIF89a..."), media_type(b"<html>"), media_type(b"fLaC...", "media")
    ('image/gif', None, 'audio/flac')
    """
    start = content[:4096]
    return next((name for name, beginning in _TYPES[kind] if re.match(beginning, start, re.DOTALL)), None)


def ending(name: str) -> str:
    """Return the ending of files of a type that `media_type` returns.

    >>> ending("image/jpeg"), ending("font/woff2")
    ('.jpg', '.woff2')
    """
    end = name.partition("/")[2]
    return f".{_OTHER_ENDINGS.get(name) or _OTHER_ENDINGS.get(end, end)}"


def data_url(content: bytes, kind: Kind = "picture") -> str | None:
    """Return a file that `media_type` knows as a ``data:`` URL; None for anything else."""
    name = media_type(content, kind)
    return None if name is None else f"data:{name};base64,{b64encode(content).decode('ascii')}"
