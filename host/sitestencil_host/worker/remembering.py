"""An extraction's use of the memory; no fault of the memory costs an answer."""

import logging
from functools import partial
from typing import TYPE_CHECKING

from sitestencil.errors import CannotLearn, MemoryUnavailable
from sitestencil_host.errors import MEMORY_UNAVAILABLE, HostError

if TYPE_CHECKING:
    from sitestencil.memory.answering import MemoryAnswer
    from sitestencil.memory.store import TemplateStore
    from sitestencil.page.document import Document
    from sitestencil.template import Template

log = logging.getLogger(__name__)


def forget(request_id: int) -> int:
    """Forget all sites; return how many templates there were.

    Raises:
        HostError: the memory is unavailable now.
    """
    try:
        return memory().forget()
    except MemoryUnavailable as error:
        raise HostError(MEMORY_UNAVAILABLE, str(error), request_id) from None


def is_remembered(url: str) -> bool:
    """Return whether the memory knows a page's site."""
    from sitestencil.urls import site_host

    try:
        return site_host(url) in {kept.site for kept in memory().sites()}
    except MemoryUnavailable:
        return False


def recall(document: "Document", detector: str | None) -> "MemoryAnswer | None":
    """Return a page's template from memory, as far as it is known."""
    from sitestencil.detectors import detector_name
    from sitestencil.memory.answering import answer_from
    from sitestencil.page.gc_pause import collector_paused

    try:
        remembered = memory().of_page(document.url, detector_name(detector))
    except MemoryUnavailable as error:
        log.warning("%s", error)
        return None
    with collector_paused():
        return answer_from(remembered, document)


def keep(template: "Template", before: "MemoryAnswer | None") -> None:
    """Remember a detection's template, if its detector learns."""
    from sitestencil.detectors import load_learner
    from sitestencil.memory.answering import remember

    try:
        load_learner(template.detector)
        remember(memory(), template, before)
    except CannotLearn:
        return
    except MemoryUnavailable as error:
        log.warning("%s", error)


def keep_used(answer: "MemoryAnswer") -> None:
    """Mark an answer's template as used, so that it stays."""
    try:
        memory().use(answer.remembered.number)
    except MemoryUnavailable as error:
        log.warning("%s", error)


def memory() -> "TemplateStore":
    """Return the memory."""
    from sitestencil.memory.store import TemplateStore, memory_file

    return TemplateStore(memory_file(), partial(log.warning, "%s"))
