"""Label more pages of a labelled site: apply the annotators' selectors to pages similar to the key page."""

from collections.abc import Iterator, Sequence
from zlib import crc32

from selectolax.lexbor import LexborHTMLParser

from sitestencil.detectors.stencil.similarity import KeyPage, UrlSimilarity
from sitestencil.page.document import Document
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.parsing import parse
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.labels import CONTENT, NOT_SCORED, TEMPLATE, LabelledKeyPage, LabelledPage, Selectors
from sitestencil_research.page_files import pages_by_address

_NEVER_SCORED = frozenset("head script style noscript template link meta".split())
# We set all of these by hand, without a sweep, so that only pages of the key page's kind pass. On the 46 labelled
# sites 140 pages pass. Without their labels F1 falls from .970 to .962 (research/docs/errors.md).
_MOST_PAGES, _MOST_TRIED, _MOST_ELEMENTS = 4, 24, 3000
_LEAST_URL_SIMILARITY = 0.55  # least similarity of a page's address to the key page's
_LEAST_SIMILARITY = 0.8  # least similarity of a page to the key page, as a share of the most similar page's
_LEAST_CONTENT_SELECTORS, _LEAST_EITHER_SELECTORS = 0.6, 0.5  # share of the selectors that match on both pages
_LEAST_TEMPLATE, _MOST_TEMPLATE = 0.4, 2.5  # template elements, as a multiple of the key page's


# For an annotator's content selectors and either selectors: whether each matches.
_Hits = tuple[list[bool], list[bool]]


def sibling_pages(labelled: LabelledKeyPage, most_pages: int = _MOST_PAGES) -> list[LabelledPage]:
    """Return a few labelled pages similar to the key page, on which the selectors match as they do there."""
    site, key_page, annotators = labelled.source, labelled.page, labelled.selectors
    if not annotators:
        return []
    prepared = KeyPage(KeySketch(key_page.document))
    tried = []
    for document, html in _pages_of_like_address(site, key_page.document):
        similarity = prepared.compare(KeySketch(document)).similarity
        tried.append((similarity, document, html))
    best = max((similarity for similarity, _, _ in tried), default=0.0)
    wanted = selector_hits(site.key_page_bytes(), annotators)
    siblings = []
    for similarity, document, html in tried:
        if similarity >= _LEAST_SIMILARITY * best and finds_enough(selector_hits(html, annotators), wanted):
            labels = transferred_labels(html, annotators)
            if len(labels) == len(document) and _is_plausible(labels, key_page.labels):
                siblings.append(LabelledPage(document, labels))
        if len(siblings) == most_pages:
            break
    return siblings


def _pages_of_like_address(site: StoredSite, key_page: Document) -> Iterator[tuple[Document, bytes]]:
    """Yield pages in a pseudorandom order, each text once."""
    similarity_of = UrlSimilarity()
    own = similarity_of.shape(key_page.url)
    addresses = {
        url: file
        for url, file in pages_by_address(site).items()
        if url != site.key_url and similarity_of(own, similarity_of.shape(url)) >= _LEAST_URL_SIMILARITY
    }
    seen = {tuple(run.text for run in key_page.texts)}
    ordered = sorted(addresses, key=lambda url: (crc32(url.encode()), url))
    for url in ordered[:_MOST_TRIED]:
        html = addresses[url].read_bytes()
        document = parse(html, url)
        texts = tuple(run.text for run in document.texts)
        if texts not in seen and 10 <= len(document) < _MOST_ELEMENTS:
            seen.add(texts)
            yield document, html


def transferred_labels(html: bytes, annotators: Sequence[Selectors]) -> str:
    """Return the labels that the annotators' selectors give a page; elements they disagree on are not scored."""
    parser = _parser(html)
    numbers: dict[int, int] = {}
    tags: list[str] = []
    parents: list[int] = []
    root = parser.root
    for node in root.traverse(include_text=False) if root is not None else ():
        if node.tag is not None and node.tag[0] != "-":
            above = node.parent
            numbers[node.mem_id] = len(tags)
            parents.append(numbers.get(above.mem_id, -1) if above is not None else -1)
            tags.append(node.tag)
    opinions = [_opinion(parser, selectors, numbers, parents) for selectors in annotators]
    unscored: list[bool] = []
    labels = []
    for element, (tag, parent) in enumerate(zip(tags, parents, strict=True)):
        inside = parent >= 0 and (unscored[parent] or tags[parent] == "svg")
        unscored.append(inside or tag in _NEVER_SCORED)
        given = {opinion[element] for opinion in opinions}
        labels.append(NOT_SCORED if unscored[-1] or len(given) > 1 else given.pop())
    return "".join(labels)


def _opinion(
    parser: LexborHTMLParser, selectors: Selectors, numbers: dict[int, int], parents: list[int]
) -> list[str]:
    selected: dict[int, str] = {}
    kinds = ((CONTENT, selectors.content), (NOT_SCORED, selectors.either), (TEMPLATE, selectors.template))
    for letter, patterns in kinds:
        for pattern in patterns:
            for node in parser.css(pattern):
                selected[numbers[node.mem_id]] = letter
    letters: list[str] = []
    for element, parent in enumerate(parents):
        letters.append(selected.get(element, letters[parent] if parent >= 0 else TEMPLATE))
    return letters


def _parser(html: bytes) -> LexborHTMLParser:
    return LexborHTMLParser(html.removeprefix(b"\xef\xbb\xbf"), encoding=True, scripting=False)


def selector_hits(html: bytes, annotators: Sequence[Selectors]) -> list[_Hits]:
    """Return, per annotator, which content selectors and which either selectors match."""
    parser = _parser(html)

    def finds(patterns: list[str]) -> list[bool]:
        return [bool(parser.css(pattern)) for pattern in patterns]

    return [(finds(selectors.content), finds(selectors.either)) for selectors in annotators]


def finds_enough(hits: list[_Hits], wanted: list[_Hits]) -> bool:
    """Return whether a page matches most of the selectors that match the key page."""
    return all(
        _share(content, content_wanted) >= _LEAST_CONTENT_SELECTORS
        and _share(either, either_wanted) >= _LEAST_EITHER_SELECTORS
        for (content, either), (content_wanted, either_wanted) in zip(hits, wanted, strict=True)
    )


def _share(hits: list[bool], wanted: list[bool]) -> float:
    asked = [hit for hit, was in zip(hits, wanted, strict=True) if was]
    return sum(asked) / len(asked) if asked else 1.0


def _is_plausible(labels: str, of_key: str) -> bool:
    template, content = labels.count(TEMPLATE), labels.count(CONTENT)
    share = template / max(1, of_key.count(TEMPLATE))
    return min(template, content) >= 2 and _LEAST_TEMPLATE < share < _MOST_TEMPLATE
