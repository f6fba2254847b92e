"""Obey a busy server that names a time to retry."""

import asyncio
from datetime import UTC, datetime
from time import monotonic

from sitestencil.errors import PageUnavailable

LONGEST_WAIT = 3.0
_TOO_MANY_REQUESTS = 429
_UNAVAILABLE = 503


class Courtesy:
    """Wait once if a server asks for it (429, or 503 with ``Retry-After``), and then stop requests to it."""

    def __init__(self) -> None:
        self._wait_until: float | None = None
        self._refused: str | None = None

    async def before_asking(self, url: str) -> None:
        """Wait as long as the server has asked for.

        Raises:
            PageUnavailable: the server wants no more requests.
        """
        if self._refused is not None:
            raise PageUnavailable(f"{url}: is not asked for, since {self._refused}.")
        if self._wait_until is not None:
            await asyncio.sleep(max(0.0, self._wait_until - monotonic()))

    def is_asked_to_wait(self, url: str, status: int, retry_after: str | None) -> bool:
        """Return whether to retry after `before_asking` has waited; False for any other response.

        Raises:
            PageUnavailable: the server asks for a longer wait, or for a second one.
        """
        if status != _TOO_MANY_REQUESTS and not (status == _UNAVAILABLE and retry_after):
            return False
        seconds = seconds_to_wait(retry_after)
        now = monotonic()
        waiting = self._wait_until is not None and now < self._wait_until
        if seconds is not None and seconds <= LONGEST_WAIT and (waiting or self._wait_until is None):
            self._wait_until = self._wait_until if waiting else now + seconds
            return True
        self._refused = f"the server answered {status}, which asks for fewer requests"
        raise PageUnavailable(f"{url}: {self._refused}.")


def seconds_to_wait(retry_after: str | None) -> float | None:
    """Return the seconds in a ``Retry-After`` header, a number or a date; None without one."""
    text = (retry_after or "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    from email.utils import parsedate_to_datetime

    try:
        until = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
