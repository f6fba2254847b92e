"""Leave out of a page's main content the site's frame, as compared pages show it.

The page alone tells what is main content. Other pages only take frame off its two ends. Within the content nothing
goes: a heading, a label or a row that recurs names words of the page's own.
"""

from collections.abc import Iterator, Sequence
from itertools import compress

from sitestencil.content.context import Layout
from sitestencil.content.parts import CODE_BLOCK
from sitestencil.detectors.detection import Detection
from sitestencil.page.document import Document
from sitestencil.reading.blocks import Block

_SURE = 0.9  # that a text is template
_UNKNOWN = 0.5
_FIELDS = frozenset("select optgroup option input".split())
_PICTURES, _MOST = frozenset({"img", "picture"}), 0.5
# A page with a quarter of the words that are so likely main content is a copy.
_CERTAIN, _COPIED = 0.8, 0.25
_LEAST_FRAME, _LABEL = 12, 6  # words: of frame within the element that holds the content, and most of a label


def sure_template(document: Document, blocks: Sequence[Block], detection: Detection) -> list[bool]:
    """Return whether each block is surely template, by compared pages."""
    if not detection.candidates:
        return [False] * len(blocks)
    template, scores = list(detection.template_texts), _text_scores(document, detection)
    for root in _unjudged(document, detection):
        runs = document.runs(root)
        template[runs.start : runs.stop] = [False] * len(runs)
    return [
        all(template[text] for text in block.texts)
        and sum(scores[text] for text in block.texts) >= _SURE * len(block.texts)
        for block in blocks
    ]


def frame_elements(
    document: Document, detection: Detection, kind: str | None = None, items: Sequence[int] = ()
) -> list[bool]:
    """Return whether each element is frame by compared pages.

    None is a picture that differs from most of theirs or is of a list's item, and no field of a product.
    """
    if not detection.candidates:
        return [False] * len(document)
    template, reasons = list(detection.template), detection.reasons
    in_item = bytearray(len(document))
    for item in items:
        in_item[item : document.ends[item]] = b"\1" * (document.ends[item] - item)
    for element in document.tagged(*_PICTURES):
        is_alike = reasons is None or reasons[element].equal >= _MOST
        template[element] &= is_alike and not in_item[element]
    for element in document.tagged(*_FIELDS) if kind == "product" else ():
        template[element] = False
    return template


def unless_copies(sure: Sequence[bool], probabilities: Sequence[float], sizes: Sequence[int]) -> Sequence[bool]:
    """Return which blocks are surely template: none where the compared pages are copies of the page.

    Copies have much of what the page alone surely keeps.

    Example:
        >>> unless_copies([True, False, True], [0.1, 0.9, 0.2], [10, 80, 10])
        [True, False, True]
        >>> unless_copies([True, False, True], [0.9, 0.9, 0.2], [40, 80, 10])
        [False, False, False]
    """
    blocks = zip(sure, probabilities, sizes, strict=True)
    certain = [(size, is_sure) for is_sure, probability, size in blocks if probability >= _CERTAIN]
    copied = sum(size for size, is_sure in certain if is_sure)
    return [False] * len(sure) if 0 < copied >= _COPIED * sum(size for size, _ in certain) else sure


def without_frame(
    chosen: Sequence[bool], sure: Sequence[bool], document: Document, containers: Sequence[int], layout: Layout
) -> list[bool]:
    """Return which chosen blocks stay: all but the frame at both ends.

    Blocks of a unit go together or not at all, and code stays. Within the element that holds all else, a few words
    stay, and so do labels right before them. Where all is frame, nothing stays.

    Args:
        chosen: per block, whether the page alone has it as main content.
        sure: per block, whether it is surely template.
        document: the page.
        containers: per block, its container.
        layout: how the blocks stand to each other.

    Example:
        >>> from types import SimpleNamespace
        >>> from sitestencil import parse
        >>> page = parse("<p>Menu<div><p>Story<p>Ropes<p>Share</div><p>Imprint", "https://site.example/")
        >>> alone = SimpleNamespace(sizes=[1] * 5, units=[-1] * 5, unit_kinds=[-1] * 5)
        >>> without_frame([True] * 5, [True, False, False, True, True], page, [3, 5, 6, 7, 8], alone)
        [False, True, True, True, False]
    """
    mixed = {unit for unit, is_sure in zip(layout.units, sure, strict=True) if unit >= 0 and not is_sure}
    numbers = list(compress(range(len(chosen)), chosen))
    own = [
        number
        for number in numbers
        if not sure[number] or layout.units[number] in mixed or layout.unit_kinds[number] == CODE_BLOCK
    ]
    if not own:
        return [False] * len(chosen)
    stays = list(chosen)
    holder = containers[own[0]]
    while document.ends[holder] <= containers[own[-1]]:
        holder = document.parents[holder]
    inside = range(holder, document.ends[holder])
    before = [number for number in numbers if number < own[0]]
    after = [number for number in numbers if number > own[-1]]
    for end in (before, after):
        within = [number for number in end if containers[number] in inside]
        goes = [number for number in end if containers[number] not in inside]
        while end is before and within and layout.units[within[-1]] < 0 and layout.sizes[within[-1]] <= _LABEL:
            within.pop()
        if sum(layout.sizes[number] for number in within) >= _LEAST_FRAME:
            goes += within
        for number in goes:
            stays[number] = False
    return stays


def _unjudged(document: Document, detection: Detection) -> Iterator[int]:
    """Yield the shadow trees and frames that no page was compared on.

    These have the verdict of the element that holds them, which tells nothing of their text.
    """
    scores, reasons = detection.scores, detection.reasons
    if scores is None or detection.text_scores is None:
        return
    for root in document.embedded:
        host, end = document.parents[root], document.ends[root]
        is_equal = reasons is not None and reasons[host].equal == 1
        if not is_equal and set(scores[root:end]) == {scores[host]}:
            yield root


def _text_scores(document: Document, detection: Detection) -> Sequence[float]:
    """Return per text how surely it is template: a learned template scores no texts, but their elements."""
    if detection.text_scores is not None:
        return detection.text_scores
    if detection.scores is None:
        return list(map(float, detection.template_texts))
    scores = (detection.scores[run.parent] for run in document.texts)
    return [
        max(_UNKNOWN, score) if is_template else min(_UNKNOWN, score)
        for score, is_template in zip(scores, detection.template_texts, strict=True)
    ]
