"""What a detector has learned of a page's kind, as a value: learned once, applied to any page of that kind.

A learned template holds the key page's sketch and the answer about each of its elements and texts. To apply it
is to map it to another page (`tolerant_mapping`): an element takes the answer of its partner, one without a partner
that of an equal subtree anywhere on the key page, and what has neither is content. Nothing is loaded.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from sitestencil.detectors.detection import Detection
from sitestencil.detectors.learned_columns import LearnedColumns, LearnedSketch, encode
from sitestencil.detectors.tolerant_mapping import tolerant_mapping
from sitestencil.errors import WrongArgument, shown
from sitestencil.page.document import Document
from sitestencil.page.gc_pause import collector_paused
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.sketch import NONE, Sketch
from sitestencil.site.loaded_page import LoadedPage


@dataclass(frozen=True, eq=False, repr=False)
class LearnedTemplate:
    """What a detector has learned from a key page and its site.

    Attributes:
        columns: the key page's sketch and the answer, compactly: about 30 bytes for each element.

    Example:
        >>> from sitestencil import learn, parse
        >>> menu = "<nav><a href='/a'>A</a></nav>"
        >>> learned = learn(f"{menu}<p>Home", url="https://site.example/", pages={"https://site.example/a": menu})
        >>> learned = LearnedTemplate.from_bytes(learned.to_bytes())
        >>> learned
        <LearnedTemplate https://site.example/ by stencil, 5 elements>
        >>> detection = learned.apply(parse(f"{menu}<h1>Another page", "https://site.example/b"))
        >>> detection
        <Detection: 5 of 6 elements are template>
        >>> detection.fit
        0.8
    """

    columns: LearnedColumns

    @classmethod
    def of(cls, detector: str, key_sketch: KeySketch, detection: Detection) -> Self:
        """Return what a detector's answer about a key page teaches of its kind."""
        return cls(encode(detector, key_sketch, detection))

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the learned template that `to_bytes` wrote.

        Raises:
            LearnedTemplateError: the bytes are damaged, or of a version that this program does not know.
        """
        return cls(LearnedColumns.from_bytes(data))

    def to_bytes(self) -> bytes:
        """Return the learned template as bytes, the same on every machine; at most 60 for each element."""
        return self.columns.to_bytes()

    def __reduce__(self) -> tuple[Callable[[bytes], "LearnedTemplate"], tuple[bytes]]:
        """Pickle by bytes: what is computed when it is applied need not travel."""
        return LearnedTemplate.from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        """Return whose template it is."""
        return f"<LearnedTemplate {self.url} by {self.detector}, {len(self.sketch)} elements>"

    @property
    def url(self) -> str:
        """The address of the key page it was learned from."""
        return self.columns.url

    @property
    def detector(self) -> str:
        """The name of the detector that learned it."""
        return self.columns.detector

    @property
    def candidates(self) -> tuple[str, ...]:
        """The addresses of the pages that the key page was compared with."""
        return self.columns.candidates

    @cached_property
    def sketch(self) -> LearnedSketch:
        """The key page's sketch, ready to be mapped."""
        return LearnedSketch(self.columns)

    def apply(self, page: Document | LoadedPage) -> Detection:
        """Return the answer about a page; nothing is loaded.

        The key page itself gets the answer that was learned, to the last bit. Of another page `Detection.fit` tells
        how far it is of the key page's kind: below `FITS_FROM` the answer should not be used.

        Args:
            page: an element tree, or a page as it came. Of bytes no tree is made, which takes half the time.

        Raises:
            WrongArgument: it is something else.
        """
        if not isinstance(page, Document | LoadedPage):
            raise WrongArgument(
                "A learned template is applied to a Document, such as parse(html, url) returns, or to a "
                f"LoadedPage, not to {shown(page)}."
            )
        with collector_paused():
            if isinstance(page, Document):
                sketch: Sketch = KeySketch(page)
            else:
                sketch = page.sketch(scripting=self.columns.scripting)
            answer = self.columns.answer
            if self._is_key_page(sketch):
                texts = answer.template_texts
                return self._detection(answer.template, answer.scores, texts, answer.text_scores, 1.0)
            return self._transfer(page, sketch)

    def _is_key_page(self, sketch: Sketch) -> bool:
        same_size = len(sketch.goes_with) == len(self.columns.answer.template)
        return same_size and len(sketch) > 0 and sketch.hashes[0] == self.sketch.hashes[0]

    def _transfer(self, page: Document | LoadedPage, sketch: Sketch) -> Detection:
        partners, fit = self._partners(sketch)
        answer, elements = self.columns.answer, self.sketch.document_elements
        body = sketch.body
        # The last entry is for elements that go with no compared one.
        template = [partner != NONE and answer.template[elements[partner]] for partner in partners] + [False]
        of_page = [template[element] for element in sketch.goes_with]
        of_page[:body] = [True] * len(of_page[:body])
        scores = None
        if answer.scores is not None:
            score = [answer.scores[elements[p]] if p != NONE else 0.0 for p in partners] + [0.0]
            scores = [score[element] for element in sketch.goes_with]
        texts = AppliedTexts(self, page, sketch, partners, of_page)
        return self._detection(of_page, scores, texts, None, fit)

    def _partners(self, sketch: Sketch) -> tuple[list[int], float]:
        """Return per element of a page the learned element whose answer it takes, -1 for none; and the fit."""
        learned, hashes, other = self.sketch, self.sketch.hashes, sketch.hashes
        paths, shared_paths = learned.class_paths, set[int]()
        partners = [NONE] * len(sketch)
        for element, partner in tolerant_mapping(learned, sketch).items():
            if hashes[element] == other[partner]:
                end = learned.ends[element]
                partners[partner : sketch.ends[partner]] = range(element, end)
                shared_paths.update(paths[element:end])
            else:
                partners[partner] = element
                if learned.kinds[element] == sketch.kinds[partner]:
                    shared_paths.add(paths[element])
        self._find_elsewhere(sketch, partners)
        return partners, len(shared_paths) / max(1, learned.class_path_count)

    def _find_elsewhere(self, sketch: Sketch, partners: list[int]) -> None:
        """Give elements without a partner the answer of an equal subtree anywhere on the key page."""
        first_of, ends, hashes = self.sketch.first_of_hash, sketch.ends, sketch.hashes
        element = 0
        while element < len(partners):
            equal = first_of.get(hashes[element]) if partners[element] == NONE else None
            if equal is None:
                element += 1
                continue
            size = ends[element] - element
            partners[element : element + size] = range(equal, equal + size)
            element += size

    def _detection(
        self,
        template: Sequence[bool],
        scores: Sequence[float] | None,
        template_texts: Sequence[bool],
        text_scores: Sequence[float] | None,
        fit: float,
    ) -> Detection:
        candidates, more_pages = self.columns.candidates, self.columns.more_pages
        return Detection(template, template_texts, candidates, scores, text_scores, more_pages=more_pages, fit=fit)


class AppliedTexts(Sequence[bool]):
    """Per text node of a page whether it is template; found when it is asked for, as that needs the whole tree."""

    def __init__(
        self,
        learned: LearnedTemplate,
        page: Document | LoadedPage,
        sketch: Sketch,
        partners: Sequence[int],
        template: Sequence[bool],
    ) -> None:
        self._learned = learned
        self._page = page
        self._sketch = sketch
        self._partners = partners
        self._template = template

    def __len__(self) -> int:
        """Return the number of text nodes."""
        return len(self._texts)

    def __getitem__(self, text: int | slice) -> "bool | list[bool]":  # type: ignore[override]
        """Return whether a text is template."""
        return self._texts[text]

    @cached_property
    def _texts(self) -> list[bool]:
        page = self._page
        document = page if isinstance(page, Document) else page.document(scripting=self._learned.columns.scripting)
        template = [*self._template, False]
        texts = [template[run.parent] for run in document.texts]
        for partner, element in zip(self._partners, self._sketch.document_elements, strict=True):
            if partner != NONE and template[element]:
                known = self._learned.sketch.own_text_answers(partner)
                for run, answer in zip(document.own_texts.get(element, ()), known, strict=False):
                    texts[run] = answer
        return texts
