"""The base of all messages of PROTOCOL.md, and the messages that the host itself answers.

The others stand beside their handlers: `extractions.py`, `applying.py`, `saving.py`, `loads.py`.
"""

from typing import Annotated, Any, NamedTuple

import msgspec

from sitestencil_host.errors import UNKNOWN_TYPE, WRONG_SHAPE, HostError
from sitestencil_host.messaging.decoding import decode, decode_head

PROTOCOL = 1
LARGEST_ID = 2**53 - 1
_LONGEST_TEXT = 1000
# A worker answers these.
_WORK = frozenset({"extract", "save", "apply"})

RequestId = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_ID)]
Range = tuple[int, int]
encode = msgspec.json.Encoder().encode


class Hello(msgspec.Struct, frozen=True):
    """The handshake."""

    id: RequestId
    protocol: int
    client: str = ""


class Welcome(msgspec.Struct, frozen=True, tag="hello"):
    """The answer to `Hello`."""

    id: int
    protocol: int
    version: str
    detectors: tuple[dict[str, str], ...]
    default_detector: str


class Cancel(msgspec.Struct, frozen=True):
    """Stops the extraction or saving of the same id."""

    id: RequestId


class Sites(msgspec.Struct, frozen=True):
    """Asks for the remembered sites."""

    id: RequestId


class RememberedSites(msgspec.Struct, frozen=True, tag="sites"):
    """The answer to `Sites`."""

    id: int
    sites: tuple[dict[str, str | int], ...]


class Forget(msgspec.Struct, frozen=True):
    """Clears the memory of one site, or of all."""

    id: RequestId
    site: Annotated[str, msgspec.Meta(min_length=1)] | None = None


class Forgotten(msgspec.Struct, frozen=True, tag="forgotten"):
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


class Work(NamedTuple):
    """A request for a worker, or a part of it; its frames are forwarded unchanged."""

    id: int
    part: Any
    parts: Any
    payloads: tuple[bytes, ...]


class Prepare(msgspec.Struct, frozen=True):
    """Announces the page of an extraction."""

    id: RequestId
    url: str


class PrepareFrame(NamedTuple):
    """A `Prepare`; its frame is forwarded unchanged to the next worker."""

    id: int
    payload: bytes


class PageFrame(NamedTuple):
    """A page from the extension; its frame is forwarded unchanged to the worker that asked."""

    id: int
    payload: bytes


class ErrorAnswer(msgspec.Struct, frozen=True, tag="error", omit_defaults=True):
    """A numbered error."""

    id: int | None
    number: int
    name: str
    message: str
    detail: str = ""


_OWN: dict[str, type[Hello | Cancel | Sites | Forget]] = {
    "hello": Hello,
    "cancel": Cancel,
    "sites": Sites,
    "forget": Forget,
}


class _Envelope(msgspec.Struct, frozen=True):
    """The fields that every request has; they are read first."""

    id: Any = None
    type: Any = None
    part: Any = 1
    parts: Any = 1


def read_request(payload: bytes) -> Hello | Work | Cancel | Sites | Forget | PrepareFrame | PageFrame:
    """Return the request that a frame holds.

    Raises:
        HostError: the frame holds none; with the request's id if it could be read.
    """
    envelope = decode_head(payload, _Envelope)
    request_id = envelope.id if type(envelope.id) is int and 0 <= envelope.id <= LARGEST_ID else None
    match envelope.type:
        case "hello" | "cancel" | "sites" | "forget" as kind:
            return decode(payload, _OWN[kind], request_id)
        case "prepare":
            return PrepareFrame(decode(payload, Prepare, request_id).id, payload)
        case "page" if request_id is not None:
            return PageFrame(request_id, payload)
        case kind if kind in _WORK and request_id is not None:
            return Work(request_id, envelope.part, envelope.parts, (payload,))
        case kind if kind in _WORK or kind == "page":
            raise HostError(WRONG_SHAPE, f"{envelope.id!r:.100} is no id")
        case str() as kind:
            raise HostError(UNKNOWN_TYPE, f"type {kind!r}", request_id)
        case _:
            raise HostError(WRONG_SHAPE, "the message has no type", request_id)


def error_answer(error: HostError) -> ErrorAnswer:
    """Return an error as a message."""
    kind = error.kind
    return ErrorAnswer(error.id, kind.number, kind.name, _printable(error.message), _printable(error.detail))


def _printable(words: str) -> str:
    text = words.encode("utf-8", "replace").decode()
    return text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 3]}..."
