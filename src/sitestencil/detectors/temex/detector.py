"""TemEx: the complete subdigraph's pages vote by exact top-down mappings (thesis; definitions.md, 1 and 2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sitestencil.detectors.detection import Detection, with_frame
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.detectors.temex.mapping import ElementMapping, EqualityParameters, Mapper, MappingParameters
from sitestencil.detectors.temex.subdigraph import find_complete_subdigraph
from sitestencil.page.document import Document
from sitestencil.page.key_sketch import KeySketch
from sitestencil.progress import Progress
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
