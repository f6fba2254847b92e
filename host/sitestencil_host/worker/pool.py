"""The pool of worker processes; each runs one extraction at a time, so none can block another."""

import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import msgspec

from sitestencil_host.errors import INTERNAL, TIME_OUT, TOO_HEAVY, HostError
from sitestencil_host.messaging.frames import OutputClosed
from sitestencil_host.messaging.messages import encode
from sitestencil_host.worker.jobs import Job
from sitestencil_host.worker.limits import MEMORY_BYTES, PROCESSOR_SECONDS, SECONDS, limit_that_ended, usage_of
from sitestencil_host.worker.process import WorkerProcess
from sitestencil_host.worker.start import start_worker

if TYPE_CHECKING:
    from sitestencil_host.worker.start import StartedWorker

MOST_WORKERS = 8
# One for the next click, and one for a click in another tab.
MOST_IDLE = 2
MOST_IDLE_BYTES = 400_000_000
SECONDS_TO_CANCEL = 0.5
# When all workers are busy, an extraction that has waited so long gives its worker to the next click.
SECONDS_TO_ONLY_WAIT = 4.0
_PROCESSOR_SECONDS_OF_WAITING = 0.02
# A worker that gets ready must not slow the one with a request.
SECONDS_TO_SPARE = 1.0
SECONDS_TO_TRY_AGAIN = 60.0
_SECONDS_TO_LOOK = 0.25

log = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class _Run:
    """A job in a worker.

    Attributes:
        job: the worker's job.
        processor_seconds: used by the worker before.
        started: by the monotonic clock.
        cancelled: when it was cancelled.
        fault: the reason why it was killed.
        parts: of the answer so far.
        seen_seconds: the worker's processor time when last seen busy.
        busy_at: when it was last seen busy.
    """

    job: Job
    processor_seconds: float
    started: float = field(default_factory=monotonic)
    cancelled: float | None = None
    fault: str | None = None
    parts: list[bytes] = field(default_factory=list)
    seen_seconds: float = 0.0
    busy_at: float = field(default_factory=monotonic)

    def only_waits(self, process_id: int) -> bool:
        """Return whether the worker has been idle for so long, waiting for pages."""
        usage = usage_of(process_id)
        if usage and usage.processor_seconds - self.seen_seconds > _PROCESSOR_SECONDS_OF_WAITING:
            self.seen_seconds, self.busy_at = usage.processor_seconds, monotonic()
        return monotonic() - self.busy_at > SECONDS_TO_ONLY_WAIT

    def excess(self, process_id: int) -> str | None:
        """Return in words the limit that the work exceeds."""
        seconds, usage = monotonic() - self.started, usage_of(process_id)
        if seconds > SECONDS:
            return f"not ended after {seconds:.0f} s"
        if usage and usage.processor_seconds - self.processor_seconds > PROCESSOR_SECONDS:
            return f"over {PROCESSOR_SECONDS:.0f} s of processor time"
        if usage and usage.memory_bytes > MEMORY_BYTES:
            return f"over {MEMORY_BYTES / 1e9:.1f} GB of memory"
        return None


class _Head(msgspec.Struct, frozen=True):
    """The fields of a worker's frame that the host reads."""

    type: str
    id: int | None = None
    part: int = 1
    parts: int = 1
    name: str = ""
    level: int = logging.INFO
    text: str = ""


