"""Find the parts of a key page that its own markup tells: tables of contents, forms and landmarks."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from operator import mul
from typing import NamedTuple

from sitestencil.page.key_sketch import KeySketch

# A form belongs to the design: a search, a comment, a login. A form around a large part of the page does not. Set
# by hand, and measured in research/docs/errors.md.
_LARGEST_FORM = 0.15
_FORMS = frozenset({"form", "select"})
_LISTS = frozenset({"ul", "ol"})
# A table of contents has at least two links, and four of five lead into the page. Set by hand, without a search.
_FEWEST, _MOSTLY = 2, 0.8
# Landmarks by tag or role. A header or a footer counts only outside the sectioning elements (HTML Accessibility API
# Mappings 1.0).
_REGIONS = frozenset({"nav", "navigation", "banner", "contentinfo"})
_REGIONS_OF_PAGE = frozenset({"header", "footer"})
_SIDEBARS = frozenset({"aside", "complementary"})
_SECTIONING = frozenset({"article", "aside", "main", "nav", "section"})
_CONTENT = frozenset({"main", "article"})
_TELLING = _REGIONS | _REGIONS_OF_PAGE | _SIDEBARS | _SECTIONING | _CONTENT
_NOTHING: frozenset[str] = frozenset()
# Set by hand on the asides of the labelled pages.
_LINKS_OF_SIDEBAR, _LARGEST_SIDEBAR = 0.5, 1 / 3


def tables_of_contents(key_sketch: KeySketch, on_similar: Sequence[float]) -> list[bool]:
    """Return, per element, whether it is in a list whose links mostly lead into this page.

    A list that all similar pages have is not one: its targets are on those pages too. The list itself does not
    count, only its descendants, for the list belongs to the design.
    """
    inside = [False] * len(key_sketch)
    for element in _lists_of_contents(key_sketch):
        if on_similar[element] < 1 and not inside[element]:
            first, end = element + 1, key_sketch.ends[element]
            inside[first:end] = [True] * (end - first)
    return inside


def _lists_of_contents(key_sketch: KeySketch) -> list[int]:
    """Return the lists whose links mostly lead into the page."""
    links, page_links = key_sketch.links, key_sketch.page_links
    if len(page_links) < _FEWEST:
        return []
    lists = []
    for element, tag in enumerate(key_sketch.tags):
        if tag in _LISTS:
            end = key_sketch.ends[element]
            inside = bisect_left(page_links, end) - bisect_left(page_links, element)
            if inside >= max(_FEWEST, _MOSTLY * (bisect_left(links, end) - bisect_left(links, element))):
                lists.append(element)
    return lists


def small_forms(key_sketch: KeySketch) -> list[int]:
    """Return the forms that are a small part of the page, and the lists of choices in no such form.

    A list of choices (`select`) counts as one element without text, for readers see it closed.
    """
    tags, ends, size = key_sketch.tags, key_sketch.ends, len(key_sketch)
    if _FORMS.isdisjoint(tags):
        return []
    shown = bytearray(b"\1" * size)
    for element, tag in enumerate(tags):
        if tag == "select":
            shown[element + 1 : ends[element]] = bytes(ends[element] - element - 1)
    elements = [0, *accumulate(shown)]
    characters = [0, *accumulate(map(mul, key_sketch.lengths, shown))]
    found, end_of_last = [], 0
    for element, tag in enumerate(tags):
        end = ends[element]
        if (
            tag in _FORMS
            and element >= end_of_last
            and elements[end] - elements[element] <= _LARGEST_FORM * elements[size]
            and characters[end] - characters[element] <= _LARGEST_FORM * characters[size]
        ):
            found.append(element)
            end_of_last = end
    return found


class Landmarks(NamedTuple):
    """The elements that a page's own markup calls its frame; no article and no main part holds them.

    Attributes:
        regions: the page's headers, menus and footers.
        sidebars: the asides that look like a menu or are a small part of the page.
    """

    regions: list[int]
    sidebars: list[int]


def landmarks(key_sketch: KeySketch) -> Landmarks:
    """Return the page's landmarks, by tag and role.

    A header or a footer in an article, a section or an aside belongs to that part, not to the page.
    """
    found = Landmarks([], [])
    inside = [_NOTHING] * len(key_sketch)
    for element, (tag, parent) in enumerate(zip(key_sketch.tags, key_sketch.parents, strict=True)):
        around = inside[element] = inside[max(0, parent)]
        role = key_sketch.attributes(element).get("role") or tag
        if tag not in _TELLING and role not in _TELLING:
            continue
        inside[element] = around if _SECTIONING.isdisjoint((tag, role)) else around | {tag, role}
        if not _CONTENT.isdisjoint(around):
            continue
        if role in _REGIONS or (role in _REGIONS_OF_PAGE and _SECTIONING.isdisjoint(around)):
            found.regions.append(element)
        elif role in _SIDEBARS and _is_beside(key_sketch, element):
            found.sidebars.append(element)
    return found


def _is_beside(key_sketch: KeySketch, element: int) -> bool:
    """Return whether an aside is mostly links, or a small part of the page: an article's notes can be neither."""
    characters, of_links = key_sketch.characters[element], key_sketch.link_characters[element]
    return (
        of_links >= _LINKS_OF_SIDEBAR * characters > 0 or characters <= _LARGEST_SIDEBAR * key_sketch.characters[0]
    )


def parts_of(key_sketch: KeySketch, tops: Sequence[int]) -> list[bool]:
    """Return, per element, whether it is in a subtree of one of the tops."""
    inside = [False] * len(key_sketch)
    for element in tops:
        first, end = element, key_sketch.ends[element]
        inside[first:end] = [True] * (end - first)
    return inside
