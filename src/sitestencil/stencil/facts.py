"""What the key page alone tells of its elements: lengths, links, regions."""

from dataclasses import dataclass

from sitestencil.addresses import resolve
from sitestencil.stencil.kinship import Key
from sitestencil.stencil.sketch import Sketch

_MEDIA = frozenset("img video iframe svg picture audio object embed".split())
_MEDIA_LENGTH = 20  # what a picture counts beside texts, in characters
_REGIONS = frozenset({"nav", "header", "footer"})
_MAIN = frozenset({"main", "article"})


@dataclass(frozen=True, slots=True, eq=False)
class PageFacts:
    """Columns over the key page's elements; those not compared have nothing.

    Attributes:
        depth: elements above.
        region: whether in ``nav``, ``header`` or ``footer``.
        main: whether in ``main`` or ``article``.
        own: characters of the own texts; a picture counts as a few.
        text: characters in the subtree.
        link_text: those of them in links.
        links: link elements in the subtree.
        page_links: those of them that lead to a place of the page itself.
    """

    depth: list[int]
    region: list[bool]
    main: list[bool]
    own: list[int]
    text: list[int]
    link_text: list[int]
    links: list[int]
    page_links: list[int]


def page_facts(key: Key) -> PageFacts:
    """Collect the facts in one pass down and one up."""
    page = key.sketch
    size = len(page)
    depth, region, main = [0] * size, [False] * size, [False] * size
    own, text, link_text, links, page_links = ([0] * size for _ in range(5))
    places = {attributes["id"] for attributes in page.document.attributes if "id" in attributes}
    for element in key.elements:
        tag, parent = page.tags[element], page.parents[element]
        text[element] = len(page.own[element])
        own[element] = _MEDIA_LENGTH if tag in _MEDIA else text[element]
        if parent >= 0:
            depth[element] = depth[parent] + 1
            region[element] = region[parent] or tag in _REGIONS
            main[element] = main[parent] or tag in _MAIN
        if tag == "a":
            links[element] = 1
            page_links[element] = int(_leads_into_page(page, element, places))
    for element in reversed(key.elements[1:]):
        parent = page.parents[element]
        text[parent] += text[element]
        link_text[parent] += text[element] if page.tags[element] == "a" else link_text[element]
        links[parent] += links[element]
        page_links[parent] += page_links[element]
    return PageFacts(depth, region, main, own, text, link_text, links, page_links)


def _leads_into_page(page: Sketch, element: int, places: set[str]) -> bool:
    address, _, place = page.document.attributes[element].get("href", "").partition("#")
    if not place or place not in places:
        return False
    return not address or resolve(address, page.document.base) == page.document.url.partition("#")[0]
