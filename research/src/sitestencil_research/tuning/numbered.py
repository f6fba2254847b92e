"""Number the signatures of pages; these numbers do not depend on the mapping's parameters.

Each different signature of a site gets a number, and so does each different list of siblings' signatures. Pages of
a site share most of them, so one computation for a pair of numbers serves many pairs of nodes.
"""

from collections import Counter
from dataclasses import dataclass

from sitestencil.detectors.temex.equality import Signature, children_probability, is_same_by_id, jaccard, signature
from sitestencil.detectors.temex.mapping import GROUP_SIZE, REGROUPED_FROM
from sitestencil.page.document import Document

_NO_BODY = -1
# Marks a probability where neither node has the feature; the parameters then give its value.
BOTH_LACK = -1.0


@dataclass(frozen=True, slots=True, eq=False)
class NumberedPage:
    """A page of a site, in numbers.

    Attributes:
        body: the body's element number; -1 if there is none.
        size: the number of elements.
        children: per element, its child elements.
        signatures: per element, the number of its signature.
        lists: per element, the number of the list of its children's signatures.
    """

    body: int
    size: int
    children: list[list[int]]
    signatures: list[int]
    lists: list[int]


class Numbering:
    """The signatures and sibling lists of one site's pages, numbered in the order they appear.

    Attributes:
        signatures: the signatures by number.
        siblings: the sibling lists by number; list 0 is the empty one.
        crowded: per sibling list, whether HybEx 1.2 maps it in groups.
    """

    def __init__(self) -> None:
        self.signatures: list[Signature] = []
        self.siblings: list[tuple[int, ...]] = []
        self.crowded: list[bool] = []
        self._signature_numbers: dict[Signature, int] = {}
        self._list_numbers: dict[tuple[int, ...], int] = {}
        self._compared: dict[tuple[int, int], tuple[float, float, float] | None] = {}
        self._groups: dict[int, tuple[list[int], int]] = {}
        self.list_number(())

    def page(self, document: Document) -> NumberedPage:
        """Return a page in numbers."""
        numbers = [self._signature_number(signature(document, element)) for element in range(len(document))]
        children = document.children
        lists = [self.list_number(tuple(numbers[child] for child in of)) if of else 0 for of in children]
        body = document.body if document.body is not None else _NO_BODY
        return NumberedPage(body, len(document), children, numbers, lists)

    def list_number(self, siblings: tuple[int, ...]) -> int:
        """Return the number of a list of siblings."""
        number = self._list_numbers.get(siblings)
        if number is None:
            number = self._list_numbers[siblings] = len(self.siblings)
            self.siblings.append(siblings)
            self.crowded.append(self._is_crowded(siblings))
        return number

    def groups(self, number: int) -> tuple[list[int], int]:
        """Return a crowded list's groups of 20 as list numbers, and the list number of the groups themselves."""
        known = self._groups.get(number)
        if known is None:
            whole = self.siblings[number]
            parts = [whole[start : start + GROUP_SIZE] for start in range(0, len(whole), GROUP_SIZE)]
            none: frozenset[str] = frozenset()
            own = tuple(self._signature_number(Signature("", "", none, none, len(part))) for part in parts)
            known = self._groups[number] = ([self.list_number(part) for part in parts], self.list_number(own))
        return known

    def same_by_id(self, ours: int, theirs: int) -> bool:
        """Return whether two signatures are equal with probability 1."""
        return is_same_by_id(self.signatures[ours], self.signatures[theirs])

    def compared(self, ours: int, theirs: int) -> tuple[float, float, float] | None:
        """Return Pc, Pa and Pch of two signatures of one tag (Definition 3.2.2); None if the tags differ.

        Each is `BOTH_LACK` if neither node has classes, attributes or children.
        """
        try:
            return self._compared[ours, theirs]
        except KeyError:
            three = self._compared[ours, theirs] = self._compare(self.signatures[ours], self.signatures[theirs])
            return three

    def _compare(self, ours: Signature, theirs: Signature) -> tuple[float, float, float] | None:
        if ours.tag != theirs.tag:
            return None
        return (
            jaccard(ours.classes, theirs.classes, BOTH_LACK),
            jaccard(ours.attributes, theirs.attributes, BOTH_LACK),
            children_probability(ours.children, theirs.children, BOTH_LACK),
        )

    def _signature_number(self, own: Signature) -> int:
        number = self._signature_numbers.get(own)
        if number is None:
            number = self._signature_numbers[own] = len(self.signatures)
            self.signatures.append(own)
        return number

    def _is_crowded(self, siblings: tuple[int, ...]) -> bool:
        if len(siblings) < REGROUPED_FROM:
            return False
        tags = Counter(self.signatures[number].tag for number in siblings)
        return 2 * max(tags.values()) > len(siblings)
