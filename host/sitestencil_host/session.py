"""One browser's conversation: frames in, the protocol's answers out."""

import logging
from collections.abc import Callable
from typing import BinaryIO

from sitestencil_host.errors import CANCELLED, INTERNAL, PROTOCOL_VERSION, HostError
from sitestencil_host.messaging.frames import FrameReader, FrameWriter, OutputClosed
from sitestencil_host.messaging.messages import (
    PROTOCOL,
    CancelRequest,
    DetectorTitle,
    ErrorAnswer,
    ForgetRequest,
    ForgottenAnswer,
    HelloAnswer,
    HelloRequest,
    PageFrame,
    PrepareRequest,
    RequestParts,
    SitesAnswer,
    SitesRequest,
    Work,
    encode,
    error_answer,
    read_request,
)
from sitestencil_host.worker.jobs import Jobs
from sitestencil_host.worker.pool import Workers

log = logging.getLogger(__name__)


class Session:
    """Answers the requests of one input on one output.

    Attributes:
        after_first: called once, after the first answer, or if no request comes.

    Args:
        incoming: where the browser writes.
        outgoing: where it reads.
        version: the program's.
        workers: where extractions run.
    """

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO, version: str, workers: Workers) -> None:
        self._frames = FrameReader(incoming)
        self._output = FrameWriter(outgoing)
        self._version = version
        self._jobs = Jobs(self._output)
        self._workers = workers
        self._parts = RequestParts(self._jobs.waiting_lengths)
        self.after_first: Callable[[], None] = lambda: None

    def serve(self) -> None:
        """Answer until the input ends.

        Raises:
            OutputClosed: nobody reads the answers anymore.
        """
        for frame in self._frames:
            if isinstance(frame, HostError):
                self._refuse(frame)
            else:
                self._receive(frame)
            self.after_first()
            self.after_first = lambda: None

    def close(self) -> None:
        """End all jobs and workers, and with them their connections."""
        self._workers.close()
        for job in self._jobs.all():
            job.fail(HostError(CANCELLED, "the browser closed the connection"))

    def _receive(self, payload: bytes) -> None:
        try:
            self._handle(payload)
        except HostError as error:
            self._refuse(error)
        except OutputClosed:
            raise
        except Exception as error:
            log.exception("a request could not be handled")
            self._refuse(HostError(INTERNAL, repr(error)))

    def _refuse(self, error: HostError) -> None:
        log.warning("%.500s", error)
        self._answer(error_answer(error))

    def _handle(self, payload: bytes) -> None:
        match read_request(payload):
            case HelloRequest() as request:
                self._answer(self._welcome(request))
            case Work() as request:
                self._start(request)
            case CancelRequest() as request:
                self._cancel(request)
            case PrepareRequest():
                self._workers.prepare(payload)
            case SitesRequest() | ForgetRequest() as request:
                from sitestencil_host.worker.remembering import answer

                self._answer(answer(request))
            case PageFrame(request_id):
                # To the worker that asked for it, unless it has ended.
                if (job := self._jobs.get(request_id)) is not None:
                    job.receive(payload)

    def _welcome(self, request: HelloRequest) -> HelloAnswer:
        from sitestencil.detectors import DEFAULT_DETECTOR, DETECTORS

        log.info("hello from %.200r, protocol %d", request.client, request.protocol)
        if request.protocol != PROTOCOL:
            older = "extension" if request.protocol < PROTOCOL else "helper program"
            detail = f"update the {older}: {request.protocol} was asked for, and this one speaks {PROTOCOL}"
            raise HostError(PROTOCOL_VERSION, detail, request.id)
        return HelloAnswer(
            id=request.id,
            protocol=PROTOCOL,
            version=self._version,
            detectors=tuple(DetectorTitle(info.name, info.title) for info in DETECTORS.values()),
            default_detector=DEFAULT_DETECTOR,
        )

    def _start(self, part: Work) -> None:
        request = self._parts.add(part)
        if request is not None:
            self._workers.start(self._jobs.add(request))

    def _cancel(self, request: CancelRequest) -> None:
        """End the job at once; its worker closes the loads."""
        if self._parts.forget(request.id):
            raise HostError(CANCELLED, "", request.id)
        job = self._jobs.get(request.id)
        if job is not None and job.fail(HostError(CANCELLED)):
            job.stop()

    def _answer(self, answer: HelloAnswer | SitesAnswer | ForgottenAnswer | ErrorAnswer) -> None:
        self._output.write(encode(answer))
