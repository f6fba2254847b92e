"""The probability that two nodes are equal (thesis, Definition 3.2.2; definitions.md, 2.1)."""

from dataclasses import dataclass
from typing import NamedTuple

from sitestencil.page.document import Document


@dataclass(frozen=True, slots=True)
class EqualityParameters:
    """Weights and penalties of the equality probability; the defaults are the thesis' (section 5.2.3).

    Attributes:
        classes_weight: wc.
        position_weight: wp.
        attributes_weight: wa.
        children_weight: wch.
        no_classes: Pnc, the class probability if neither node has classes; the thesis gives (.75, 1).
        no_attributes: Pna, the same for attributes.
        no_children: Pnch, the same for children.
        threshold: Pt, which the probability of a mapped pair must exceed. The thesis uses one but gives no value.
            A sweep from 0 to .9 on the labelled sites kept the F1 up to .3. Above that, nodes with different
            classes are lost (definitions.md, choice 7).
    """

    classes_weight: float = 0.5
    position_weight: float = 0.2
    attributes_weight: float = 0.2
    children_weight: float = 0.1
    no_classes: float = 0.9
    no_attributes: float = 0.25
    no_children: float = 1.0
    threshold: float = 0.3


class Signature(NamedTuple):
    """The facts of a node that decide equality, besides its position (thesis, Definition 3.2.1)."""

    tag: str
    id: str
    classes: frozenset[str]
    attributes: frozenset[str]
    children: int


def signature(document: Document, element: int) -> Signature:
    """Return the node attributes of an element (thesis, Definition 3.2.1)."""
    attributes = document.attributes[element]
    return Signature(
        document.tags[element],
        attributes.get("id", ""),
        document.classes[element],
        frozenset(name for name in attributes if name not in {"class", "id"}),
        len(document.children[element]),
    )


def jaccard(ours: frozenset[str], theirs: frozenset[str], both_empty: float) -> float:
    """Return the Jaccard index of two sets: Pc and Pa of Definition 3.2.2."""
    if not ours and not theirs:
        return both_empty
    return len(ours & theirs) / len(ours | theirs)


def children_probability(ours: int, theirs: int, both_none: float) -> float:
    """Return Pch of Definition 3.2.2 for two numbers of children."""
    if not ours and not theirs:
        return both_none
    return min(ours, theirs) / max(ours, theirs)


def is_same_by_id(ours: Signature, theirs: Signature) -> bool:
    """Return whether the nodes are equal with probability 1: same tag, same id."""
    return bool(ours.id) and ours.id == theirs.id and ours.tag == theirs.tag


def static_probability(ours: Signature, theirs: Signature, parameters: EqualityParameters) -> float:
    """Return the summands of P= that do not depend on the position, for nodes with the same tag."""
    return (
        parameters.classes_weight * jaccard(ours.classes, theirs.classes, parameters.no_classes)
        + parameters.attributes_weight * jaccard(ours.attributes, theirs.attributes, parameters.no_attributes)
        + parameters.children_weight * children_probability(ours.children, theirs.children, parameters.no_children)
    )


def equality_probability(
    ours: Signature, theirs: Signature, position: float, parameters: EqualityParameters
) -> float:
    """Return P= of two nodes (Definition 3.2.2).

    Args:
        ours: a node of one tree.
        theirs: a node of the other tree.
        position: Pp of the definition, from 0 to 1.
        parameters: weights and penalties.
    """
    if ours.tag != theirs.tag:
        return 0.0
    if is_same_by_id(ours, theirs):
        return 1.0
    return static_probability(ours, theirs, parameters) + parameters.position_weight * position
