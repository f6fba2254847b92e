"""A request from its worker's side."""

from collections.abc import Callable, Sequence
from time import perf_counter

import msgspec

from sitestencil_host.errors import ANSWER_TOO_LONG, HostError
from sitestencil_host.messaging.frames import AnswerTooLong, FrameWriter
from sitestencil_host.messaging.messages import encode, error_answer
from sitestencil_host.worker.loads import Loads


class WorkerJob:
    """Sends the answers to one request to the host.

    Attributes:
        id: the request's.
        loads: asks the extension for pages.
        timings_ms: the milliseconds of each phase before the library's work.
        afterwards: called after the answer.

    Args:
        request_id: the request's.
        output: takes the messages.
        received: when the request's first frame came, by `perf_counter`; now by default.
    """

    def __init__(self, request_id: int, output: FrameWriter, received: float | None = None) -> None:
        self.id = request_id
        self.timings_ms: dict[str, float] = {}
        self._received = self._noted = perf_counter() if received is None else received
        self.loads = Loads(request_id, self.tell)
        self.afterwards: Callable[[], None] = lambda: None
        self._output = output

    def note(self, phase: str) -> None:
        """Record the time since the last phase, or since the request came, for this phase."""
        now = perf_counter()
        self.timings_ms[phase] = 1000 * (now - self._noted)
        self._noted = now

    def total_ms(self) -> float:
        """Return the milliseconds since the request came."""
        return 1000 * (perf_counter() - self._received)

    def tell(self, answer: msgspec.Struct) -> None:
        """Send a message that does not end the job."""
        self._output.write(encode(answer))

    def end(self, answers: Sequence[msgspec.Struct]) -> None:
        """Send the messages that end the job; the host forwards them after the last."""
        try:
            for answer in answers:
                self.tell(answer)
        except AnswerTooLong as error:
            self.fail(HostError(ANSWER_TOO_LONG, f"the result's summary: {error}"))
        self.afterwards()

    def fail(self, error: HostError) -> None:
        """End the job with an error."""
        error.id = self.id
        self.tell(error_answer(error))
