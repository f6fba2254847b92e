"""A worker's extraction: from the request's snapshot to its answer."""

from functools import partial
from typing import TYPE_CHECKING, Literal

from msgspec.structs import asdict

from sitestencil.errors import SitestencilError
from sitestencil_host.errors import (
    CANNOT_BE_SAVED,
    INTERNAL,
    NO_CANDIDATES,
    NOT_A_TREE,
    NOT_A_WEB_PAGE,
    NOTHING_LOADED,
    TIME_OUT,
    TOO_HEAVY,
    UNKNOWN_DETECTOR,
    WRONG_SHAPE,
    HostError,
    Kind,
)
from sitestencil_host.messaging.frames import decode
from sitestencil_host.messaging.messages import PageRequest
from sitestencil_host.messaging.results import (
    EarlyResultPart,
    ResultPart,
    Summary,
    Verdicts,
    reasons_parts,
    result_parts,
    score_bytes,
)
from sitestencil_host.worker.job import WorkerJob
from sitestencil_host.worker.readiness import CONNECTIONS, DETECTION, Preparation, import_in_turns

if TYPE_CHECKING:
    from sitestencil.detectors import Detector
    from sitestencil.site.loaded_page import LoadedPage
    from sitestencil.site.loading import KnownPages
    from sitestencil.site.sources import Source
    from sitestencil.template import Template

_LONGEST_TITLE = 500
# Doubts that can arise when a stranger gets other pages than the person, or none.
_STRANGERS_DOUBTS = frozenset(
    {"nothing_loaded", "not_the_served_page", "needs_login", "built_by_scripts", "no_similar_page", "links_may_act"}
)


class ExtractRequest(PageRequest, frozen=True, tag="extract"):
    """Asks for the template of a page; the text is the snapshot's JSON.

    Attributes:
        detector: its name; None for the default.
        pages: the host loads them, or the extension in one of its ways.
        more_pages: whether to compare with more pages than are usually enough.
        memory: whether to use the memory; None forbids remembering, too.
        links: the addresses that the person chose for the extension to load; None for all that look like pages.
    """

    detector: str | None = None
    pages: Literal["http", "session", "rendered"] = "http"
    more_pages: bool = False
    memory: Literal["use", "renew"] | None = None
    links: list[str] | None = None


async def extract(job: WorkerJob, request: ExtractRequest, preparation: Preparation) -> list[ResultPart]:
    """Return the messages that answer a request.

    Args:
        job: the request's way back.
        request: to answer.
        preparation: begun before the request came.

    Raises:
        HostError, SitestencilError: there is no answer.
    """
    page = _page(request)
    job.note("read")
    from sitestencil.site.loading import KnownPages

    if request.memory is None:
        known = KnownPages()
        return _answer(await _template(page, request, job, preparation, known), job, known)
    from sitestencil_host.worker.remembering import keep, recall

    anew = request.memory == "renew"
    known = KnownPages() if anew else recall(page.url)
    template = await _template(page, request, job, preparation, known)
    job.afterwards = partial(keep, page.url, known, anew=anew)
    return _answer(template, job, known)


def _answer(template: "Template", job: WorkerJob, known: "KnownPages") -> list[ResultPart]:
    """Return the messages of a detection's answer, the reasons first."""
    for part in reasons_parts(job.id, template, known.compared):
        job.tell(part)
    return _parts(template, job)


def _parts(template: "Template", job: WorkerJob) -> list[ResultPart]:
    return result_parts(job.id, Verdicts.of(template), _summary(template, job), score_bytes(template.scores))


def _tell_early(job: WorkerJob, template: "Template") -> None:
    for part in _parts(template, job):
        job.tell(EarlyResultPart(**asdict(part)))


def _page(request: ExtractRequest) -> "LoadedPage":
    from sitestencil.page.gc_pause import collector_paused
    from sitestencil.page.snapshot import Snapshot, document_from_snapshot
    from sitestencil.site.loaded_page import LoadedPage

    with collector_paused():
        snapshot = decode(request.text.encode(), Snapshot)
        document = document_from_snapshot(snapshot)
    return LoadedPage(document.url, document, "given", status=snapshot.status or 200)


