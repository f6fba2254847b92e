"""robots.txt: which pages a site asks robots to leave alone (RFC 9309)."""

from typing import TYPE_CHECKING

from sitestencil.site.loaded_page import LoadedPage

if TYPE_CHECKING:
    from protego import Protego

ROBOT = "Sitestencil"
ROBOTS_BYTES = 512_000  # what the standard has a robot read at least
_PATH = "/robots.txt"


def robots_address(url: str) -> str:
    """Return where the site of a page says what robots may do."""
    return "/".join(url.split("/", 3)[:3]) + _PATH


def robots_rules(answer: LoadedPage | None) -> "Protego":
    """Return the rules that a server's answer gives.

    Args:
        answer: to the request for robots.txt; None where none came. A site that has none (4xx) asks for nothing; of
            one that cannot tell (5xx, no answer) nothing may be crawled (RFC 9309, 2.3.1).
    """
    from protego import Protego

    if answer is None or answer.status >= 500:
        return Protego.parse("User-agent: *\nDisallow: /")
    if answer.status >= 300 or not isinstance(answer.content, bytes):
        return Protego.parse("")
    return Protego.parse(answer.content[:ROBOTS_BYTES].decode("utf-8-sig", "replace"))
