"""The classifier's features, each as a column computed from the evidence."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitestencil.detectors.stencil.agreement import Agreement, JudgedElements, SiblingGroup
from sitestencil.detectors.stencil.similarity import ComparedPages, KeyPage
from sitestencil.page.key_sketch import KeySketch

_MOST_NEIGHBOURS, _MOST_BETWEEN = 20, 10


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Sums over subtrees, per element of the key page.

    Attributes:
        differing: the characters, each weighed by how little it agrees or recurs; a picture counts as a few.
        characters: all characters.
    """

    differing: list[float]
    characters: list[int]


def subtree_sums(page: KeySketch, texts: Sequence[float], found_elsewhere: Sequence[float]) -> Sums:
    """Sum from the leaves to the root; ``texts`` is the agreement of each element's own text."""
    differing = [
        length * (1 - (agrees if own_text and agrees > elsewhere else elsewhere)) if length else 0.0
        for length, own_text, agrees, elsewhere in zip(
            page.lengths, page.own_texts, texts, found_elsewhere, strict=True
        )
    ]
    return Sums(_summed_up(page, differing), page.characters)


@dataclass(frozen=True, slots=True, eq=False)
class Pools:
    """Per class path: the number of elements, and the mean agreement of their own texts."""

    size: list[int]
    text: list[float]


def path_pools(prepared: KeyPage, texts: Sequence[float]) -> Pools:
    """Return the pool of each class path."""
    sketch = prepared.sketch
    size, text = [0] * sketch.class_path_count, [0.0] * sketch.class_path_count
    for path, agrees, counts in zip(sketch.class_paths, texts, sketch.counts_in_path, strict=True):
        if counts:
            size[path] += 1
            text[path] += agrees
    return Pools(size, [total / count for total, count in zip(text, size, strict=True)])


class Neighbours:
    """Counts the siblings that mostly differ on the other pages."""

    def __init__(self, page: KeySketch, sums: Sums) -> None:
        self._page = page
        self._sums = sums
        self._known: dict[int, tuple[int, int]] = {}

    def differing(self, element: int) -> tuple[int, int]:
        """Return the number of differing siblings, and the smaller of the numbers before and after the element."""
        known = self._known.get(element)
        if known is None:
            parent = self._page.parents[element]
            if parent < 0:
                return 0, 0
            self._count(parent)
            known = self._known[element]
        return known

    def _count(self, parent: int) -> None:
        children, differing, characters = self._page.children[parent], self._sums.differing, self._sums.characters
        if len(children) == 1:
            self._known[children[0]] = 0, 0
            return
        differ = [differing[child] > 0.5 * characters[child] > 0 for child in children]
        before, total = 0, sum(differ)
        for child, differs in zip(children, differ, strict=True):
            after = total - before - differs
            self._known[child] = min(_MOST_NEIGHBOURS, before + after), min(_MOST_BETWEEN, before, after)
            before += differs


FEATURES = tuple(
    "same_text same_text_similar mapped equal on_similar on_others missing_share differing_share "
    "siblings path_text path_size group_text group_size above_text above_path_text above_group_text above_siblings "
    "above_replaced above_replaced_in_list differing_neighbours between_differing page_differs mean_similarity "
    "tag depth in_main in_region text_length link_share".split()
)
Column = list[float]

_LONG_LIST = 4
_REGIONS = frozenset({"nav", "header", "footer"})
_MAIN = frozenset({"main", "article"})
_TAGS = {
    tag: float(number)
    for number, tags in enumerate(
        (
            "div section article main aside header footer nav center",
            "a",
            "p blockquote pre",
            "li",
            "ul ol dl menu",
            "h1",
            "h2 h3 h4 h5 h6",
            "img picture source figure video audio iframe",
            "span i b em strong small code font u sup sub tt time",
            "table tbody thead tr",
            "td th dt dd",
            "form input button select option label textarea fieldset",
            "br hr",
        )
    )
    for tag in tags.split()
}
_OTHER_TAG = 13.0


def feature_columns(
    prepared: KeyPage,
    compared: ComparedPages,
    judged: JudgedElements,
    agreement: Agreement,
    sums: Sums,
    pools: Pools,
) -> list[Column]:
    """Return the values of each feature for the judged elements, in their order."""
    page, elements = prepared.sketch, judged.elements
    groups = _columns_of_groups(agreement.groups, agreement, len(page))
    above = _look_up(prepared, elements, agreement, groups, pools, Neighbours(page, sums))
    depth, main, region = _shape(page, elements)
    paths = [page.class_paths[element] for element in elements]
    similarity = sum(other.similarity for other in compared.pages) / len(compared.pages)
    missing = _missing(page, agreement, judged)
    columns = {
        "same_text": _of(elements, agreement.same_text),
        "same_text_similar": _of(elements, agreement.same_text_similar),
        "on_similar": _of(elements, judged.on_similar),
        "on_others": _of(elements, judged.on_others),
        "differing_share": _shares(elements, sums.differing, sums.characters),
        "equal": _of(elements, agreement.equal),
        "siblings": _of(elements, groups.siblings),
        "path_text": _of(paths, pools.text),
        "path_size": _of(paths, pools.size),
        "group_text": _of(elements, groups.text),
        "group_size": _of(elements, groups.size),
        "above_text": _of(elements, above.text),
        "above_path_text": _of(elements, above.path_text),
        "above_group_text": _of(elements, above.group_text),
        "above_siblings": _of(elements, above.siblings),
        "above_replaced": _of(elements, above.replaced),
        "above_replaced_in_list": _of(elements, above.replaced_in_list),
        "differing_neighbours": _of(elements, above.neighbours),
        "between_differing": _of(elements, above.between),
        "page_differs": [(sums.differing[0] or 1e-6) / max(1.0, sums.characters[0]) for _ in elements],
        "mean_similarity": [similarity] * len(elements),
        "tag": [_TAGS.get(page.tags[element], _OTHER_TAG) for element in elements],
        "depth": _of(elements, depth),
        "in_main": _of(elements, main),
        "in_region": _of(elements, region),
        "text_length": _of(elements, sums.characters),
        "link_share": _shares(elements, page.link_characters, sums.characters),
        "mapped": _of(elements, agreement.mapped),
        "missing_share": [missing[element] / (page.ends[element] - element) for element in elements],
    }
    return [columns[name] for name in FEATURES]


