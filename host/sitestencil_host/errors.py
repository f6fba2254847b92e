"""The protocol's numbered errors in one table, each with a sentence for the person.

The library's errors have more exact sentences of their own. The table's sentences are for all others.
"""

from typing import NamedTuple

RELOAD = "Reload the extension; if that does not help, update it and the helper program."


class Kind(NamedTuple):
    """One row of the table: number and name in the protocol, and the default sentence."""

    number: int
    name: str
    message: str


NOT_JSON = Kind(100, "not-json", f"The extension sent the helper program something that is no message. {RELOAD}")
UNKNOWN_TYPE = Kind(101, "unknown-type", f"The helper program does not know what the extension asked for. {RELOAD}")
WRONG_SHAPE = Kind(102, "wrong-shape", f"The extension sent the helper program a malformed message. {RELOAD}")
FRAME_TOO_LONG = Kind(103, "frame-too-long", "This page is too large for the helper program: the limit is 64 MiB.")
FRAME_TRUNCATED = Kind(104, "frame-truncated", "The browser broke the connection to the helper program. Try again.")
PROTOCOL_VERSION = Kind(
    105,
    "protocol-version",
    "The extension and the helper program have different versions. Update both, then restart the browser.",
)
ID_IN_USE = Kind(106, "id-in-use", f"The extension used one number for two requests. {RELOAD}")
ANSWER_TOO_LONG = Kind(107, "answer-too-long", "The result for this page is too large for the browser.")
TOO_MUCH_WAITS = Kind(108, "too-much-waits", "Too many large pages are waiting for the helper program. Try again.")
NOT_A_TREE = Kind(200, "not-a-tree", "The page changed while it was read. Reload it and try again.")
NOT_A_WEB_PAGE = Kind(201, "not-a-web-page", "Only pages with an http or https address can be compared.")
CANCELLED = Kind(300, "cancelled", "Cancelled.")
NO_CANDIDATES = Kind(
    301, "no-candidates", "This page links to no other page of its site, so there is nothing to compare it with."
)
NOTHING_LOADED = Kind(
    302,
    "nothing-loaded",
    "None of the pages that this page links to could be loaded. Check the connection. "
    "The helper program cannot load pages that need a login.",
)
TIME_OUT = Kind(303, "time-out", "The site answered too slowly. Try again later.")
UNKNOWN_DETECTOR = Kind(
    304, "unknown-detector", "The helper program does not know this detector. Choose another, or update it."
)
CANNOT_BE_SAVED = Kind(305, "cannot-be-saved", "No file can hold this page's template, so nothing was saved.")
TOO_HEAVY = Kind(
    306,
    "too-heavy",
    "This page, or one it links to, takes too much time or memory to compare. Try another page of the site.",
)
NO_RULES = Kind(307, "no-rules", "The pages that were compared have no selectors in common that hold.")
MEMORY_UNAVAILABLE = Kind(
    310, "memory-unavailable", "The remembered sites cannot be changed now. Try again in a moment."
)
INTERNAL = Kind(500, "internal", "The helper program failed. `sitestencil doctor` says where its log is.")

TABLE = tuple(kind for kind in list(globals().values()) if isinstance(kind, Kind))


class HostError(Exception):
    """An error to send as a message.

    Attributes:
        kind: the row of the table.
        detail: for a report; can be empty.
        id: the request's id; None if it could not be read.
        message: a sentence for the person at the browser; by default the table's.
    """

    def __init__(self, kind: Kind, detail: str = "", request_id: int | None = None, message: str = "") -> None:
        super().__init__(f"{kind.number} {kind.name}: {detail}")
        self.kind = kind
        self.detail = detail
        self.id = request_id
        self.message = message or kind.message
