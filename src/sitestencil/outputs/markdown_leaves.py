"""Reduce the parts of lines that have no elements of Markdown inside: code, formulas, images, raised signs."""

import re
from collections.abc import Iterator, Set

from sitestencil.outputs.code_blocks import code_text
from sitestencil.outputs.formulas import tidy_tex
from sitestencil.outputs.plain_text import collapsed, counts_visits, picture_words, preformatted
from sitestencil.outputs.tree import Element, walk

# A relative address has no scheme; only a page of unknown address has any.
_IMAGE = re.compile(r"(?:https?://|(?!#|[a-z][a-z0-9+.-]*:).)", re.IGNORECASE)
_PLAYER = re.compile(
    r"https?://(?:[^/?#]*(?:player|video|vimeo|youtube)[^/?#]*/|[^?#]*/(?:embed|player|videos?)[/.?])",
    re.IGNORECASE,
)
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_NAMES_OF_DRAWINGS = frozenset({"title", "desc"})
# Signs that Unicode also has raised or lowered: without them ten to the sixth would be 106.
RAISED = {
    "sup": str.maketrans("0123456789+-\u2212=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ"),
    "sub": str.maketrans("0123456789+-\u2212=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎"),
}
_MOST_RAISED = 10
# A dollar sign alone is mostly a price.
_ENDS_TEX = {"\\(": "\\)", "\\[": "\\]", "$$": "$$"}
_BEGINS_TEX = re.compile(r"\\[(\[]|\$\$")
_IS_TEX = re.compile(r"[\\^_={]")  # otherwise two restaurants in the middle price range
_LONGEST_TEX = 2_000
_SIZE = re.compile(r"\d{1,6}(?:\.\d{1,6})?", re.ASCII)


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


def words_and_formulas(text: str) -> Iterator[Element | str]:
    r"""Yield a text in pieces: words, and the formulas that MathJax or KaTeX would find among them.

    >>> [getattr(piece, "children", piece) for piece in words_and_formulas(r"Let \(x_1\) be $$.")]
    ['Let ', ['x_1'], ' be $$.']
    """
    place = 0
    for found in _BEGINS_TEX.finditer(text):
        if found.start() < place:
            continue
        begin, ending = found.end(), _ENDS_TEX[found[0]]
        end = text.find(ending, begin, begin + _LONGEST_TEX)
        tex = tidy_tex(text[begin:end]) if end >= 0 else ""
        if tex and (ending != "$$" or _IS_TEX.search(tex)):
            is_block = found[0] != "\\("
            yield text[place : found.start()]
            yield Element("tex", attributes={"display": "block"} if is_block else {}, children=[tex])
            place = end + len(ending)
    yield text[place:]


def image(element: Element) -> Element | str:
    """Return an image, or the words that stand for it."""
    attributes = element.attributes
    if counts_visits(attributes):
        return ""
    address, words = attributes.get("src") or _largest(attributes.get("srcset", "")), picture_words(attributes)
    return Element("img", attributes={"src": address, "alt": words}) if _IMAGE.match(address) else words


def player(element: Element) -> Element | str:
    """Return a link to the film or sound that a frame plays; nothing for another frame."""
    attributes = element.attributes
    address = attributes.get("src", "")
    if not _PLAYER.match(address):
        return ""
    words = collapsed(attributes.get("title", "")).strip() or address.partition("//")[2].partition("/")[0]
    return Element("a", attributes={"href": address}, children=[words])


def raised(element: Element) -> str:
    """Return a superscript or subscript as signs of Unicode; empty where Unicode has not all of them.

    >>> raised(Element("sup", children=["-6"])), raised(Element("sup", children=["th"]))
    ('⁻⁶', '')
    """
    signs = RAISED[element.name]
    text = element.children[0] if len(element.children) == 1 else ""
    if not isinstance(text, str) or len(text) > _MOST_RAISED or not all(ord(sign) in signs for sign in text):
        return ""
    return text.translate(signs)


def says_nothing(element: Element, inside: Set[str]) -> bool:
    """Return whether an element has only a drawing's name, or a heading's link to itself.

    Args:
        element: the element.
        inside: the names of what is around it.
    """
    if element.name in _NAMES_OF_DRAWINGS:
        return element.namespace == "svg"
    if element.name == "a" and "#" in element.attributes.get("href", "") and not HEADINGS.isdisjoint(inside):
        return _is_sign(element)
    return False


def _is_sign(element: Element) -> bool:
    """Return whether an element holds neither a word nor an image."""
    for node, _ in walk(element):
        if node.name == "img" if isinstance(node, Element) else any(map(str.isalnum, node)):
            return False
    return True


def _largest(source_set: str) -> str:
    """Return the address of the largest image in a ``srcset``.

    >>> _largest("https://example.org/a.png 1x, https://example.org/b.png 2x")
    'https://example.org/b.png'
    """
    images = [image.partition(" ") for image in source_set.split(", ")]
    sizes = (_SIZE.match(size) for _, _, size in images)
    return max(zip((float(size[0]) if size else 1 for size in sizes), images, strict=True))[1][0]
