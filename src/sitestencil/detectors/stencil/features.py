"""The classifier's features, each as a column computed from the evidence."""

from collections.abc import Sequence

from sitestencil.detectors.stencil.agreement import Agreement, JudgedElements
from sitestencil.detectors.stencil.similarity import ComparedPages, KeyPage
from sitestencil.page.key_sketch import KeySketch

_MOST_NEIGHBOURS, _MOST_BETWEEN = 20, 10


def differing_characters(page: KeySketch, texts: Sequence[float], found_elsewhere: Sequence[float]) -> list[float]:
    """Return, per element, the characters of its subtree, each weighed by how little it agrees or recurs.

    A picture counts as a few characters. ``texts`` is the agreement of each element's own text.
    """
    differing = [
        length * (1 - (agrees if own_text and agrees > elsewhere else elsewhere)) if length else 0.0
        for length, own_text, agrees, elsewhere in zip(
            page.lengths, page.own_texts, texts, found_elsewhere, strict=True
        )
    ]
    return _summed_up(page, differing)


def _path_pools(page: KeySketch, texts: Sequence[float]) -> tuple[list[int], list[float]]:
    """Return, per class path, the number of elements, and the mean agreement of their own texts."""
    size, text = [0] * page.class_path_count, [0.0] * page.class_path_count
    for path, agrees, counts in zip(page.class_paths, texts, page.counts_in_path, strict=True):
        if counts:
            size[path] += 1
            text[path] += agrees
    return size, [total / count for total, count in zip(text, size, strict=True)]


