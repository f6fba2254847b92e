"""Tell a page's main content from what stands around it.

Content is what is not template. The main content is the part of it that a reader came for; the rest is *around* it:
teasers, tickers, counters. Each block of text gets the probability that it is main content. The blocks with the
highest ones are chosen, as many as give the highest expected F1: a page of which little is sure keeps more than a
fixed bound would. The page's title belongs to it unless it is hardly main content.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import compress
from operator import not_

from sitestencil.content import paywall
from sitestencil.content.choice import as_units, chosen_blocks, confidence_of, expected_f1
from sitestencil.content.context import Layout, layout_of
from sitestencil.content.features import feature_columns
from sitestencil.content.frame import frame_elements, sure_template, unless_copies, without_frame
from sitestencil.content.inserts import without_overlays
from sitestencil.content.items import choose_items
from sitestencil.content.model import ContentModel, shipped_content_model
from sitestencil.content.page_kind import statements_of, surest_kind
from sitestencil.content.page_measures import PageMeasures, add_up
from sitestencil.content.parts import PARTS, Part, parts_of, title_block
from sitestencil.detectors.detection import Detection, Doubt, Later
from sitestencil.errors import check_choice
from sitestencil.page.document import Document
from sitestencil.page.html_names import CODE
from sitestencil.reading.blocks import Block, text_blocks

# The time for one page has a bound: these take three seconds.
MOST_BLOCKS = 50_000
_MANY_ALIKE = 3
# Words of main content, beside so many times as many on the page that are not surely template; set by hand.
_FRAGMENT, _OF_FRAGMENT, _LOW = 25, 4, 0.5
_TEXTLESS = CODE | {"option"}
_WITH_FALLBACK = frozenset({"audio", "canvas", "video"})


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MainContent:
    """The main content of a page.

    Attributes:
        elements: per element, whether all of it is main content. A container with other parts is not, though its
            main texts and elements are.
        texts: per text node, whether it is main content.
        scores: per text node, the probability that it is main content; 0 for a text that is not shown.
        confidence: the expected F1 of its words, 0 to 1, lower where text went between what is kept; 0 for a page
            without text, or with too many blocks to judge.
        parts: per element, the part that it belongs to, such as its title; None for most.
        page_kind: the kind of the page, one of `KINDS`; None if it is not sure.
        doubt: the reason that this is no judgement, or that most of the text may be missing; None without one.
    """

    elements: Sequence[bool]
    texts: Sequence[bool]
    scores: Sequence[float]
    confidence: float
    parts: Sequence[Part | None]
    page_kind: str | None = None
    doubt: Doubt | None = None

    def __repr__(self) -> str:
        """Return the size of the main content."""
        return f"<MainContent: {sum(self.elements)} of {len(self.elements)} elements, {self.confidence:.0%}>"

    def without(self, document: Document, parts: Collection[Part]) -> "MainContent":
        """Return the main content without some of its parts, such as its captions."""
        left = [part is None or part not in parts for part in self.parts]
        texts = [is_main and left[run.parent] for is_main, run in zip(self.texts, document.texts, strict=True)]
        elements = [is_main and is_left for is_main, is_left in zip(self.elements, left, strict=True)]
        for element in range(len(document) - 1, 0, -1):
            if not left[element]:
                elements[document.parents[element]] = left[document.parents[element]] = False
        return replace(self, elements=elements, texts=texts)

    def element_scores(self, document: Document) -> list[float | None]:
        """Return, per element, the mean score of the characters of its text; None without text."""
        sums, sizes = [0.0] * len(document), [0] * len(document)
        for score, run in zip(self.scores, document.texts, strict=True):
            if score and not run.text.isspace():
                sums[run.parent] += score * len(run.text)
                sizes[run.parent] += len(run.text)
        add_up(sums, document.parents)
        add_up(sizes, document.parents)
        return [total / size if size else None for total, size in zip(sums, sizes, strict=True)]

    def inverse(self) -> Detection:
        """Return a detection whose "template" is all but the main content."""
        return Detection(list(map(not_, self.elements)), list(map(not_, self.texts)), ())


def find_main_content(document: Document, detection: Detection, model: ContentModel | None = None) -> MainContent:
    """Return the main content of a page.

    Each block is judged twice: by itself and its place, then by the first judgement of the blocks around it. Blocks
    of one unit, such as a table, stay together. No main content are overlays, template before and after it by
    compared pages, and what a person's rule calls template. A rule's content is main content. All content is,
    on a page with at most 20 words of it. With more than 50,000 blocks of text, all is that no compared
    page shows to be surely template.

    Args:
        document: the page.
        detection: its template.
        model: by default the shipped one.
    """
    blocks = text_blocks(document)
    if not blocks:
        return all_content(document, detection)
    sure: Sequence[bool] = sure_template(document, blocks, detection)
    if len(blocks) > MOST_BLOCKS:
        texts = [False] * len(document.texts)
        for block, is_sure in zip(blocks, sure, strict=True):
            for text in block.texts:
                texts[text] = not is_sure
        elements = _whole_elements(document, frame_elements(document, detection), blocks, texts)
        scores = list(map(float, texts))
        return MainContent(elements, texts, scores, 0.0, [None] * len(document), doubt=Doubt.TOO_MANY_BLOCKS)
    measures = PageMeasures(document, blocks)
    layout = layout_of(measures)
    title = title_block(measures)
    probabilities, kind = _probabilities(measures, layout, model or shipped_content_model())
    sure = unless_copies(sure, probabilities, layout.sizes)
    chosen = chosen_blocks(probabilities, layout, title, sure)
    items = choose_items(chosen, measures, sure) if kind == "list" else ()
    chosen = without_frame(chosen, sure, document, [block.container for block in blocks], layout)
    confidence, doubt = confidence_of(expected_f1(probabilities, layout.sizes, chosen), chosen, layout), None
    words = sum(compress(measures.sizes, chosen))
    if words < _FRAGMENT and words * _OF_FRAGMENT < sum(compress(measures.sizes, map(not_, sure))):
        confidence, doubt = min(confidence, _LOW), Doubt.FRAGMENT
    if words <= paywall.MOST_WORDS and paywall.is_paid(document):
        confidence, doubt = min(confidence, paywall.CONFIDENCE), Doubt.PAYWALLED
    texts = [False] * len(document.texts)
    scores = [0.0] * len(document.texts)
    for block, is_chosen, probability in zip(blocks, chosen, probabilities, strict=True):
        for text in block.texts:
            texts[text], scores[text] = is_chosen, probability
    for number in _texts_of_units(document, layout, chosen):
        texts[number] = True
    ruled = detection.ruled or ()
    for number, run in enumerate(document.texts if ruled else ()):
        if (is_template := ruled[run.parent]) is not None:
            texts[number], scores[number] = not is_template, float(not is_template)
    elements = _whole_elements(document, frame_elements(document, detection, kind, items), blocks, texts)
    parts = Later(partial(parts_of, measures))
    return MainContent(elements, texts, scores, confidence, parts, kind, doubt)


def _texts_of_units(document: Document, layout: Layout, chosen: Sequence[bool]) -> Iterator[int]:
    """Yield all texts in chosen units. Some are in no block, such as a line of code that is a bracket."""
    units = {unit for unit, is_chosen in zip(layout.units, chosen, strict=True) if is_chosen and unit >= 0}
    inside = bytearray(len(document))
    for unit in units:
        inside[unit : document.ends[unit]] = b"\1" * (document.ends[unit] - unit)
    for number, run in enumerate(document.texts if units else ()):
        if inside[run.parent]:
            yield number


def _probabilities(measures: PageMeasures, layout: Layout, model: ContentModel) -> tuple[list[float], str | None]:
    """Return the probability that each block is main content, by the page alone, and the page's kind."""
    columns = feature_columns(measures, model.names)
    statements = statements_of(measures.document)
    kinds = model.kind_of(columns, layout, statements)
    second = model.judged_again(layout, model.probabilities(columns), [*kinds, *statements])
    judged = as_units(second, layout.sizes, layout.units)
    without_overlays(judged, measures)
    return judged, surest_kind(kinds, statements)


