"""Count the candidates' votes on every node of the key page (thesis, sections 3.1 and 3.4; definitions.md, 2.3)."""

from collections.abc import Sequence

from sitestencil.detectors.temex.mapping import ElementMapping
from sitestencil.page.document import Document


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
