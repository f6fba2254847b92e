"""Store a learned template as columns, and as bytes that are the same on every machine.

The bytes are a mark, the version, a digest, and the columns as MessagePack. Integers are little-endian in the least
width that fits all; strings and floats are stored once in tables. Reading checks everything, as a file may be
damaged or malicious.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import blake2b
from typing import Any, Self, TypeVar

import msgspec

from sitestencil.detectors.detection import Detection
from sitestencil.detectors.packing import bits, bools, decimals, doubles, packed, unpacked
from sitestencil.errors import UnusableLearnedTemplate
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.sketch import HASH_BYTES, NONE, text_bytes

_T = TypeVar("_T")

# The columns that do not depend on the answer.
_OF_PAGE = "tags kinds parents hashes text_counts own_texts text_bytes document_elements".split()

VERSION = 1
_MARK = b"sitestencil-learned\0"
_DIGEST_BYTES = 8
_HEAD = len(_MARK) + 1 + _DIGEST_BYTES


class Answer(msgspec.Struct, frozen=True):
    """The answer for a whole document: the columns of a `Detection`."""

    template: list[bool]
    template_texts: list[bool]
    scores: list[float] | None
    text_scores: list[float] | None


class _Stored(msgspec.Struct, frozen=True, array_like=True):
    """The stored columns; see `LearnedColumns` for their meaning."""

    detector: str
    url: str
    scripting: bool
    candidates: tuple[str, ...]
    more_pages: int | None
    names: list[str]
    tags: bytes
    kinds: bytes
    parents: bytes
    hashes: bytes
    ids: dict[int, str]
    text_counts: bytes
    own_texts: bytes
    size: int
    compared: bytes
    template: bytes
    text_count: int
    template_texts: bytes
    numbers: bytes
    scores: bytes | None
    text_scores: bytes | None
    confidence: float | None = None
    text_bytes: bytes | None = None


class LearnedColumns:
    """The columns of a learned template.

    Attributes:
        detector: the name of the detector that learned it.
        url: the key page's address.
        scripting: whether its ``noscript`` was parsed as text; other pages are parsed alike.
        candidates: the addresses of the compared pages.
        more_pages: as in `Detection`.
        confidence: the key page's, as in `Detection`.
    """

    def __init__(self, stored: _Stored) -> None:
        self._stored = stored
        self.detector = stored.detector
        self.url = stored.url
        self.scripting = stored.scripting
        self.candidates = stored.candidates
        self.more_pages = stored.more_pages
        self.confidence = stored.confidence

    def to_bytes(self) -> bytes:
        """Return the columns as bytes."""
        payload = msgspec.msgpack.encode(self._stored)
        return _MARK + bytes([VERSION]) + _digest(payload) + payload

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the columns that `to_bytes` wrote.

        Raises:
            UnusableLearnedTemplate: the bytes are damaged, or of an unknown version.
        """
        if not isinstance(data, bytes) or not data.startswith(_MARK) or len(data) < _HEAD:
            raise UnusableLearnedTemplate("This is no learned template. Learn it again from a page of the site.")
        if data[len(_MARK)] != VERSION:
            raise UnusableLearnedTemplate(
                f"The learned template is of version {data[len(_MARK)]}, and this program reads version {VERSION}. "
                "Learn it again, or update the program."
            )
        payload = data[_HEAD:]
        if _digest(payload) != data[_HEAD - _DIGEST_BYTES : _HEAD]:
            raise UnusableLearnedTemplate("The learned template is damaged. Learn it again.")
        try:
            columns = cls(msgspec.msgpack.decode(payload, type=_Stored))
            columns.check()
        except (msgspec.DecodeError, ValueError, IndexError, OverflowError) as error:
            raise UnusableLearnedTemplate(f"The learned template is malformed: {error}. Learn it again.") from None
        return columns

    def fields(self) -> dict[str, Any]:
        """Return the packed columns by name."""
        return msgspec.structs.asdict(self._stored)

    def check(self) -> None:
        """Check that the columns are consistent.

        Raises:
            ValueError: they are not.
        """
        count, stored = len(self.tags), self._stored
        if not count == len(self.kinds) == len(self.parents) == len(self.text_counts):
            raise ValueError("its columns differ in length")
        if len(stored.hashes) != HASH_BYTES * count or len(self.document_elements) != count:
            raise ValueError("its elements do not fit together")
        check_tree(self.parents)
        if any(not 0 <= element < count for element in stored.ids):
            raise ValueError("an id is of no element")
        if len(self.own_texts) != sum(self.text_counts) or max(self.own_texts, default=-1) >= stored.text_count:
            raise ValueError("its texts do not fit together")
        if self.text_bytes is not None and len(self.text_bytes) != count:
            raise ValueError("its texts' sizes do not fit together")
        answer = self.answer
        lengths = ((answer.scores, stored.size), (answer.text_scores, stored.text_count))
        if any(scores is not None and len(scores) != length for scores, length in lengths):
            raise ValueError("its scores do not fit together")
        if stored.confidence is not None and not 0 <= stored.confidence <= 1:
            raise ValueError("its confidence is no share")

    @cached_property
    def tags(self) -> list[str]:
        """The tag of each compared element of the key page."""
        return [self._stored.names[number] for number in unpacked(self._stored.tags)]

    @cached_property
    def kinds(self) -> list[str]:
        """The kind of each compared element."""
        return [self._stored.names[number] for number in unpacked(self._stored.kinds)]

    @cached_property
    def parents(self) -> list[int]:
        """The number of each compared element's parent; -1 for the root."""
        return [element - back for element, back in enumerate(unpacked(self._stored.parents))]

    @cached_property
    def hashes(self) -> list[bytes]:
        """The hash of each compared element's subtree."""
        whole = self._stored.hashes
        return [whole[start : start + HASH_BYTES] for start in range(0, len(whole), HASH_BYTES)]

    @property
    def ids(self) -> dict[int, str]:
        """The ids of the compared elements that have one."""
        return self._stored.ids

    @cached_property
    def text_counts(self) -> list[int]:
        """The number of own texts of each compared element, without white space."""
        return unpacked(self._stored.text_counts)

    @cached_property
    def own_texts(self) -> list[int]:
        """The numbers of these texts among the document's text nodes, element by element."""
        return unpacked(self._stored.own_texts)

    @cached_property
    def text_bytes(self) -> list[int] | None:
        """The bytes of each compared element's own texts, as `text_bytes` counts them; None in older files."""
        return None if self._stored.text_bytes is None else unpacked(self._stored.text_bytes)

    @cached_property
    def document_elements(self) -> list[int]:
        """For each compared element, its number in the document."""
        compared = bools(self._stored.compared, self._stored.size)
        return [element for element, is_compared in enumerate(compared) if is_compared]

    @cached_property
    def answer(self) -> Answer:
        """The answer for the key page."""
        stored = self._stored
        numbers = decimals(stored.numbers)
        return Answer(
            bools(stored.template, stored.size),
            bools(stored.template_texts, stored.text_count),
            None if stored.scores is None else [numbers[number] for number in unpacked(stored.scores)],
            None if stored.text_scores is None else [numbers[number] for number in unpacked(stored.text_scores)],
        )


