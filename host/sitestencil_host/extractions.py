"""Extractions: one thread with an event loop for those of all tabs, started with the first."""

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import TimeoutError as Late
from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING

from sitestencil.errors import SitestencilError
from sitestencil_host.errors import (
    CANCELLED,
    CANNOT_BE_SAVED,
    INTERNAL,
    NO_CANDIDATES,
    NOT_A_TREE,
    NOT_A_WEB_PAGE,
    NOTHING_LOADED,
    TIME_OUT,
    UNKNOWN_DETECTOR,
    WRONG_SHAPE,
    HostError,
    Kind,
)
from sitestencil_host.frames import OutputClosed
from sitestencil_host.jobs import Job
from sitestencil_host.messages import Extract, ProgressAnswer, ResultPart, Save, Summary, decode
from sitestencil_host.pace import Pace
from sitestencil_host.results import result_parts, score_bytes
from sitestencil_host.saving import save

if TYPE_CHECKING:
    from sitestencil.progress import Progress
    from sitestencil.template import Template

log = logging.getLogger(__name__)


class Extractions:
    """Runs jobs until it is closed.

    Args:
        leave: ends the program; called from the thread when nobody reads the answers any more.
    """

    def __init__(self, leave: Callable[[], None]) -> None:
        self._leave = leave
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        threading.Thread(target=self._loop.run_forever, name="extractions", daemon=True).start()

    def start(self, job: Job) -> None:
        """Run a job; from any thread."""
        self._loop.call_soon_threadsafe(self._start, job)

    def close(self, seconds: float) -> None:
        """Cancel all and wait that long at most for their connections to close; from another thread."""
        closing = asyncio.run_coroutine_threadsafe(self._cancel_all(), self._loop)
        with suppress(Late):
            closing.result(seconds)

    def _start(self, job: Job) -> None:
        task = self._loop.create_task(self._run(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

        def stop() -> None:
            self._loop.call_soon_threadsafe(task.cancel)

        job.stop = stop
        if job.ended:
            task.cancel()

    async def _cancel_all(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, job: Job) -> None:
        start = perf_counter()
        try:
            try:
                outcome = await self._answer(job)
            except asyncio.CancelledError:
                job.fail(HostError(CANCELLED))
                outcome = CANCELLED.name
        except OutputClosed:
            self._leave()
            return
        log.info("extraction %d: %s after %.0f ms", job.id, outcome, 1000 * (perf_counter() - start))

    async def _answer(self, job: Job) -> str:
        """End the job with its result or its error; return the outcome in a word for the log."""
        try:
            job.end(await (save(job) if isinstance(job.request, Save) else extract(job)))
        except (asyncio.CancelledError, OutputClosed):
            raise
        except HostError as error:
            job.fail(error)
            return error.kind.name
        except Exception as error:
            answer = host_error(error)
            if answer.kind is INTERNAL:
                log.exception("extraction %d", job.id)
            job.fail(answer)
            return answer.kind.name
        return "result"


async def extract(job: Job) -> list[ResultPart]:
    """Return the messages that answer the job's request.

    Raises:
        HostError, SitestencilError: there is no answer.
    """
    from sitestencil.extraction import extract_async
    from sitestencil.page.snapshot import Snapshot, document_from_snapshot
    from sitestencil.urls import page_address

    assert isinstance(job.request, Extract)
    snapshot = decode(job.request.snapshot, Snapshot)
    page_address(snapshot.url)
    document = document_from_snapshot(snapshot)
    report = _Report(job)
    try:
        template = await extract_async(document, detector=job.request.detector, progress=report)
    finally:
        report.finish()
    return result_parts(
        job.id,
        template.ranges(),
        template.content_text_ranges(),
        _summary(template, len(document)),
        score_bytes(template.scores),
    )


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
    )
    return next((kind for error_type, kind in kinds if isinstance(error, error_type)), INTERNAL)


class _Report:
    """Sends progress at the browser's pace; a new stage at once."""

    def __init__(self, job: Job) -> None:
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


def _summary(template: "Template", elements: int) -> Summary:
    return Summary(
        url=template.url,
        detector=template.detector,
        elements=elements,
        candidates=list(template.candidates),
        pages_loaded=template.pages_loaded,
        timings_ms={phase: round(value, 3) for phase, value in template.timings_ms.items()},
        sureness=template.sureness,
        more_pages=template.detection.more_pages,
    )
