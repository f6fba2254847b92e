"""A request as the worker that answers it sees it."""

from collections.abc import Callable, Sequence

from sitestencil_host.errors import ANSWER_TOO_LONG, HostError
from sitestencil_host.frames import AnswerTooLong, FrameWriter
from sitestencil_host.loads import Loads
from sitestencil_host.messages import Answer, encode, error_answer


class WorkerJob:
    """One request's way back to the host.

    Attributes:
        id: the request's.
        loads: the pages that the extension is asked for meanwhile.
        afterwards: what is done when the request has been answered.
    """

    def __init__(self, request_id: int, output: FrameWriter) -> None:
        self.id = request_id
        self.loads = Loads(request_id, self.tell)
        self.afterwards: Callable[[], None] = lambda: None
        self._output = output

    def tell(self, answer: Answer) -> None:
        """Send a message that does not end the job."""
        self._output.write(encode(answer))

    def end(self, answers: Sequence[Answer]) -> None:
        """Send the messages that end the job; the host passes them on when the last has come."""
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
