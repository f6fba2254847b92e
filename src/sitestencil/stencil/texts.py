"""Which texts of template elements are template: those in whose place the near pages have a text too."""

from collections.abc import Sequence

from sitestencil.stencil.kinship import Kin, Relative
from sitestencil.stencil.sketch import BETWEEN_TEXTS, KeySketch


def template_texts(key: KeySketch, kin: Kin, template: Sequence[bool]) -> list[bool]:
    """Return per text node whether it is template; one inside a content element never is.

    The design has a text there if the k-th text of an element has a k-th text in its partner on at least half of
    the near pages that have a partner, whatever it says (methods, 2.3). Without a partner it goes with its element.
    """
    of_element = [*template, False]  # the last one for texts outside the root
    found = [of_element[parent] for parent, _, _ in key.document.texts]
    near = [relative for relative, is_near in zip(kin.relatives, kin.near, strict=True) if is_near]
    # What is not mapped, on its own or as the top of an equal subtree, goes with its element.
    mapped = set().union(*(relative.mapping for relative in near))
    for element in mapped:
        place = key.places[element]
        if not key.own[element] or not template[place]:
            continue
        counts = [count for relative in near if (count := _texts_of_partner(relative, element)) is not None]
        for nth, run in enumerate(key.document.own_texts[place]):
            if 2 * sum(count > nth for count in counts) < len(counts):
                found[run] = False
    return found


def _texts_of_partner(relative: Relative, element: int) -> int | None:
    """Return how many own texts the partner has; None where there is none, or the whole subtree is equal."""
    partner = relative.mapping.get(element)
    if partner is None:
        return None
    own = relative.sketch.own[partner]
    return own.count(BETWEEN_TEXTS) + 1 if own else 0
