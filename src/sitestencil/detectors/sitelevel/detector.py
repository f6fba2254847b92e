"""SiteLevel(theta): parts that recur on many pages are template (PageLevel, section 3; definitions.md, 4.1).

It takes two passes: count the pages that have each node's content, then label the nodes of a page.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from xxhash import xxh3_64_digest

from sitestencil.detectors.detection import Detection, with_frame
from sitestencil.page.document import Document
from sitestencil.page.html_names import VOID
from sitestencil.page.serialization import Event, walk
from sitestencil.progress import Progress
from sitestencil.site.frontier import crawl
from sitestencil.site.loading import PageLoader, nothing_to_compare, passing_over

MOST_PAGES = 200
# The content of white space and of embedded trees: none.
BLANK = b""
# The seed for hashes of elements, so that no element has the hash of a text.
_OF_ELEMENT = 1


@dataclass(frozen=True, slots=True)
class SiteLevelParameters:
    """The parameters of SiteLevel; the defaults are the paper's (section 5.1).

    Attributes:
        theta: the least fraction of the pages that must have a template node.
        covered: an inner node is template too if more than this fraction of its HTML is inside such nodes.
        least_pages: the least number of pages that must have a template node, whatever theta says. On up to ten
            pages a tenth of them is the key page itself (definitions.md, choice 17).
    """

    theta: float = 0.1
    covered: float = 0.85
    least_pages: int = 2


class NodeContents(NamedTuple):
    """The hash of each node's content, per element and per text; `BLANK` for white space and embedded trees."""

    elements: list[bytes]
    texts: list[bytes]


@dataclass(slots=True)
class PageCounts:
    """The number of pages that have each node content.

    Attributes:
        only: if given, only these contents are counted: a detector needs only the key page's.
        pages: the number of counted pages.
    """

    only: frozenset[bytes] | None = None
    pages: int = 0
    _counts: Counter[bytes] = field(default_factory=Counter)

    def add(self, contents: NodeContents) -> None:
        """Count a page. Each content counts once, even if the page repeats it."""
        of_page: Iterable[bytes] = {*contents.elements, *contents.texts}
        self._counts.update(of_page if self.only is None else self.only.intersection(of_page))
        self.pages += 1

    def is_frequent(self, content: bytes, parameters: SiteLevelParameters) -> bool:
        """Return whether at least theta of the pages have a content."""
        count = self._counts[content] if content != BLANK else 0
        return count >= parameters.least_pages and count / self.pages >= parameters.theta


class SiteLevelLabels(NamedTuple):
    """SiteLevel's answer for a page: per element and per text, whether it is template."""

    elements: list[bool]
    texts: list[bool]


def node_contents(document: Document) -> NodeContents:
    """Return the hash of the content of every node of a page.

    The content of an element is its HTML: tag, attributes and all descendants. The content of a text is its words.
    White space is collapsed, and a text of white space alone is not a node (definitions.md, choice 16). A hash has
    8 bytes (xxhash) and is the same in every process.
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
    """Decide which nodes of a page are template, once the site's pages are counted.

    Frequent nodes are template, and inner nodes with more than 85 % of their HTML inside frequent nodes. All others
    are not. HTML lengths are in characters, with white space collapsed.
    """
    frequent = [counts.is_frequent(content, parameters) for content in contents.elements]
    texts = [counts.is_frequent(content, parameters) for content in contents.texts]
    template = list(frequent)
    lengths: list[int] = [0]
    covered: list[int] = [0]
    for event, number in walk(document):
        if event is Event.START:
            tag, attributes = document.tags[number], document.attributes[number]
            tags_length = len(tag) + 2 if tag in VOID else 2 * len(tag) + 5
            lengths.append(tags_length + sum(len(name) + len(value) + 4 for name, value in attributes.items()))
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


@dataclass(frozen=True, slots=True)
class SiteLevel:
    """The detector that labelled PageLevel's training data, by default with the paper's parameters.

    Attributes:
        parameters: theta and the rule for inner nodes.
        most_pages: the largest number of pages to compare, with the key page; as many loads end the crawl.
        seed: the seed for the crawl's order of pages.
    """

    parameters: SiteLevelParameters = SiteLevelParameters()
    most_pages: int = MOST_PAGES
    seed: int = 0

    async def detect(self, key_page: Document, loader: PageLoader) -> Detection:
        """Return the nodes of the key page that recur on the pages of its site.

        Raises:
            NothingToCompare: the key page has no links, or no linked page came in time.
        """
        with loader.stopwatch.phase("mapping"):
            contents = node_contents(key_page)
            counts = PageCounts(only=frozenset({*contents.elements, *contents.texts}))
            counts.add(contents)
        compared: list[str] = []
        async for page in crawl(loader, self.most_pages - 1, self.most_pages - 1, self.seed):
            with passing_over(page.url), loader.stopwatch.phase("mapping"):
                counts.add(node_contents(loader.read(page)))
                compared.append(page.url)
        if not compared:
            raise nothing_to_compare(loader)
        loader.report(Progress("mapping", loader.pages_received))
        with loader.stopwatch.phase("mapping"):
            labels = label_page(key_page, contents, counts, self.parameters)
        return Detection(with_frame(key_page, labels.elements), labels.texts, tuple(compared))
