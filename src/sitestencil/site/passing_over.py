"""What goes wrong with one page of a site is that page's own affair: it is passed over, and the others go on."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from sitestencil.errors import PageUnavailable

log = logging.getLogger(__name__)


@contextmanager
def passing_over(url: str) -> Iterator[None]:
    """Pass a page over where anything goes wrong with it inside the block, which then ends early.

    That a page is unavailable is an answer like others. Anything else is a mistake of this program that the page
    brought to light: it is logged as an error with its traceback, and our tests fail where one is logged. Being
    cancelled is no mistake, and is passed on.

    Args:
        url: the page's address, for the log.
    """
    try:
        yield
    except PageUnavailable as error:
        log.debug("%s", error)
    except Exception:
        log.exception("%s is passed over", url)
