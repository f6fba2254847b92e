"""A site's layouts and data: what all pages share, what those of each kind share, and the rules of the slots."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sitestencil.rebuild.alignment import Alignment
from sitestencil.rebuild.facets import LIST, MENU, Rules, learned_rules
from sitestencil.rebuild.items import list_items, with_menus
from sitestencil.rebuild.nodes import HOLE, Run, paths_in, run_has_hole, run_size, text_of
from sitestencil.rebuild.pages import LONGEST_FIELD, OTHER, Page
from sitestencil.rebuild.patterns import Part, Path, Plain, Slot, nodes_of, plain, set_links, slots_in
from sitestencil.rebuild.slot_names import SlotName, name_slots

_SAMPLES = 5  # pages of a kind whose paths are kept


@dataclass(slots=True)
class Model:
    """Layouts and data of a site.

    Attributes:
        base: what all pages share; the regions in it that a kind fills are slots with that kind's parts.
        rules: the rules of each kind's slots.
        names: how sure each slot's name is, by kind and slot.
    """

    base: list[Part]
    rules: dict[str, Rules] = field(default_factory=dict)
    slots: dict[str, list[Slot]] = field(default_factory=dict)
    names: dict[str, dict[str, SlotName]] = field(default_factory=dict)

    def stored(self, page: Page) -> dict[str, object]:
        """Return what a page has to store: the values that no rule gives it."""
        rules = self.rules[page.kind]
        return rules.opened(rules.stored_by(fields_of(page), self.values(page)))

    def menus(self) -> dict[str, Mapping[str, object]]:
        """Return the menus by name."""
        slots = (slot for of in self.slots.values() for slot in of if slot.items)
        return {slot.name: slot.items.menu for slot in slots if slot.items and slot.items.menu}

    def values(self, page: Page) -> dict[str, Plain]:
        """Return the values of a page's slots."""
        having = (slot for slot in self.slots[page.kind] if page.number in slot.values)
        return {slot.name: plain(slot, slot.values[page.number]) for slot in having}


def fields_of(page: Page) -> dict[str, str]:
    """Return a page's fields with its path."""
    return {**page.fields, "path": page.path}


def learned_model(pages: Sequence[Page]) -> Model:
    """Return the model of a site's pages.

    The main content of pages of no kind becomes what differs most on them.
    """
    kinds = {kind: [page for page in pages if page.kind == kind] for kind in sorted({page.kind for page in pages})}
    paths = {page.number: (0,) for of in kinds.values() for page in of[:_SAMPLES]}
    model = Model(Alignment(holds_hole=True).of({page.number: (page.root,) for page in pages}, paths))
    shared: Sequence[Slot] = [*slots_in(model.base)]
    for kind, of in kinds.items():
        _learn_kind(kind, of, shared)
    if astray := _astray(pages, shared):
        for page in astray:
            page.leave_kind()
        return learned_model(pages)
    shared = _with_items(model, kinds)
    names = name_slots(pages, shared, kinds)
    has_own_titles = _has_own_titles(pages)
    for kind, of in kinds.items():
        slots = model.slots[kind] = [
            slot for slot in _slots_of(shared, kind) if any(p.number in slot.values for p in of)
        ]
        model.names[kind] = {slot.name: names[slot] for slot in slots}
        if not has_own_titles:
            _take_headings(of, [slot for slot in slots if names[slot].is_meant])
        own = {page.number for page in of}
        values = {
            slot.name: {page: plain(slot, value) for page, value in slot.values.items() if page in own}
            for slot in slots
        }
        texts = {slot.name for slot in slots if slot.form == "attribute" or slot.around == "style"}
        links = {slot.name: slot.links for slot in slots if slot.links}
        fields = {page.number: fields_of(page) for page in of}
        forms = {slot.name: _form(slot) for slot in slots}
        model.rules[kind] = learned_rules(fields, values, texts, links, forms)
    return model


