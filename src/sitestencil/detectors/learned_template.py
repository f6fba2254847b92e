"""A learned template: a detector's answer for a page, which applies to any page of its kind.

It holds the key page's sketch and the answer for each of its elements and texts. To apply it means to map it to
another page (`tolerant_mapping`). An element takes the answer of its partner, else that of an equal subtree
anywhere on the key page; all others are content. Nothing is loaded.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Self
from weakref import WeakKeyDictionary

from sitestencil.detectors.detection import Detection, Later
from sitestencil.detectors.learned_columns import LearnedColumns, LearnedSketch, read_columns
from sitestencil.detectors.tolerant_mapping import ElementMapping, elements_around, tolerant_mapping
from sitestencil.errors import WrongArgument, shown
from sitestencil.page.document import Document
from sitestencil.page.gc_pause import collector_paused
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.sketch import NONE, Sketch
from sitestencil.site.loaded_page import LoadedPage

# With this fit a mapped page is of the key page's kind; chosen from the curve in docs/methods/learned.md.
MAPPING_FITS_FROM = 0.65


@dataclass(frozen=True, eq=False, repr=False)
class LearnedTemplate:
    """The template that a detector learned from a key page and its site.

    Attributes:
        columns: the key page's sketch and the answer: about 30 bytes for each element.
        sketch: the key page's sketch, ready for mapping.

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
        0.6
    """

    columns: LearnedColumns
    sketch: LearnedSketch

    @classmethod
    def of(cls, detector: str, key_sketch: KeySketch, detection: Detection) -> Self:
        """Return a learned template from a detection and the sketch that it used."""
        columns = LearnedColumns.of(detector, key_sketch, detection)
        sketch = LearnedSketch(columns)
        sketch.class_paths = key_sketch.class_paths
        return cls(columns, sketch)

    @classmethod
    def of_answer(cls, detector: str, document: Document, detection: Detection) -> Self:
        """Return a learned template from a detection alone; shadow trees unlike their hosts were compared."""
        hosts = frozenset(
            document.tags[document.parents[root]]
            for root in document.shadow_roots
            # Where a part of a shadow tree has another answer than its host, the tree was compared.
            if set(detection.template[root : document.ends[root]]) != {detection.template[document.parents[root]]}
        )
        return cls.of(detector, KeySketch(document, hosts), detection)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the learned template that `to_bytes` wrote.

        Raises:
            UnusableLearnedTemplate: the bytes are damaged, or of an unknown version.
        """
        return cls(*read_columns(data))

    def to_bytes(self) -> bytes:
        """Return the template as bytes, the same on every machine; at most 60 for each element."""
        return self.columns.to_bytes()

    def __reduce__(self) -> tuple[Callable[[bytes], "LearnedTemplate"], tuple[bytes]]:
        """Pickle as bytes, without cached values."""
        return LearnedTemplate.from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        """Return the template's address, detector and size."""
        return f"<LearnedTemplate {self.url} by {self.detector}, {len(self.sketch)} elements>"

    @property
    def url(self) -> str:
        """The address of the key page."""
        return self.columns.url

    @property
    def detector(self) -> str:
        """The name of the detector that learned it."""
        return self.columns.detector

    @property
    def candidates(self) -> tuple[str, ...]:
        """The addresses of the pages that the key page was compared with."""
        return self.columns.candidates

    def apply(self, page: Document | LoadedPage) -> Detection:
        """Apply the template to a page; nothing is loaded.

        The key page itself gets exactly the learned answer. For another page `Detection.fit` tells how well it fits
        the key page's kind: below `MAPPING_FITS_FROM` do not use the answer. `Detection.confidence` is that of the
        learned answer.

        Args:
            page: an element tree, or a loaded page. Bytes need no tree, which takes half the time.

        Raises:
            WrongArgument: the argument is something else.
        """
        if not isinstance(page, Document | LoadedPage):
            raise WrongArgument(
                "A learned template is applied to a Document, such as parse(html, url) returns, or to a "
                f"LoadedPage, not to {shown(page)}."
            )
        with collector_paused():
            hosts = self.sketch.shadow_hosts
            if isinstance(page, Document):
                sketch: Sketch = KeySketch(page, hosts)
            else:
                sketch = page.sketch(scripting=self.columns.scripting, shadow_hosts=hosts)
            return self.answer(page, sketch)

    def answer(self, page: Document | LoadedPage, sketch: Sketch) -> Detection:
        """Apply the template to a page by its sketch, which compares the shadow trees that the template knows."""
        return self.of_key_page if self._is_key_page(page, sketch) else self._transfer(page, sketch)

    @property
    def of_key_page(self) -> Detection:
        """The learned answer for the key page itself."""
        columns, answer = self.columns, self.columns.answer
        return Detection(
            answer.template,
            answer.template_texts,
            columns.candidates,
            answer.scores,
            answer.text_scores,
            more_pages=columns.more_pages,
            confidence=columns.confidence,
        )

    def _is_key_page(self, page: Document | LoadedPage, sketch: Sketch) -> bool:
        """Return whether the page is the key page: its elements and texts have the same numbers.

        The hash ignores scripts, styles and white space, but these are counted, too.
        """
        columns, answer = self.columns, self.columns.answer
        same_size = len(sketch.goes_with) == len(answer.template)
        if not same_size or not len(sketch) or sketch.hashes[0] != self.sketch.hashes[0]:
            return False
        document, elements = self._document(page), list(sketch.document_elements)
        own_texts = [text for element in elements for text in document.own_texts.get(element, ())]
        return (
            len(document.texts) == len(answer.template_texts)
            and elements == columns.document_elements
            and own_texts == columns.own_texts
        )

    def _document(self, page: Document | LoadedPage) -> Document:
        return page if isinstance(page, Document) else page.document(scripting=self.columns.scripting)

    def _transfer(self, page: Document | LoadedPage, sketch: Sketch) -> Detection:
        partners, fit = self._partners(sketch)
        goes_with, body = sketch.goes_with, sketch.body
        # The last entry of each column, number -1, is for elements without a partner.
        template = [*map(self._is_template.__getitem__, partners), False]
        of_page = list(map(template.__getitem__, goes_with))
        of_page[:body] = [True] * body
        scores = None
        if self._scores is not None:
            score = [*map(self._scores.__getitem__, partners), 0.0]
            scores = list(map(score.__getitem__, goes_with))
        texts = Later(partial(self._texts, page, sketch, partners, of_page))
        # The unknown elements right below known template.
        unknown = sum(
            partner == NONE and element > 0 and self._is_template[partners[sketch.parents[element]]]
            for element, partner in enumerate(partners)
        )
        return replace(
            self.of_key_page,
            template=of_page,
            template_texts=texts,
            scores=scores,
            text_scores=None,
            fit=fit,
            unknown=unknown,
        )

    def _texts(
        self, page: Document | LoadedPage, sketch: Sketch, partners: Sequence[int], template: Sequence[bool]
    ) -> list[bool]:
        """Return per text of a page whether it is template, by the texts of its element's partner."""
        document = self._document(page)
        is_template = [*template, False]
        texts = [is_template[run.parent] for run in document.texts]
        for partner, element in zip(partners, sketch.document_elements, strict=True):
            if partner != NONE and is_template[element]:
                known = self.sketch.own_text_answers(partner)
                for run, answer in zip(document.own_texts.get(element, ()), known, strict=False):
                    texts[run] = answer
        return texts

    @cached_property
    def known_mappings(self) -> WeakKeyDictionary[Sketch, ElementMapping]:
        """The mappings to pages that were compared to learn the template."""
        return WeakKeyDictionary()

    def _partners(self, sketch: Sketch) -> tuple[list[int], float]:
        """Return the fit, and per element of a page the learned element whose answer it takes, or -1."""
        learned, hashes, other = self.sketch, self.sketch.hashes, sketch.hashes
        paths, shared_paths = learned.class_paths, set[int]()
        partners = [NONE] * len(sketch)
        mapping = self.known_mappings.get(sketch) or tolerant_mapping(learned, sketch)
        for element, partner in mapping.items():
            end, size = learned.ends[element], sketch.ends[partner] - partner
            # A malicious file may have hashes of subtrees of another size.
            if hashes[element] == other[partner] and end - element == size:
                partners[partner : partner + size] = range(element, end)
                shared_paths.update(paths[element:end])
            else:
                partners[partner] = element
                if learned.kinds[element] == sketch.kinds[partner]:
                    shared_paths.add(paths[element])
        of_page = {partner: element for element, partner in mapping.items()}
        for wrapper, element in elements_around(of_page, sketch.parents, of_page).items():
            partners[wrapper] = element
        fit = self._fit(shared_paths, partners)
        self._answer_for_the_rest(sketch, partners)
        return partners, fit

    def _fit(self, shared_paths: set[int], partners: Sequence[int]) -> float:
        """Return how well a page fits the key page's kind: the mean of three shares.

        The shares are: of the template's class paths and of the content's that the page has, and of the page's
        elements with a partner. Each alone separates the kinds less well (docs/methods/learned.md).
        """
        template_paths, content_paths = self._paths_by_answer
        template = len(template_paths & shared_paths) / max(1, len(template_paths))
        content = len(content_paths & shared_paths) / len(content_paths) if content_paths else 1.0
        mapped = 1 - partners.count(NONE) / max(1, len(partners))
        return (template + content + mapped) / 3

    def _answer_for_the_rest(self, sketch: Sketch, partners: list[int]) -> None:
        """Give unpaired elements inside the template the answer of similar elements."""
        element, missing = 0, partners.count(NONE)
        while missing:
            element = partners.index(NONE, element)
            above, size = partners[sketch.parents[element]] if element else NONE, 1
            if above != NONE and self._is_template[above]:
                like, size = self._like(sketch, element, above)
                partners[element : element + size] = range(like, like + size)
            missing -= size
            element += size

    def _like(self, sketch: Sketch, element: int, above: int) -> tuple[int, int]:
        """Return a similar learned element, or -1, and the size of the subtree it stands for.

        Similar is an equal subtree anywhere, or else an element with the same kinds on its path.

        Args:
            sketch: the other page.
            element: its element; neither it nor any descendant has a partner.
            above: the learned element whose answer the parent takes.
        """
        learned, size = self.sketch, sketch.ends[element] - element
        if size > 1 or sketch.text_marks[element]:
            equal = learned.first_of_hash.get(sketch.hashes[element])
            if equal is not None and learned.ends[equal] - equal == size:
                return equal, size
        return self._like_by_path.get((learned.class_paths[above], sketch.kinds[element]), NONE), 1

    @cached_property
    def _scores(self) -> list[float] | None:
        """Per compared element, its score, with a last entry for no element; None without scores."""
        scores = self.columns.answer.scores
        return None if scores is None else [*map(scores.__getitem__, self.sketch.document_elements), 0.0]

    @cached_property
    def _paths_by_answer(self) -> tuple[frozenset[int], frozenset[int]]:
        """The class paths of the template, and those of content only."""
        pairs = list(zip(self.sketch.class_paths, self._is_template[:-1], strict=True))
        template = frozenset(path for path, is_template in pairs if is_template)
        return template, frozenset(path for path, _ in pairs) - template

    @cached_property
    def _is_template(self) -> list[bool]:
        """Per compared element, whether it is template; with a last entry for no element."""
        template = self.columns.answer.template
        return [*map(template.__getitem__, self.sketch.document_elements), False]

    @cached_property
    def _like_by_path(self) -> dict[tuple[int, str], int]:
        """For each class path, by the parent's path and the last kind, an element with the usual answer."""
        like: dict[tuple[int, str], int] = {}
        for path, by_kind in self.sketch.elements_by_path.items():
            for kind, elements in by_kind.items():
                template = [element for element in elements if self._is_template[element]]
                content = [element for element in elements if not self._is_template[element]]
                like[path, kind] = max(content, template, key=len)[0]
        return like
