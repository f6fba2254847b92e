"""Return free memory to the operating system: glibc keeps it in pieces too small for larger pages."""

import ctypes
import sys
from collections.abc import Callable

_PAGES = 60  # trimming takes as long as extracting one page


def _malloc_trim() -> Callable[[int], int] | None:
    if not sys.platform.startswith("linux"):
        return None
    try:
        trim: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError):  # the C library is not glibc
        return None
    return trim


class FreeMemory:
    """Return free memory to the operating system at intervals."""

    def __init__(self) -> None:
        self._trim = _malloc_trim()
        self._pages = 0

    def after(self, pages: int) -> None:
        """Trim if enough pages are done since the last time. Call this after their trees are freed."""
        self._pages += pages
        if self._pages >= _PAGES and self._trim is not None:
            self._trim(0)
            self._pages = 0
