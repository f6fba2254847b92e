"""An extraction from the extension's side: an id, progress, and exactly one end."""

import threading
from collections.abc import Callable, Sequence

from sitestencil_host.errors import ID_IN_USE, HostError
from sitestencil_host.messaging.frames import FrameWriter
from sitestencil_host.messaging.messages import Work, encode, error_answer


class Job:
    """Sends the answers to one request, from any thread; after its end it sends nothing.

    Attributes:
        id: the request's.
        stop: ends its work.
        receive: takes a page from the extension.
    """

    def __init__(self, request: Work, output: FrameWriter, forget: Callable[["Job"], None]) -> None:
        self.id = request.id
        self.stop: Callable[[], None] = lambda: None
        self.receive: Callable[[bytes], None] = lambda _: None
        self._payloads = request.payloads
        self._output = output
        self._forget = forget
        self._ended = False
        self._lock = threading.Lock()

    @property
    def waiting_length(self) -> int:
        """The bytes of the request's frames, until they are taken."""
        return sum(map(len, self._payloads))

    def take_payloads(self) -> tuple[bytes, ...]:
        """Return the request's frames and drop them: they can have 64 MiB."""
        payloads, self._payloads = self._payloads, ()
        return payloads

    def tell(self, payload: bytes) -> None:
        """Send a message that does not end the job."""
        with self._lock:
            if not self._ended:
                self._output.write(payload)

    def end(self, payloads: Sequence[bytes]) -> bool:
        """Send all messages that end the job; return False, and send none, if it had ended."""
        with self._lock:
            if self._ended:
                return False
            self._ended = True
            self._forget(self)
            for payload in payloads:
                self._output.write(payload)
            return True

    def fail(self, error: HostError) -> bool:
        """End the job with an error."""
        error.id = self.id
        return self.end([encode(error_answer(error))])


class Jobs:
    """The running jobs, by id."""

    def __init__(self, output: FrameWriter) -> None:
        self._output = output
        self._running: dict[int, Job] = {}
        self._lock = threading.Lock()

    def add(self, request: Work) -> Job:
        """Return a new job.

        Raises:
            HostError: a job of this id is running.
        """
        job = Job(request, self._output, self._forget)
        with self._lock:
            if request.id in self._running:
                raise HostError(ID_IN_USE, f"extraction {request.id} is still running", request.id)
            self._running[request.id] = job
        return job

    def get(self, request_id: int) -> Job | None:
        """Return the running job of this id."""
        with self._lock:
            return self._running.get(request_id)

    def all(self) -> list[Job]:
        """Return the running jobs."""
        with self._lock:
            return list(self._running.values())

    def waiting_lengths(self) -> list[int]:
        """Return the length of each request that no worker has taken."""
        return [length for job in self.all() if (length := job.waiting_length)]

    def _forget(self, job: Job) -> None:
        with self._lock:
            self._running.pop(job.id, None)
