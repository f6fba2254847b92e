"""Decide which texts of template elements are template: those in whose place the similar pages have a text too."""

from collections.abc import Mapping, Sequence

from sitestencil.detectors.stencil.similarity import ComparedPage, ComparedPages
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.sketch import TEXT_SEPARATOR

_MOST_HAVE_ONE = 0.5


def judge_texts(
    key_sketch: KeySketch, shares: Mapping[int, float], template: Sequence[bool], scores: Sequence[float]
) -> tuple[list[bool], list[float]]:
    """Return, per text node, whether it is template, and its score; a text inside content never is.

    A text's score is its element's, or the share of similar pages with a text there, whichever is less.

    Args:
        key_sketch: the page.
        shares: by text node, the share of similar pages with a text there; see `text_shares`.
        template: whether each element of the document is template.
        scores: the score per element of the document.
    """
    # The last entries are for texts outside the root, whose parent is -1.
    of_element, score_of = [*template, False], [*scores, 0.0]
    texts = [(parent, shares.get(run, 1.0)) for run, (parent, _, _) in enumerate(key_sketch.document.texts)]
    return (
        [of_element[parent] and share >= _MOST_HAVE_ONE for parent, share in texts],
        [min(score_of[parent], share) for parent, share in texts],
    )


def text_shares(key_sketch: KeySketch, compared: ComparedPages) -> dict[int, float]:
    """Return, by text node, the share of similar pages with a text there; nodes that all have are left out.

    The words of the text do not matter. The pages that count have a partner for the text's element. The k-th text
    has a place there if the partner has k texts (definitions.md, 2.3). A text goes with its element if the element
    has no partner, or is below an equal one.
    """
    shares: dict[int, float] = {}
    similar = [page for page, is_similar in zip(compared.pages, compared.similar, strict=True) if is_similar]
    for element in set().union(*(page.mapping for page in similar)):
        if not key_sketch.own_texts[element]:
            continue
        counts = [count for page in similar if (count := _texts_of_partner(page, element)) is not None]
        least = min(counts)
        for nth, run in enumerate(key_sketch.document.own_texts[key_sketch.document_elements[element]]):
            if nth >= least:
                shares[run] = sum(count > nth for count in counts) / len(counts)
    return shares


def _texts_of_partner(page: ComparedPage, element: int) -> int | None:
    """Return the number of the partner's own texts; None without a partner, or if the whole subtree is equal."""
    partner = page.mapping.get(element)
    if partner is None:
        return None
    own_text = page.sketch.own_texts[partner]
    return own_text.count(TEXT_SEPARATOR) + 1 if own_text else 0
