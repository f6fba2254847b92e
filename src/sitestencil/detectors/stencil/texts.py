"""Which texts of template elements are template: those in whose place the near pages have a text too."""

from collections.abc import Sequence

from sitestencil.detectors.stencil.key_sketch import KeySketch
from sitestencil.detectors.stencil.similarity import Kin, Relative
from sitestencil.detectors.stencil.sketch import BETWEEN_TEXTS

_MOST_HAVE_ONE = 0.5


def judge_texts(
    key: KeySketch, kin: Kin, template: Sequence[bool], scores: Sequence[float]
) -> tuple[list[bool], list[float]]:
    """Return per text node whether it is template, and its score; one inside a content element never is.

    The score of a text is its element's, or the share of near pages that have a text in its place if that is less.
    """
    shares = text_shares(key, kin)
    # The last entries are for texts outside the root, whose parent is -1.
    of_element, score_of = [*template, False], [*scores, 0.0]
    places = [(parent, shares.get(run, 1.0)) for run, (parent, _, _) in enumerate(key.document.texts)]
    return (
        [of_element[parent] and share >= _MOST_HAVE_ONE for parent, share in places],
        [min(score_of[parent], share) for parent, share in places],
    )


def text_shares(key: KeySketch, kin: Kin) -> dict[int, float]:
    """Return for text nodes the share of near pages that have a text there, whatever it says, where not all have.

    The pages asked are those on which the text's element has a partner: the k-th text has a place there if the
    partner has k texts (definitions.md, 2.3). A text whose element has no partner, or is below an equal one, goes with
    its element.
    """
    found: dict[int, float] = {}
    near = [relative for relative, is_near in zip(kin.relatives, kin.near, strict=True) if is_near]
    for element in set().union(*(relative.mapping for relative in near)):
        if not key.own[element]:
            continue
        counts = [count for relative in near if (count := _texts_of_partner(relative, element)) is not None]
        least = min(counts)
        for nth, run in enumerate(key.document.own_texts[key.places[element]]):
            if nth >= least:
                found[run] = sum(count > nth for count in counts) / len(counts)
    return found


def _texts_of_partner(relative: Relative, element: int) -> int | None:
    """Return how many own texts the partner has; None where there is none, or the whole subtree is equal."""
    partner = relative.mapping.get(element)
    if partner is None:
        return None
    own = relative.sketch.own[partner]
    return own.count(BETWEEN_TEXTS) + 1 if own else 0
