"""Imitate content: the same elements, meaningless words, grey pictures."""

from collections.abc import Sequence
from itertools import cycle

from sitestencil.outputs.tree import Element, walk

PICTURE = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 3 2' preserveAspectRatio='none'%3E"
    "%3Crect width='3' height='2' fill='%23ccd3da'/%3E%3C/svg%3E"
).replace(" ", "%20")
_WORDS = """
lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna
aliqua ut enim ad minim veniam quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat
duis aute irure dolor in reprehenderit in voluptate velit esse cillum dolore eu fugiat nulla pariatur
""".split()
# Attributes that give a size; all others are content.
_ATTRIBUTES = frozenset(
    "class dir width height colspan rowspan span type start size cols rows align valign".split()
)
_PICTURES = frozenset("img svg video canvas iframe picture audio".split())
_FIELDS_OF_TEXT = frozenset({"textarea", "option"})


def lorem(nodes: "Sequence[Element | str]") -> "list[Element | str]":
    """Return nodes of the same shape with meaningless words."""
    words = cycle(_WORDS)
    root = Element("div")
    open_elements = [root]
    hidden = 0  # the number of open pictures; everything inside them is dropped
    for node, is_end in walk(*nodes):
        if isinstance(node, str):
            if not hidden:
                open_elements[-1].add(_filler(node, words))
        elif node.name in _PICTURES or node.name in _FIELDS_OF_TEXT or node.namespace == "math":
            if not is_end and not hidden:
                open_elements[-1].add(_still(node))
            hidden += -1 if is_end else 1
        elif not hidden:
            if is_end:
                open_elements.pop()
            else:
                made = Element(node.name, node.namespace, _shape(node))
                open_elements[-1].add(made)
                open_elements.append(made)
    return root.children


def _filler(text: str, words: "cycle[str]") -> str:
    """Return words about as long as a text, with the white space around it."""
    stripped = text.strip()
    if not stripped:
        return text
    filler = next(words)
    while len(filler) < len(stripped):
        filler = f"{filler} {next(words)}"
    filler = filler[: max(len(stripped), 1)].rstrip()
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{before}{filler.capitalize() if stripped[0].isupper() else filler}{after}"


def _still(element: Element) -> Element:
    """Return the substitute of a picture, a film or a field."""
    if element.name in _FIELDS_OF_TEXT:
        return Element(element.name, "html", _shape(element))
    return Element("img", "html", {**_shape(element), "src": PICTURE, "alt": ""})


def _shape(element: Element) -> dict[str, str]:
    shape = {name: value for name, value in element.attributes.items() if name in _ATTRIBUTES}
    if element.name == "template":
        return dict(element.attributes)
    return shape
