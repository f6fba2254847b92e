"""Read the TeX of pictures of formulas: it is their alternative text, or stands in their address."""

import re
from collections.abc import Mapping
from urllib.parse import unquote, unquote_plus

from sitestencil.page.without_scripts import with_later_images
from sitestencil.reading.page_tex import is_balanced

_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_NAMED = re.compile(
    r"(?:^|\s)(?:latex|tex|math|maths|equation|formula|mathjax|img-?(?:math|tex))(?=\s|$)", re.IGNORECASE
)
# Programs that draw the TeX after the question mark; some know a name for it.
_DRAWN = re.compile(r"latex|mimetex|mathtex", re.IGNORECASE)
_STATED = re.compile(r"(?:^|&)(?:latex|tex|formula|eq)=([^&]*)", re.IGNORECASE)
_LAST_OPTIONS = re.compile(r"\s*&(?:amp;)?(?:bg|fg|s|c|zoom|is-pending-load)=.*\Z", re.DOTALL)
_FIRST_OPTIONS = re.compile(
    r"(?:\s*\\(?:inline|dpi\s*\{\d+\}|(?:bg|fn)_\w+|(?:tiny|small|large|huge)(?![a-zA-Z])))+", re.IGNORECASE
)
_WRAPPED = re.compile(
    r"(?:\$\$?(?:latex(?![a-zA-Z]))?|\\\(|\\\[|\[(?:i?tex|math|latex)\])(.*?)(?:\$\$?|\\\)|\\\]|\[/\w+\])",
    re.DOTALL,
)
_COMMAND = re.compile(r"\\[a-zA-Z]+")
_SIGNS = re.compile(r"\\[a-zA-Z]+|[\^_]|\w\s*[=<>+]\s*\w")
_WORDS = re.compile(r"(?<![\\a-zA-Z{])[a-zA-Z]{4,}(?:\s+[a-zA-Z]{2,}){2}")  # prose, outside of braces
_LONGEST, _LONGEST_NAME = 5_000, 3


def picture_tex(given: Mapping[str, str]) -> str:
    r"""Return the TeX that a picture draws; an empty text if it draws none, or what it draws is not sure.

    >>> picture_tex({"src": "/cgi-bin/mimetex.cgi?f(z)=\\exp(z)-1"}), picture_tex({"alt": "A map", "src": "/a.png"})
    ('f(z)=\\exp(z)-1', '')
    """
    attributes = with_later_images(given)
    stated, source = _BREAK.sub(" ", attributes.get("alt") or "").strip(), attributes.get("src") or ""
    if len(stated) > _LONGEST or len(source) > _LONGEST:
        return ""
    program, _, query = source.partition("#")[0].partition("?")
    wrapped = _WRAPPED.fullmatch(stated)
    tex = _tidy(wrapped[1] if wrapped else stated)
    if query and _DRAWN.search(program):
        named = _STATED.search(query)
        in_address = _tidy(unquote_plus(named[1]) if named else unquote(query))
        is_tex = bool(wrapped) or _looks_like_tex(tex) or _signs(tex) == _signs(in_address)
        tex = tex if tex and is_tex else in_address
    elif _NAMED.search(attributes.get("class", "")):
        tex = tex if wrapped or _looks_like_tex(tex) or len(tex) <= _LONGEST_NAME else ""
    elif not (wrapped and _COMMAND.search(tex)):
        tex = ""
    return tex if is_balanced(tex) else ""


def _tidy(tex: str) -> str:
    tex = _LAST_OPTIONS.sub("", tex.replace("&space;", " "))
    begun = _FIRST_OPTIONS.match(tex)
    return (tex[begun.end() :] if begun else tex).strip()


def _looks_like_tex(tex: str) -> bool:
    return _SIGNS.search(tex) is not None and _WORDS.search(tex) is None


def _signs(tex: str) -> str:
    return re.sub(r"[\s{}]", "", tex)
