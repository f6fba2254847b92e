"""The features of the classifier, and how they follow from the evidence: a column for each."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitestencil.stencil.agreement import Agreement, Group
from sitestencil.stencil.frontier import Frontier
from sitestencil.stencil.kinship import Key, Kin
from sitestencil.stencil.pooling import Neighbours, Pools, Sums
from sitestencil.stencil.sketch import KeySketch

FEATURES = tuple(
    "text text_least equal siblings path_text path_size group_text group_size "
    "above_text above_path_text above_group_text above_siblings above_replaced above_replaced_in_list "
    "differing_neighbours between_differing page_differs mean_kinship "
    "tag depth in_main in_region text_length".split()
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
    key: Key, kin: Kin, border: Frontier, heard: Agreement, sums: Sums, pools: Pools
) -> list[Column]:
    """Return the values of each feature for the judged elements, in their order."""
    page, judged = key.sketch, border.judged
    groups = _columns_of_groups(heard.groups, heard, len(page))
    above = _look_up(key, judged, heard, groups, pools, Neighbours(page, sums))
    depth, main, region = _shape(page)
    paths = [key.class_paths[element] for element in judged]
    kinship = sum(relative.kinship for relative in kin.relatives) / len(kin.relatives)
    columns = {
        "text": _of(judged, heard.text),
        "text_least": _of(judged, heard.text_least),
        "equal": _of(judged, heard.equal),
        "siblings": _of(judged, groups.siblings),
        "path_text": _of(paths, pools.text),
        "path_size": _of(paths, pools.size),
        "group_text": _of(judged, groups.text),
        "group_size": _of(judged, groups.size),
        "above_text": _of(judged, above.text),
        "above_path_text": _of(judged, above.path_text),
        "above_group_text": _of(judged, above.group_text),
        "above_siblings": _of(judged, above.siblings),
        "above_replaced": _of(judged, above.replaced),
        "above_replaced_in_list": _of(judged, above.replaced_in_list),
        "differing_neighbours": _of(judged, above.neighbours),
        "between_differing": _of(judged, above.between),
        "page_differs": [(sums.differing[0] or 1e-6) / max(1.0, sums.characters[0])] * len(judged),
        "mean_kinship": [kinship] * len(judged),
        "tag": [_TAGS.get(page.tags[element], _OTHER_TAG) for element in judged],
        "depth": _of(judged, depth),
        "in_main": _of(judged, main),
        "in_region": _of(judged, region),
        "text_length": _of(judged, sums.characters),
    }
    return [columns[name] for name in FEATURES]


def _of(elements: Sequence[int], column: Sequence[float]) -> Column:
    return [column[element] for element in elements]


@dataclass(frozen=True, slots=True, eq=False)
class _GroupColumns:
    """What is said of an element's group: mean agreement of texts, size, likeness of sizes, share replaced."""

    text: Column
    size: Column
    siblings: Column
    replaced: Column


def _columns_of_groups(groups: Sequence[Group], heard: Agreement, size: int) -> _GroupColumns:
    found = _GroupColumns(*([0.0] * size for _ in range(4)))
    for group in groups:
        members, count = group.members, len(group.members)
        text = sum(_of(members, heard.text)) / count
        replaced = sum(_of(members, heard.replaced)) / count
        for element in members:
            found.text[element] = text
            found.size[element] = count
            found.siblings[element] = group.siblings
            found.replaced[element] = replaced
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Above:
    """From the root to an element: the least of what tells template, the most of what tells content."""

    text: Column
    path_text: Column
    group_text: Column
    siblings: Column
    replaced: Column
    replaced_in_list: Column
    neighbours: Column
    between: Column


def _look_up(
    key: Key, judged: Sequence[int], heard: Agreement, groups: _GroupColumns, pools: Pools, near: Neighbours
) -> _Above:
    """Go down from the root; what is one of a kind in its place says nothing for lists and class paths."""
    page, size = key.sketch, len(key.sketch)
    above = _Above(*([1.0] * size for _ in range(4)), *([0.0] * size for _ in range(4)))
    for element in judged:
        parent = page.parents[element]
        if parent < 0:
            continue
        count, path = groups.size[element], key.class_paths[element]
        several = count > 1
        of_path = pools.text[path] if pools.size[path] > 1 else 1.0
        of_texts, of_sizes = (groups.text[element], groups.siblings[element]) if several else (1.0, 1.0)
        replaced = groups.replaced[element] if several else 0.0
        many, between = near.differing(element)
        above.text[element] = min(above.text[parent], heard.text[element])
        above.path_text[element] = min(above.path_text[parent], of_path)
        above.group_text[element] = min(above.group_text[parent], of_texts)
        above.siblings[element] = min(above.siblings[parent], of_sizes)
        above.replaced[element] = max(above.replaced[parent], replaced)
        in_list = replaced if count >= _LONG_LIST else 0.0
        above.replaced_in_list[element] = max(above.replaced_in_list[parent], in_list)
        above.neighbours[element] = max(above.neighbours[parent], many)
        above.between[element] = max(above.between[parent], between)
    return above


def _shape(page: KeySketch) -> tuple[Column, Column, Column]:
    """Return how deep each element is, whether in the main part, and whether in a named region beside it."""
    depth, main, region = ([0.0] * len(page) for _ in range(3))
    for element, (tag, parent) in enumerate(zip(page.tags, page.parents, strict=True)):
        if parent >= 0:
            depth[element] = depth[parent] + 1
            main[element] = 1.0 if tag in _MAIN else main[parent]
            region[element] = 1.0 if tag in _REGIONS else region[parent]
    return depth, main, region
