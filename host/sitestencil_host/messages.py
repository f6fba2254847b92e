"""The messages of PROTOCOL.md: what the extension may send and what the host answers."""

import re
from typing import Annotated, Any, TypeVar

import msgspec

from sitestencil_host.errors import NOT_JSON, UNKNOWN_TYPE, WRONG_SHAPE, HostError

PROTOCOL = 1
CAPABILITIES = ("extract", "cancel", "progress", "save")
LARGEST_ID = 2**53 - 1
_LONGEST_TEXT = 1000

RequestId = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_ID)]
Range = tuple[int, int]
_T = TypeVar("_T")


class Hello(msgspec.Struct, frozen=True):
    """The handshake."""

    id: RequestId
    protocol: int
    client: str = ""


class Extract(msgspec.Struct, frozen=True):
    """Asks for the template of a page; the snapshot is checked where it is used."""

    id: RequestId
    snapshot: msgspec.Raw
    detector: str | None = None


class Save(msgspec.Struct, frozen=True):
    """Asks for the template of a captured page as a file; the capture is checked where it is used."""

    id: RequestId
    capture: msgspec.Raw


class Cancel(msgspec.Struct, frozen=True):
    """Stops the extraction or saving of the same id."""

    id: RequestId


Request = Hello | Extract | Save | Cancel
_REQUESTS: dict[str, type[Request]] = {"hello": Hello, "extract": Extract, "save": Save, "cancel": Cancel}


class Welcome(msgspec.Struct, frozen=True, tag="hello"):
    """The answer to `Hello`."""

    id: int
    protocol: int
    version: str
    detectors: tuple[dict[str, str], ...]
    default_detector: str
    capabilities: tuple[str, ...]


class ProgressAnswer(msgspec.Struct, frozen=True, tag="progress"):
    """How far an extraction is."""

    id: int
    stage: str
    pages_loaded: int
    pages_wanted: int | None


class Summary(msgspec.Struct, frozen=True):
    """What a result tells beside the template."""

    url: str
    detector: str
    elements: int
    candidates: list[str]
    pages_loaded: int
    timings_ms: dict[str, float]
    sureness: float | None = None
    more_pages: int | None = None


class ResultPart(msgspec.Struct, frozen=True, tag="result", omit_defaults=True):
    """One part of a result; the scores travel as base64."""

    id: int
    part: int
    parts: int
    template: list[Range]
    content_texts: list[Range]
    scores: bytes | None = None
    summary: Summary | None = None


class SavedPart(msgspec.Struct, frozen=True, tag="saved"):
    """One part of a saved page's text."""

    id: int
    part: int
    parts: int
    text: str


class ErrorAnswer(msgspec.Struct, frozen=True, tag="error", omit_defaults=True):
    """A numbered error."""

    id: int | None
    number: int
    name: str
    message: str
    detail: str = ""


Answer = Welcome | ProgressAnswer | ResultPart | SavedPart | ErrorAnswer
encode = msgspec.json.Encoder().encode


class _Envelope(msgspec.Struct, frozen=True):
    """What is read first: the two fields that every request has, of whatever type."""

    id: Any = None
    type: Any = None


def read_request(payload: bytes) -> Request:
    """Return the request that a frame holds.

    Raises:
        HostError: the frame holds none; with the request's id where that could be read.
    """
    envelope = decode(payload, _Envelope)
    request_id = _readable_id(envelope.id)
    if not isinstance(envelope.type, str):
        raise HostError(WRONG_SHAPE, "the message has no type", request_id)
    if envelope.type not in _REQUESTS:
        raise HostError(UNKNOWN_TYPE, f"type {envelope.type!r}", request_id)
    return decode(payload, _REQUESTS[envelope.type], request_id)


def decode(payload: bytes | msgspec.Raw, shape: type[_T], request_id: int | None = None) -> _T:
    """Return JSON as a value of the given type.

    Half surrogate pairs, which the text of a live page may hold, become U+FFFD.

    Raises:
        HostError: no JSON (100), or other JSON (102).
    """
    try:
        str(payload, "utf-8")
        try:
            return msgspec.json.decode(payload, type=shape)
        except msgspec.ValidationError:
            raise
        except msgspec.DecodeError:
            whole = _without_half_pairs(bytes(payload))
            return msgspec.json.decode(whole, type=shape)
    except msgspec.ValidationError as error:
        raise HostError(WRONG_SHAPE, str(error), request_id) from None
    except RecursionError:
        raise HostError(WRONG_SHAPE, "the message is nested too deeply", request_id) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise HostError(NOT_JSON, str(error), request_id) from None


def error_answer(error: HostError) -> ErrorAnswer:
    """Return an error as a message."""
    kind = error.kind
    return ErrorAnswer(error.id, kind.number, kind.name, _printable(error.message), _printable(error.detail))


def _readable_id(value: Any) -> int | None:  # noqa: ANN401 - any JSON may stand there
    return value if type(value) is int and 0 <= value <= LARGEST_ID else None


def _without_half_pairs(text: bytes) -> bytes:
    def whole(escape: re.Match[bytes]) -> bytes:
        return rb"\ufffd" if escape["half"] else escape[0]

    hexadecimal = rb"[0-9a-fA-F]{2}"
    pair = rb"u[dD][89abAB]" + hexadecimal + rb"\\u[dD][c-fC-F]" + hexadecimal
    half = rb"(?P<half>u[dD][89a-fA-F]" + hexadecimal + rb")"
    return re.sub(rb"\\(?:" + pair + rb"|" + half + rb"|.)", whole, text, flags=re.DOTALL)


def _printable(words: str) -> str:
    text = words.encode("utf-8", "replace").decode()
    return text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 3]}..."
