"""The files of a page: style sheets, and images, fonts, sound and film, which ``data:`` can hold."""

import re
from base64 import b64encode
from dataclasses import dataclass
from typing import Literal

Kind = Literal["sheet", "picture", "media"]

# A file's first bytes decide its type, never the server's word (MIME Sniffing Standard, 6).
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
        re.compile(rb"(?:\xef\xbb\xbf)?(?:\s|<\?xml[^>]*+>|<!--(?>.*?-->)|<!DOCTYPE[^>]*+>)*+<svg[\s>]", re.DOTALL),
        "image/svg+xml",
    ),
)
_SOUND_AND_FILM = (
    (re.compile(rb"....ftypM4A", re.DOTALL), "audio/mp4"),
    (re.compile(rb"....ftyp(?!avi[fs])", re.DOTALL), "video/mp4"),
    (re.compile(rb"\x1a\x45\xdf\xa3"), "video/webm"),
    (re.compile(rb"OggS\x00"), "application/ogg"),
    (re.compile(rb"ID3|\xff[\xfb\xf3\xf2]"), "audio/mpeg"),
    (re.compile(rb"fLaC"), "audio/flac"),
    (re.compile(rb"RIFF....WAVE", re.DOTALL), "audio/wave"),
)


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


def media_type(content: bytes) -> str | None:
    """Return the media type of an image or a font; None for anything else.

    >>> media_type(b"GIF89a..."), media_type(b"<html>")
    ('image/gif', None)
    """
    start = content[:4096]
    return next((name for beginning, name in _BEGINNINGS if beginning.match(start)), None)


def sound_or_film_type(content: bytes) -> str | None:
    """Return the media type of sound or film; None for anything else.

    >>> sound_or_film_type(b"fLaC..."), sound_or_film_type(b"GIF89a...")
    ('audio/flac', None)
    """
    start = content[:64]
    return next((name for beginning, name in _SOUND_AND_FILM if beginning.match(start)), None)


def data_url(content: bytes) -> str | None:
    """Return an image or a font as a ``data:`` URL; None for anything else."""
    return _data_url(media_type(content), content)


def sound_or_film_url(content: bytes) -> str | None:
    """Return sound or film as a ``data:`` URL; None for anything else."""
    return _data_url(sound_or_film_type(content), content)


def _data_url(name: str | None, content: bytes) -> str | None:
    return None if name is None else f"data:{name};base64,{b64encode(content).decode('ascii')}"