async def _template(
    page: "LoadedPage",
    request: ExtractRequest,
    job: WorkerJob,
    preparation: Preparation,
    known: "KnownPages",
) -> "Template":
    source = _source(page.url, request, job, preparation, remembers=bool(known.pages))
    try:
        # Connections open while the detector is imported.
        await import_in_turns(DETECTION)
        from sitestencil.extraction import extract_async

        job.note("ready")
        detector = _detector(request)
        early = partial(_tell_early, job)
        with job.progress() as report:
            return await extract_async(
                page, source=source, detector=detector, progress=report, early=early, known=known
            )
    finally:
        if source is not None:
            await source.__aexit__(None, None, None)


def _source(
    url: str, request: ExtractRequest, job: WorkerJob, preparation: Preparation, *, remembers: bool
) -> "Source | None":
    if request.pages == "http":
        return preparation.source_for(url, 0 if remembers else CONNECTIONS)
    from sitestencil_host.worker.extension_source import ExtensionSource

    preparation.drop()
    return ExtensionSource(url, request.pages, job.loads, request.links)


def _detector(request: ExtractRequest) -> "str | Detector | None":
    """Return the requested detector, with more pages if the request says so."""
    if not request.more_pages:
        return request.detector
    from sitestencil.detectors import load_detector

    detector = load_detector(request.detector)
    with_more_pages = getattr(detector, "with_more_pages", None)
    return with_more_pages() if with_more_pages else detector


def host_error(error: Exception) -> HostError:
    """Return the answer to an error, with the library's sentence if the protocol knows the error."""
    kind, words = kind_of(error), str(error)
    sentence = words if isinstance(error, SitestencilError) and kind is not INTERNAL else ""
    return HostError(kind, words or type(error).__name__, message=sentence)


def kind_of(error: Exception) -> Kind:
    """Return the protocol's kind of a library's error."""
    from sitestencil import errors

    kinds: tuple[tuple[type[Exception], Kind], ...] = (
        (errors.NoCandidates, NO_CANDIDATES),
        (errors.NothingLoaded, NOTHING_LOADED),
        (errors.TimeOut, TIME_OUT),
        (errors.UnknownDetector, UNKNOWN_DETECTOR),
        (errors.CannotBeSaved, CANNOT_BE_SAVED),
        (errors.MalformedSnapshot, NOT_A_TREE),
        (errors.InvalidAddress, NOT_A_WEB_PAGE),
        (RecursionError, WRONG_SHAPE),
        (MemoryError, TOO_HEAVY),
    )
    return next((kind for error_type, kind in kinds if isinstance(error, error_type)), INTERNAL)


def _summary(template: "Template", job: WorkerJob) -> Summary:
    timings_ms = (*job.timings_ms.items(), *template.timings_ms.items(), ("total", job.total_ms()))
    return Summary(
        url=template.url,
        detector=template.detector,
        elements=len(template.document),
        candidates=list(template.candidates),
        pages_loaded=template.pages_loaded,
        timings_ms={phase: round(value, 3) for phase, value in timings_ms},
        confidence=template.confidence,
        more_pages=template.detection.more_pages,
        doubt=template.doubt,
        title=template.site_title[:_LONGEST_TITLE],
        remembered=bool(template.candidates) and not template.pages_loaded,
        session_links=_session_links(template),
        main_confidence=round(template.main.confidence, 4),
        main_doubt=template.main.doubt,
    )


def _session_links(template: "Template") -> list[str] | None:
    """Return the links to load in the person's session, if a stranger gets other pages or none."""
    from sitestencil.site.menu_links import menu_links, near_links

    if template.doubt not in _STRANGERS_DOUBTS:
        return None
    links = near_links if template.doubt == "links_may_act" else menu_links
    return [link.url for link in links(template.document)]
