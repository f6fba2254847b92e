"""Requests for pages from the extension: numbered, with answers in parts."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import msgspec

from sitestencil_host.errors import HostError
from sitestencil_host.messaging.decoding import decode, decode_head
from sitestencil_host.messaging.messages import RequestId

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
        number, load = self._waiting_for(payload)
        if load is None:
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

    def _waiting_for(self, payload: bytes) -> tuple[int, _Load | None]:
        try:
            number = decode_head(payload, _Number).request
        except HostError:
            return 0, None
        load = self._waiting.get(number)
        return number, load if load is not None and not load.answer.done() else None


class _Number(msgspec.Struct, frozen=True):
    """The number of the answered request, read first."""

    request: int


def _snapshot_alone(page: PageAnswer) -> PageAnswer:
    if page.parts != 1 or page.part != 1:
        raise LoadFailed("a snapshot comes in one part")
    if len(bytes(page.snapshot)) > MOST_SNAPSHOT_BYTES:
        raise LoadFailed(f"the page's snapshot is larger than {MOST_SNAPSHOT_BYTES:,} bytes")
    return page
