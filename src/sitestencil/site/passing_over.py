"""Skip a page after an error: it must not affect the others."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from sitestencil.errors import PageUnavailable

log = logging.getLogger(__name__)


@contextmanager
def passing_over(url: str) -> Iterator[None]:
    """Skip a page: any error ends the block early.

    An unavailable page is expected. Any other exception is a defect of this program: log it with its traceback, and
    our tests fail. Cancellation passes through.

    Args:
        url: the page's address, for the log.
    """
    try:
        yield
    except PageUnavailable as error:
        log.debug("%s", error)
    except Exception:
        log.exception("%s is passed over", url)