def _neighbours(page: KeySketch, differing: Sequence[float], judged: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return, per element, the number of siblings that differ, and the lesser of those before and after it."""
    many, between = [0] * len(page), [0] * len(page)
    characters, parents = page.characters, page.parents
    for parent in {parents[element] for element in judged[1:]}:
        differ = [(child, differing[child] > 0.5 * characters[child] > 0) for child in page.children[parent]]
        before, total = 0, sum(differs for _, differs in differ)
        for child, differs in differ if total else ():
            after = total - before - differs
            many[child], between[child] = min(_MOST_NEIGHBOURS, before + after), min(_MOST_BETWEEN, before, after)
            before += differs
    return many, between


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
    texts: Sequence[float],
    differing: Sequence[float],
) -> list[Column]:
    """Return the values of each feature for the judged elements, in their order.

    Args:
        prepared: the key page.
        compared: the other pages.
        judged: the judged elements.
        agreement: the pages' evidence on them.
        texts: the agreement of each element's own text.
        differing: see `differing_characters`.
    """
    page, elements = prepared.sketch, judged.elements
    groups = _columns_of_groups(agreement, len(page))
    path_sizes, path_texts = pools = _path_pools(page, texts)
    above = _look_up(page, elements, agreement, groups, pools, _neighbours(page, differing, elements))
    paths, characters = page.class_paths, page.characters
    # Weighed by the pages that lack them.
    present = zip(judged.judged_as, judged.found_elsewhere, strict=True)
    missing = _summed_up(page, [1 - max(agreement.mapped[top], elsewhere) for top, elsewhere in present])
    similarity = sum(other.similarity for other in compared.pages) / len(compared.pages)
    of_elements: dict[str, Sequence[float]] = {
        "same_text": agreement.same_text,
        "same_text_similar": agreement.same_text_similar,
        "mapped": agreement.mapped,
        "equal": agreement.equal,
        "on_similar": judged.on_similar,
        "on_others": judged.on_others,
        "text_length": characters,
        **groups,
        **above,
        **_shape(page, elements),
    }
    columns: dict[str, Column] = {
        **{name: [column[element] for element in elements] for name, column in of_elements.items()},
        "missing_share": [missing[element] / (page.ends[element] - element) for element in elements],
        "differing_share": _shares(elements, differing, characters),
        "path_text": [path_texts[paths[element]] for element in elements],
        "path_size": [path_sizes[paths[element]] for element in elements],
        "page_differs": [(differing[0] or 1e-6) / max(1.0, characters[0])] * len(elements),
        "mean_similarity": [similarity] * len(elements),
        "tag": [_TAGS.get(page.tags[element], _OTHER_TAG) for element in elements],
        "link_share": _shares(elements, page.link_characters, characters),
    }
    return [columns[name] for name in FEATURES]


def _columns_of_groups(agreement: Agreement, size: int) -> dict[str, Column]:
    """Return columns of each group: mean agreement of texts, size, similarity of sizes, share replaced."""
    texts, sizes, siblings, replaced = ([0.0] * size for _ in range(4))
    for group in agreement.groups:
        members, count = group.members, len(group.members)
        text = sum([agreement.same_text[element] for element in members]) / count
        others = sum([agreement.replaced[element] for element in members]) / count
        for element in members:
            texts[element], sizes[element] = text, count
            siblings[element], replaced[element] = group.siblings, others
    return {"group_text": texts, "group_size": sizes, "siblings": siblings, "group_replaced": replaced}


def _look_up(
    page: KeySketch,
    judged: Sequence[int],
    agreement: Agreement,
    groups: dict[str, Column],
    pools: tuple[list[int], list[float]],
    siblings: tuple[list[int], list[int]],
) -> dict[str, Column]:
    """Return columns of what is found from the root to each element.

    They have the least of each sign of template, and the greatest of each sign of content. An element that is
    unique in its place says nothing about lists and class paths.
    """
    size, parents, paths, (path_sizes, path_texts) = len(page), page.parents, page.class_paths, pools
    differing, on_both_sides = siblings
    text, path_text, group_text, in_groups = ([1.0] * size for _ in range(4))
    replaced, in_list, neighbours, between = ([0.0] * size for _ in range(4))
    group_texts, sizes, group_siblings, group_replaced = groups.values()
    for element in judged[1:]:
        parent, path, count = parents[element], paths[element], sizes[element]
        text[element] = _least(text[parent], agreement.same_text[element])
        path_text[element] = _least(path_text[parent], path_texts[path] if path_sizes[path] > 1 else 1.0)
        if count > 1:
            group_text[element] = _least(group_text[parent], group_texts[element])
            in_groups[element] = _least(in_groups[parent], group_siblings[element])
            replaced[element] = _most(replaced[parent], group_replaced[element])
        else:
            group_text[element], in_groups[element] = group_text[parent], in_groups[parent]
            replaced[element] = replaced[parent]
        in_list[element] = _most(in_list[parent], group_replaced[element] if count >= _LONG_LIST else 0.0)
        neighbours[element] = _most(neighbours[parent], differing[element])
        between[element] = _most(between[parent], on_both_sides[element])
    return {
        "above_text": text,
        "above_path_text": path_text,
        "above_group_text": group_text,
        "above_siblings": in_groups,
        "above_replaced": replaced,
        "above_replaced_in_list": in_list,
        "differing_neighbours": neighbours,
        "between_differing": between,
    }


def _least(a: float, b: float) -> float:
    return a if a <= b else b


def _most(a: float, b: float) -> float:
    return a if a >= b else b


def _shape(page: KeySketch, judged: Sequence[int]) -> dict[str, Column]:
    """Return columns of the depth, and of whether an element is in the main part or in a region beside it."""
    depth, main, region = ([0.0] * len(page) for _ in range(3))
    for element in judged[1:]:
        tag, parent = page.tags[element], page.parents[element]
        depth[element] = depth[parent] + 1
        main[element] = 1.0 if tag in _MAIN else main[parent]
        region[element] = 1.0 if tag in _REGIONS else region[parent]
    return {"depth": depth, "in_main": main, "in_region": region}


def _shares(elements: Sequence[int], parts: Sequence[float], wholes: Sequence[int]) -> Column:
    """Return each subtree's share of its characters; -1 if it has none."""
    return [parts[element] / wholes[element] if wholes[element] else -1.0 for element in elements]


def _summed_up(page: KeySketch, values: list[float]) -> list[float]:
    """Add each element's value to all its ancestors' values."""
    parents = page.parents
    for element in range(len(page) - 1, 0, -1):
        if values[element]:
            values[parents[element]] += values[element]
    return values
