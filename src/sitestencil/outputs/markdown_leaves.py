"""Reduce code, formulas and images, which have no elements of Markdown inside; each may give nothing."""

import re

from sitestencil.outputs.code_blocks import code_text
from sitestencil.outputs.plain_text import collapsed, preformatted
from sitestencil.outputs.tree import Element

# A relative address has no scheme; only a page of unknown address has any.
_IMAGE = re.compile(r"(?:https?://|(?!#|[a-z][a-z0-9+.-]*:).)", re.IGNORECASE)
_SIZE = re.compile(r"\d{1,6}(?:\.\d{1,6})?", re.ASCII)
_TINY = frozenset({"0", "1"})


def code_block(element: Element, language: str) -> Element | str:
    """Return code with lines of its own."""
    text = code_text(element)
    if not text.strip():
        return ""
    return Element("pre", attributes={"language": language}, children=[preformatted(text)])


def code(element: Element, *, in_cell: bool) -> Element | str:
    """Return code in a line. In a cell, an escaped bar would be two signs."""
    text = collapsed(code_text(element))
    if not text.strip() or (in_cell and "\\|" in text):
        return text
    return Element("code", children=[text])


def formula(element: Element, *, is_block: bool, in_cell: bool) -> Element | str:
    """Return a formula; one with lines of its own stays so where a block may be. A bar would end a cell."""
    tex = code_text(element)
    if in_cell:
        tex = tex.replace("\\|", r"\Vert ").replace("|", r"\vert ")
    shown = dict(element.attributes) if is_block else {}
    return Element("tex", attributes=shown, children=[tex]) if tex else ""


def image(element: Element) -> Element | str:
    """Return an image, or the words that stand for it."""
    own = element.attributes
    if _TINY.issuperset((own.get("width"), own.get("height"))):
        return ""  # it counts visits
    address, words = own.get("src") or _largest(own.get("srcset", "")), collapsed(own.get("alt", "")).strip()
    return Element("img", attributes={"src": address, "alt": words}) if _IMAGE.match(address) else words


def _largest(source_set: str) -> str:
    """Return the address of the largest image in a ``srcset``.

    >>> _largest("https://example.org/a.png 1x, https://example.org/b.png 2x")
    'https://example.org/b.png'
    """
    images = [image.partition(" ") for image in source_set.split(", ")]
    sizes = (_SIZE.match(size) for _, _, size in images)
    return max(zip((float(size[0]) if size else 1 for size in sizes), images, strict=True))[1][0]