class Workers:
    """Gives each job its own worker, and kills workers over a limit.

    Args:
        leave: ends the program; called from a thread when nobody reads the answers anymore.
        first: an already started worker, if any.
    """

    def __init__(self, leave: Callable[[], Any], first: "StartedWorker | None" = None) -> None:
        self._leave = leave
        self._idle: list[WorkerProcess] = []
        self._running: dict[WorkerProcess, _Run] = {}
        self._waiting: deque[Job] = deque()
        self._spare_due = 0.0
        self._closed = False
        self._changed = threading.Condition()
        self._watchdog: threading.Thread | None = None
        if first is not None:
            with self._changed:
                self._idle.append(WorkerProcess(first, self._receive, self._ended))

    def start(self, job: Job) -> None:
        """Run a job as soon as a worker is free."""
        job.stop = partial(self._stop, job)
        with self._changed:
            self._waiting.append(job)
            self._assign()
            if self._watchdog is None:
                self._watchdog = threading.Thread(target=self._watch, name="watchdog", daemon=True)
                self._watchdog.start()

    def prepare(self, payload: bytes) -> None:
        """Announce the next job to the worker that will get it, if one is free."""
        with self._changed:
            if self._idle and not self._waiting:
                self._idle[-1].send(payload)

    def close(self) -> None:
        """End all workers at once."""
        with self._changed:
            self._closed = True
            for worker in (*self._idle, *self._running):
                worker.kill()

    def _assign(self) -> None:
        while self._waiting and not self._closed:
            try:
                if not self._idle:
                    self._start_worker()
            except OSError as error:
                self._waiting.popleft().fail(HostError(INTERNAL, f"no worker can be started: {error}"))
                continue
            if not self._idle:
                return
            job, worker = self._waiting.popleft(), self._idle.pop()
            usage = usage_of(worker.process_id)
            self._running[worker] = _Run(job, usage.processor_seconds if usage else 0.0)
            job.receive = worker.send
            for payload in job.take_payloads():
                worker.send(payload)
            self._spare_due = monotonic() + SECONDS_TO_SPARE
            self._changed.notify()

    def _start_worker(self) -> None:
        if len(self._idle) + len(self._running) < MOST_WORKERS:
            self._idle.append(WorkerProcess(start_worker(), self._receive, self._ended))

    def _stop(self, job: Job) -> None:
        with self._changed:
            if job in self._waiting:
                self._waiting.remove(job)
            for worker, run in self._running.items():
                if run.job is job:
                    run.cancelled = monotonic()
                    worker.send(encode({"type": "cancel", "id": job.id}))

    def _receive(self, worker: WorkerProcess, payload: bytes) -> None:
        """Handle a worker's frame, in the thread that reads them."""
        head = msgspec.json.decode(payload, type=_Head)
        if head.type == "log":
            logging.getLogger(head.name).log(head.level, "%s", head.text)
            return
        run = self._running.get(worker)
        if run is None or head.id != run.job.id:
            log.warning("a worker answered what it was not asked")
            return
        try:
            self._pass_on(worker, run, head, payload)
        except OutputClosed:
            self.close()
            self._leave()

    def _pass_on(self, worker: WorkerProcess, run: _Run, head: _Head, payload: bytes) -> None:
        match head.type:
            case "result" | "saved" if head.part < head.parts:
                run.parts.append(payload)
            case "result" | "saved" | "error":
                outcome = head.name or head.type
                log.info("extraction %d: %s after %.0f ms", run.job.id, outcome, 1000 * (monotonic() - run.started))
                self._free(worker)
                run.job.end([payload] if head.type == "error" else [*run.parts, payload])
            case _:
                run.job.tell(payload)

    def _free(self, worker: WorkerProcess) -> None:
        usage = usage_of(worker.process_id)
        with self._changed:
            del self._running[worker]
            if len(self._idle) < MOST_IDLE and (usage is None or usage.memory_bytes < MOST_IDLE_BYTES):
                self._idle.append(worker)
            else:
                worker.kill()
            self._assign()

    def _ended(self, worker: WorkerProcess, status: int) -> None:
        """Answer for a worker that is gone, in the thread that read its frames."""
        with self._changed:
            if worker in self._idle and not self._closed:
                self._idle.remove(worker)
                self._spare_due = monotonic() + SECONDS_TO_TRY_AGAIN
                log.warning("a worker that did nothing ended with status %d", status)
            run = self._running.pop(worker, None)
            self._assign()
        if run is None or self._closed:
            return
        over = run.fault or limit_that_ended(status)
        error = (
            HostError(TOO_HEAVY, over) if over else HostError(INTERNAL, f"the worker ended with status {status}")
        )
        log.warning("extraction %d: %s", run.job.id, error)
        self._fail(run.job, error)

    def _fail(self, job: Job, error: HostError) -> None:
        try:
            job.fail(error)
        except OutputClosed:
            self.close()
            self._leave()

    def _watch(self) -> None:
        while not self._closed:
            with self._changed:
                self._changed.wait_for(lambda: self._running or self._lacks_spare())
            sleep(_SECONDS_TO_LOOK)
            with self._changed:
                for worker, run in self._running.items():
                    self._look_at(worker, run)
                if self._lacks_spare() and monotonic() > self._spare_due:
                    try:
                        self._start_worker()
                    except OSError as error:
                        self._spare_due = monotonic() + SECONDS_TO_TRY_AGAIN
                        log.warning("no further worker can be started: %s", error)
                displaced = self._displaced()
            for job in displaced:
                self._fail(job, HostError(TIME_OUT, "it only waited for pages, and another tab was waiting"))

    def _displaced(self) -> list[Job]:
        """Stop the work that has waited longest, for queued jobs; return its job."""
        waits = [
            run
            for worker, run in self._running.items()
            if run.only_waits(worker.process_id) and run.cancelled is None
        ]
        if len(self._idle) + len(self._running) < MOST_WORKERS:
            return []
        stopping = sum(run.cancelled is not None for run in self._running.values())
        number = max(len(self._waiting) - stopping, 0)
        jobs = [run.job for run in sorted(waits, key=lambda run: run.started)[:number]]
        for job in jobs:
            self._stop(job)
        return jobs

    def _look_at(self, worker: WorkerProcess, run: _Run) -> None:
        if run.cancelled is not None and monotonic() - run.cancelled > SECONDS_TO_CANCEL:
            worker.kill()
        elif excess := run.excess(worker.process_id):
            run.fault = run.fault or excess
            worker.kill()

    def _lacks_spare(self) -> bool:
        """Return whether a click in another tab would have to wait for a new worker."""
        return not self._closed and (not self._idle or len(self._idle) + len(self._running) < MOST_IDLE)
