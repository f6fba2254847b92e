"""One browser's conversation: each frame in, what the protocol says out."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO

from sitestencil_host.errors import CANCELLED, INTERNAL, PROTOCOL_VERSION, HostError
from sitestencil_host.frames import FrameReader, FrameWriter, OutputClosed
from sitestencil_host.jobs import Jobs
from sitestencil_host.messages import (
    CAPABILITIES,
    PROTOCOL,
    Answer,
    Cancel,
    Extract,
    Hello,
    Save,
    Welcome,
    encode,
    error_answer,
    read_request,
)

if TYPE_CHECKING:
    from sitestencil_host.extractions import Extractions

log = logging.getLogger(__name__)


class Session:
    """Answers the requests of one input on one output.

    Args:
        incoming: where the browser writes.
        outgoing: where it reads.
        version: the program's.
        leave: ends the program, from any thread.
    """

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO, version: str, leave: Callable[[], None]) -> None:
        self._frames = FrameReader(incoming)
        self._output = FrameWriter(outgoing)
        self._version = version
        self._leave = leave
        self._jobs = Jobs(self._output)
        self._extractions: Extractions | None = None

    def serve(self) -> None:
        """Answer until the input ends.

        Raises:
            OutputClosed: nobody reads the answers any more.
        """
        for frame in self._frames:
            if isinstance(frame, HostError):
                self._refuse(frame)
            else:
                self._receive(frame)

    def close(self, seconds: float) -> None:
        """End what runs; wait that long at most for its connections to close."""
        for job in self._jobs.all():
            job.fail(HostError(CANCELLED, "the browser closed the connection"))
        if self._extractions is not None:
            self._extractions.close(seconds)

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
            case Hello() as request:
                self._answer(self._welcome(request))
            case Extract() | Save() as request:
                self._start(request)
            case Cancel() as request:
                self._cancel(request)

    def _welcome(self, request: Hello) -> Welcome:
        from sitestencil.detectors import DEFAULT_DETECTOR, DETECTORS

        log.info("hello from %.200r, protocol %d", request.client, request.protocol)
        if request.protocol != PROTOCOL:
            detail = f"protocol {request.protocol} was asked for; this host speaks {PROTOCOL}"
            raise HostError(PROTOCOL_VERSION, detail, request.id)
        return Welcome(
            id=request.id,
            protocol=PROTOCOL,
            version=self._version,
            detectors=tuple({"name": info.name, "title": info.title} for info in DETECTORS.values()),
            default_detector=DEFAULT_DETECTOR,
            capabilities=CAPABILITIES,
        )

    def _start(self, request: Extract | Save) -> None:
        from sitestencil_host.extractions import Extractions

        job = self._jobs.add(request)
        if self._extractions is None:
            self._extractions = Extractions(self._leave)
        self._extractions.start(job)

    def _cancel(self, request: Cancel) -> None:
        """End the job at once; its loads are closed by its own thread."""
        job = self._jobs.get(request.id)
        if job is not None and job.fail(HostError(CANCELLED)):
            job.stop()

    def _answer(self, answer: Answer) -> None:
        self._output.write(encode(answer))
