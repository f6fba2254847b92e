"""Leave what stands in a text or lies over a page, and is none of its main content."""

from collections import Counter
from collections.abc import Sequence
from itertools import compress

from sitestencil.content.context import Layout
from sitestencil.content.page_measures import PageMeasures
from sitestencil.content.parts import title_block

# An insert: a line of links, where few words are in links, or a short line much less likely than the surest block,
# where much text is sure.
_INSERT_WORDS, _INSERT_LINKED, _MOST_PAGE_LINKED = 5, 0.6, 0.3
_SHORT_LINE, _LEAST_OF_SUREST = 20, 0.6
SURE, _MUCH_TEXT = 0.8, 100
# A list of so many links that is no more likely main content leads to other stories.
_FEWEST_LINKS, _LEAST_LIST_OF_LINKS = 3, 0.6
_OVERLAYS = frozenset("alertdialog ccpa consent cookie cookies dialog gdpr modal optout overlay popup".split())
_LEAST_REST = 20  # words that are likely main content elsewhere


def without_inserts(chosen: list[bool], layout: Layout, probabilities: Sequence[float]) -> list[bool]:
    """Return the choice without lines and lists of links and doubtful lines in a text; likely sentences stay."""
    sizes, linked, units, left = layout.sizes, layout.linked, layout.units, list(chosen)
    is_of_text = sum(compress(linked, chosen)) <= _MOST_PAGE_LINKED * sum(compress(sizes, chosen))
    sure = sum(size for size, one in zip(sizes, probabilities, strict=True) if one >= SURE)
    least = _LEAST_OF_SUREST * max(probabilities) if sure >= _MUCH_TEXT else 0.0
    lists = Counter(units)
    for unit in {unit for unit, size, links in zip(units, sizes, linked, strict=True) if links < size}:
        del lists[unit]
    for number in compress(range(len(chosen)), chosen):
        if units[number] >= 0:
            is_list = lists[units[number]] >= _FEWEST_LINKS and probabilities[number] < _LEAST_LIST_OF_LINKS
            left[number] = not (is_of_text and is_list)
        elif not layout.headings[number]:
            is_sentence, probability = layout.sentences[number], probabilities[number]
            is_link = sizes[number] >= _INSERT_WORDS and linked[number] >= _INSERT_LINKED * sizes[number]
            is_link &= is_of_text and not (is_sentence and probability >= SURE)
            is_doubtful = sizes[number] <= _SHORT_LINE and probability < least and not is_sentence
            left[number] = not (is_link or is_doubtful)
    return left if any(left) else chosen


def without_overlays(probabilities: list[float], measures: PageMeasures) -> None:
    """Set the probability of each block in an overlay to 0, in place.

    An overlay is a child of the body with such a name, and without the page's title. It is left out only if there
    is other main content.
    """
    document, title = measures.document, title_block(measures)
    if title < 0:
        return
    within = bytearray(len(document))
    titled = measures.blocks[title].container
    for element, parent in enumerate(document.parents):
        if (
            parent == document.body
            and not element <= titled < document.ends[element]
            and not _OVERLAYS.isdisjoint(measures.names(element))
        ):
            within[element : document.ends[element]] = b"\1" * (document.ends[element] - element)
    covered = [within[block.container] for block in measures.blocks]
    rest = compress(zip(probabilities, measures.sizes, strict=True), map((0).__eq__, covered))
    if any(covered) and sum(probability * size for probability, size in rest) >= _LEAST_REST:
        probabilities[:] = [
            0.0 if is_covered else one for one, is_covered in zip(probabilities, covered, strict=True)
        ]
