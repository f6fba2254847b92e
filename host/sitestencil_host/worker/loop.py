"""``python -m sitestencil_host.worker.loop``: a process that answers the host's requests, one at a time.

It exchanges frames with the host: the extension's requests, the answers to the extension, and log records. It ends
with its input.
"""

import asyncio
import logging
import os
import sys
import threading
from time import perf_counter
from typing import NoReturn

import msgspec

from sitestencil_host.errors import CANCELLED, INTERNAL, HostError
from sitestencil_host.log import hear
from sitestencil_host.messaging.frames import (
    FrameReader,
    FrameWriter,
    OutputClosed,
    decode,
    decode_head,
    frames_on_stdout,
)
from sitestencil_host.messaging.messages import PrepareRequest, encode, whole_request
from sitestencil_host.worker.extractions import ExtractRequest, extract, host_error
from sitestencil_host.worker.job import WorkerJob
from sitestencil_host.worker.limits import limit_memory, limit_processor_time
from sitestencil_host.worker.readiness import Preparation, Readiness

_LONGEST_LOG_TEXT = 20_000

log = logging.getLogger("sitestencil_host.worker.loop")


def main() -> NoReturn:
    """Work for the host that started this program, until it closes the connection."""
    output = FrameWriter(frames_on_stdout())
    hear()
    logging.getLogger().addHandler(_FrameHandler(output))
    limit_memory()
    worker = Worker(output)
    threading.Thread(target=_read, args=(worker,), name="from host", daemon=True).start()
    worker.start()
    worker.loop.run_forever()
    leave()


def leave() -> NoReturn:
    """End the program now."""
    os._exit(0)


class Worker:
    """Answers one request after the other, in its event loop; a thread reads the frames.

    Attributes:
        loop: the event loop.
    """

    def __init__(self, output: FrameWriter) -> None:
        self.loop = asyncio.new_event_loop()
        self._output = output
        self._readiness = Readiness(self._until_free)
        self._preparation = Preparation(self._readiness.for_network)
        self._job: WorkerJob | None = None
        self._task: asyncio.Task[None] | None = None
        self._payloads: list[bytes] = []
        self._received = 0.0

    def start(self) -> None:
        """Get ready once the loop runs; requests that come meanwhile go first."""
        self._getting_ready = self.loop.create_task(self._readiness.get_ready())
        self._getting_ready.add_done_callback(_log_fault)

    async def _until_free(self) -> None:
        while self._task is not None:
            await asyncio.wait([self._task])

    def receive(self, payload: bytes, received: float) -> None:
        """Handle a frame in the event loop; `received` is its time by `perf_counter`."""
        head = decode_head(payload, _Head)
        match head.type:
            case "cancel":
                if self._task is not None and self._job is not None and self._job.id == head.id:
                    self._task.cancel()
            case "page":
                if self._job is not None and self._job.id == head.id:
                    self._job.loads.receive(payload)
            case "prepare":
                self._preparation.start(decode(payload, PrepareRequest).url)
            case _:
                self._received = self._received if self._payloads else received
                self._payloads.append(payload)
                if head.part == head.parts:
                    self._start(WorkerJob(head.id, self._output, self._received), head.type)

    def _start(self, job: WorkerJob, kind: str) -> None:
        limit_processor_time()
        payloads, self._payloads = self._payloads, []
        task = self.loop.create_task(self._answer(job, kind, payloads))
        self._job, self._task = job, task
        task.add_done_callback(lambda task: self._end(job, task))

    async def _answer(self, job: WorkerJob, kind: str, payloads: list[bytes]) -> None:
        job.note("start")
        if kind == "save":
            from sitestencil_host.worker.saving import SaveRequest, save

            job.end(await save(job, whole_request(payloads, SaveRequest)))
        elif kind == "apply":
            from sitestencil_host.worker.applying import ApplyRequest, apply

            job.end(apply(whole_request(payloads, ApplyRequest)))
        else:
            job.end(await extract(job, whole_request(payloads, ExtractRequest), self._preparation))

    def _end(self, job: WorkerJob, task: "asyncio.Task[None]") -> None:
        """Answer with an error if there is no result."""
        self._job = self._task = None
        try:
            error = HostError(CANCELLED) if task.cancelled() else _host_error(task.exception())
            if error is not None:
                job.fail(error)
        except OutputClosed:
            leave()


def _log_fault(getting_ready: "asyncio.Task[None]") -> None:
    """Log a failed import; a request that needs the module reports it."""
    if not getting_ready.cancelled() and (error := getting_ready.exception()) is not None:
        log.warning("not ready: %r", error)


def _host_error(error: BaseException | None) -> HostError | None:
    if error is None or isinstance(error, HostError):
        return error
    if isinstance(error, OutputClosed) or not isinstance(error, Exception):
        leave()
    answer = host_error(error)
    if answer.kind is INTERNAL:
        log.error("a defect", exc_info=error)
    return answer


class _Head(msgspec.Struct, frozen=True):
    """The fields of every frame, read first; the host checked them."""

    id: int
    type: str
    part: int = 1
    parts: int = 1


def _read(worker: Worker) -> None:
    """Forward frames to the event loop; the input's end ends the program, even while the loop is busy."""
    for frame in FrameReader(sys.stdin.buffer):
        if isinstance(frame, HostError):
            break
        worker.loop.call_soon_threadsafe(worker.receive, frame, perf_counter())
    leave()


class _FrameHandler(logging.Handler):
    """Sends log records to the host, the only writer of the log file."""

    def __init__(self, output: FrameWriter) -> None:
        super().__init__()
        self._output = output

    def emit(self, record: logging.LogRecord) -> None:
        text = self.format(record)[-_LONGEST_LOG_TEXT:].encode("utf-8", "replace").decode()
        try:
            self._output.write(encode({"type": "log", "name": record.name, "level": record.levelno, "text": text}))
        except OutputClosed:
            leave()


if __name__ == "__main__":
    main()
