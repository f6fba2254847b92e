"""Read robots.txt: the pages that a site denies to robots (RFC 9309)."""

from typing import TYPE_CHECKING

from sitestencil.site.loaded_page import LoadedPage

if TYPE_CHECKING:
    from protego import Protego

ROBOT = "Sitestencil"
ROBOTS_BYTES = 512_000  # the standard's minimum
_PATH = "/robots.txt"


def robots_address(url: str) -> str:
    """Return the address of the robots.txt for a page's site."""
    return "/".join(url.split("/", 3)[:3]) + _PATH


def robots_rules(answer: LoadedPage | None) -> "Protego":
    """Return the rules in a server's response.

    Args:
        answer: the response for robots.txt; None without one. A missing file (4xx) allows everything; an error
            (5xx, no response) forbids everything (RFC 9309, 2.3.1).
    """
    from protego import Protego

    if answer is None or answer.status >= 500:
        return Protego.parse("User-agent: *\nDisallow: /")
    if answer.status >= 300 or not isinstance(answer.content, bytes):
        return Protego.parse("")
    return Protego.parse(answer.content[:ROBOTS_BYTES].decode("utf-8-sig", "replace"))
