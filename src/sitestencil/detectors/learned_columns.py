"""Store a learned template as columns, and as bytes that are the same on every machine.

The bytes are a mark, the version, a digest, and the columns as MessagePack. Integers are little-endian in the least
width that fits all; strings and floats are stored once in tables. Reading checks everything, as a file may be
damaged or malicious.
"""

from functools import cached_property
from hashlib import blake2b
from typing import Any, Self

import msgspec

from sitestencil.detectors.detection import Detection
from sitestencil.detectors.packing import (
    bits,
    bools,
    decimals,
    doubles,
    ends_of,
    numbered,
    packed,
    packed_tree,
    unpacked,
    unpacked_tree,
)
from sitestencil.errors import UnusableLearnedTemplate
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.sketch import Sketch, text_bytes

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
        tags: the tag of each compared element of the key page.
        kinds: the kind of each.
        parents: the number of each one's parent; -1 for the root.
        hashes: the hash of each one's subtree.
        ids: the ids of those that have one.
        text_counts: the number of each one's own texts, without white space.
        own_texts: the numbers of these texts among the document's text nodes, element by element.
        text_bytes: the bytes of each one's own texts, as `text_bytes` counts them; None in older files.
        document_elements: the number of each in the document.
        answer: the answer for the key page.

    Raises:
        ValueError: the columns do not fit together.
    """

    def __init__(self, stored: _Stored) -> None:
        self._stored = stored
        self.detector = stored.detector
        self.url = stored.url
        self.scripting = stored.scripting
        self.candidates = stored.candidates
        self.more_pages = stored.more_pages
        self.confidence = stored.confidence
        tree = unpacked_tree(stored.names, stored.tags, stored.kinds, stored.parents, stored.hashes)
        self.tags, self.kinds, self.parents, self.hashes = tree
        self.ids = stored.ids
        self.text_counts, self.own_texts = unpacked(stored.text_counts), unpacked(stored.own_texts)
        self.text_bytes = None if stored.text_bytes is None else unpacked(stored.text_bytes)
        compared = bools(stored.compared, stored.size)
        self.document_elements = [element for element, is_compared in enumerate(compared) if is_compared]
        numbers = decimals(stored.numbers)
        self.answer = Answer(
            bools(stored.template, stored.size),
            bools(stored.template_texts, stored.text_count),
            None if stored.scores is None else [numbers[number] for number in unpacked(stored.scores)],
            None if stored.text_scores is None else [numbers[number] for number in unpacked(stored.text_scores)],
        )
        self._check()

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
            return cls(msgspec.msgpack.decode(payload, type=_Stored))
        except (msgspec.DecodeError, ValueError, IndexError, OverflowError) as error:
            raise UnusableLearnedTemplate(f"The learned template is malformed: {error}. Learn it again.") from None

    def _check(self) -> None:
        count, stored, answer = len(self.tags), self._stored, self.answer
        if not count == len(self.text_counts) == len(self.document_elements):
            raise ValueError("its elements do not fit together")
        if any(not 0 <= element < count for element in stored.ids):
            raise ValueError("an id is of no element")
        if len(self.own_texts) != sum(self.text_counts) or max(self.own_texts, default=-1) >= stored.text_count:
            raise ValueError("its texts do not fit together")
        if self.text_bytes is not None and len(self.text_bytes) != count:
            raise ValueError("its texts' sizes do not fit together")
        lengths = ((answer.scores, stored.size), (answer.text_scores, stored.text_count))
        if any(scores is not None and len(scores) != length for scores, length in lengths):
            raise ValueError("its scores do not fit together")
        if stored.confidence is not None and not 0 <= stored.confidence <= 1:
            raise ValueError("its confidence is no share")


def encode(detector: str, key_sketch: KeySketch, detection: Detection) -> LearnedColumns:
    """Return a key page's sketch and its answer as columns."""
    document, elements = key_sketch.document, key_sketch.document_elements
    texts = [document.own_texts.get(element, ()) for element in elements]
    compared = [False] * len(document)
    for element in elements:
        compared[element] = True
    stored = _Stored(
        detector=detector,
        url=document.url,
        scripting=document.scripting,
        **packed_tree(key_sketch),
        hashes=b"".join(key_sketch.hashes),
        text_counts=packed(map(len, texts)),
        own_texts=packed(number for numbers in texts for number in numbers),
        size=len(document),
        compared=bits(compared),
        text_count=len(document.texts),
        text_bytes=packed(map(text_bytes, key_sketch.own_texts)),
        **_packed_answer(detection),
    )
    return LearnedColumns(stored)


def _packed_answer(detection: Detection) -> dict[str, Any]:
    numbers: dict[float, int] = {}
    columns = detection.scores, detection.text_scores
    scores, text_scores = (None if column is None else numbered(column, numbers) for column in columns)
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


def _digest(payload: bytes) -> bytes:
    return blake2b(payload, digest_size=_DIGEST_BYTES).digest()


class LearnedSketch(Sketch):
    """The sketch of a key page, built from a learned template's columns."""

    def __init__(self, columns: LearnedColumns) -> None:
        self._columns = columns
        self.url = columns.url
        self.tags = columns.tags
        self.parents = columns.parents
        self.kinds = columns.kinds
        self.hashes = columns.hashes
        self.text_marks = columns.text_counts
        self.document_elements = columns.document_elements
        self.ids = [columns.ids.get(element) for element in range(len(columns.tags))]
        self.ends = ends_of(columns.parents)
        self.connect()

    @cached_property
    def elements_by_path(self) -> dict[int, dict[str, list[int]]]:
        """The elements below the root by the class path of their parent, and by their own kind."""
        paths, parents, kinds = self.class_paths, self.parents, self.kinds
        by_path: dict[int, dict[str, list[int]]] = {}
        for element in range(1, len(self)):
            by_path.setdefault(paths[parents[element]], {}).setdefault(kinds[element], []).append(element)
        return by_path

    @cached_property
    def first_of_hash(self) -> dict[bytes, int]:
        """The first element of each subtree hash."""
        first: dict[bytes, int] = {}
        for element, digest in enumerate(self.hashes):
            first.setdefault(digest, element)
        return first

    @cached_property
    def _first_texts(self) -> list[int]:
        first = [0]
        for count in self._columns.text_counts:
            first.append(first[-1] + count)
        return first

    def own_text_answers(self, element: int) -> list[bool]:
        """Return for each own text of an element whether it is template."""
        texts = self._columns.own_texts[self._first_texts[element] : self._first_texts[element + 1]]
        return [self._columns.answer.template_texts[text] for text in texts]
