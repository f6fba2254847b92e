"""SiteLevel: what recurs on many pages is template (PageLevel, sections 3 and 5.1; definitions.md, 4.1).

Two passes: count on how many pages each node's content occurs, then tell the nodes of a page apart.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from xxhash import xxh3_64_digest

from sitestencil.page.document import Document
from sitestencil.page.html_names import VOID
from sitestencil.page.walk import Event, walk

# Of white space and of embedded trees: no content.
BLANK = b""
# Seeds the hash of an element, so that none is that of a text.
_OF_ELEMENT = 1


@dataclass(frozen=True, slots=True)
class SiteLevelParameters:
    """The parameters of SiteLevel; the defaults are the paper's (section 5.1).

    Attributes:
        theta: the fraction of the pages on which a node must occur to be template.
        covered: an inner node is template too if more than this fraction of its HTML is inside such nodes.
        least_pages: a node must occur on so many pages whatever theta says: on up to ten pages a tenth of them is
            the key page itself (definitions.md, choice 17).
    """

    theta: float = 0.1
    covered: float = 0.85
    least_pages: int = 2


class NodeContents(NamedTuple):
    """The hash of each node's content: per element and per text; `BLANK` for white space and embedded trees."""

    elements: list[bytes]
    texts: list[bytes]


@dataclass(slots=True)
class PageCounts:
    """On how many pages each node content occurs.

    Attributes:
        only: where given, no other contents are counted: a detector needs those of the key page alone.
        pages: how many pages have been counted.
    """

    only: frozenset[bytes] | None = None
    pages: int = 0
    _counts: Counter[bytes] = field(default_factory=Counter)

    def add(self, contents: NodeContents) -> None:
        """Count a page: each content once, however often the page repeats it."""
        of_page: Iterable[bytes] = {*contents.elements, *contents.texts}
        self._counts.update(of_page if self.only is None else self.only.intersection(of_page))
        self.pages += 1

    def is_frequent(self, content: bytes, parameters: SiteLevelParameters) -> bool:
        """Return whether a content occurs on at least theta of the pages."""
        count = self._counts[content] if content != BLANK else 0
        return count >= parameters.least_pages and count / self.pages >= parameters.theta


class SiteLevelLabels(NamedTuple):
    """What SiteLevel says of a page: per element and per text, whether it is template."""

    elements: list[bool]
    texts: list[bool]


def node_contents(document: Document) -> NodeContents:
    """Return the hash of the content of every node of a page.

    The content of an element is its HTML: tag, attributes, and all that is inside; of a text its words. White
    space is collapsed and a text of white space alone is no node (definitions.md, choice 16).
    A hash is of 8 bytes (xxhash), the same in every process.
    """
    texts = [_hash_of(" ".join(words)) if (words := run.text.split()) else BLANK for run in document.texts]
    elements = [BLANK] * len(document)
    inside: list[list[bytes]] = [[]]
    for event, number in walk(document):
        if event is Event.START:
            inside.append([])
        elif event is Event.TEXT:
            if texts[number] != BLANK:
                inside[-1].append(texts[number])
        else:
            attributes = [part for attribute in document.attributes[number].items() for part in attribute]
            tag = _hash_of("\0".join([document.tags[number], *attributes]))
            elements[number] = xxh3_64_digest(tag + b"".join(inside.pop()), _OF_ELEMENT)
            inside[-1].append(elements[number])
    return NodeContents(elements, texts)


def _hash_of(text: str) -> bytes:
    return xxh3_64_digest(text.encode("utf-8", "surrogatepass"))


def label_page(
    document: Document,
    contents: NodeContents,
    counts: PageCounts,
    parameters: SiteLevelParameters = SiteLevelParameters(),
) -> SiteLevelLabels:
    """Tell which nodes of a page are template, once the site's pages are counted.

    A frequent node is, and an inner node with more than 85 % of its HTML inside frequent nodes; all others are
    not. Lengths of HTML are counted in characters, white space between words once.
    """
    frequent = [counts.is_frequent(content, parameters) for content in contents.elements]
    texts = [counts.is_frequent(content, parameters) for content in contents.texts]
    template = list(frequent)
    lengths: list[int] = [0]
    covered: list[int] = [0]
    for event, number in walk(document):
        if event is Event.START:
            lengths.append(_tag_length(document, number))
            covered.append(0)
        elif event is Event.TEXT:
            length = len(" ".join(document.texts[number].text.split()))
            lengths[-1] += length
            covered[-1] += length * texts[number]
        else:
            length, inside = lengths.pop(), covered.pop()
            template[number] = frequent[number] or inside > parameters.covered * length
            lengths[-1] += length
            covered[-1] += length if frequent[number] else inside
    return SiteLevelLabels(
        template,
        [is_frequent and template[run.parent] for is_frequent, run in zip(texts, document.texts, strict=True)],
    )


def _tag_length(document: Document, element: int) -> int:
    """Return how many characters an element's own tags have."""
    tag = document.tags[element]
    own = len(tag) + 2 if tag in VOID else 2 * len(tag) + 5
    return own + sum(len(name) + len(value) + 4 for name, value in document.attributes[element].items())
