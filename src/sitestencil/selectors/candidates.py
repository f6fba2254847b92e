"""Write the selectors that may match an element on every page of its kind."""

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Literal

from sitestencil.page.document import Document
from sitestencil.selectors.element_selectors import lasting, lasting_names

_ATTRIBUTES = ("role", "itemprop", "property", "data-testid", "data-component", "name", "rel")
_COLON = re.compile("[:.]")  # in quotes they need no escape
_MOST_ABOVE, _LONGEST_CHAIN = 6, 3
_MOST_CLASSES, _MOST_ATTRIBUTES = 3, 2
# Bounds of time and memory for one kind.
_MOST_ELEMENTS, MOST_SELECTORS = 600, 200_000
MOST_CANDIDATES = 400
# A selector that is likelier to last may remove a little less.
_BY_POSITION, WEAK, _BY_TAGS, _COMBINED = 0.5, 0.6, 0.9, 0.95
By = Literal["names", "positions", "chains"]  # what selectors are made of beside names
_REGIONS = frozenset({"body", "main", "article", "nav", "header", "footer", "aside"})  # they say what they hold


def is_positional(selector: str) -> bool:
    """Return whether a selector counts elements."""
    return ":" in selector


def quality(selector: str) -> float:
    """Return how likely a selector is to last, and to be understood; at most 1.

    >>> [quality(one) for one in ("#menu", "ul.menu > li", "main > div", "div > a", ".page h2", "p:nth-of-type(2)")]
    [1.0, 0.95, 0.9, 0.6, 0.6, 0.5]
    """
    if is_positional(selector):
        return _BY_POSITION
    *around, last = selector.split(" ")
    if not any(mark in last for mark in ".#[") and last not in _REGIONS and around[-1:] != [">"]:
        return WEAK  # it matches that tag anywhere
    if not any(mark in selector for mark in ".#["):
        return _BY_TAGS if _REGIONS.intersection(selector.split(" ")) else WEAK
    return _COMBINED if " " in selector else 1.0


def stem_of(selector: str) -> str:
    """Return a selector without the tags that end it, which name nothing; a region's tag and a position stay.

    >>> [stem_of(one) for one in ("div.box", "#top > div > p", "ul li", "nav > ul.box", "body footer", ".box")]
    ['.box', '#top', '', 'nav > .box', 'body footer', '.box']
    """
    *around, last = selector.split(" ")
    if is_positional(selector) or last in _REGIONS or "#" in last or "[" in last:
        return selector
    name = last[last.find(".") :] if "." in last else ""
    around_it = " ".join(around).removesuffix(" >")
    return " ".join([*around, name]) if name else around_it and stem_of(around_it)


def _is_plain(tag: str) -> bool:
    return tag.isalnum() and tag.isascii()


def names_of(document: Document, element: int) -> list[str]:
    """Return the simple selectors of an element that may match on other pages, the surest first."""
    tag, attributes = document.tags[element], document.attributes[element]
    if element == document.body:
        return [tag]  # its classes tell kinds of pages apart
    names = [f"#{name}"] if lasting(name := attributes.get("id", "")) else []
    classes = lasting_names(document.classes[element])[:_MOST_CLASSES]
    names += [f".{name}" for name in classes]
    if _is_plain(tag):
        stated = [
            (name, value) for name in _ATTRIBUTES if lasting(_COLON.sub("", value := attributes.get(name, "")))
        ]
        names += [f'{tag}[{name}="{value}"]' for name, value in stated[:_MOST_ATTRIBUTES]]
        names += [f"{tag}.{name}" for name in classes]
        names.append(tag)
    names += [f".{one}.{two}" for at, one in enumerate(classes) for two in classes[at + 1 :]]
    return names


def selectors_of(document: Document, element: int, root: int = 0, *, by: By = "names") -> Iterator[str]:
    """Yield selectors of an element: alone, below its parent, below an element around it, up to the root.

    By positions, its place among siblings is there, too; by chains, it below several elements around it.
    """
    names = names_of(document, element)
    yield from names
    parent = document.parents[element]
    if parent < root:
        return
    for name in names_of(document, parent):
        yield from (f"{name} > {one}" for one in names)
    above, steps = document.parents[parent], 0
    while above > 0 and above >= root and steps < _MOST_ABOVE:
        for name in names_of(document, above):
            if name[0] in "#.":
                yield from (f"{name} {one}" for one in names)
        above, steps = document.parents[above], steps + 1
    if by == "positions" and _is_plain(tag := document.tags[element]):
        alike = [one for one in document.children[parent] if document.tags[one] == tag]
        places = [f"{tag}:nth-of-type({1 + alike.index(element)})"]
        places += [f"{tag}:last-child"] if element == document.children[parent][-1] else []
        yield from (f"{name} > {place}" for name in names_of(document, parent) for place in places)
    elif by == "chains":
        yield from _chains(document, element, root)


def _chains(document: Document, element: int, root: int) -> Iterator[str]:
    """Yield selectors of three steps or more, each below the one before; all but the first are the surest names."""
    chain, above = names_of(document, element)[:1], document.parents[element]
    for _ in range(_LONGEST_CHAIN):
        chain = [f"{name} > {one}" for one in chain for name in names_of(document, above)[:1]]
        if (above := document.parents[above]) < max(1, root):
            return
        yield from (f"{name} > {one}" for one in chain for name in names_of(document, above))


def candidates(
    pages: Sequence[Document],
    elements: Sequence[Mapping[int, int]],
    *,
    by: By = "names",
    without: Container[str] = (),
) -> list[str]:
    """Return the selectors that reach most words of elements (per page, with their words), on two pages or more."""
    reached: Counter[str] = Counter()
    on_pages: Counter[str] = Counter()
    for page, sizes in zip(pages, elements, strict=True):
        met = set[str]()
        for element, size in sorted(sizes.items(), key=lambda one: -one[1])[:_MOST_ELEMENTS]:
            for selector in selectors_of(page, element, by=by):
                if selector in reached or len(reached) < MOST_SELECTORS:
                    reached[selector] += size
                    met.add(selector)
        on_pages.update(met)
    ranked = sorted(
        (selector for selector, count in on_pages.items() if count > 1 and selector not in without),
        key=lambda selector: (-reached[selector] * quality(selector), len(selector), selector),
    )
    return ranked[:MOST_CANDIDATES]
