"""Align the pages of a site or a kind, top down: what they share stays, what differs becomes a slot.

At each element the cheapest description is taken: the whole run as one slot, or its nodes one by one. Then each is
constant, has slots of its own, or is there on some pages. A description costs the characters that are written once,
and those of each distinct value, a price for each value, and a larger one for each slot.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from math import inf
from typing import NamedTuple

from sitestencil.rebuild.nodes import HOLE, PAGE, Node, Run, run_has_hole, run_size
from sitestencil.rebuild.patterns import Option, Part, Path, Slot, Tag, nodes_of

# With 150 for a slot, new pages of five sites had the same words and stored fewer slots. But small boxes that
# follow from different things were joined, which then follow from none.
_SLOT, _VALUE = 60, 8
_LEAST_PAGES = 0.6  # that have a node which others lack
_MOST_LEVELS = 120
_MOST_STEPS = 3_000_000  # of comparing the nodes of one run
_SKELETON = frozenset({PAGE, "html"})  # the page, and the elements around head and body
_NO_SLOTS_IN = frozenset({"style", "svg", "math", "select", "textarea"})


class _Seen(NamedTuple):
    """Equal runs of some pages: the run, the pages' numbers, and their paths to the element around it."""

    run: Run
    pages: list[int]
    paths: dict[int, Path]
    start: int = 0  # the number of the run's first node among the children

    def path_of(self, page: int, at: int) -> Path:
        return (*self.paths[page], self.start + at)

    def cut(self, first: int, last: int) -> "_Seen":
        return _Seen(self.run[first:last], self.pages, self.paths, self.start + first)


class Aligned(NamedTuple):
    """The parts that describe some runs, and the cost of the description."""

    parts: list[Part]
    cost: float


