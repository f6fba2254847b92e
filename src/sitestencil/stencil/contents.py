"""Tables of contents of the key page itself: lists of links into the page, which list its content."""

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
    links, page_links = _count_links(page)
    found = [False] * len(page)
    for element, tag in enumerate(page.tags):
        inside = page_links[element]
        if (
            tag in _LISTS
            and inside >= max(_FEWEST, _MOSTLY * links[element])
            and not on_all_near_pages[element]
            and not found[element]
        ):
            first, end = element + 1, page.ends[element]
            found[first:end] = [True] * (end - first)
    return found


def _count_links(page: KeySketch) -> tuple[list[int], list[int]]:
    """Return the links in each subtree, and those of them that lead to a place of the page."""
    links = [int(tag == "a") for tag in page.tags]
    page_links = [0] * len(page)
    places: set[str] | None = None
    for element, is_link in enumerate(links):
        address = page.attributes(element).get("href") if is_link else None
        if not address or "#" not in address:
            continue
        if places is None:
            places = {found["id"] for found in page.document.attributes if "id" in found}
        page_links[element] = int(_leads_into_page(page, address, places))
    for element in range(len(page) - 1, 0, -1) if any(page_links) else ():
        parent = page.parents[element]
        links[parent] += links[element]
        page_links[parent] += page_links[element]
    return links, page_links


def _leads_into_page(page: KeySketch, address: str, places: set[str]) -> bool:
    page_address, _, place = address.partition("#")
    if place not in places:
        return False
    return not page_address or resolve(page_address, page.base) == page.url.partition("#")[0]
