"""TemEx: the complete subdigraph's pages vote by exact top-down mappings (thesis; definitions.md, 1 and 2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sitestencil.detectors.detection import Detection, with_frame
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.detectors.temex.mapping import ElementMapping, EqualityParameters, Mapper, MappingParameters
from sitestencil.page.document import Document
from sitestencil.page.key_sketch import KeySketch
from sitestencil.progress import Progress
from sitestencil.site.links import all_site_links, linked_pages, page_in_site, sort_links
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader, nothing_to_compare, passing_over


@dataclass(frozen=True, slots=True)
class TemExParameters:
    """The parameters of TemEx; the defaults are the thesis' (section 5.2).

    Attributes:
        subdigraph_size: n.
        votes: t, the number of the n pages that must have a node; all of them if there are fewer.
        mapping: the mapping's parameters.
        raise_votes_for_twins: raise t by one for every candidate that is a twin of the key page (HybEx 1.2).
    """

    subdigraph_size: int = 3
    votes: int = 2
    mapping: MappingParameters = MappingParameters()
    raise_votes_for_twins: bool = False


THESIS = TemExParameters()
HYBEX_ADDON = TemExParameters(
    mapping=MappingParameters(
        equality=EqualityParameters(
            classes_weight=0.1,
            position_weight=0.4,
            attributes_weight=0.0,
            children_weight=0.5,
            no_classes=1.0,
            no_attributes=0.75,
            no_children=1.0,
            threshold=0.9,
        ),
        keep_order=False,
        regroup=True,
        compare_roots=False,
    ),
    raise_votes_for_twins=True,
)


@dataclass(frozen=True, slots=True)
class TemEx:
    """The published site-level detector, by default as tuned in the thesis."""

    parameters: TemExParameters = THESIS
    name: str = "temex"

    async def detect(self, key_page: Document, loader: PageLoader) -> Detection:
        """Return the nodes that at least t pages of the n-CS share with the key page.

        Raises:
            NothingToCompare: see `learn`.
        """
        return (await self.learn(key_page, loader)).apply(key_page)

    async def learn(self, key_page: Document, loader: PageLoader) -> LearnedTemplate:
        """Let the pages of the n-CS vote, and return the result as a template for pages like the key page.

        Raises:
            NothingToCompare: the key page has no links, or no linked page came in time.
        """
        parameters = self.parameters
        subdigraph = await find_complete_subdigraph(loader, parameters.subdigraph_size)
        if not subdigraph:
            raise nothing_to_compare(loader)
        loader.report(Progress("mapping", loader.pages_received))
        with loader.stopwatch.phase("mapping"):
            mapper = Mapper(parameters.mapping)
            mapped: list[tuple[str, Document, ElementMapping]] = []
            for page in subdigraph:
                with passing_over(page.url):
                    candidate = loader.read(page)
                    mapped.append((page.url, candidate, mapper.map(key_page, candidate)))
            if not mapped:
                raise nothing_to_compare(loader)
            addresses, candidates, mappings = zip(*mapped, strict=True)
            needed = min(parameters.votes, len(candidates))
            if parameters.raise_votes_for_twins:
                needed = raised_threshold(key_page, needed, mappings)
            template = [votes >= needed for votes in count_votes(key_page, mappings)]
            texts = [votes >= needed for votes in count_text_votes(key_page, candidates, mappings)]
        detection = Detection(with_frame(key_page, template), texts, addresses)
        return LearnedTemplate.of(self.name, KeySketch(key_page), detection)


def count_votes(key_page: Document, mappings: Sequence[ElementMapping]) -> list[int]:
    """Return, per element of the key page, the number of mappings that have it."""
    votes = [0] * len(key_page)
    for mapping in mappings:
        for element in mapping:
            votes[element] += 1
    return votes


def count_text_votes(
    key_page: Document, candidates: Sequence[Document], mappings: Sequence[ElementMapping]
) -> list[int]:
    """Return, per text of the key page, the number of mapped elements with a text in that place.

    The k-th text of an element gets a vote if the mapped element has a k-th text, whatever it says (definitions.md,
    2.3). White space gets no votes.
    """
    votes = [0] * len(key_page.texts)
    for candidate, mapping in zip(candidates, mappings, strict=True):
        theirs = candidate.own_texts
        for element, runs in key_page.own_texts.items():
            other = mapping.get(element)
            if other is not None:
                for run in runs[: len(theirs.get(other, ()))]:
                    votes[run] += 1
    return votes


def raised_threshold(key_page: Document, threshold: int, mappings: Sequence[ElementMapping]) -> int:
    """Return t plus one per twin of the key page, but never above the number of candidates (HybEx 1.2).

    A twin is a candidate whose mapping has as many nodes as the key page has below its body.
    """
    if key_page.body is None:
        return threshold
    whole = key_page.ends[key_page.body] - key_page.body
    twins = sum(len(mapping) >= whole for mapping in mappings)
    return min(threshold + twins, max(threshold, len(mappings)))


# TemEx with the configuration of the HybEx 1.2 add-on.
addon = partial(TemEx, HYBEX_ADDON, "temex-addon")


async def find_complete_subdigraph(loader: PageLoader, size: int) -> list[LoadedPage]:
    """Load pages that the key page links to until some of them form an n-CS (thesis, Algorithm 2).

    Args:
        loader: loads pages of the key page's site.
        size: n, the number of pages wanted, at least 1.

    Returns:
        The pages of the n-CS without the key page, in the order they were loaded. Without an n-CS, those of the
        first largest m-CS with m < n; none if nothing could be loaded.
    """
    with loader.stopwatch.phase("candidates"):
        links = all_site_links(loader.key_page)
        # Links that act take part in the order, which uses the places of all links, but they are not loaded.
        order = (link for link in sort_links(loader.key_page, links) if loader.may_follow(link))
    reachable = frozenset(link.page for link in links)
    pages: list[LoadedPage] = []
    addresses: list[str] = []
    targets: list[frozenset[str]] = []
    mutual: list[int] = []
    best: list[int] = []

    def still_wanted() -> int:
        return size - len(best)

    async for page in loader.load_ahead(partial(next, order, None), still_wanted):
        linked = None
        with passing_over(page.url):
            linked = linked_pages(loader.read(page), loader.key_page.url)
        if linked is None:
            continue
        with loader.stopwatch.phase("candidates"):
            new, address = len(pages), page_in_site(page.requested, loader.key_page.url)
            pages.append(page)
            addresses.append(address)
            targets.append(linked & reachable)
            mutual.append(0)
            for other in range(new):
                if addresses[other] in targets[new] and address in targets[other]:
                    mutual[new] |= 1 << other
                    mutual[other] |= 1 << new
            best = max(best, largest_clique_with(new, mutual, size), key=len)
        if len(best) >= size:
            break
    return [pages[index] for index in best]


def largest_clique_with(member: int, neighbours: list[int], most: int) -> list[int]:
    """Return the largest set of mutually linked pages that contains a given page, in ascending order.

    Args:
        member: the page that the set must contain.
        neighbours: per page, the bit set of the pages mutually linked with it.
        most: the size at which to stop.

    This is branch and bound over bit sets. The candidates of a branch are coloured so that no two neighbours share
    a colour. A candidate is skipped if one page of each colour up to its own would not beat the best set.
    """
    best: list[int] = [member]

    def extend(chosen: list[int], candidates: int) -> None:
        nonlocal best
        if len(chosen) > len(best):
            best = chosen
        for page, colour in reversed(_coloured(candidates, neighbours)):
            if len(best) >= most or len(chosen) + colour <= len(best):
                return
            extend([*chosen, page], candidates & neighbours[page])
            candidates &= ~(1 << page)

    extend([member], neighbours[member])
    return sorted(best[:most])


def _coloured(pages: int, neighbours: list[int]) -> list[tuple[int, int]]:
    """Return the pages of a bit set with greedy colours 1, 2, ..., in ascending order of colour."""
    coloured = []
    colour = 0
    while pages:
        colour += 1
        free = pages
        while free:
            lowest = free & -free
            page = lowest.bit_length() - 1
            coloured.append((page, colour))
            pages ^= lowest
            free &= ~(lowest | neighbours[page])
    return coloured
