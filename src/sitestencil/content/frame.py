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
_LEAST_FRAME, _LONGEST_LABEL = 12, 6  # words


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


def without_frame(chosen: Sequence[bool], sure: Sequence[bool], layout: Layout, title: int) -> list[bool]:
    """Return which chosen blocks stay: all but the frame at both ends.

    Blocks of a unit go together or not at all. The title and code stay, and so do labels right before what stays.

    Args:
        chosen: per block, whether the page alone has it as main content.
        sure: per block, whether it is surely template.
        layout: how the blocks stand to each other.
        title: the block of the title; -1 without one.

    Example:
        >>> from types import SimpleNamespace
        >>> layout = SimpleNamespace(sizes=[20, 2, 30, 1, 9, 20], units=[-1] * 6, unit_kinds=[-1] * 6)
        >>> without_frame([True] * 6, [True, True, False, True, False, True], layout, -1)
        [False, True, True, True, True, False]
    """
    mixed = {unit for unit, is_sure in zip(layout.units, sure, strict=True) if unit >= 0 and not is_sure}
    numbers = list(compress(range(len(chosen)), chosen))
    own = [
        number
        for number in numbers
        if not sure[number]
        or number == title
        or layout.units[number] in mixed
        or layout.unit_kinds[number] == CODE_BLOCK
    ]
    if not own:
        return list(chosen)
    before = [number for number in numbers if number < own[0]]
    while before and layout.units[before[-1]] < 0 and layout.sizes[before[-1]] <= _LONGEST_LABEL:
        before.pop()
    stays = list(chosen)
    for end in (before, [number for number in numbers if number > own[-1]]):
        if sum(layout.sizes[number] for number in end) >= _LEAST_FRAME:
            for number in end:
                stays[number] = False
    return stays


def _unjudged(document: Document, detection: Detection) -> Iterator[int]:
    """Yield the shadow trees and frames that no page was compared on.

    These have the verdict of the element that holds them, which tells nothing of their text.
    """
    scores, reasons = detection.scores, detection.reasons
    for root in document.embedded if scores is not None and detection.text_scores is not None else ():
        host, end = document.parents[root], document.ends[root]
        is_equal = reasons is not None and reasons[host].equal == 1
        if scores is not None and not is_equal and set(scores[root:end]) == {scores[host]}:
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
