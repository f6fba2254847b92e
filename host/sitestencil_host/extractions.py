"""An extraction, as a worker does it: from the request's snapshot to the messages that answer it."""

from collections.abc import Mapping
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from sitestencil.errors import SitestencilError
from sitestencil_host.decoding import decode
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
from sitestencil_host.messages import EarlyResultPart, Extract, ProgressAnswer, ResultPart, Summary
from sitestencil_host.pace import Pace
from sitestencil_host.preparation import Preparation
from sitestencil_host.results import result_parts, score_bytes
from sitestencil_host.worker_job import WorkerJob

if TYPE_CHECKING:
    from sitestencil.page.document import Document
    from sitestencil.progress import Progress
    from sitestencil.site.sources import Source
    from sitestencil.template import Template

Times = Mapping[str, float]


async def extract(job: WorkerJob, request: Extract, preparation: Preparation) -> list[ResultPart]:
    """Return the messages that answer a request.

    Args:
        job: the request's way back.
        request: what is asked for.
        preparation: what has been done for it before it came.

    Raises:
        HostError, SitestencilError: there is no answer.
    """
    begun = perf_counter()
    document = _document(request)
    times = {"waiting": 1000 * (begun - job.came), "snapshot": 1000 * (perf_counter() - begun)}
    report = _Report(job)
    try:
        template = await _template(document, request, job, report, preparation, times)
    finally:
        report.finish()
    return _parts(template, job, times)


def _parts(template: "Template", job: WorkerJob, times: Times) -> list[ResultPart]:
    begun = perf_counter()
    ranges, content_texts = template.ranges(), template.content_text_ranges()
    scores = score_bytes(template.scores)
    now = perf_counter()
    phases = {str(phase): value for phase, value in template.timings_ms.items()}
    times = {**times, **phases, "result": 1000 * (now - begun), "total": 1000 * (now - job.came)}
    return result_parts(job.id, ranges, content_texts, _summary(template, times), scores)


def _tell_early(job: WorkerJob, times: Times, template: "Template") -> None:
    for part in _parts(template, job, times):
        job.tell(EarlyResultPart(**asdict(part)))


def _document(request: Extract) -> "Document":
    from sitestencil.page.gc_pause import collector_paused
    from sitestencil.page.snapshot import Snapshot, document_from_snapshot

    with collector_paused():
        return document_from_snapshot(decode(request.snapshot, Snapshot))


async def _template(
    document: "Document",
    request: Extract,
    job: WorkerJob,
    report: "_Report",
    preparation: Preparation,
    times: Times,
) -> "Template":
    from sitestencil.extraction import extract_async
    from sitestencil_host.extension_source import ExtensionSource

    way = request.pages
    source: Source | None = preparation.take(document.url)
    if way is not None and way != "http":
        source = ExtensionSource(document.url, way, job.loads)
    early = partial(_tell_early, job, times) if request.early else None
    return await extract_async(document, source=source, detector=request.detector, progress=report, early=early)


def host_error(error: Exception) -> HostError:
    """Return what is answered to an error: the library's own sentence where it is one that the protocol knows."""
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


class _Report:
    """Sends progress at the browser's pace; a new stage at once."""

    def __init__(self, job: WorkerJob) -> None:
        self._job = job
        self._pace = Pace(self._send)
        self._stage: str | None = None

    def __call__(self, progress: "Progress") -> None:
        if progress.stage != self._stage:
            self._stage = progress.stage
            self._pace.finish()
        self._pace(progress)

    def finish(self) -> None:
        self._pace.finish()

    def _send(self, progress: "Progress") -> None:
        self._job.tell(ProgressAnswer(self._job.id, progress.stage, progress.pages_loaded, progress.pages_wanted))


def _summary(template: "Template", times: Times) -> Summary:
    return Summary(
        url=template.url,
        detector=template.detector,
        elements=len(template.document),
        candidates=list(template.candidates),
        pages_loaded=template.pages_loaded,
        timings_ms={phase: round(value, 3) for phase, value in times.items()},
        sureness=template.sureness,
        more_pages=template.detection.more_pages,
        doubt=template.doubt,
    )
