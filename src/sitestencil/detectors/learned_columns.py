"""A learned template as columns, and as bytes that are the same on every machine.

The bytes are a mark, the version, a digest, and the columns as MessagePack: numbers little-endian in the least
width that holds them all, strings once in a table, decimal numbers once in a table. What is read is checked before
it is used: a file may be damaged, or made to do harm.
"""

import sys
from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import blake2b
from typing import Any, Self, TypeVar

import msgspec

from sitestencil.detectors.detection import Detection
from sitestencil.errors import UnusableLearnedTemplate
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.sketch import HASH_BYTES, NONE, Sketch

_T = TypeVar("_T")

VERSION = 1
_MARK = b"sitestencil-learned\0"
_DIGEST_BYTES = 8
_HEAD = len(_MARK) + 1 + _DIGEST_BYTES
_WIDTHS = {1: "B", 2: "H", 4: "I"}


class Answer(msgspec.Struct, frozen=True):
    """What was said of a whole document: the columns of a `Detection`."""

    template: list[bool]
    template_texts: list[bool]
    scores: list[float] | None
    text_scores: list[float] | None


class _Stored(msgspec.Struct, frozen=True, array_like=True):
    """The columns as they are stored; see `LearnedColumns` for what they hold."""

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


class LearnedColumns:
    """A learned template's columns.

    Attributes:
        detector: the name of the detector that learned it.
        url: the key page's address.
        scripting: whether its ``noscript`` was parsed as text; other pages are parsed alike.
        candidates: the addresses of the pages it was compared with.
        more_pages: as in `Detection`.
    """

    def __init__(self, stored: _Stored) -> None:
        self._stored = stored
        self.detector = stored.detector
        self.url = stored.url
        self.scripting = stored.scripting
        self.candidates = stored.candidates
        self.more_pages = stored.more_pages

    def to_bytes(self) -> bytes:
        """Return the columns as bytes."""
        payload = msgspec.msgpack.encode(self._stored)
        return _MARK + bytes([VERSION]) + _digest(payload) + payload

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the columns that `to_bytes` wrote.

        Raises:
            UnusableLearnedTemplate: the bytes are damaged, or of a version that this program does not know.
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

    def check(self) -> None:
        """Check that the columns fit together.

        Raises:
            ValueError: they do not.
        """
        count, stored = len(self.tags), self._stored
        if not count == len(self.kinds) == len(self.parents) == len(self.text_counts):
            raise ValueError("its columns differ in length")
        if len(stored.hashes) != HASH_BYTES * count or len(self.document_elements) != count:
            raise ValueError("its elements do not fit together")
        _check_tree(self.parents)
        if any(not 0 <= element < count for element in stored.ids):
            raise ValueError("an id is of no element")
        if len(self.own_texts) != sum(self.text_counts) or max(self.own_texts, default=-1) >= stored.text_count:
            raise ValueError("its texts do not fit together")
        answer = self.answer
        lengths = ((answer.scores, stored.size), (answer.text_scores, stored.text_count))
        if any(scores is not None and len(scores) != length for scores, length in lengths):
            raise ValueError("its scores do not fit together")

    @cached_property
    def tags(self) -> list[str]:
        """The tag of each compared element of the key page."""
        return [self._stored.names[number] for number in _unpacked(self._stored.tags)]

    @cached_property
    def kinds(self) -> list[str]:
        """The kind of each compared element."""
        return [self._stored.names[number] for number in _unpacked(self._stored.kinds)]

    @cached_property
    def parents(self) -> list[int]:
        """The number of each compared element's parent; -1 for the root."""
        return [element - back for element, back in enumerate(_unpacked(self._stored.parents))]

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
        """How many own texts, white space apart, each compared element has."""
        return _unpacked(self._stored.text_counts)

    @cached_property
    def own_texts(self) -> list[int]:
        """The numbers of these texts among the text nodes of the document, element by element."""
        return _unpacked(self._stored.own_texts)

    @cached_property
    def document_elements(self) -> list[int]:
        """For each compared element, its number in the document."""
        compared = _bools(self._stored.compared, self._stored.size)
        return [element for element, is_compared in enumerate(compared) if is_compared]

    @cached_property
    def answer(self) -> Answer:
        """The answer about the key page."""
        stored = self._stored
        numbers = _decimals(stored.numbers)
        return Answer(
            _bools(stored.template, stored.size),
            _bools(stored.template_texts, stored.text_count),
            None if stored.scores is None else [numbers[number] for number in _unpacked(stored.scores)],
            None if stored.text_scores is None else [numbers[number] for number in _unpacked(stored.text_scores)],
        )


