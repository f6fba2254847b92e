"""Memory that pages have left is given back to the system: glibc keeps it, in pieces that fit no larger page."""

import ctypes
import sys
from collections.abc import Callable

_PAGES = 60  # to give back takes as long as to extract one page


def _malloc_trim() -> Callable[[int], int] | None:
    if not sys.platform.startswith("linux"):
        return None
    try:
        trim: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError):  # another C library
        return None
    return trim


class FreeMemory:
    """Gives free memory back to the system now and then."""

    def __init__(self) -> None:
        self._trim = _malloc_trim()
        self._pages = 0

    def after(self, pages: int) -> None:
        """Give it back, if enough pages were done since the last time; to be called when their trees are gone."""
        self._pages += pages
        if self._pages >= _PAGES and self._trim is not None:
            self._trim(0)
            self._pages = 0