def encode(detector: str, key_sketch: KeySketch, detection: Detection) -> LearnedColumns:
    """Return a key page's sketch and its answer as columns."""
    document, elements = key_sketch.document, key_sketch.document_elements
    texts = [document.own_texts.get(element, ()) for element in elements]
    names: dict[str, int] = {}
    compared = [False] * len(document)
    for element in elements:
        compared[element] = True
    values: dict[str, Any] = {
        "tags": key_sketch.tags,
        "kinds": [key_sketch.kinds[element] for element in range(len(key_sketch))],
        "parents": key_sketch.parents,
        "hashes": key_sketch.hashes,
        "text_counts": list(map(len, texts)),
        "own_texts": [number for numbers in texts for number in numbers],
        "text_bytes": list(map(text_bytes, key_sketch.own_texts)),
        "document_elements": elements,
    }
    stored = _Stored(
        detector=detector,
        url=document.url,
        scripting=document.scripting,
        tags=_numbered(values["tags"], names),
        kinds=_numbered(values["kinds"], names),
        names=list(names),
        parents=packed(element - parent for element, parent in enumerate(values["parents"])),
        hashes=b"".join(values["hashes"]),
        ids={element: name for element in range(len(key_sketch)) if (name := key_sketch.ids[element])},
        text_counts=packed(values["text_counts"]),
        own_texts=packed(values["own_texts"]),
        size=len(document),
        compared=bits(compared),
        text_count=len(document.texts),
        text_bytes=packed(values["text_bytes"]),
        **_packed_answer(detection),
    )
    columns = LearnedColumns(stored)
    vars(columns).update(values, answer=_answer(detection))
    return columns


def _answer(detection: Detection) -> Answer:
    scores, text_scores = (
        None if column is None else list(column) for column in (detection.scores, detection.text_scores)
    )
    return Answer(list(detection.template), list(detection.template_texts), scores, text_scores)


def _packed_answer(detection: Detection) -> dict[str, Any]:
    numbers: dict[float, int] = {}
    columns = detection.scores, detection.text_scores
    scores, text_scores = (None if column is None else _numbered(column, numbers) for column in columns)
    return {
        "candidates": detection.candidates,
        "more_pages": detection.more_pages,
        "template": bits(detection.template),
        "template_texts": bits(detection.template_texts),
        "numbers": doubles(numbers),
        "scores": scores,
        "text_scores": text_scores,
        "confidence": detection.confidence,
    }


def _numbered(values: Iterable[_T], numbers: dict[_T, int]) -> bytes:
    """Return values as numbers in the order of their first occurrence."""
    return packed([numbers.setdefault(value, len(numbers)) for value in values])


def check_tree(parents: Sequence[int]) -> None:
    """Check that each parent is on the path of the element before, and only the first has none.

    Raises:
        ValueError: this is not so.
    """
    path: list[int] = []
    for element, parent in enumerate(parents):
        while path and path[-1] != parent:
            path.pop()
        if bool(path) == (element == 0) or (element == 0 and parent != NONE):
            raise ValueError(f"element {element} has no place in the tree")
        path.append(element)


def _digest(payload: bytes) -> bytes:
    return blake2b(payload, digest_size=_DIGEST_BYTES).digest()