def _of(elements: Sequence[int], column: Sequence[float]) -> Column:
    return [column[element] for element in elements]


@dataclass(frozen=True, slots=True, eq=False)
class _GroupColumns:
    """The columns of an element's group: mean agreement of texts, size, similarity of sizes, share replaced."""

    text: Column
    size: Column
    siblings: Column
    replaced: Column


def _columns_of_groups(groups: Sequence[SiblingGroup], agreement: Agreement, size: int) -> _GroupColumns:
    texts, sizes, siblings, replaced = ([0.0] * size for _ in range(4))
    for group in groups:
        members, count = group.members, len(group.members)
        text = sum([agreement.same_text[element] for element in members]) / count
        others = sum([agreement.replaced[element] for element in members]) / count
        for element in members:
            texts[element], sizes[element] = text, count
            siblings[element], replaced[element] = group.siblings, others
    return _GroupColumns(texts, sizes, siblings, replaced)


@dataclass(frozen=True, slots=True, eq=False)
class _Above:
    """From the root to an element: the least of each sign of template, the greatest of each sign of content."""

    text: Column
    path_text: Column
    group_text: Column
    siblings: Column
    replaced: Column
    replaced_in_list: Column
    neighbours: Column
    between: Column


def _look_up(
    prepared: KeyPage,
    judged: Sequence[int],
    agreement: Agreement,
    groups: _GroupColumns,
    pools: Pools,
    siblings_of: Neighbours,
) -> _Above:
    """Descend from the root; an element that is unique in its place says nothing about lists and class paths."""
    size, parents, paths = len(prepared.sketch), prepared.sketch.parents, prepared.sketch.class_paths
    text, path_text, group_text, siblings = ([1.0] * size for _ in range(4))
    replaced, in_list, neighbours, between = ([0.0] * size for _ in range(4))
    for element in judged[1:]:
        parent, path, count = parents[element], paths[element], groups.size[element]
        text[element] = _least(text[parent], agreement.same_text[element])
        path_text[element] = _least(path_text[parent], pools.text[path] if pools.size[path] > 1 else 1.0)
        if count > 1:
            group_text[element] = _least(group_text[parent], groups.text[element])
            siblings[element] = _least(siblings[parent], groups.siblings[element])
            replaced[element] = _most(replaced[parent], groups.replaced[element])
        else:
            group_text[element], siblings[element] = group_text[parent], siblings[parent]
            replaced[element] = replaced[parent]
        long_list = groups.replaced[element] if count >= _LONG_LIST else 0.0
        in_list[element] = _most(in_list[parent], long_list)
        many, on_both_sides = siblings_of.differing(element)
        neighbours[element] = _most(neighbours[parent], many)
        between[element] = _most(between[parent], on_both_sides)
    return _Above(text, path_text, group_text, siblings, replaced, in_list, neighbours, between)


def _least(a: float, b: float) -> float:
    return a if a <= b else b


def _most(a: float, b: float) -> float:
    return a if a >= b else b


def _shape(page: KeySketch, judged: Sequence[int]) -> tuple[Column, Column, Column]:
    """Return each judged element's depth, and whether it is in the main part or in a named region beside it."""
    depth, main, region = ([0.0] * len(page) for _ in range(3))
    for element in judged[1:]:
        tag, parent = page.tags[element], page.parents[element]
        depth[element] = depth[parent] + 1
        main[element] = 1.0 if tag in _MAIN else main[parent]
        region[element] = 1.0 if tag in _REGIONS else region[parent]
    return depth, main, region


def _shares(elements: Sequence[int], parts: Sequence[float], wholes: Sequence[int]) -> Column:
    """Return each subtree's share of its characters; -1 if it has none."""
    return [parts[element] / wholes[element] if wholes[element] else -1.0 for element in elements]


def _missing(page: KeySketch, agreement: Agreement, judged: JudgedElements) -> list[float]:
    """Return, per element, the number of missing elements in its subtree, weighed by the pages that lack them."""
    missing = [
        1 - max(agreement.mapped[top], elsewhere)
        for top, elsewhere in zip(judged.judged_as, judged.found_elsewhere, strict=True)
    ]
    return _summed_up(page, missing)


def _summed_up(page: KeySketch, values: list[float]) -> list[float]:
    """Add each element's value to all its ancestors' values."""
    parents = page.parents
    for element in range(len(page) - 1, 0, -1):
        if values[element]:
            values[parents[element]] += values[element]
    return values
