"""The messages of PROTOCOL.md: what the extension may send and what the host answers."""

from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from sitestencil_host.decoding import decode, decode_head
from sitestencil_host.errors import UNKNOWN_TYPE, WRONG_SHAPE, HostError

PROTOCOL = 1
LOAD = "load"
MORE_PAGES = "more-pages"
APPLY = "apply"
MEMORY = "memory"
CAPABILITIES = (
    "extract",
    "cancel",
    "progress",
    "save",
    "save-choices",
    LOAD,
    "text",
    "early",
    "prepare",
    MORE_PAGES,
    APPLY,
    MEMORY,
)
LARGEST_ID = 2**53 - 1
_LONGEST_TEXT = 1000

RequestId = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_ID)]
Pages = Literal["http", "session", "rendered"]
Memory = Literal["use", "renew"]
Range = tuple[int, int]


class Hello(msgspec.Struct, frozen=True):
    """The handshake; with `url` it is a `Prepare`, too."""

    id: RequestId
    protocol: int
    client: str = ""
    capabilities: tuple[str, ...] = ()
    url: str | None = None


class Extract(msgspec.Struct, frozen=True):
    """Asks for the template of a page; the snapshot is checked where it is used.

    Attributes:
        text: the snapshot's JSON, or this part of it, where `snapshot` is not there.
    """

    id: RequestId
    snapshot: msgspec.Raw = msgspec.Raw(b"")
    detector: str | None = None
    pages: Pages | None = None
    early: bool = False
    text: str | None = None
    more_pages: bool = False
    memory: Memory | None = None
    reasons: bool = False


class SaveChoices(msgspec.Struct, frozen=True):
    """What is chosen of a file.

    Attributes:
        format: HTML, a Jinja2 layout, or a folder as a zip.
        content: what stands where content goes.
        height: of where content goes.
        offline: whether style sheets, images and fonts stand in the HTML.
    """

    format: Literal["html", "jinja", "folder"] = "html"
    content: Literal["removed", "boxes", "lorem"] = "boxes"
    height: Literal["collapsed", "full"] = "collapsed"
    offline: bool = False


class Save(msgspec.Struct, frozen=True):
    """Asks for the template of a captured page as a file; the capture is checked where it is used.

    Attributes:
        text: the capture's JSON, or this part of it, where `capture` is not there.
    """

    id: RequestId
    capture: msgspec.Raw = msgspec.Raw(b"")
    choices: SaveChoices | None = None
    text: str | None = None


class Prepare(msgspec.Struct, frozen=True):
    """Says which page an `Extract` will be about."""

    id: RequestId
    url: str


class KnownAnswer(msgspec.Struct, frozen=True):
    """The answer about a page as it was: its snapshot, and what of it is template."""

    snapshot: msgspec.Raw
    template: list[Range]
    content_texts: list[Range]
    detector: str = ""
    scores: bytes | None = None


class Change(msgspec.Struct, frozen=True):
    """A page as it has become, and the answer about what it was."""

    known: KnownAnswer
    snapshot: msgspec.Raw


class Apply(msgspec.Struct, frozen=True):
    """Asks for the template of a page as it has become, by the answer about what it was.

    Attributes:
        change: a `Change`, checked where it is used.
        text: the change's JSON, or this part of it, where `change` is not there.
    """

    id: RequestId
    change: msgspec.Raw = msgspec.Raw(b"")
    text: str | None = None


class Cancel(msgspec.Struct, frozen=True):
    """Stops the extraction or saving of the same id."""

    id: RequestId


class Forget(msgspec.Struct, frozen=True):
    """Has what is remembered of a site forgotten, or of all."""

    id: RequestId
    site: str | None = None


class Work(NamedTuple):
    """A request that a worker answers, or a part of it: the host reads what it needs, frames go on as they are."""

    id: int
    pages: Any
    part: Any
    parts: Any
    payloads: tuple[bytes, ...]


class PrepareFrame(NamedTuple):
    """A `Prepare`; the frame goes on, as it is, to the worker that will be asked next."""

    id: int
    payload: bytes


class PageFrame(NamedTuple):
    """The extension's answer to a `Load`; the frame goes on, as it is, to the worker that asked."""

    id: int
    payload: bytes


