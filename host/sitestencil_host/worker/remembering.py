"""An extraction's use of the memory; no fault of the memory costs an answer."""

import logging
from functools import partial
from typing import TYPE_CHECKING

from sitestencil.errors import MemoryUnavailable
from sitestencil_host.errors import MEMORY_UNAVAILABLE, HostError
from sitestencil_host.messaging.messages import (
    ForgetRequest,
    ForgottenAnswer,
    RememberedSite,
    SitesAnswer,
    SitesRequest,
)

if TYPE_CHECKING:
    from sitestencil.memory.store import PageStore
    from sitestencil.site.loading import KnownPages

log = logging.getLogger(__name__)


def answer(request: SitesRequest | ForgetRequest) -> SitesAnswer | ForgottenAnswer:
    """List the remembered sites, or forget one or all.

    Raises:
        HostError: the memory is unavailable now.
    """
    try:
        if isinstance(request, ForgetRequest):
            return ForgottenAnswer(request.id, memory().forget(request.site))
        return SitesAnswer(request.id, tuple(RememberedSite(kept.site, kept.pages) for kept in memory().sites()))
    except MemoryUnavailable as error:
        raise HostError(MEMORY_UNAVAILABLE, str(error), request.id) from None


def is_remembered(url: str) -> bool:
    """Return whether the memory knows a page's site."""
    from sitestencil.urls import site_host

    try:
        return site_host(url) in {kept.site for kept in memory().sites()}
    except MemoryUnavailable:
        return False


def recall(url: str) -> "KnownPages":
    """Return the pages of a page's site that the memory knows."""
    from sitestencil.site.loading import KnownPages

    try:
        return memory().of_page(url)
    except MemoryUnavailable as error:
        log.warning("%s", error)
        return KnownPages()


def keep(url: str, known: "KnownPages", *, anew: bool) -> None:
    """Remember the pages that a detection saw; `anew`, forget the site's others."""
    try:
        memory().remember(url, known, anew=anew)
    except MemoryUnavailable as error:
        log.warning("%s", error)


def memory() -> "PageStore":
    """Return the memory."""
    from sitestencil.memory.store import PageStore, memory_file

    return PageStore(memory_file(), partial(log.warning, "%s"))
