"""The vote of the candidates on every node of the key page (thesis, sections 3.1 and 3.4; definitions.md, 2.3)."""

from collections.abc import Sequence

from sitestencil.detectors.temex.mapping import ElementMapping
from sitestencil.page.document import Document


def count_votes(key_page: Document, mappings: Sequence[ElementMapping]) -> list[int]:
    """Return for each element of the key page in how many mappings it is."""
    votes = [0] * len(key_page)
    for mapping in mappings:
        for element in mapping:
            votes[element] += 1
    return votes


def count_text_votes(
    key_page: Document, candidates: Sequence[Document], mappings: Sequence[ElementMapping]
) -> list[int]:
    """Return for each text of the key page how many mapped elements have a text in that place.

    The design has a text there if the k-th text of an element has a k-th text in the mapped one, whatever it
    says (definitions.md, 2.3). Texts of white space alone get no votes.
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
    """Return t raised by one for every twin of the key page, never above their number (HybEx 1.2).

    A twin is a candidate that maps as many nodes as the key page has below its body.
    """
    if key_page.body is None:
        return threshold
    whole = key_page.ends[key_page.body] - key_page.body
    twins = sum(len(mapping) >= whole for mapping in mappings)
    return min(threshold + twins, max(threshold, len(mappings)))
