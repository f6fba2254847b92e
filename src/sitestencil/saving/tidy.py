"""Tidy a saved layout: remove what scripts and visits left, and break lines where no browser shows white space.

Hidden fields, trackers' marks and unused filters go. White space becomes a line break with an indent. It is added
only between blocks, where none of it shows, and only where all style sheets are known. Text in `pre` and the like,
and where a rule may keep white space, stays as it is.
"""

import re
from collections.abc import Sequence

import ada_url

from sitestencil.outputs.names import NAMES
from sitestencil.outputs.tree import WHITE_SPACE, ContentText, Element, PageTree, elements
from sitestencil.saving.style_matching import Elements, elements_with, words_of
from sitestencil.urls import UNKNOWN_ADDRESS

_RUN_OF_BLANK_LINES = re.compile(r"\n(?:[ \t\f\r]*\n){2,}")
_LINES = re.compile(r"(?<![ \t\f\r])[ \t\f\r]*+\n[ \t\n\f\r]*+")
_DEEPEST = 10  # levels of indent
# Between two characters of an alphabet, as a line break between others is no space in some browsers.
_LONG = re.compile(r"([^\n]{60,115}[!-\u10ff]) (?=[!-\u10ff])")
# White space in them may show.
_AS_TYPED = frozenset({"pre", "textarea", "code", "samp", "kbd"})
_TYPED = re.compile(
    r"white-space[a-z-]{0,20}+\s*+:\s*+(?!normal|nowrap|collapse|inherit)|(?<![\w-])all\s*+:", re.IGNORECASE
)
_IN_LINE = re.compile(
    r"(?<![\w-])(?:display\s*+:\s*+(?!block|flex|grid|none|table|list-item|flow-root|-webkit-(?:box|flex)|-ms-)"
    r"|all\s*+:)",
    re.IGNORECASE,
)
_BLOCKS = NAMES["blocks"]
_NEVER_SHOWN = {"head": frozenset("link meta style title".split()), "select": frozenset({"option", "optgroup"})}
_SVG_TEXT = frozenset("text tspan textPath title desc foreignObject".split())
_TRACKS = re.compile(
    r"data-(?:[\w-]+-)?(?:ga4?|gtm|gtag|track\w*|analytics|pixel|impression\w*|visit\w*|session\w*|reactid|uu?id|nonce|"
    r"timestamp|(?:page|post|user|node|entry|object)-?id)(?:-[\w-]*)?"
)
_PAGE_NUMBER = re.compile(r"(?:page|post|node|entry|parent|term|category|author)-?(?:id-?)?\d+")
_REFERENCE = re.compile(r"#([^\s\"'()]+)")
_DEFINED = frozenset("filter linearGradient radialGradient clipPath mask pattern marker".split())
_MOST_ROUNDS = 5


def tidy(page: PageTree, sheets: Sequence[str], known: Elements, *, are_all: bool) -> None:
    """Break and indent the lines of a page's tree.

    Args:
        page: the tree to change.
        sheets: the rules of its style sheets.
        known: its elements.
        are_all: whether the page has no other rules.
    """
    typed, in_line = elements_with((_TYPED, _IN_LINE), sheets, known)
    open_elements = [(page.head, 0), (page.body, 1)]
    while open_elements:
        element, depth = open_elements.pop()
        if element.name == "style":
            element.children = [
                _RUN_OF_BLANK_LINES.sub("\n\n", child) if isinstance(child, str) else child
                for child in element.children
            ]
        elif not (element.name in _AS_TYPED or element in typed or _TYPED.search(_style(element))):
            _indent(element, depth, blocks_are_known=are_all, in_line=in_line)
            open_elements += ((child, depth + 1) for child in element.children if isinstance(child, Element))


def _style(element: Element) -> str:
    return element.attributes.get("style", "")


def _indent(element: Element, depth: int, *, blocks_are_known: bool, in_line: set[Element]) -> None:
    joined = Element(element.name)
    joined.set_children(element.children)
    line, last_line = _line(depth), _line(depth - 1)
    last = len(joined.children) - 1
    element.children = [
        _in_lines(child, line, last_line if number == last else line, are_known=blocks_are_known)
        if type(child) in {str, ContentText}
        else child
        for number, child in enumerate(joined.children)
    ]
    if _holds_blocks(element, in_line, are_known=blocks_are_known):
        inner = [child for child in element.children if isinstance(child, Element)]
        element.children = [part for child in inner for part in (line, child)] + [last_line]