class Alignment:
    """Align runs of nodes.

    Args:
        holds_hole: whether a slot may hold the main content: where the pages of all kinds are aligned.
        price: what a slot costs.
    """

    def __init__(self, *, holds_hole: bool, price: int = _SLOT) -> None:
        self._holds_hole, self._price = holds_hole, price

    def of(self, runs: Mapping[int, Run], paths: Mapping[int, Path] = {}) -> list[Part]:
        """Return what the pages' runs have in common; of some pages the paths to their first nodes are known."""
        seen = list[_Seen]()
        for page, run in runs.items():
            path = paths.get(page)
            seen.append(_Seen(run, [page], {} if path is None else {page: path[:-1]}, path[-1] if path else -1))
        return self._run(_distinct(seen), "", 0).parts

    def _run(self, seen: Sequence[_Seen], around: str, level: int) -> Aligned:
        if len(seen) == 1:
            return Aligned(list(seen[0].run), run_size(seen[0].run))
        whole = self._slot(seen, around)
        if level > _MOST_LEVELS or around in _NO_SLOTS_IN:
            return whole
        first, last = _shared_ends(seen)
        middle = _distinct([one.cut(first, len(one.run) - last) for one in seen])
        ends = seen[0].run[:first], seen[0].run[len(seen[0].run) - last :]
        inner = self._columns(middle, around, level)
        parts = _joined([*ends[0], *inner.parts, *ends[1]], around)
        cost = run_size(ends[0]) + inner.cost + run_size(ends[1])
        return Aligned(parts, cost) if cost <= whole.cost else whole

    def _slot(self, seen: Sequence[_Seen], around: str) -> Aligned:
        values = {page: one.run for one in seen for page in one.pages}
        where = {page: one.path_of(page, 0) for one in seen for page in one.paths}
        is_whole = around in _SKELETON or any(
            isinstance(one.run[0], Node) and one.run[0].name in _SKELETON for one in seen if one.run
        )
        has_hole = not self._holds_hole and any(run_has_hole(one.run) for one in seen)
        cost = inf if has_hole or is_whole else self._price + sum(run_size(one.run) + _VALUE for one in seen)
        return Aligned([Slot("html", {**values}, around, where=where)], cost)

    def _columns(self, seen: Sequence[_Seen], around: str, level: int) -> Aligned:
        """Describe runs node by node, against the run that shares most with the others."""
        if len(seen) == 1:
            return Aligned(list(seen[0].run), run_size(seen[0].run))
        whole = self._slot(seen, around)
        reference = _reference(seen)
        if not reference.run or sum(len(reference.run) * len(one.run) for one in seen) > _MOST_STEPS:
            return whole
        places = {id(one): _matched(reference.run, one.run) for one in seen}
        count = sum(len(one.pages) for one in seen)
        kept = [
            sum(len(one.pages) for one in seen if places[id(one)][at] is not None) >= _LEAST_PAGES * count
            or (not self._holds_hole and run_has_hole((node,)))
            for at, node in enumerate(reference.run)
        ]
        if not any(kept):
            return whole
        parts, cost = list[Part](), 0.0
        starts = {id(one): 0 for one in seen}
        for at in [*(at for at, is_kept in enumerate(kept) if is_kept), len(reference.run)]:
            found = {id(one): places[id(one)][at] if at < len(kept) else len(one.run) for one in seen}
            having = [one for one in seen if found[id(one)] is not None]
            # What stands before a node that a page lacks stands before the next one.
            gaps = [one.cut(starts[id(one)], found[id(one)] or 0) for one in having]
            lacking = [one.cut(starts[id(one)], starts[id(one)]) for one in seen if found[id(one)] is None]
            if any(gap.run for gap in gaps):
                slot = self._slot(_distinct([*gaps, *lacking]), around)
                parts += slot.parts
                cost += slot.cost
            if at == len(kept):
                break
            for one in having:
                starts[id(one)] = (found[id(one)] or 0) + 1
            part, price = self._column(
                [one.cut(found[id(one)] or 0, starts[id(one)]) for one in having], around, level
            )
            if lacking:
                there = {page: one in having for one in seen for page in one.pages}
                where = {page: one.path_of(page, found[id(one)] or 0) for one in having for page in one.paths}
                name = part.name if isinstance(part, Node | Tag) else ""
                part = Option(Slot("present", {**there}, name, where=where), part)
                price += self._price + 2 * _VALUE
            parts.append(part)
            cost += price
        return Aligned(parts, cost)

    def _column(self, seen: Sequence[_Seen], around: str, level: int) -> tuple[Part, float]:
        """Describe single nodes that stand for each other."""
        seen = _distinct(seen)
        if len(seen) == 1:
            return seen[0].run[0], run_size(seen[0].run)
        whole = self._slot(seen, around)
        elements = [one.run[0] for one in seen if isinstance(one.run[0], Node)]
        if len(elements) < len(seen) or len({(node.name, node.namespace) for node in elements}) > 1:
            return whole.parts[0], whole.cost
        first = elements[0]
        attributes, cost = self._attributes(elements, seen)
        inside = [
            _Seen(node.children, one.pages, {page: one.path_of(page, 0) for page in one.paths})
            for node, one in zip(elements, seen, strict=True)
        ]
        children = self._run(_distinct(inside), first.name, level + 1)
        cost += children.cost + 2 * len(first.name) + 5
        if whole.cost < cost:
            return whole.parts[0], whole.cost
        return Tag(first.name, first.namespace, attributes, children.parts), cost

    def _attributes(
        self, elements: Sequence[Node], seen: Sequence[_Seen]
    ) -> tuple[list[tuple[str, str | Slot]], float]:
        values = [dict(node.attributes) for node in elements]
        described, cost = list[tuple[str, str | Slot]](), 0.0
        for name in dict.fromkeys(chain(*values)):
            distinct = {value.get(name) for value in values}
            only = next(iter(distinct))
            if len(distinct) == 1 and only is not None:
                described.append((name, only))
                cost += len(name) + len(only) + 4
                continue
            by_page = {page: value.get(name) for one, value in zip(seen, values, strict=True) for page in one.pages}
            where = {page: one.path_of(page, 0) for one in seen for page in one.paths}
            described.append((name, Slot("attribute", {**by_page}, elements[0].name, name, where)))
            cost += self._price + sum(len(value or "") + _VALUE for value in distinct)
        return described, cost