def encode(detector: str, key_sketch: KeySketch, detection: Detection) -> LearnedColumns:
    """Return a key page's sketch and the answer about it as columns."""
    document = key_sketch.document
    own_texts = [list(document.own_texts.get(element, ())) for element in key_sketch.document_elements]
    names: _Numbers[str] = _Numbers()
    decimals: _Numbers[float] = _Numbers()
    compared = set(key_sketch.document_elements)
    scores, text_scores = (
        None if column is None else _packed(map(decimals.number, column))
        for column in (detection.scores, detection.text_scores)
    )
    tags = _packed(map(names.number, key_sketch.tags))
    kinds = _packed(map(names.number, (key_sketch.kinds[element] for element in range(len(key_sketch)))))
    return LearnedColumns(
        _Stored(
            detector=detector,
            url=document.url,
            scripting=document.scripting,
            candidates=detection.candidates,
            more_pages=detection.more_pages,
            names=list(names),
            tags=tags,
            kinds=kinds,
            parents=_packed(element - parent for element, parent in enumerate(key_sketch.parents)),
            hashes=b"".join(key_sketch.hashes),
            ids={element: name for element in range(len(key_sketch)) if (name := key_sketch.id(element))},
            text_counts=_packed(map(len, own_texts)),
            own_texts=_packed(text for texts in own_texts for text in texts),
            size=len(document),
            compared=_bits(element in compared for element in range(len(document))),
            template=_bits(detection.template),
            text_count=len(document.texts),
            template_texts=_bits(detection.template_texts),
            numbers=_doubles(decimals),
            scores=scores,
            text_scores=text_scores,
        )
    )


class LearnedSketch(Sketch):
    """The sketch of the key page that a template was learned from, made from its columns."""

    def __init__(self, columns: LearnedColumns) -> None:
        self._columns = columns
        self.url = columns.url
        self.tags = columns.tags
        self.parents = columns.parents
        self.kinds = columns.kinds
        self.hashes = columns.hashes
        self.text_marks = columns.text_counts
        self.document_elements = columns.document_elements
        self.ends = _ends(columns.parents)
        self.connect()

    def id(self, element: int) -> str | None:
        """Return an element's id."""
        return self._columns.ids.get(element)

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


class _Numbers(dict[_T, int]):
    """Numbers values in the order in which they are first seen."""

    def number(self, value: _T) -> int:
        return self.setdefault(value, len(self))


def _ends(parents: Sequence[int]) -> list[int]:
    ends = list(range(1, len(parents) + 1))
    for element in range(len(parents) - 1, 0, -1):
        ends[parents[element]] = max(ends[parents[element]], ends[element])
    return ends


def _check_tree(parents: Sequence[int]) -> None:
    """Check that each parent is on the path to the element before, and only the first has none."""
    path: list[int] = []
    for element, parent in enumerate(parents):
        while path and path[-1] != parent:
            path.pop()
        if bool(path) == (element == 0) or (element == 0 and parent != NONE):
            raise ValueError(f"element {element} has no place in the tree")
        path.append(element)


def _digest(payload: bytes) -> bytes:
    return blake2b(payload, digest_size=_DIGEST_BYTES).digest()


def _packed(numbers: Iterable[int]) -> bytes:
    """Return whole numbers as bytes: their width, then each, little-endian."""
    listed = list(numbers)
    highest = max(listed, default=0)
    width = 1 if highest < 1 << 8 else 2 if highest < 1 << 16 else 4
    return bytes([width]) + _little_endian(array(_WIDTHS[width], listed))


def _unpacked(data: bytes) -> list[int]:
    if not data or data[0] not in _WIDTHS or (len(data) - 1) % data[0]:
        raise ValueError("a column is cut short")
    return [int(number) for number in _from_little_endian(_WIDTHS[data[0]], data[1:])]


def _doubles(numbers: Iterable[float]) -> bytes:
    return _little_endian(array("d", numbers))


def _decimals(data: bytes) -> list[float]:
    if len(data) % 8:
        raise ValueError("a column is cut short")
    return [float(number) for number in _from_little_endian("d", data)]


def _little_endian(numbers: "array[Any]") -> bytes:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _from_little_endian(code: str, data: bytes) -> "array[Any]":
    numbers: array[Any] = array(code)
    numbers.frombytes(data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def _bits(flags: Iterable[bool]) -> bytes:
    listed = [bool(flag) for flag in flags]
    number = int("".join("1" if flag else "0" for flag in reversed(listed)) or "0", 2)
    return number.to_bytes((len(listed) + 7) // 8, "little")


def _bools(bits: bytes, count: int) -> list[bool]:
    if len(bits) != (count + 7) // 8:
        raise ValueError("a column is cut short")
    number = int.from_bytes(bits, "little")
    text = f"{number:0{count}b}"[::-1] if count else ""
    if len(text) != count:
        raise ValueError("a column is too long")
    return [digit == "1" for digit in text]
