"""The sketch of a page to compare with the key page, read from its bytes in one pass."""

from collections.abc import Mapping, Sequence

from selectolax.lexbor import LexborNode

from sitestencil.detectors.stencil.sketch import NONE, SILENT, SPEAKING, Sketch, add_text, kind_of, spoken_by
from sitestencil.page.parsing import element_name, lexbor_root
from sitestencil.site.sources import Response
from sitestencil.urls import resolve


class CandidateSketch(Sketch):
    """The sketch of a page as it came: read in one pass, without a document, which takes twice the time.

    Attributes are read when they are asked for: most never are.
    """

    def __init__(self, page: Response, *, scripting: bool) -> None:
        tags: list[str] = []
        parents: list[int] = []
        own: list[str] = []
        spoken: dict[int, str] = {}
        self._nodes: list[LexborNode] = []
        # Asked for once per element, these calls are a good part of the time.
        add_tag, add_parent, add_own, add_node = tags.append, parents.append, own.append, self._nodes.append
        names: dict[int, str | None] = {}  # None for what is silent or no element
        numbers: dict[int, int] = {}
        number_of, number, base = numbers.get, 0, None
        root = lexbor_root(page.body, scripting=scripting, charset=page.charset)
        for node in root.traverse(include_text=True) if root is not None else ():
            name = node.tag_id
            tag = names[name] if name in names else names.setdefault(name, _compared_name(node))
            if tag is None:
                if node.is_text_node:
                    above = None if node.is_empty_text_node else node.parent
                    if above is not None and (place := number_of(above.mem_id)) is not None:
                        add_text(own, place, node.text_content or "")
                elif base is None and node.tag == "base":
                    base = node.attributes.get("href")
                continue
            above = node.parent
            parent = number_of(above.mem_id, NONE) if above is not None else NONE
            if parent == NONE and number:
                continue
            numbers[node.mem_id] = number
            add_tag(tag)
            add_parent(parent)
            add_own("")
            add_node(node)
            if tag in SPEAKING:
                spoken[number] = spoken_by(node.attributes, tag)
            number += 1
        self.kinds = _Kinds(tags, self._nodes)
        super().__init__(page.url, resolve(base or "", page.url) or page.url, tags, parents, own, spoken)

    def attributes(self, element: int) -> Mapping[str, str | None]:
        """Return an element's attributes."""
        found: Mapping[str, str | None] = self._nodes[element].attributes
        return found

    def id(self, element: int) -> str | None:
        """Return an element's id."""
        found: str | None = self._nodes[element].id
        return found


class _Kinds(dict[int, str]):
    """The kinds of those elements that were asked for."""

    def __init__(self, tags: Sequence[str], nodes: Sequence[LexborNode]) -> None:
        self._tags = tags
        self._nodes = nodes

    def __missing__(self, element: int) -> str:
        tag = self._tags[element]
        found = self[element] = kind_of(tag, self._nodes[element].attributes) if element else tag
        return found


def _compared_name(node: LexborNode) -> str | None:
    name = element_name(node)
    return None if name in SILENT else name
