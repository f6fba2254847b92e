"""Keep the slots that draw the nodes of shadow hosts, as browsers assign them by name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sitestencil.page.document import Document


@dataclass(frozen=True, slots=True)
class _Slotted:
    """By the number of a slotted element or text run, its slot's."""

    elements: Mapping[int, int]
    texts: Mapping[int, int]


def keep_around(document: Document, keep: list[bool], texts: Sequence[bool]) -> None:
    """Keep the containers and slots around kept nodes, too.

    Args:
        document: the page.
        keep: per element, whether it is kept; changed in place.
        texts: per text run, whether it is kept.
    """
    parents, inside = document.parents, _slotted(document)
    for text, slot in inside.texts.items():
        keep[slot] |= texts[text] and not document.texts[text].text.isspace()
    kept = [element for element, stays in enumerate(keep) if stays]
    while kept:
        element = kept.pop()
        for around in (max(parents[element], 0), inside.elements.get(element, 0)):
            if not keep[around]:
                keep[around] = True
                kept.append(around)


def _slotted(document: Document) -> _Slotted:
    """Return the slotted nodes of a page, and the slot of each; assignments by script are unknown."""
    slots = _slots_by_host(document)
    if not slots:
        return _Slotted({}, {})
    elements: dict[int, int] = {}
    for element, parent in enumerate(document.parents):
        if parent in slots and document.tags[element] != "template":
            slot = slots[parent].get(document.attributes[element].get("slot", ""))
            if slot is not None:
                elements[element] = slot
    texts = {
        number: slots[run.parent][""]
        for number, run in enumerate(document.texts)
        if "" in slots.get(run.parent, {})
    }
    return _Slotted(elements, texts)


def _slots_by_host(document: Document) -> dict[int, dict[str, int]]:
    """Return the slots of each host's shadow tree by name; the first of a name counts."""
    roots = set(document.shadow_roots)
    slots: dict[int, dict[str, int]] = {document.parents[root]: {} for root in roots}
    if not slots:
        return {}
    hosts: list[int] = []  # of the innermost shadow tree around each element; -1 for none
    for element, (tag, parent) in enumerate(zip(document.tags, document.parents, strict=True)):
        alone = tag == "html" or parent < 0
        hosts.append(-1 if alone else parent if element in roots else hosts[parent])
        if tag == "slot" and hosts[element] >= 0:
            slots[hosts[element]].setdefault(document.attributes[element].get("name", ""), element)
    return slots
