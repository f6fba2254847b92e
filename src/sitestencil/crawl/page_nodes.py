"""Read the parser's nodes once for all templates of a site.

Each node's children, with their tags, kinds and sizes, stay in a cache. Reading takes most of a template's time,
and a site's templates look at the same elements.
"""

from operator import attrgetter

from selectolax.lexbor import LexborNode

from sitestencil.crawl.rules import SHAPE
from sitestencil.page.parsing import element_name
from sitestencil.page.sketch import NOT_COMPARED, Identity, identity_of, kind_of, text_bytes

_is_element, _id_of = attrgetter("is_element_node"), attrgetter("id")
Shape = tuple[str, ...]

# Marks of nodes without a number in the order of children.
TEXT, OTHER = -1, -2


class PageNodes:
    """A cache of a page's nodes.

    Args:
        root: the page's root element, as `page.parsing.lexbor_root` returns it.

    Attributes:
        root: the root element.
        names: the known tags of the parser's tag numbers; None for nodes that are not elements.
        formulas: the text to write for each formula, by the number of its element.
    """

    __slots__ = ("_children", "formulas", "names", "root")

    def __init__(self, root: LexborNode) -> None:
        self.root = root
        self.names: dict[int, str | None] = {}
        self.formulas: dict[int, str] = {}
        self._children: dict[int, ChildNodes] = {}

    def may_have_formulas(self) -> bool:
        """Return whether the page has MathML or a script with TeX."""
        return self.root.css_first("math, script[type*='math/tex' i]") is not None

    def children(self, node: LexborNode) -> "ChildNodes":
        """Return a node's children, from the cache or newly read."""
        name = node.mem_id
        children = self._children.get(name)
        if children is None:
            children = self._children[name] = ChildNodes(node, self.names)
        return children


class ChildNodes:
    """The children of a node.

    Attributes:
        nodes: the compared elements.
        tags: their tags.
        kinds: their kinds.
        others: the elements that are not compared.
        texts: the text nodes.
        order: for each child in order the number of a compared element, or `OTHER`, or `TEXT`.
    """

    __slots__ = (
        "_identities",
        "_names",
        "_shapes",
        "kinds",
        "nodes",
        "order",
        "others",
        "tags",
        "texts",
    )

    def __init__(self, node: LexborNode, names: dict[int, str | None]) -> None:
        self.nodes: list[LexborNode] = []
        self.tags: list[str] = []
        self.others: list[LexborNode] = []
        self.texts: list[LexborNode] = []
        self.order: list[int] = []
        nodes, tags, order, kinds = self.nodes, self.tags, self.order, list[str]()
        for child in node.iter(include_text=True):
            name = child.tag_id
            try:
                tag = names[name]
            except KeyError:
                tag = names[name] = element_name(child)
            if tag is None:
                if child.is_text_node:
                    order.append(TEXT)
                    self.texts.append(child)
            elif tag in NOT_COMPARED:
                order.append(OTHER)
                self.others.append(child)
            else:
                order.append(len(nodes))
                nodes.append(child)
                tags.append(tag)
                kinds.append(kind_of(tag, child.attributes))
        self.kinds = tuple(kinds)
        self._names = names
        self._identities: tuple[Identity | None, ...] | None = None
        self._shapes: tuple[Shape, ...] | None = None

    def size_of(self, number: int) -> tuple[int, int]:
        """Return the size of a compared element's subtree: its elements, and the bytes of its compared texts."""
        return measure_subtree(self.nodes[number], self._names)

    @property
    def identities(self) -> tuple[Identity | None, ...]:
        """The identities of the compared elements."""
        if self._identities is None:
            ids = map(_id_of, self.nodes)
            self._identities = tuple(map(identity_of, self.tags, ids))
        return self._identities

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """The kinds of the compared elements, each with the kinds of its first children."""
        if self._shapes is None:
            pairs, names = zip(self.kinds, self.nodes, strict=True), self._names
            self._shapes = tuple([(kind, *_first_kinds(node, names)) for kind, node in pairs])
        return self._shapes


def _first_kinds(node: LexborNode, names: dict[int, str | None]) -> list[str]:
    kinds: list[str] = []
    for child in node.iter():
        name = child.tag_id
        try:
            tag = names[name]
        except KeyError:
            tag = names[name] = element_name(child)
        if tag is not None and tag not in NOT_COMPARED:
            kinds.append(kind_of(tag, child.attributes))
            if len(kinds) == SHAPE:
                break
    return kinds


def measure_subtree(node: LexborNode, names: dict[int, str | None]) -> tuple[int, int]:
    """Return the number of elements in a subtree, and the bytes of its texts outside elements not compared."""
    elements, size, waiting = 0, 0, [node]
    while waiting:
        elements += 1
        for child in waiting.pop().iter(include_text=True):
            name = child.tag_id
            try:
                tag = names[name]
            except KeyError:
                tag = names[name] = element_name(child)
            if tag is None:
                size += text_bytes(child.text_content or "") if child.is_text_node else 0
            elif tag in NOT_COMPARED:
                elements += count_elements(child)
            else:
                waiting.append(child)
    return elements, size


def count_elements(node: LexborNode) -> int:
    """Return the number of elements in a subtree, without comments."""
    return list(map(_is_element, node.traverse())).count(True)