def _form(slot: Slot) -> str:
    return MENU if slot.form == "menu" else LIST if slot.items and slot.form == "html" else slot.attribute


def _has_own_titles(pages: Sequence[Page]) -> bool:
    """Return whether the titles of most pages are no title of the whole site."""
    often = max(Counter(page.fields.get("title", "") for page in pages).values())
    return often == 1 or 2 * often <= len(pages)


def _take_headings(pages: Sequence[Page], slots: Sequence[Slot]) -> None:
    """Let the titles of a kind's pages be their headings: in the first slot of titles, or in the main content."""
    for slot in slots:
        if slot.form == "html" and slot.name.startswith("title"):
            own = ((page, " ".join(text_of(nodes_of(slot.values.get(page.number, ()))).split())) for page in pages)
            texts = {page: text for page, text in own if text}
            if 2 * len({*texts.values()}) > len(pages):
                break
    else:
        texts = {page: _first_heading(page.main or ()) for page in pages}
    for page, text in texts.items():
        page.fields["title"] = text[:LONGEST_FIELD] or page.fields.get("title", "")


def _first_heading(run: Run) -> str:
    heading = next((node for _, node in paths_in(run, ()) if node.name == "h1"), None)
    return "" if heading is None else " ".join(text_of((heading,)).split())


def _with_items(model: Model, kinds: Mapping[str, Sequence[Page]]) -> Sequence[Slot]:
    """Give menus and lists their items, and slots in items their links; return the slots of all pages."""
    model.base = with_menus(model.base, [page for of in kinds.values() for page in of])
    set_links(model.base)
    shared = [*slots_in(model.base)]
    for slot in shared:
        for kind, parts in slot.kinds.items():
            slot.kinds[kind] = with_menus(parts, kinds[kind])
            set_links(slot.kinds[kind])
            for inner in (one for one in slots_in(slot.kinds[kind]) if one.form == "html"):
                inner.items = list_items(inner, kinds[kind])
        if slot.form == "html":
            slot.items = list_items(
                slot, [page for kind, of in kinds.items() if kind not in slot.kinds for page in of]
            )
    return shared


def _slots_of(shared: Sequence[Slot], kind: str) -> Iterator[Slot]:
    for slot in shared:
        if kind in slot.kinds:
            yield from slots_in(slot.kinds[kind])
        else:
            yield slot


def _learn_kind(kind: str, pages: Sequence[Page], shared: Sequence[Slot]) -> None:
    """Describe what a kind's pages have at the slots of all pages."""
    regions = [slot for slot in shared if slot.form == "html"]
    if kind == OTHER:
        _take_largest(pages, regions)
    for slot in regions:
        runs = {page.number: nodes_of(slot.values[page.number]) for page in pages if page.number in slot.values}
        if kind in slot.kinds or not runs:
            continue
        paths: Mapping[int, Path] = {page: slot.where[page] for page in runs if page in slot.where}
        parts = Alignment(holds_hole=False).of(runs, paths)
        if len(parts) != 1 or not isinstance(parts[0], Slot) or any(map(run_has_hole, runs.values())):
            slot.kinds[kind] = parts


def _astray(pages: Sequence[Page], shared: Sequence[Slot]) -> list[Page]:
    """Return the pages whose main content stands where other pages of their kind have a value."""
    held = {
        (kind, number)
        for kind in {page.kind for page in pages}
        for slot in _slots_of(shared, kind)
        if slot.form == "html"
        for number, value in slot.values.items()
        if run_has_hole(nodes_of(value))
    }
    return [page for page in pages if (page.kind, page.number) in held]


def _take_largest(pages: Sequence[Page], regions: Sequence[Slot]) -> None:
    def size(slot: Slot) -> int:
        return sum(run_size(nodes_of(slot.values.get(page.number, ()))) for page in pages)

    largest = max(regions, key=size, default=None)
    for page in pages:
        page.main = () if largest is None else nodes_of(largest.values.get(page.number, ()))
    if largest is not None:
        largest.kinds[OTHER] = [HOLE]