@dataclass(frozen=True, slots=True)
class ContentChoice:
    """The content that an output gives.

    Attributes:
        around: all content, also what is around the main content.
        without: parts of the main content to leave out.
    """

    around: bool = False
    without: tuple[Part, ...] = ()

    def __post_init__(self) -> None:
        for part in self.without:
            check_choice("without", part, PARTS)

    @property
    def is_all(self) -> bool:
        """Whether it is all content."""
        return self.around and not self.without

    def rest(self, document: Document, detection: Detection, main: MainContent | None = None) -> Detection:
        """Return a detection whose "template" is all but this content.

        Args:
            document: the page.
            detection: its template.
            main: its main content, if it is known.
        """
        if self.is_all:
            return detection
        wanted = main = main or find_main_content(document, detection)
        if self.around:
            wanted = replace(all_content(document, detection), parts=main.parts)
        return (wanted.without(document, self.without) if self.without else wanted).inverse()


MAIN_CONTENT = ContentChoice()


def all_content(document: Document, detection: Detection) -> MainContent:
    """Return all content as main content."""
    texts = [
        not (detection.template[run.parent] and is_template)
        for run, is_template in zip(document.texts, detection.template_texts, strict=True)
    ]
    elements = [not is_template for is_template in detection.template]
    return MainContent(elements, texts, list(map(float, texts)), 0.0, [None] * len(document))