Request = Hello | Work | Cancel | Forget | PrepareFrame | PageFrame
_OWN_REQUESTS: dict[str, type[Hello] | type[Cancel] | type[Forget]] = {
    "hello": Hello,
    "cancel": Cancel,
    "forget": Forget,
}
_WORK = frozenset({"extract", "save", APPLY})


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
    doubt: str | None = None
    fits: bool | None = None
    title: str = ""
    remembered: bool = False
    session_links: list[str] | None = None


class ReasonsPart(msgspec.Struct, frozen=True, tag="reasons"):
    """One part of why the elements are taken for what they are; the rows travel as base64."""

    id: int
    part: int
    parts: int
    width: int
    rows: bytes


class ResultPart(msgspec.Struct, frozen=True, tag="result", omit_defaults=True):
    """One part of a result; the scores travel as base64."""

    id: int
    part: int
    parts: int
    template: list[Range]
    content_texts: list[Range]
    scores: bytes | None = None
    summary: Summary | None = None


class EarlyResultPart(ResultPart, frozen=True, tag="early_result", omit_defaults=True):
    """One part of what the pages that have come so far say."""


class SavedPart(msgspec.Struct, frozen=True, tag="saved"):
    """One part of a saved page's text."""

    id: int
    part: int
    parts: int
    text: str


class Load(msgspec.Struct, frozen=True, tag="load"):
    """Asks the extension for a page of the key page's site.

    Attributes:
        id: of the extraction that needs it.
        request: the host's own number of this load, counted from 1 in each extraction.
        url: the page's address.
        way: in the person's session by ``fetch``, or rendered in a tab.
    """

    id: int
    request: int
    url: str
    way: Literal["session", "rendered"]


class CancelLoad(msgspec.Struct, frozen=True, tag="cancel"):
    """Tells the extension that a page is not needed any more."""

    id: int
    request: int


class Page(msgspec.Struct, frozen=True):
    """A part of a page that the extension has loaded: bytes, a tree, or why there is neither."""

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


class Forgotten(msgspec.Struct, frozen=True, tag="forgotten"):
    """Says how many templates were forgotten."""

    id: int
    templates: int


class ErrorAnswer(msgspec.Struct, frozen=True, tag="error", omit_defaults=True):
    """A numbered error."""

    id: int | None
    number: int
    name: str
    message: str
    detail: str = ""


Answer = (
    Welcome
    | ProgressAnswer
    | ReasonsPart
    | EarlyResultPart
    | ResultPart
    | SavedPart
    | Load
    | CancelLoad
    | Forgotten
    | ErrorAnswer
)
encode = msgspec.json.Encoder().encode


class _Envelope(msgspec.Struct, frozen=True):
    """What is read first, of whatever type the request is."""

    id: Any = None
    type: Any = None
    pages: Any = None
    part: Any = 1
    parts: Any = 1


def read_request(payload: bytes) -> Request:
    """Return the request that a frame holds.

    Raises:
        HostError: the frame holds none; with the request's id where that could be read.
    """
    envelope = decode_head(payload, _Envelope)
    request_id, kind = _readable_id(envelope.id), envelope.type
    if not isinstance(kind, str):
        raise HostError(WRONG_SHAPE, "the message has no type", request_id)
    if kind in _OWN_REQUESTS:
        return decode(payload, _OWN_REQUESTS[kind], request_id)
    if kind == "prepare":
        return PrepareFrame(decode(payload, Prepare, request_id).id, payload)
    if kind not in _WORK and kind != "page":
        raise HostError(UNKNOWN_TYPE, f"type {kind!r}", request_id)
    if request_id is None:
        raise HostError(WRONG_SHAPE, f"{envelope.id!r:.100} is no id")
    if kind in _WORK:
        return Work(request_id, envelope.pages, envelope.part, envelope.parts, (payload,))
    return PageFrame(request_id, payload)


def error_answer(error: HostError) -> ErrorAnswer:
    """Return an error as a message."""
    kind = error.kind
    return ErrorAnswer(error.id, kind.number, kind.name, _printable(error.message), _printable(error.detail))


def _readable_id(value: Any) -> int | None:  # noqa: ANN401 - any JSON may stand there
    return value if type(value) is int and 0 <= value <= LARGEST_ID else None


def _printable(words: str) -> str:
    text = words.encode("utf-8", "replace").decode()
    return text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 3]}..."
