"""Find what a reader sees as one thing: a table, a list, a description list, code, a figure."""

from sitestencil.content.page_measures import PageMeasures

# A unit's kind is its place here. A table for layout may have rows that are units.
UNITS = (("table", "tr"), ("ul", "ol", "menu"), ("dl",), ("pre",), ("figure",))
CODE_BLOCK = 3
KIND_OF_UNIT = {tag: kind for kind, tags in enumerate(UNITS) for tag in tags}
_PARTS = frozenset({"tr", "li"})
_ROW_GROUPS = frozenset({"tbody", "thead", "tfoot"})
# Tables and lists for layout have longer rows and items.
_MOST_PART_WORDS, _MOST_PART_BLOCKS = 60, 6


def units_of(measures: PageMeasures) -> list[int]:
    """Return, per block, the outermost unit around it; -1 without one.

    Example:
        >>> from sitestencil import parse
        >>> from sitestencil.content.blocks import text_blocks
        >>> page = parse("<p>Ropes<ul><li>Hemp<li>Nylon</ul>", "https://site.example/")
        >>> measures = PageMeasures(page, text_blocks(page))
        >>> [page.tags[unit] for unit in units_of(measures) if unit >= 0]
        ['ul', 'ul']
    """
    document = measures.document
    around, layouts = [-1] * len(document), _layouts(measures)
    end = 0
    for element, tag in enumerate(document.tags):
        if element >= end and tag in KIND_OF_UNIT and element not in layouts:
            end = document.ends[element]
            around[element:end] = [element] * (end - element)
    return [around[block.container] for block in measures.blocks]


def _layouts(measures: PageMeasures) -> frozenset[int]:
    """Return the tables and lists that have a long row or item, and the long rows."""
    tags, parents = measures.document.tags, measures.document.parents
    found: set[int] = set()
    for element, tag in enumerate(tags):
        if tag not in _PARTS or parents[element] < 0:
            continue
        if measures.subtree_words[element] <= _MOST_PART_WORDS and (
            measures.subtree_blocks[element] <= _MOST_PART_BLOCKS
        ):
            continue
        above = parents[element]
        if tags[above] in _ROW_GROUPS:
            above = parents[above]
        found |= {element, above}
    return frozenset(found)
