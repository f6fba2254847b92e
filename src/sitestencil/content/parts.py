"""Find the parts of main content on which readers differ, and the units that stay whole.

A part is the title, byline, date, captions or comments. HTML's own marks count, schema.org's, and the usual words
in the names of elements. A unit is what a reader sees as one thing: a table, a list, a description list, code, a
figure.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from sitestencil.content.page_measures import PageMeasures, name_words

Part = Literal["title", "byline", "date", "captions", "comments"]
PARTS: tuple[Part, ...] = get_args(Part)

_TAGS: Mapping[str, Part] = {"figcaption": "captions", "time": "date"}
_NAMES: Mapping[str, Part] = {
    "author": "byline",
    "byline": "byline",
    "date": "date",
    "dateline": "date",
    "caption": "captions",
    "captions": "captions",
    "comment": "comments",
    "comments": "comments",
}
_NAMING = ("class", "id", "itemprop")
_LEAST_LIKENESS = 0.5  # of the title's block to the page's title
_MOST_WORDS: Mapping[Part, int] = {"byline": 30, "date": 30}
# A unit's kind is its place here. A table for layout may have rows that are units.
UNITS = (("table", "tr"), ("ul", "ol", "menu"), ("dl",), ("pre",), ("figure",))
CODE_BLOCK = 3
KIND_OF_UNIT = {tag: kind for kind, tags in enumerate(UNITS) for tag in tags}
PAIRS = 2  # the kind of description lists, of questions in forms, and of pairs and cells in other elements
# A label with its value, in an element of their own each.
_FEWEST_PAIRS, _BLOCKS_OF_PAIR, _MOST_PAIR_WORDS, _MOST_PAIR_LINKED = 2, 2, 16, 0.25
_FEWEST_ROWS, _COLUMNS = 2, range(2, 5)  # of a table whose rows are no elements
_LABELLED = re.compile(r"[^\W\d][^:：]{0,30}[:：]\s*\S")  # noqa: RUF001
_ROWS = frozenset({"tr", "li"})
_ROW_GROUPS = frozenset({"tbody", "thead", "tfoot"})
# Tables and lists for layout have longer rows and items.
_MOST_ROW_WORDS, _MOST_ROW_BLOCKS = 60, 6


def title_block(measures: PageMeasures) -> int:
    """Return the number of the block that holds the page's title, or of its first ``h1``; -1 without both."""
    number, likeness = measures.title_block
    return number if likeness >= _LEAST_LIKENESS else measures.first_heading


def parts_of(measures: PageMeasures) -> Sequence[Part | None]:
    """Return, per element, the part that it belongs to; None for most.

    An element around the page's title is no part: themes name ``body`` after its comments.

    Example:
        >>> from sitestencil import parse
        >>> from sitestencil.reading.blocks import text_blocks
        >>> page = parse("<title>Knots</title><h1>Knots</h1><p class=byline>Jo<p>A rope.", "https://site.example/")
        >>> parts_of(PageMeasures(page, text_blocks(page)))[-3:]
        ['title', 'byline', None]
    """
    document = measures.document
    title = title_block(measures)
    holder = measures.blocks[title].container if title >= 0 else -1
    around_title = set(document.path(holder)) if title >= 0 else set()
    parts: list[Part | None] = []
    for element, parent in enumerate(document.parents):
        inherited = parts[parent] if parent >= 0 else None
        if element in around_title:
            is_title = element == holder and measures.subtree_blocks[element] == 1
            parts.append("title" if is_title else None)
        else:
            parts.append(inherited or _own_part(measures, element))
    return parts


def _own_part(measures: PageMeasures, element: int) -> Part | None:
    part = _TAGS.get(measures.document.tags[element]) or _named_part(measures.document.attributes[element])
    if part is not None and measures.subtree_words[element] > _MOST_WORDS.get(part, measures.words):
        return None
    return part


def _named_part(attributes: Mapping[str, str]) -> Part | None:
    return next((_NAMES[name] for name in name_words(attributes, _NAMING) if name in _NAMES), None)


