"""The rules of a site's robots.txt for this robot, applied in bounded time."""

import re

from protego import Protego

ROBOT = "Sitestencil"
_WORK = 20_000_000  # rules that are compared before the first request: some 20 seconds
_WORK_A_PAGE = 1_000_000
_NAMED = re.compile(r"user(?:-|\s+)?agent(?:\s*:|\s)\s*+(.*)")
FORBIDDEN, TOO_LONG = "robots.txt", "robots.txt has too many rules to ask it for each address"


class RobotRules:
    """The rules of a robots.txt.

    Attributes:
        delay: the seconds that it asks to leave between two requests.
        sitemaps: the addresses of sitemaps, as they are written.
    """

    def __init__(self, text: str) -> None:
        lines = list(map(_without_other_robots, text.splitlines()))
        self._rules = Protego.parse("\n".join(lines))
        self._cost, self._work = len(lines) + len(text) // 16, _WORK
        self.delay = float(self._rules.crawl_delay(ROBOT) or 0)
        self.sitemaps = list(self._rules.sitemaps)

    def refusal(self, url: str) -> str | None:
        """Return why an address must not be loaded; None if it may be, and is loaded at once."""
        if self._work < self._cost:
            return TOO_LONG
        self._work -= self._cost
        if not self._rules.can_fetch(url, ROBOT):
            return FORBIDDEN
        self._work += max(self._cost, _WORK_A_PAGE)
        return None


def _without_other_robots(line: str) -> str:
    """Return a line of robots.txt in which all other robots have one name: each name has all rules of its group."""
    found = _NAMED.match(line.partition("#")[0].strip().lower())
    if found is None or found[1] in {"", "*"}:
        return line
    name = found[1].replace("*", "")
    return f"User-agent: {name if name and ROBOT.lower().startswith(name) else '-'}"