def _line(depth: int) -> str:
    return "\n" + "\t" * max(0, min(depth, _DEEPEST))


def _in_lines(text: "Element | str", line: str, last_line: str, *, are_known: bool) -> str:
    assert isinstance(text, str)
    kind = type(text)
    words = text.strip(WHITE_SPACE)
    if not words:
        return kind(last_line if "\n" in text else text)
    start = text.index(words)
    before, after = text[:start], text[start + len(words) :]
    if are_known:
        words = _LONG.sub(rf"\1{line}", _LINES.sub(line, words))
    return kind(f"{line if chr(10) in before else before}{words}{last_line if chr(10) in after else after}")


def _holds_blocks(element: Element, in_line: set[Element], *, are_known: bool) -> bool:
    """Return whether an element has children, and white space shows around none of them."""
    inner = [child for child in element.children if not isinstance(child, str) or child.strip(WHITE_SPACE)]
    if not inner or not all(isinstance(child, Element) for child in inner):
        return False
    children = [child for child in inner if isinstance(child, Element)]
    if element.namespace == "svg":
        return (
            element.name not in _SVG_TEXT
            and len(children) > 1
            and all(child.namespace == "svg" for child in children)
        )
    if element.name in _NEVER_SHOWN:
        return all(child.name in _NEVER_SHOWN[element.name] for child in children)
    return are_known and all(
        child.name in _BLOCKS and child not in in_line and not _IN_LINE.search(_style(child)) for child in children
    )


def remove_leftovers(page: PageTree, sheets: Sequence[str], *, are_all: bool) -> None:
    """Remove hidden fields, trackers' marks and unused definitions of SVG, but nothing that a rule may name.

    A form's address keeps its path alone.

    Args:
        page: the tree to change.
        sheets: the rules of its style sheets.
        are_all: whether the page has no other rules.
    """
    css = "\n".join(sheets)
    named = set(words_of(css))
    for element in elements(page.html):
        attributes = element.attributes
        element.children = [child for child in element.children if not _is_hidden_field(child)]
        for name in [name for name in attributes if _TRACKS.fullmatch(name) and name not in named]:
            del attributes[name]
        if are_all and "class" in attributes and _PAGE_NUMBER.search(attributes["class"]):
            names = attributes["class"].split()
            attributes["class"] = " ".join(
                name for name in names if name.lower() in named or not _PAGE_NUMBER.fullmatch(name)
            )
        if element.name == "form" and "action" in attributes:
            path = ada_url.URL(attributes["action"], UNKNOWN_ADDRESS).pathname
            attributes["action"] = f"/{path.lstrip('/')}"
    if are_all:
        for _ in range(_MOST_ROUNDS):
            if not _remove_definitions(page, set(_REFERENCE.findall(css))):
                break


def _is_hidden_field(node: Element | str) -> bool:
    kind = node.attributes.get("type", "") if isinstance(node, Element) and node.name == "input" else ""
    return kind.strip().lower() == "hidden"


def _remove_definitions(page: PageTree, named: set[str]) -> bool:
    """Remove the definitions of SVG that nothing names; return whether there were any."""
    drawn = [element for element in elements(page.body) if element.namespace == "svg"]
    if not drawn:
        return False
    for element in elements(page.html):
        for value in element.attributes.values():
            if "#" in value:
                named.update(_REFERENCE.findall(value))
    is_changed = False
    for element in drawn:
        kept = [child for child in element.children if not _is_unused(element, child, named)]
        is_changed = is_changed or len(kept) < len(element.children)
        element.children = kept
    return is_changed


def _is_unused(parent: Element, child: Element | str, named: set[str]) -> bool:
    if isinstance(child, str) or not (parent.name == "defs" or child.name in _DEFINED):
        return False
    return named.isdisjoint(element.attributes.get("id", "") for element in elements(child))
