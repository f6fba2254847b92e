"""Tell what kind of page a page is: kinds differ in what is their main content.

Learned from pages whose kind people named. The features are what the page states of itself, and the means of its
blocks' features. The second judgement of blocks gets the probability of each kind.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import compress
from math import log1p

from sitestencil.content.features import FEATURES
from sitestencil.detectors.stencil.tree_model import QuickScorer, probability
from sitestencil.page.document import Document

KINDS = ("article", "list", "product", "manual", "thread", "service")
# A kind is said from this probability on: held out by hosts, .78 of a public set are right then.
SURE = 0.6
_STATEMENTS = {
    "states_article": re.compile(r"article|.*(?:Article|BlogPosting)"),
    "states_product": re.compile(r"product.*|Product|ProductGroup|Offer|AggregateOffer"),
    "states_list": re.compile(r"blog|ItemList|CollectionPage|SearchResultsPage|Blog|OfferCatalog"),
    "states_thread": re.compile(r"QAPage|DiscussionForumPosting|Question|FAQPage"),
    "states_site": re.compile(r"website"),
}
STATEMENTS = (*_STATEMENTS, "states_date")
_MEANS = """
up_share_1 is_title digits tag_div word_length titled paragraphs_at_0.3 paragraphs_at_0.6 paragraphs_at_0.85 tag_h1
size_before size_after runs up_blocks_2 to_header capitals to_form to_footer place alike_share paragraphs_share_0.6
to_section paragraphs_links_0.3 near_longest_3
""".split()
_COLUMNS = tuple(FEATURES.index(name) for name in _MEANS)
KIND_FEATURES = (*_MEANS, "blocks", "page_size", "longest", "largest_share", "link_share", *STATEMENTS)
_TYPES = re.compile(r'"@type"\s*:\s*(\[[^\]]{0,500}\]|"[^"]{0,100}")')
_TYPE = re.compile(r'"(?:https?://schema\.org/)?(\w+)"')
_DATED = frozenset({"article:published_time", "article:modified_time"})
_MOST_CHARACTERS = 200_000  # of JSON-LD


def statements_of(document: Document) -> list[float]:
    """Return 1 for each of `STATEMENTS` that the page makes about itself, and 0 for the others."""
    types, is_dated, left = set[str](), False, _MOST_CHARACTERS
    types.update(document.attributes[one]["itemtype"].rpartition("/")[2] for one in document.having("itemtype"))
    for element in document.tagged("meta", "script"):
        attributes = document.attributes[element]
        if document.tags[element] == "meta":
            name = attributes.get("property", attributes.get("name", "")).lower()
            is_dated |= name in _DATED
            if name == "og:type":
                types.add(attributes.get("content", "").strip().lower())
        elif "ld+json" in attributes.get("type", ""):
            text = "".join([document.texts[run].text[:left] for run in document.runs(element)])
            left = max(0, left - len(text))
            is_dated |= '"datePublished"' in text
            types.update(name for found in _TYPES.findall(text) for name in _TYPE.findall(found))
    return [
        *(float(any(map(pattern.fullmatch, types))) for pattern in _STATEMENTS.values()),
        float(is_dated),
    ]


def kind_features(
    columns: Sequence[Sequence[float]], sizes: Sequence[int], linked: Sequence[int], statements: Sequence[float]
) -> list[float]:
    """Return a value for each of `KIND_FEATURES`.

    Args:
        columns: the features of the page's blocks; at least those of the page alone.
        sizes: the words of each block.
        linked: the words of each block in links.
        statements: what the page states; see `statements_of`.
    """
    total = sum(sizes) or 1
    shares = [size / total for size in sizes]
    means = [sum([a * b for a, b in zip(columns[number], shares, strict=True)]) for number in _COLUMNS]
    longest = max(sizes, default=0)
    return [*means, len(sizes), log1p(total), longest, longest / total, sum(linked) / total, *statements]


def kind_probabilities(scorers: Mapping[str, QuickScorer], features: Sequence[float]) -> list[float]:
    """Return the probability of each of `KINDS`."""
    row = [[value] for value in features]
    alone = [probability(scorers[kind].log_odds(row)[0]) for kind in KINDS]
    total = sum(alone)
    return [one / total for one in alone]


def surest_kind(probabilities: Sequence[float], statements: Sequence[float] = ()) -> str | None:
    """Return the kind that is likely; a page of a product, by its own statement, is no article. None if none is.

    Args:
        probabilities: of each of `KINDS`.
        statements: what the page states; see `statements_of`.
    """
    best = max(range(len(KINDS)), key=probabilities.__getitem__)
    kinds = list(compress(_STATEMENTS, statements))
    if kinds == ["states_product"] and KINDS[best] != "list":
        return "product"
    return KINDS[best] if probabilities[best] >= SURE else None
