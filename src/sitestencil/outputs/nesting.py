"""Mend a tree, so that its HTML is read back as the same tree.

Scripts build trees that no HTML gives: a link in a link, a ``div`` in a ``p``, a row without a table. By the
parser's rules (HTML Standard, 13.2.6.4) a start tag closes or moves elements. So rename the element, or add the
ancestors that the parser would add.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sitestencil.outputs.allowed_markup import VOID, AttributeRules
from sitestencil.outputs.names import NAMES
from sitestencil.outputs.tree import WHITE_SPACE, Element, is_content
from sitestencil.page.html_names import HEADINGS
from sitestencil.page.parser_rules import RenderingMode

_CLOSES_PARAGRAPH = NAMES["closes paragraphs"].keys()
# If one of these separates a new item from an open item, they belong to different lists.
_SPECIAL = (_CLOSES_PARAGRAPH | NAMES["special"].keys()) - NAMES["not special"].keys()
_IMPLIED_ENDS = frozenset({"dd", "dt", "li", "optgroup", "option", "p", "rb", "rp", "rt", "rtc"})
_SECTIONS = frozenset({"thead", "tbody", "tfoot"})
_CELLS = frozenset({"td", "th"})
# The elements allowed in the parts of a table.
_PARTS = {
    "table": _SECTIONS | {"caption", "colgroup"},
    "thead": frozenset({"tr"}),
    "tbody": frozenset({"tr"}),
    "tfoot": frozenset({"tr"}),
    "tr": _CELLS,
    "colgroup": frozenset({"col"}),
}
_TABLE_PARTS = frozenset({"caption", "colgroup", "col", "tr"}) | _SECTIONS | _CELLS
_MARKERS = frozenset({"template", "td", "th", "caption"})
_RULES = AttributeRules("about:blank")


@dataclass(frozen=True, slots=True)
class _Around:
    """The open elements around an element that the parser asks for, or None."""

    paragraph: Element | None = None
    item: Element | None = None
    term: Element | None = None
    link: Element | None = None
    button: Element | None = None
    unbroken: Element | None = None
    form: Element | None = None


def mend(body: Element, mode: RenderingMode) -> None:
    """Rename and wrap elements below `body`, so that HTML gives the same tree."""
    open_elements = [(body, _Around())]
    while open_elements:
        parent, around = open_elements.pop()
        if parent.name in _PARTS and parent.namespace == "html":
            parent.set_children(list(_table_children(parent, around)))
        for child in parent.children:
            if isinstance(child, Element):
                if child.namespace == "html":
                    _rename_misplaced(child, parent, around, mode)
                open_elements.append((child, _entered(child, around)))


def rename(element: Element, name: str) -> None:
    """Rename an HTML element, and keep the attributes that are valid under its new name."""
    element.name = name
    values = element.attributes
    allowed = _RULES.of("html", name, values)
    element.attributes = {key: value for key, value in values.items() if key in allowed}


def _rename_misplaced(element: Element, parent: Element, around: _Around, mode: RenderingMode) -> None:
    name = element.name
    if name in _CLOSES_PARAGRAPH and not (name == "table" and mode == "quirks"):
        _rename_paragraph(around.paragraph)
    if name in _TABLE_PARTS and name not in _PARTS.get(parent.name, ()):
        rename(element, "div")
        _rename_paragraph(around.paragraph)
    elif (
        (name == "li" and _still(around.item, "li"))
        or (name in {"dd", "dt"} and _still(around.term, "dd", "dt"))
        or (name in HEADINGS and parent.name in HEADINGS)
        or (name == "form" and around.form is not None)
    ):
        rename(element, "div")
    elif (
        (name == "a" and _still(around.link, "a"))
        or (name == "button" and _still(around.button, "button"))
        or (name == "nobr" and _still(around.unbroken, "nobr"))
        or (name in {"rb", "rtc"} and parent.name in _IMPLIED_ENDS)
        or (name in {"rt", "rp"} and parent.name in _IMPLIED_ENDS - {"rtc"})
    ):
        rename(element, "span")


def _rename_paragraph(paragraph: Element | None) -> None:
    if _still(paragraph, "p"):
        assert paragraph is not None
        rename(paragraph, "div")


def _still(element: Element | None, *names: str) -> bool:
    """Return whether an element exists and still has its name."""
    return element is not None and element.name in names


def _entered(element: Element, around: _Around) -> _Around:  # noqa: PLR0911 - a table
    """Return the open elements around the children of an element."""
    name = element.name
    if element.namespace != "html":
        return _Around(link=around.link, form=around.form) if name == "foreignObject" else around
    if name in _MARKERS:
        return _Around(form=around.form)
    if name == "table":
        around = replace(around, paragraph=None, button=None, unbroken=None)
    if name in _SPECIAL:
        around = replace(around, item=element if name == "li" else None)
        around = replace(around, term=element if name in {"dd", "dt"} else None)
    match name:
        case "p":
            return replace(around, paragraph=element)
        case "a":
            return replace(around, link=element)
        case "button":
            return replace(around, button=element, paragraph=None)
        case "nobr":
            return replace(around, unbroken=element)
        case "form":
            return replace(around, form=element)
        case _:
            return around


def _table_children(parent: Element, around: _Around) -> Iterator[Element | str]:
    """Yield the children of a table's part; wrap those not allowed in the parts that CSS imagines."""
    allowed = _PARTS[parent.name] | {"form"} if around.form is None else _PARTS[parent.name]
    run: list[Element | str] = []
    for child in parent.children:
        if _may_stand_in_table(child, parent.name, allowed):
            yield from _wrapped(run, parent.name)
            run = []
            yield child
        else:
            run.append(child)
    yield from _wrapped(run, parent.name)


def _may_stand_in_table(child: Element | str, parent: str, allowed: frozenset[str]) -> bool:
    if isinstance(child, str):
        return not child.strip(WHITE_SPACE)
    if child.namespace != "html":
        return False
    if child.name == "input":
        return parent != "colgroup" and child.attributes.get("type", "").lower() == "hidden"
    if child.name == "form":
        return child.name in allowed and parent != "colgroup" and not child.children
    return child.name in allowed or (child.name == "style" and parent != "colgroup")


def _wrapped(run: list[Element | str], parent: str) -> list[Element | str]:
    """Return misplaced children of a table in the row and cell that they lack."""
    if not run or parent == "colgroup":
        return []
    names = {child.name for child in run if isinstance(child, Element) and child.namespace == "html"}
    wrapper = "tbody" if parent == "table" else "tr" if parent in _SECTIONS else "td"
    if parent == "table" and names == {"col"}:
        wrapper = "colgroup"
    return [Element(wrapper, children=run, is_content=all(map(is_content, run)))]


def neutral(element: Element) -> None:
    """Rename an element and all below it to names that the parser never moves: the last resort."""
    open_elements = [element]
    while open_elements:
        parent = open_elements.pop()
        parent.set_children(
            [child for child in parent.children if isinstance(child, str) or child.namespace == "html"]
        )
        for child in parent.children:
            if isinstance(child, Element) and child.name not in VOID | {"style", "iframe", "textarea"}:
                if child.name not in {"div", "template"}:
                    rename(child, "div")
                open_elements.append(child)
