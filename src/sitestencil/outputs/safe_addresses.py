"""Clean addresses for saved pages: absolute, of harmless schemes, without secrets."""

import re

import ada_url

from sitestencil.errors import CannotBeSaved
from sitestencil.outputs.secrets import without_tokens
from sitestencil.urls import UNKNOWN_ADDRESS

_WEB = frozenset({"http:", "https:"})
_PERSONAL = frozenset({"mailto:", "tel:", "sms:"})
_IMAGE = re.compile(r"data:image/[a-z0-9.+-]+[;,]", re.IGNORECASE)
_FONT = re.compile(
    r"data:(?:font/|application/(?:x-)?font|application/vnd\.ms-fontobject)[a-z0-9.+-]*[;,]", re.IGNORECASE
)
_NOWHERE = "#"
_SPACE = " \t\n\f\r"
_SPACE_AND_CONTROL = "".join(map(chr, range(33)))
_SEPARATORS = re.compile(f"[{_SPACE},]*+")
_NOT_SPACE = re.compile(f"[^{_SPACE}]*+")
_DESCRIPTORS = re.compile(r"(?:\([^)]*+(?:\)|\Z)|[^,(]++)*+")
# What browsers take out of every address before they read it.
_IGNORED = re.compile(r"[\t\n\r]")
# Room for 200,000 relative addresses with a base of 80 characters, more than any honest page has.
_MOST_ADDED = 16_000_000


class Growth:
    """The characters that absolute addresses add to a page: three become thousands where the base is long."""

    def __init__(self) -> None:
        self._left = _MOST_ADDED

    def add(self, characters: int) -> None:
        """Count characters; fewer than none make room for others.

        Raises:
            CannotBeSaved: they are more than any honest page needs.
        """
        self._left -= characters
        if self._left < 0:
            raise CannotBeSaved(
                f"This page's complete addresses take {_MOST_ADDED:,} characters more than its own."
            )


class Base(str):
    """A base address that limits the growth of a page; a plain one has no limit."""

    __slots__ = ("growth",)
    growth: Growth

    def __new__(cls, address: str, growth: Growth) -> "Base":
        """Return an address whose relative addresses count for this growth."""
        base = super().__new__(cls, address)
        base.growth = growth
        return base


def web_address(reference: str, base: str) -> str | None:
    """Return an absolute http or https address without user and password; None for any other scheme.

    Without a base a relative address stays as it is.
    """
    return _resolved(reference, base, _WEB)


def link_address(reference: str, base: str) -> str:
    """Return a link's address: a web page, a place in the page, a mail or phone address, or else ``#``."""
    stripped = _stripped(reference)
    if not stripped or stripped.startswith("#"):
        return without_tokens(stripped, followed=True)
    address = _resolved(stripped, base, _WEB | _PERSONAL)
    return _NOWHERE if address is None else without_tokens(address, followed=True)


def action_address(reference: str, base: str) -> str | None:
    """Return a form's address; None unless it is a web page."""
    address = web_address(reference, base)
    return None if address is None else without_tokens(address, followed=True)


def image_address(reference: str, base: str) -> str | None:
    """Return an image's address, which may be the image itself (``data:image/...``)."""
    stripped = _stripped(reference)
    return _quotable(stripped) if _IMAGE.match(stripped) else web_address(stripped, base)


def css_address(reference: str, base: str) -> str | None:
    """Return an address in CSS: an image, a font, or a place in the page."""
    stripped = _stripped(reference)
    if stripped.startswith("#") or _IMAGE.match(stripped) or _FONT.match(stripped):
        return _quotable(stripped)
    return web_address(stripped, base)


def fragment_address(reference: str) -> str | None:
    """Return a reference to a place in the page; None for any other."""
    stripped = _stripped(reference)
    return stripped if stripped.startswith("#") else None


def source_set(value: str, base: str) -> str:
    """Return a ``srcset`` with absolute, allowed addresses (HTML Standard, 4.8.4.3.10).

    >>> source_set("a.png, b.png 2x ,javascript:x 3x", "https://example.org/")
    'https://example.org/a.png, https://example.org/b.png 2x'
    """
    written = []
    place = _end_of(_SEPARATORS, value, 0)
    while place < len(value):
        start, place = place, _end_of(_NOT_SPACE, value, place)
        address, descriptor = value[start:place], ""
        if not address.endswith(","):
            start, place = place, _end_of(_DESCRIPTORS, value, place)
            descriptor = value[start:place]
        safe = image_address(address.rstrip(","), base)
        if safe is not None:
            written.append(f"{safe} {_descriptor(descriptor)}".strip())
        place = _end_of(_SEPARATORS, value, place)
    return ", ".join(written)


def _end_of(pattern: re.Pattern[str], text: str, place: int) -> int:
    """Return where a run of what a pattern takes ends that begins at a place."""
    found = pattern.match(text, place)
    return found.end() if found is not None else place


def _descriptor(text: str) -> str:
    return " ".join(re.findall(r"(?<!\S)[\d.]+[wxh](?!\S)", text))


def _resolved(reference: str, base: str, schemes: frozenset[str]) -> str | None:
    try:
        url = ada_url.URL(_stripped(reference), base or UNKNOWN_ADDRESS)
    except ValueError:
        return None
    if url.protocol not in schemes or (url.protocol in _WEB and not url.hostname):
        return None
    if url.username or url.password:
        url.username = url.password = ""
    address = _quotable(str(url.href))
    if not base and address.startswith(UNKNOWN_ADDRESS):
        # "https:a" is relative to an https page only.
        return None if _stripped(reference).lower().startswith("https:") else _quotable(_stripped(reference))
    if isinstance(base, Base):
        base.growth.add(len(address) - len(reference))
    return address


def _stripped(reference: str) -> str:
    """Return a reference as browsers read it, without white space and control characters around it."""
    return _IGNORED.sub("", reference.strip(_SPACE_AND_CONTROL))


def _quotable(address: str) -> str:
    """Escape an address for quotes in CSS, HTML and source sets."""
    for character, escape in (('"', "%22"), ("\\", "%5C"), ("<", "%3C"), (">", "%3E"), (" ", "%20"), ("\f", "%0C")):
        address = address.replace(character, escape)
    return address
