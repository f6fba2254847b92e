"""The base of all messages of PROTOCOL.md, and the messages that the host itself answers.

The others stand beside their handlers: `extractions.py`, `applying.py`, `saving.py`, `job.py`.
"""

from collections.abc import Callable, Iterable
from typing import Annotated, Any, NamedTuple, TypeVar, get_args

import msgspec

from sitestencil_host.errors import FRAME_TOO_LONG, TOO_MUCH_WAITS, UNKNOWN_TYPE, WRONG_SHAPE, HostError
from sitestencil_host.messaging.frames import LONGEST_IN, decode, decode_head

PROTOCOL = 1
LARGEST_ID = 2**53 - 1
MOST_PARTS = 1000
MOST_WAITING_BYTES = 4 * LONGEST_IN
_REQUEST_BYTES = 1 << 18  # counted for each request beside its texts: its frames are up to 1,000 objects
_LONGEST_TEXT = 1000
# A worker answers these.
_WORK = frozenset({"extract", "save", "apply"})

RequestId = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_ID)]
Range = tuple[int, int]
encode = msgspec.json.Encoder().encode


class HelloRequest(msgspec.Struct, frozen=True, tag="hello"):
    """The handshake."""

    id: RequestId
    protocol: int
    client: str = ""


class DetectorTitle(msgspec.Struct, frozen=True):
    """A detector, for a list to choose from."""

    name: str
    title: str


class HelloAnswer(msgspec.Struct, frozen=True, tag="hello"):
    """The answer to `HelloRequest`."""

    id: int
    protocol: int
    version: str
    detectors: tuple[DetectorTitle, ...]
    default_detector: str


class CancelRequest(msgspec.Struct, frozen=True, tag="cancel"):
    """Stops the extraction or saving of the same id."""

    id: RequestId


class SitesRequest(msgspec.Struct, frozen=True, tag="sites"):
    """Asks for the remembered sites."""

    id: RequestId


class RememberedSite(msgspec.Struct, frozen=True):
    """A site in the memory, with its number of pages."""

    site: str
    pages: int


class SitesAnswer(msgspec.Struct, frozen=True, tag="sites"):
    """The answer to `SitesRequest`."""

    id: int
    sites: tuple[RememberedSite, ...]


class ForgetRequest(msgspec.Struct, frozen=True, tag="forget"):
    """Clears the memory of one site, or of all."""

    id: RequestId
    site: Annotated[str, msgspec.Meta(min_length=1)] | None = None


class ForgottenAnswer(msgspec.Struct, frozen=True, tag="forgotten"):
    """Says how many pages the memory lost."""

    id: int
    pages: int


class PageRequest(msgspec.Struct, frozen=True):
    """A request about a page; its JSON text can come in parts.

    Attributes:
        text: this part of the JSON; all of it once the parts are joined.
    """

    id: RequestId
    text: str
    part: int = 1
    parts: int = 1


class Work(NamedTuple):
    """A request for a worker, or a part of it; its frames are forwarded unchanged."""

    id: int
    part: Any
    parts: Any
    payloads: tuple[bytes, ...]


class PrepareRequest(msgspec.Struct, frozen=True, tag="prepare"):
    """Announces the page of an extraction."""

    id: RequestId
    url: str


class PageFrame(NamedTuple):
    """A page from the extension; its frame is forwarded unchanged to the worker that asked."""

    id: int


class ErrorAnswer(msgspec.Struct, frozen=True, tag="error", omit_defaults=True):
    """A numbered error."""

    id: int | None
    number: int
    name: str
    message: str
    detail: str = ""


_OwnRequest = HelloRequest | CancelRequest | SitesRequest | ForgetRequest | PrepareRequest
_OWN: dict[str, type[_OwnRequest]] = {str(kind.__struct_config__.tag): kind for kind in get_args(_OwnRequest)}


class _Envelope(msgspec.Struct, frozen=True):
    """The fields that every request has; they are read first."""

    id: Any = None
    type: Any = None
    part: Any = 1
    parts: Any = 1


def read_request(payload: bytes) -> _OwnRequest | Work | PageFrame:
    """Return the request that a frame holds.

    Raises:
        HostError: the frame holds none; with the request's id if it could be read.
    """
    envelope = decode_head(payload, _Envelope)
    request_id = envelope.id if type(envelope.id) is int and 0 <= envelope.id <= LARGEST_ID else None
    match envelope.type:
        case str() as kind if kind in _OWN:
            return decode(payload, _OWN[kind], request_id)
        case "page" if request_id is not None:
            return PageFrame(request_id)
        case kind if kind in _WORK and request_id is not None:
            return Work(request_id, envelope.part, envelope.parts, (payload,))
        case kind if kind in _WORK or kind == "page":
            raise HostError(WRONG_SHAPE, f"{envelope.id!r:.100} is no id")
        case str() as kind:
            raise HostError(UNKNOWN_TYPE, f"type {kind!r}", request_id)
        case _:
            raise HostError(WRONG_SHAPE, "the message has no type", request_id)


class RequestParts:
    """Incomplete requests; the parts of one have at most a frame's length in all.

    Args:
        waiting: returns the lengths of complete requests that wait for a worker.
    """

    def __init__(self, waiting: Callable[[], Iterable[int]]) -> None:
        self._begun: dict[int, list[bytes]] = {}
        self._lengths: dict[int, int] = {}
        self._waiting = waiting

    def add(self, work: Work) -> Work | None:
        """Return the request when it is whole.

        Raises:
            HostError: a part out of order (102), too many bytes (103), or too many together with the other
                requests that wait (108). The earlier parts are dropped.
        """
        frames, length = self._begun.pop(work.id, []), self._lengths.pop(work.id, 0)
        if not (_is_part(work) and len(frames) + 1 == work.part):
            problem = f"part {work.part!r:.20} of {work.parts!r:.20} came after {len(frames)} parts"
            raise HostError(WRONG_SHAPE, problem, work.id)
        frames += work.payloads
        length += sum(map(len, work.payloads))
        if length > LONGEST_IN:
            raise HostError(FRAME_TOO_LONG, f"parts of {length} bytes", work.id)
        held = sum(other + _REQUEST_BYTES for other in (length, *self._lengths.values(), *self._waiting()))
        if held > MOST_WAITING_BYTES:
            raise HostError(TOO_MUCH_WAITS, f"{held} bytes would wait, over {MOST_WAITING_BYTES}", work.id)
        if work.part < work.parts:
            self._begun[work.id], self._lengths[work.id] = frames, length
            return None
        return work._replace(payloads=tuple(frames))

    def forget(self, request_id: int) -> bool:
        """Drop the parts of a request; return whether there were any."""
        self._lengths.pop(request_id, None)
        return self._begun.pop(request_id, None) is not None


def _is_part(work: Work) -> bool:
    return type(work.part) is type(work.parts) is int and 1 <= work.part <= work.parts <= MOST_PARTS


_Request = TypeVar("_Request", bound=PageRequest)


def whole_request(payloads: list[bytes], shape: type[_Request]) -> _Request:
    """Return the request of these frames, with its page's whole text.

    Raises:
        HostError: the frames are no such request.
    """
    first, *others = [decode(payload, shape) for payload in payloads]
    return msgspec.structs.replace(first, text="".join([first.text, *(part.text for part in others)]))


def error_answer(error: HostError) -> ErrorAnswer:
    """Return an error as a message."""
    kind = error.kind
    return ErrorAnswer(error.id, kind.number, kind.name, _printable(error.message), _printable(error.detail))


def _printable(words: str) -> str:
    text = words.encode("utf-8", "replace").decode()
    return text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 3]}..."
