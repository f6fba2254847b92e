"""Convert a document to an lxml tree, for XPath and cssselect users."""

from typing import NamedTuple

from sitestencil.errors import PackageMissing
from sitestencil.page.document import Document

try:
    from lxml import etree, html
except ModuleNotFoundError:
    raise PackageMissing("The tree needs lxml.", "lxml") from None

# Characters that XML and lxml forbid and browsers allow.
_FORBIDDEN = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF, *range(0xD800, 0xE000)])


class Tree(NamedTuple):
    """An lxml tree and its elements in document order, with the document's numbers."""

    root: html.HtmlElement
    elements: list[html.HtmlElement]

    def __repr__(self) -> str:
        """Return the size of the tree."""
        return f"<Tree of {len(self.elements)} elements>"


def lxml_tree(document: Document) -> Tree:
    """Return an lxml tree with the document's elements in the same order.

    Names and attributes are the browser's. In a name that XML does not allow (``<a:b@c>``, an attribute ``"``),
    underscores replace the forbidden characters. Texts lose their control characters. lxml can hold neither.
    """
    elements: list[html.HtmlElement] = []
    for tag, parent, attributes in zip(document.tags, document.parents, document.attributes, strict=True):
        if parent < 0:
            element = html.html_parser.makeelement(_name(tag))
        else:
            element = etree.SubElement(elements[parent], _name(tag))
        for name, value in attributes.items():
            element.set(_name(name), value.translate(_FORBIDDEN))
        elements.append(element)
    for parent, after, raw_text in document.texts:
        text = raw_text.translate(_FORBIDDEN)
        if after < 0:
            elements[parent].text = (elements[parent].text or "") + text
        else:
            elements[after].tail = (elements[after].tail or "") + text
    return Tree(elements[0], elements)


def _name(name: str) -> str:
    if name.isascii() and name.replace("-", "").isalnum() and name[0].isalpha():
        return name
    safe = "".join(c if c.isalnum() or c in "-_." else "_" for c in name.translate(_FORBIDDEN))
    return safe if safe and (safe[0].isalpha() or safe[0] == "_") else f"_{safe}"