def units_of(measures: PageMeasures) -> list[int]:
    """Return, per block, the outermost unit around it; -1 without one.

    Example:
        >>> from sitestencil import parse
        >>> from sitestencil.reading.blocks import text_blocks
        >>> page = parse("<p>Ropes<ul><li>Hemp<li>Nylon</ul>", "https://site.example/")
        >>> measures = PageMeasures(page, text_blocks(page))
        >>> [page.tags[unit] for unit in units_of(measures) if unit >= 0]
        ['ul', 'ul']
    """
    document = measures.document
    around, layouts = [-1] * len(document), _layouts(measures)
    pairs = _lists_of_pairs(measures).union(
        _tables_of_cells(measures),
        (parent for tag, parent in zip(measures.tags, document.parents, strict=True) if tag == "legend"),
    )
    end = 0
    for element, tag in enumerate(measures.tags):
        if element >= end and ((tag in KIND_OF_UNIT and element not in layouts) or element in pairs):
            end = document.ends[element]
            around[element:end] = [element] * (end - element)
    return [around[block.container] for block in measures.blocks]


def _lists_of_pairs(measures: PageMeasures) -> frozenset[int]:
    """Return the elements that hold only labels with values: short, hardly in links, and all in one form."""
    words, linked = measures.subtree_words, measures.subtree_linked
    texts = {block.container: block.text for block in measures.blocks}
    found = list[int]()
    for element, children in enumerate(measures.document.children):
        if len(children) < _FEWEST_PAIRS:
            continue
        size, most = words[element], _MOST_PAIR_WORDS * len(children)
        if not 0 < size <= most or linked[element] > _MOST_PAIR_LINKED * size:
            continue
        found += [element] if _are_pairs(measures, children, texts) else []
    return frozenset(found)


def _tables_of_cells(measures: PageMeasures) -> frozenset[int]:
    """Return the elements whose children are cells in regular rows: a class of its own names each column."""
    blocks, classes, found = measures.subtree_blocks, measures.document.classes, set[int]()
    for element, children in enumerate(measures.document.children):
        count = len(children)
        if not count or blocks[element] != count or any(blocks[child] != 1 for child in children):
            continue
        for columns in _COLUMNS:
            if count >= _FEWEST_ROWS * columns and count % columns == 0:
                cells = (children[column::columns] for column in range(columns))
                named = [frozenset.intersection(*map(classes.__getitem__, column)) for column in cells]
                if all(named) and len(frozenset().union(*named)) == sum(map(len, named)):
                    found.add(element)
    return frozenset(found)


def _are_pairs(measures: PageMeasures, children: Sequence[int], texts: Mapping[int, str]) -> bool:
    """Return whether each child is a label with its value, in elements or on a line, or each second is a label."""
    blocks, tags = measures.subtree_blocks, measures.tags
    if max(measures.subtree_words[child] for child in children) > _MOST_PAIR_WORDS:
        return False
    counts = {blocks[child] for child in children}
    labels, values = {tags[child] for child in children[::2]}, {tags[child] for child in children[1::2]}
    if counts == {_BLOCKS_OF_PAIR}:
        return labels == values and len(labels) == 1
    if counts != {1}:
        return False
    inner = measures.document.children
    if all(_LABELLED.match(texts.get(child, "")) or len(inner[child]) == _BLOCKS_OF_PAIR for child in children):
        return True
    is_even = len(children) >= 2 * _FEWEST_PAIRS and not len(children) % 2
    return is_even and len(labels) == len(values) == 1 and labels != values


def _layouts(measures: PageMeasures) -> frozenset[int]:
    """Return the tables and lists that have a long row or item, and the long rows."""
    tags, parents = measures.tags, measures.document.parents
    found: set[int] = set()
    for element, tag in enumerate(tags):
        if tag not in _ROWS or parents[element] < 0:
            continue
        if measures.subtree_words[element] <= _MOST_ROW_WORDS and (
            measures.subtree_blocks[element] <= _MOST_ROW_BLOCKS
        ):
            continue
        above = parents[element]
        if tags[above] in _ROW_GROUPS:
            above = parents[above]
        found |= {element, above}
    return frozenset(found)
