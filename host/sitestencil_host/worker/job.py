"""A request from its worker's side: its answers, its progress, and pages that the extension loads for it."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from sitestencil_host.errors import ANSWER_TOO_LONG, HostError
from sitestencil_host.messaging.frames import AnswerTooLong, FrameWriter, decode, decode_head
from sitestencil_host.messaging.messages import RequestId, encode, error_answer
from sitestencil_host.messaging.results import ProgressAnswer

if TYPE_CHECKING:
    from sitestencil.progress import Progress

SECONDS_BETWEEN_PROGRESS = 0.1
LoadedByTab = Literal["session", "rendered"]
MOST_CONTENT_BYTES = 5_000_000
MOST_SNAPSHOT_BYTES = 20_000_000


class LoadRequest(msgspec.Struct, frozen=True, tag="load"):
    """Asks the extension for a page of the key page's site.

    Attributes:
        id: the extraction's.
        request: the host's number of this load, from 1 in each extraction.
        url: the page's address.
        way: in the person's session by ``fetch``, or rendered in a tab.
    """

    id: int
    request: int
    url: str
    way: LoadedByTab


class CancelLoad(msgspec.Struct, frozen=True, tag="cancel"):
    """Tells the extension that it needs no page of this number anymore."""

    id: int
    request: int


class PageAnswer(msgspec.Struct, frozen=True, tag="page"):
    """A part of a page from the extension: bytes, a tree, or the reason for neither."""

    id: RequestId
    request: int
    part: Annotated[int, msgspec.Meta(ge=1)] = 1
    parts: Annotated[int, msgspec.Meta(ge=1)] = 1
    url: str | None = None
    status: Annotated[int, msgspec.Meta(ge=100, le=599)] = 200
    charset: str | None = None
    content: bytes | None = None
    snapshot: msgspec.Raw = msgspec.Raw(b"")
    error: str | None = None


class LoadFailed(Exception):
    """The extension could not give a page, or broke the protocol."""


@dataclass(eq=False, slots=True)
class _Load:
    """A page on its way: its future answer, and the parts so far."""

    answer: "asyncio.Future[PageAnswer]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    first: PageAnswer | None = None
    content: bytearray = field(default_factory=bytearray)
    parts_taken: int = 0

    def take(self, page: PageAnswer) -> PageAnswer | None:
        """Take a part; return the whole page with the last one.

        Raises:
            LoadFailed: there is no page, or the answer breaks the protocol.
        """
        if page.error is not None:
            raise LoadFailed(f"the extension says: {page.error:.300}")
        if (page.content is None) == (not page.snapshot):
            raise LoadFailed("the page has not either content or a snapshot")
        if page.snapshot:
            return _snapshot_alone(page)
        return self._take_content(page, page.content or b"")

    def _take_content(self, page: PageAnswer, content: bytes) -> PageAnswer | None:
        first = self.first = self.first or page
        self.parts_taken += 1
        if page.part != self.parts_taken or page.parts != first.parts or page.part > page.parts:
            raise LoadFailed(f"part {page.part} of {page.parts} came as part {self.parts_taken} of {first.parts}")
        self.content += content
        if len(self.content) > MOST_CONTENT_BYTES:
            raise LoadFailed(f"the page is larger than {MOST_CONTENT_BYTES:,} bytes")
        if page.part < page.parts:
            return None
        return msgspec.structs.replace(first, content=bytes(self.content))


class Loads:
    """The loads of one extraction through the extension.

    Args:
        request_id: the extraction's.
        tell: sends a message to the extension.
    """

    def __init__(self, request_id: int, tell: Callable[[LoadRequest | CancelLoad], Any]) -> None:
        self._id = request_id
        self._tell = tell
        self._last = 0
        self._waiting: dict[int, _Load] = {}

    async def load(self, url: str, way: LoadedByTab, seconds: float) -> PageAnswer:
        """Ask for a page and return it whole; cancel the load if nobody waits anymore.

        Raises:
            LoadFailed: the extension could not load it in time.
        """
        self._last += 1
        number, load = self._last, _Load()
        self._waiting[number] = load
        self._tell(LoadRequest(self._id, number, url, way))
        try:
            async with asyncio.timeout(seconds):
                return await load.answer
        except TimeoutError:
            raise LoadFailed(f"no answer within {seconds:.0f} seconds") from None
        finally:
            if self._waiting.pop(number, None) is not None:
                self._tell(CancelLoad(self._id, number))

    def receive(self, payload: bytes) -> None:
        """Take a page from the extension; ignore one that nobody waits for."""
        try:
            number = decode_head(payload, _Number).request
        except HostError:
            return
        load = self._waiting.get(number)
        if load is None or load.answer.done():
            return
        try:
            page = load.take(decode(payload, PageAnswer))
        except (HostError, LoadFailed) as error:
            del self._waiting[number]
            load.answer.set_exception(LoadFailed(str(error)))
            return
        if page is not None:
            del self._waiting[number]
            load.answer.set_result(page)


class _Number(msgspec.Struct, frozen=True):
    """The number of the answered request, read first."""

    request: int


def _snapshot_alone(page: PageAnswer) -> PageAnswer:
    if page.parts != 1 or page.part != 1:
        raise LoadFailed("a snapshot comes in one part")
    if len(bytes(page.snapshot)) > MOST_SNAPSHOT_BYTES:
        raise LoadFailed(f"the page's snapshot is larger than {MOST_SNAPSHOT_BYTES:,} bytes")
    return page


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

    @contextmanager
    def progress(self) -> "Iterator[_ProgressReport]":
        """Yield a report that sends the progress of the block."""
        report = _ProgressReport(self)
        try:
            yield report
        finally:
            report.finish()

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


class _ProgressReport:
    """Sends progress at a limited rate, the latest; each new stage at once."""

    def __init__(self, job: WorkerJob) -> None:
        self._job = job
        self._stage: str | None = None
        self._waiting: Progress | None = None
        self._timer: asyncio.TimerHandle | None = None

    def __call__(self, progress: "Progress") -> None:
        if progress.stage != self._stage:
            self._stage = progress.stage
            self.finish()
        self._waiting = progress
        if self._timer is None:
            self._next()

    def finish(self) -> None:
        """Send what waits, and no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._send()

    def _next(self) -> None:
        self._timer = None
        if self._waiting is not None:
            self._send()
            self._timer = asyncio.get_running_loop().call_later(SECONDS_BETWEEN_PROGRESS, self._next)

    def _send(self) -> None:
        progress, self._waiting = self._waiting, None
        if progress is not None:
            self._job.tell(
                ProgressAnswer(self._job.id, progress.stage, progress.pages_loaded, progress.pages_wanted)
            )
