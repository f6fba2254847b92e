"""The classifier's features of an element (PageLevel, section 5.2; definitions.md, 4.2).

The paper names the kinds of features (position and area, text, links and anchor text) and the best ones. The
formulas are ours. Tags, ids and classes are not among them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import hypot, log1p

from sitestencil.page.document import Box, Document
from sitestencil.page.geometry import count_wide, unrendered
from sitestencil.page.html_names import LINKS
from sitestencil.urls import host, resolve

FEATURES = (
    "area",  # log of the share of the page's area, above 1 / 10,000
    "width",  # share of the page's width
    "height",  # share of the page's height
    "margin_top",  # closeness to the page's top: 1 there, 1/2 at 300 pixels, decreasing further on
    "margin_bottom",  # closeness to the bottom
    "margin_side",  # closeness to the left or right edge: 1 there, 0 in the middle
    "off_center",  # distance of the two centres; 1 at a corner
    "words",  # log of the number of words
    "links",  # log of the number of links
    "links_per_word",
    "anchor_text",  # fraction of the characters within anchors
    "anchor_size",  # log of the characters per anchor
    "site_links",  # fraction of the links that stay on the site, but leave the page
    "page_links",  # fraction of the links that stay on the page
    "other_links",  # fraction of the links that leave the site
    "visible",  # ratio of visible characters to characters of HTML
    "title_found",  # share of the title's words that occur here
    "title_words",  # share of the words that occur in the title
    "no_words",  # 1 if there are no words
    "pictures",  # log of the number of pictures
)
_PICTURES = frozenset({"img", "svg", "picture", "video", "canvas"})
_LONGEST_VALUE = 2048


@dataclass(slots=True)
class Tally:
    """The counts over each element's subtree."""

    html: list[int]  # characters of HTML
    characters: list[int]  # visible ones, with white space collapsed
    words: list[int]  # an ideograph is one
    title_hits: list[int]  # words that are in the title
    title_mask: list[int]  # the words of the title that occur, as bits
    links: list[int]
    site_links: list[int]  # that stay on the site
    page_links: list[int]  # that stay on the page
    anchor_characters: list[int]  # visible ones within links
    pictures: list[int]


def element_features(document: Document, elements: Sequence[int], boxes: Sequence[Box]) -> list[list[float]]:
    """Return the features of some elements, in the order of `FEATURES`.

    Args:
        document: the page.
        elements: the elements' numbers.
        boxes: the boxes of all elements of the page.
    """
    tally = count_subtrees(document)
    title = max(1, len(_title_words(document)))
    page = boxes[0]
    return [_features(element, tally, boxes[element], page, title) for element in elements]


def area(box: Box) -> float:
    """Return a box's area in square pixels."""
    return box.width * box.height


def _features(element: int, tally: Tally, box: Box, page: Box, title: int) -> list[float]:
    width, height = max(page.width, 1.0), max(page.height, 1.0)
    side = min(_share(box.x, width), _share(width - box.x - box.width, width))
    center = hypot((box.x + box.width / 2) / width - 0.5, (box.y + box.height / 2) / height - 0.5)
    words, links, characters = tally.words[element], tally.links[element], tally.characters[element]
    anchors = tally.anchor_characters[element]
    site, page_links = tally.site_links[element], tally.page_links[element]
    return [
        log1p(10_000 * min(1.0, area(box) / (width * height))),
        min(1.0, box.width / width),
        min(1.0, box.height / height),
        _closeness(box.y),
        _closeness(page.height - box.y - box.height),
        1 - 2 * min(0.5, side),
        min(1.0, center / hypot(0.5, 0.5)),
        log1p(words),
        log1p(links),
        min(1.0, links / (words + 1)),
        anchors / characters if characters else 0.0,
        log1p(anchors / links) if links else 0.0,
        site / links if links else 0.0,
        page_links / links if links else 0.0,
        (links - site - page_links) / links if links else 0.0,
        min(1.0, characters / max(1, tally.html[element])),
        tally.title_mask[element].bit_count() / title,
        tally.title_hits[element] / words if words else 0.0,
        0.0 if words else 1.0,
        log1p(tally.pictures[element]),
    ]


def _closeness(pixels: float) -> float:
    return 1 / (1 + max(0.0, pixels) / 300)


def _share(part: float, whole: float) -> float:
    return min(1.0, max(0.0, part / whole))


def count_subtrees(document: Document) -> Tally:
    """Count the contents of each element's subtree."""
    count = len(document)
    tally = Tally(*([0] * count for _ in range(10)))
    for element, tag in enumerate(document.tags):
        attributes = document.attributes[element]
        tally.html[element] = 2 * len(tag) + 5
        if attributes:
            tally.html[element] += sum(
                len(name) + min(len(value), _LONGEST_VALUE) + 4 for name, value in attributes.items()
            )
        tally.pictures[element] = int(tag in _PICTURES)
    _count_links(document, tally)
    _count_texts(document, tally)
    sums = [getattr(tally, field.name) for field in fields(tally) if field.name != "title_mask"]
    for element in range(count - 1, 0, -1):
        parent = document.parents[element]
        tally.title_mask[parent] |= tally.title_mask[element]
        for column in sums:
            column[parent] += column[element]
    return tally


def _count_links(document: Document, tally: Tally) -> None:
    own_host = host(document.url)
    own_page = document.url.partition("#")[0]
    for element, reference in document.hyperlinks():
        tally.links[element] = 1
        if reference.startswith("#"):
            tally.page_links[element] = 1
            continue
        url = resolve(reference, document.base)
        if url is None:
            continue
        if url.partition("#")[0] == own_page:
            tally.page_links[element] = 1
        elif host(url) == own_host:
            tally.site_links[element] = 1


def _count_texts(document: Document, tally: Tally) -> None:
    unseen = unrendered(document)
    within_link: list[bool] = []
    for tag, parent in zip(document.tags, document.parents, strict=True):
        within_link.append(tag in LINKS or (parent >= 0 and within_link[parent]))
    title = {word: 1 << number for number, word in enumerate(_title_words(document))}
    for parent, _, text in document.texts:
        words = text.split()
        if not words or unseen[parent]:
            continue
        characters = len(words) - 1 + sum(map(len, words))
        tally.html[parent] += characters
        tally.characters[parent] += characters
        tally.words[parent] += len(words)
        if not text.isascii():
            tally.words[parent] += count_wide(text)
        if within_link[parent]:
            tally.anchor_characters[parent] += characters
        for word in words:
            bit = title.get(word.lower())
            if bit:
                tally.title_hits[parent] += 1
                tally.title_mask[parent] |= bit


def _title_words(document: Document) -> list[str]:
    """Return the title's words of three or more letters, each once, in lower case."""
    for element, tag in enumerate(document.tags):
        if tag == "title":
            words = " ".join(run.text for run in document.texts if run.parent == element).lower().split()
            return list(dict.fromkeys(word for word in words if len(word) > 2))
    return []