def _whole_elements(
    document: Document, template: Sequence[bool], blocks: list[Block], texts: list[bool]
) -> list[bool]:
    """Return per element whether all of it is main content.

    An element without text (a picture, a rule) goes with the smallest element around it that has text: it is main
    content if half of the text there is. A hidden text is no main content, and neither is a container that is
    template by compared pages.
    """
    count, body, parents = len(document), document.body or 0, document.parents
    main, shown, written = [0] * count, [0] * count, [0] * count
    for block in blocks:
        for number in block.texts:
            run = document.texts[number]
            shown[run.parent] += len(run.text)
            main[run.parent] += len(run.text) if texts[number] else 0
    fallbacks = _fallbacks(document)
    for number, run in enumerate(document.texts):
        is_page_text = document.tags[run.parent] not in _TEXTLESS and number not in fallbacks
        written[run.parent] += is_page_text and not run.text.isspace()
    has_own = list(map(bool, main))
    for column in (main, shown, written):
        add_up(column, parents)
    may_be_main = [not is_template for is_template in template]
    within = [False] * count
    elements = [False] * count
    for element in range(body, count):
        if shown[element]:
            within[element] = 2 * main[element] >= shown[element]
            elements[element] = main[element] == shown[element] and (may_be_main[element] or has_own[element])
        else:
            within[element] = element > body and within[parents[element]]
            elements[element] = within[element] and may_be_main[element] and not written[element]
    for element in range(count - 1, body, -1):
        elements[parents[element]] &= elements[element]
    return elements


def _fallbacks(document: Document) -> set[int]:
    """Return the texts for browsers that play no film, play no sound or draw no canvas."""
    found, end = set[int](), 0
    for element in document.tagged(*_WITH_FALLBACK):
        if element >= end:
            end = document.ends[element]
            found.update(document.runs(element))
    return found


def content_reasons(document: Document) -> list[str]:
    """Return, for each block element, the facts by which its text is main content or not; empty for other elements.

    Example:
        >>> from sitestencil import parse
        >>> html = "<title>Knots</title><h1>Knots</h1><p>A <a href=/>rope</a> with knots."
        >>> [reason for reason in content_reasons(parse(html, "https://site.example/")) if reason][-2:]
        ['words: 1, the title', 'words: 4, 25% in links, 1 of the title']
    """
    blocks = text_blocks(document)
    if not 0 < len(blocks) <= MOST_BLOCKS:
        reasons = [""] * len(document)
        reasons[document.body or 0] = Doubt.TOO_MANY_BLOCKS.sentence if blocks else ""
        return reasons
    measures = PageMeasures(document, blocks)
    # Per block element: its words that also stand in the title, and how many blocks are of its kind.
    titled, alike = [0] * len(document), [0] * len(document)
    for block, kind in zip(blocks, measures.alike, strict=True):
        titled[block.container] += len(measures.title_words.intersection(block.words))
        alike[block.container] = kind[0]
    reasons = list[str]()
    for element, part in enumerate(parts_of(measures)):
        size, linked = measures.subtree_words[element], measures.subtree_linked[element]
        told = [f"words: {size}"]
        if linked:
            told.append(f"{linked / size:.0%} in links")
        if part == "title":
            told.append("the title")
        elif part:
            told.append(f"part: {part}")
        if titled[element] and part != "title":
            told.append(f"{titled[element]} of the title")
        if alike[element] >= _MANY_ALIKE:
            told.append(f"{alike[element]} blocks alike")
        reasons.append(", ".join(told) if size else "")
    return reasons
