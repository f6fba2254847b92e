"""Sketch a candidate: read the page from its bytes in one pass."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from sitestencil.page.limits import check_levels
from sitestencil.page.parsing import element_name, html_base, lexbor_root
from sitestencil.page.shadow_trees import is_shadow_root
from sitestencil.page.sketch import ALT_ATTRIBUTES, NONE, NOT_COMPARED, Sketch, add_text, alt_text, kind_of
from sitestencil.urls import base_address, resolve


class CandidateSketch(Sketch):
    """The sketch of a candidate, read in one pass: a document would take twice the time.

    Attributes are read on demand: most never are.

    Args:
        html: the page.
        url: the address it came from.
        scripting: parse ``noscript`` as a browser with scripts on does.
        charset: the encoding in the HTTP header.
        parsed: the root element, if the page was parsed before with the same arguments.
        shadow_hosts: as in `KeySketch`.

    Attributes:
        root: the parser's root element; None if there is none.

    Raises:
        PageUnavailable: the markup is pathological: too deep, or too many attributes or tags.
    """

    def __init__(
        self,
        html: bytes | str,
        url: str,
        *,
        scripting: bool,
        charset: str | None = None,
        parsed: LexborNode | None = None,
        shadow_hosts: Container[str] = frozenset(),
    ) -> None:
        self.root = root = parsed or lexbor_root(html, scripting=scripting, charset=charset)
        read = _read(root, shadow_hosts) if root is not None else _Read()
        check_levels(read.parents)
        self.goes_with, self._nodes = read.goes_with, read.nodes
        self.kinds, self.ids = _Kinds(read.tags, read.nodes), _Ids(read.nodes)
        reference = html_base(root) if root is not None and read.has_base else ""
        base = base_address(resolve(reference, url) or url, url)
        super().__init__(url, base, read.tags, read.parents, read.own_texts, read.alt_texts)

    def attributes(self, element: int) -> Mapping[str, str | None]:
        """Return an element's attributes."""
        attributes: Mapping[str, str | None] = self._nodes[element].attributes
        return attributes


@dataclass(slots=True)
class _Read:
    """The result of the pass: the sketch's columns, and the parser's node of each element."""

    tags: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    own_texts: list[str] = field(default_factory=list)
    alt_texts: dict[int, str] = field(default_factory=dict)
    goes_with: list[int] = field(default_factory=list)
    has_base: bool = False
    nodes: list[LexborNode] = field(default_factory=list)


def _read(root: LexborNode, shadow_hosts: Container[str]) -> _Read:
    read = _Read()
    # These calls run once per element and take much of the time, so their look-up is hoisted.
    add_tag, add_parent, add_own_text, add_node = (
        read.tags.append,
        read.parents.append,
        read.own_texts.append,
        read.nodes.append,
    )
    own_texts, add_goes_with = read.own_texts, read.goes_with.append
    names: dict[int, str | None] = {}  # None if not compared
    numbers: dict[int, int] = {}
    containers: dict[int, int] = {}  # parents of elements that are not compared
    number_of, number = numbers.get, 0
    for node in root.traverse(include_text=True):
        try:
            tag = names[node.tag_id]
        except KeyError:
            tag = element_name(node)
            if tag in NOT_COMPARED and not is_shadow_root(node):
                tag = None
            # Below the root, an element with this name is a frame's document, or stands for one in SVG.
            names[node.tag_id] = None if tag == "html" else tag
            read.has_base |= node.tag == "base"
        if tag == "template" and not _is_in(node, shadow_hosts):
            tag = None
        if tag is None and node.is_text_node:
            above = None if node.is_empty_text_node else node.parent
            if above is not None and (holder := number_of(above.mem_id)) is not None:
                add_text(own_texts, holder, node.text_content or "")
            continue
        above = node.parent
        parent = number_of(above.mem_id, NONE) if above is not None else NONE
        if tag is None or (parent == NONE and number):
            if element_name(node) is not None:
                if parent == NONE and above is not None:
                    parent = containers.get(above.mem_id, NONE)
                containers[node.mem_id] = parent
                add_goes_with(parent)
            continue
        numbers[node.mem_id] = number
        add_goes_with(number)
        add_tag(tag)
        add_parent(parent)
        add_own_text("")
        add_node(node)
        if tag in ALT_ATTRIBUTES:
            read.alt_texts[number] = alt_text(node.attributes, tag)
        number += 1
    return read


class _Kinds(dict[int, str]):
    """The kinds of the requested elements."""

    def __init__(self, tags: Sequence[str], nodes: Sequence[LexborNode]) -> None:
        self._tags = tags
        self._nodes = nodes

    def __missing__(self, element: int) -> str:
        tag = self._tags[element]
        kind = self[element] = kind_of(tag, self._nodes[element].attributes) if element else tag
        return kind


class _Ids(dict[int, str | None]):
    """The ids of the requested elements."""

    def __init__(self, nodes: Sequence[LexborNode]) -> None:
        self._nodes = nodes

    def __missing__(self, element: int) -> str | None:
        name: str | None = self._nodes[element].id
        self[element] = name
        return name


def _is_in(shadow_root: LexborNode, hosts: Container[str]) -> bool:
    """Return whether a shadow tree lies in one of these hosts and holds any element."""
    above = shadow_root.parent
    return above is not None and above.tag in hosts and any(map(element_name, shadow_root.iter()))
