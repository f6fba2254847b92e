"""Store a learned template as columns, and as bytes that are the same on every machine.

The bytes are a mark, the version, a digest, and the columns as MessagePack. Reading checks everything, as a file
may be damaged or malicious.
"""

from functools import cached_property
from hashlib import blake2b
from itertools import accumulate
from typing import Self

import msgspec

from sitestencil.detectors.detection import Detection
from sitestencil.detectors.stored_sketch import Number, SketchColumns, StoredSketch, columns_of
from sitestencil.errors import UnusableLearnedTemplate
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.sketch import text_bytes

VERSION = 2
_MARK = b"sitestencil-learned\0"
_DIGEST_BYTES = 8
_HEAD = len(_MARK) + 1 + _DIGEST_BYTES


class Answer(msgspec.Struct, frozen=True, array_like=True, dict=True):
    """The answer for a whole document: the columns of a `Detection`.

    Attributes:
        template: as in `Detection`.
        template_texts: likewise.
        values: the different scores.
        score_numbers: the number of each score among these; None without scores.
        text_score_numbers: the same for the scores of texts.
    """

    template: list[bool]
    template_texts: list[bool]
    values: list[float]
    score_numbers: list[Number] | None
    text_score_numbers: list[Number] | None

    @classmethod
    def of(cls, detection: Detection) -> Self:
        """Return a detection's answer."""
        numbers: dict[float, int] = {}
        scores, text_scores = (
            None if column is None else [numbers.setdefault(score, len(numbers)) for score in column]
            for column in (detection.scores, detection.text_scores)
        )
        template, texts = list(map(bool, detection.template)), list(map(bool, detection.template_texts))
        return cls(template, texts, list(numbers), scores, text_scores)

    @cached_property
    def scores(self) -> list[float] | None:
        """The scores, as in `Detection`."""
        return None if self.score_numbers is None else list(map(self.values.__getitem__, self.score_numbers))

    @cached_property
    def text_scores(self) -> list[float] | None:
        """The scores of texts, as in `Detection`."""
        numbers = self.text_score_numbers
        return None if numbers is None else list(map(self.values.__getitem__, numbers))


class LearnedColumns(SketchColumns, frozen=True, array_like=True):
    """The columns of a learned template.

    Attributes:
        hashes: the hashes of the subtrees of the key page's compared elements.
        document_elements: the number of each compared element in the document.
        own_texts: the numbers of their own texts among the document's text nodes, element by element.
        text_bytes: the bytes of each one's own texts, as `text_bytes` counts them.
        answer: the answer for the key page.
        detector: the name of the detector that learned it.
        url: the key page's address.
        scripting: whether its ``noscript`` was parsed as text; other pages are parsed alike.
        candidates: the addresses of the compared pages.
        more_pages: as in `Detection`.
        confidence: the key page's, as in `Detection`.
    """

    hashes: bytes
    document_elements: list[Number]
    own_texts: list[Number]
    text_bytes: list[Number]
    answer: Answer
    detector: str
    url: str
    scripting: bool
    candidates: tuple[str, ...]
    more_pages: int | None
    confidence: float | None

    @classmethod
    def of(cls, detector: str, key_sketch: KeySketch, detection: Detection) -> Self:
        """Return a key page's sketch and its answer as columns."""
        document, elements = key_sketch.document, key_sketch.document_elements
        texts = [document.own_texts.get(element, ()) for element in elements]
        return cls(
            **columns_of(key_sketch) | {"text_counts": list(map(len, texts))},
            hashes=b"".join(key_sketch.hashes),
            document_elements=list(elements),
            own_texts=[number for numbers in texts for number in numbers],
            text_bytes=list(map(text_bytes, key_sketch.own_texts)),
            answer=Answer.of(detection),
            detector=detector,
            url=document.url,
            scripting=document.scripting,
            candidates=detection.candidates,
            more_pages=detection.more_pages,
            confidence=detection.confidence,
        )

    def to_bytes(self) -> bytes:
        """Return the columns as bytes."""
        payload = msgspec.msgpack.encode(self)
        return _MARK + bytes([VERSION]) + _digest(payload) + payload

    def check(self) -> None:
        """Raise ValueError if the columns do not fit together."""
        elements, answer, count = self.document_elements, self.answer, len(self.tags)
        size, texts = len(answer.template), len(answer.template_texts)
        if not count == len(elements) == len(self.text_bytes) or elements != sorted(set(elements)):
            raise ValueError("its elements do not fit together")
        if max(elements, default=-1) >= size or max(self.own_texts, default=-1) >= texts:
            raise ValueError("its answer is too short")
        if len(self.own_texts) != sum(self.text_counts):
            raise ValueError("its texts do not fit together")
        scores = (answer.scores, size), (answer.text_scores, texts)
        if any(column is not None and len(column) != length for column, length in scores):
            raise ValueError("its scores do not fit together")
        if self.confidence is not None and not 0 <= self.confidence <= 1:
            raise ValueError("its confidence is no share")


class LearnedSketch(StoredSketch):
    """The sketch of a key page, built from a learned template's columns."""

    def __init__(self, columns: LearnedColumns) -> None:
        super().__init__(columns.url, columns, columns.hashes)
        self._columns = columns
        self.document_elements = columns.document_elements

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
        return {digest: element for element, digest in reversed([*enumerate(self.hashes)])}

    @cached_property
    def _first_texts(self) -> list[int]:
        return [0, *accumulate(self._columns.text_counts)]

    def own_text_answers(self, element: int) -> list[bool]:
        """Return for each own text of an element whether it is template."""
        texts = self._columns.own_texts[self._first_texts[element] : self._first_texts[element + 1]]
        return [self._columns.answer.template_texts[text] for text in texts]


def read_columns(data: bytes) -> tuple[LearnedColumns, LearnedSketch]:
    """Return the columns that `to_bytes` wrote, and their sketch.

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
        columns = msgspec.msgpack.decode(payload, type=LearnedColumns)
        columns.check()
        return columns, LearnedSketch(columns)
    except (msgspec.DecodeError, ValueError, IndexError, OverflowError) as error:
        raise UnusableLearnedTemplate(f"The learned template is malformed: {error}. Learn it again.") from None


def _digest(payload: bytes) -> bytes:
    return blake2b(payload, digest_size=_DIGEST_BYTES).digest()
