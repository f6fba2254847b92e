"""The items of a page that lists things: each stays whole, and with the others of its list."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from sitestencil.content.page_measures import PageMeasures

_FEWEST, _MOST_WORDS = 2, 60  # items of a list, and words of one
_LEAST_CHOSEN = 0.2  # of a list's words
_MENUS = frozenset("nav header footer aside".split())


def choose_items(chosen: list[bool], measures: PageMeasures, sure: Sequence[bool]) -> list[int]:
    """Choose all items of each list of which some are chosen, in place; return these items' elements.

    An item has few words, some of them in a link, and stands beside others of its tag and classes.

    Args:
        chosen: per block, whether it is chosen.
        measures: of a page that lists things.
        sure: per block, whether it is surely template.
    """
    whole: list[int] = []
    at = defaultdict[int, list[int]](list)
    for number, block in enumerate(measures.blocks):
        at[block.container].append(number)
    for items in _lists(measures):
        ends = measures.document.ends
        numbers = [number for item in items for inside in range(item, ends[item]) for number in at.get(inside, ())]
        words = sum(measures.sizes[number] for number in numbers)
        if sum(measures.sizes[number] for number in numbers if chosen[number]) >= _LEAST_CHOSEN * words:
            whole += items
            for number in numbers:
                chosen[number] |= not sure[number]
    return whole


def _lists(measures: PageMeasures) -> Iterator[list[int]]:
    """Yield the items of each list outside menus."""
    document, found = measures.document, defaultdict[tuple[int, str, str], list[int]](list)
    in_menu = bytearray(len(document))
    for element, (tag, parent) in enumerate(zip(document.tags, document.parents, strict=True)):
        in_menu[element] = tag in _MENUS or (parent >= 0 and in_menu[parent])
        has_link = measures.subtree_linked[element] > 0
        if has_link and measures.subtree_words[element] <= _MOST_WORDS and not in_menu[element]:
            found[parent, tag, document.attributes[element].get("class") or ""].append(element)
    yield from (items for items in found.values() if len(items) >= _FEWEST)