def _distinct(seen: Sequence[_Seen]) -> list[_Seen]:
    """Join equal runs; the place among the children is kept where it is the same."""
    joined: dict[tuple[Run, int], _Seen] = {}
    runs: dict[Run, _Seen] = {}
    for one in seen:
        known = joined.get((one.run, one.start))
        if known is None:
            joined[one.run, one.start] = _Seen(one.run, [*one.pages], dict(one.paths), one.start)
        else:
            known.pages.extend(one.pages)
            known.paths.update(one.paths)
    for (run, _), one in joined.items():
        if run in runs:
            runs[run].pages.extend(one.pages)  # of other places no path is kept
        else:
            runs[run] = one
    return [*runs.values()]


def _shared_ends(seen: Sequence[_Seen]) -> tuple[int, int]:
    """Return the numbers of nodes that all runs begin and end with."""
    shortest = min(len(one.run) for one in seen)
    first = last = 0
    while first < shortest and len({one.run[first] for one in seen}) == 1:
        first += 1
    while last < shortest - first and len({one.run[-1 - last] for one in seen}) == 1:
        last += 1
    return first, last


def _key(node: Node | str) -> object:
    return node.key if isinstance(node, Node) else node if node == HOLE else "text" if node.strip() else " "


def _reference(seen: Sequence[_Seen]) -> _Seen:
    counts: Counter[object] = Counter()
    for one in seen:
        for key in {_key(node) for node in one.run}:
            counts[key] += len(one.pages)
    total = sum(len(one.pages) for one in seen)
    return max(
        seen, key=lambda one: (run_has_hole(one.run), sum(2 * counts[_key(node)] - total for node in one.run))
    )


def _likeness(one: Node | str, other: Node | str) -> float:
    """Return how much speaks for two nodes standing for each other: names, ids, links, classes, and being equal."""
    if isinstance(one, Node) and isinstance(other, Node):
        if one.name != other.name:
            return 0.0
        return 1_000.0 if one.has_hole and other.has_hole else 4.0 if one is other else _by_names(one, other)
    if isinstance(one, Node) or isinstance(other, Node):
        return 0.0
    if HOLE in {one, other}:
        return 1_000.0 if one == other else 0.0
    return 1.0 if one == other else 0.6 if bool(one.strip()) == bool(other.strip()) else 0.0


def _by_names(one: Node, other: Node) -> float:
    (_, one_id, one_class), (_, other_id, other_class) = one.key, other.key
    if (one_id or other_id) and one_id == other_id:
        return 3.0
    has_ids = bool(one_id and other_id)
    if one.link and one.link == other.link and not has_ids:
        return 3.0  # an item of a menu, that is active on some pages
    if one_class == other_class:
        return 2.5 if one_class and not has_ids else 1.5
    return 2.0 if set(one_class.split()) & set(other_class.split()) else 0.1 if has_ids else 0.5


def _matched(reference: Run, run: Run) -> list[int | None]:
    """Return per node of the reference the number of the node that stands for it; order is kept."""
    rows, columns = len(reference), len(run)
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    like = [[_likeness(one, other) for other in run] for one in reference]
    for row in range(rows - 1, -1, -1):
        below, here, likes = best[row + 1], best[row], like[row]
        for column in range(columns - 1, -1, -1):
            paired = likes[column] + below[column + 1] if likes[column] else 0.0
            here[column] = max(paired, below[column], here[column + 1])
    found: list[int | None] = [None] * rows
    row = column = 0
    while row < rows and column < columns:
        if like[row][column] and best[row][column] == like[row][column] + best[row + 1][column + 1]:
            found[row] = column
            row, column = row + 1, column + 1
        elif best[row][column] == best[row + 1][column]:
            row += 1
        else:
            column += 1
    return found


def _joined(parts: Sequence[Part], around: str) -> list[Part]:
    """Join neighbouring slots of nodes, with the white space between them, into one."""
    joined: list[Part] = []
    for part in parts:
        space = joined[-1] if len(joined) > 1 and isinstance(joined[-1], str) and not joined[-1].strip() else None
        before = joined[-2 if space is not None else -1] if joined else None
        if isinstance(part, Slot) and part.form == "html" and isinstance(before, Slot) and before.form == "html":
            between: Run = () if space is None else (str(space),)
            values = {
                page: (*nodes_of(before.values[page]), *between, *nodes_of(part.values[page]))
                for page in part.values
            }
            del joined[-1 if space is None else -2 :]
            joined.append(Slot("html", {**values}, around, where=before.where))
        else:
            joined.append(part)
    return joined
