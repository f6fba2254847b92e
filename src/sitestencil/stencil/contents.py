"""Tables of contents of the key page itself: lists of links into the page, which list its content."""

from bisect import bisect_left
from collections.abc import Sequence

from sitestencil.stencil.key_sketch import KeySketch

_LISTS = frozenset({"ul", "ol"})
_FEWEST, _MOSTLY = 2, 0.8


def tables_of_contents(page: KeySketch, on_all_near_pages: Sequence[bool]) -> list[bool]:
    """Return per element whether it is in a list most of whose links lead to places of this page.

    A list that all near pages have as it is, is none: it leads into a part of the page that they have, too. The
    list itself does not count, only what is in it: its place is the design's.
    """
    found = [False] * len(page)
    for element in _lists_of_contents(page):
        if not on_all_near_pages[element] and not found[element]:
            first, end = element + 1, page.ends[element]
            found[first:end] = [True] * (end - first)
    return found


def _lists_of_contents(page: KeySketch) -> list[int]:
    """Return the lists most of whose links lead to places of the page."""
    links, page_links = page.links, page.page_links
    if len(page_links) < _FEWEST:
        return []
    found = []
    for element, tag in enumerate(page.tags):
        if tag in _LISTS:
            end = page.ends[element]
            inside = bisect_left(page_links, end) - bisect_left(page_links, element)
            if inside >= max(_FEWEST, _MOSTLY * (bisect_left(links, end) - bisect_left(links, element))):
                found.append(element)
    return found
