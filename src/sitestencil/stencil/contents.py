"""Tables of contents of the key page itself: lists of links into the page, which list its content."""

from bisect import bisect_left
from collections.abc import Sequence

from sitestencil.addresses import resolve
from sitestencil.stencil.sketch import KeySketch

_LISTS = frozenset({"ul", "ol"})
_FEWEST, _MOSTLY = 2, 0.8


def tables_of_contents(page: KeySketch, on_all_near_pages: Sequence[bool]) -> list[bool]:
    """Return per element whether it is in a list most of whose links lead to places of this page.

    A list that all near pages have as it is, is none: it leads into a part of the page that they have, too. The
    list itself does not count, only what is in it: its place is the design's.
    """
    found = [False] * len(page)
    links = [element for element, tag in enumerate(page.tags) if tag == "a"]
    page_links = _page_links(page, links)
    if len(page_links) < _FEWEST:
        return found
    for element, tag in enumerate(page.tags):
        if tag not in _LISTS or on_all_near_pages[element] or found[element]:
            continue
        first, end = element + 1, page.ends[element]
        inside = bisect_left(page_links, end) - bisect_left(page_links, first)
        if inside >= max(_FEWEST, _MOSTLY * (bisect_left(links, end) - bisect_left(links, first))):
            found[first:end] = [True] * (end - first)
    return found


def _page_links(page: KeySketch, links: Sequence[int]) -> list[int]:
    """Return those of the links that lead to a place of the page."""
    addresses = [(element, page.attributes(element).get("href")) for element in links]
    addresses = [(element, address) for element, address in addresses if address and "#" in address]
    places = {found["id"] for found in page.document.attributes if "id" in found} if addresses else set()
    return [element for element, address in addresses if address and _leads_into_page(page, address, places)]


def _leads_into_page(page: KeySketch, address: str, places: set[str]) -> bool:
    page_address, _, place = address.partition("#")
    if place not in places:
        return False
    return not page_address or resolve(page_address, page.base) == page.url.partition("#")[0]
