"""From HTML bytes to a document, with lexbor: the one parser whose tree is the browser's."""

from collections.abc import Mapping
from typing import cast

from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitestencil.page.document import NO_ATTRIBUTES, Document, TextRun
from sitestencil.page.gc_pause import collector_paused
from sitestencil.urls import resolve

_FOREIGN = frozenset({"svg", "math"})
_BYTE_ORDER_MARK = "\ufeff"


def parse(html: bytes | str, url: str, *, scripting: bool = False, charset: str | None = None) -> Document:
    """Parse a page into the element tree that a browser builds from the same bytes.

    Args:
        html: the page. Bytes are decoded by ``charset`` where it is given and known, else by a byte-order
            mark or ``meta`` declaration, else as UTF-8.
        url: the address the page was loaded from.
        scripting: parse ``noscript`` as a browser with scripting on does. The key page and its candidates
            must be parsed alike: the flag changes the tree of more than half of all pages.
        charset: the encoding named by the HTTP header.
    """
    with collector_paused():
        return _read(lexbor_root(html, scripting=scripting, charset=charset), url, scripting=scripting)


def _read(root: LexborNode | None, url: str, *, scripting: bool) -> Document:
    tags: list[str] = []
    parents: list[int] = []
    attributes: list[Mapping[str, str]] = []
    texts: list[TextRun] = []
    last_child: list[int] = []
    numbers: dict[int, int] = {}
    # Asking for a node's name costs more than for its number; TextRun(...) more than a tuple made into one.
    names: dict[int, str | None] = {}
    text_run = tuple.__new__
    for node in root.traverse(include_text=True) if root is not None else ():
        above = node.parent
        parent = numbers.get(above.mem_id, -1) if above is not None else -1
        if node.is_text_node:
            after = last_child[parent] if parent >= 0 else -1
            texts.append(text_run(TextRun, (parent, after, node.text_content or "")))
            continue
        name = node.tag_id
        tag = names[name] if name in names else names.setdefault(name, element_name(node))
        if tag is None:
            continue
        number = numbers[node.mem_id] = len(tags)
        if parent >= 0:
            last_child[parent] = number
        last_child.append(-1)
        tags.append(tag)
        parents.append(parent)
        found = node.attributes
        if not found:
            attributes.append(NO_ATTRIBUTES)
            continue
        if None in found.values():
            found = {key: value or "" for key, value in found.items()}
        attributes.append(cast("Mapping[str, str]", found))
    return Document(
        url=url,
        base=_base(tags, parents, attributes, url),
        tags=tags,
        parents=parents,
        attributes=attributes,
        texts=texts,
        scripting=scripting,
        doctype=_doctype(root),
    )


def lexbor_root(html: bytes | str, *, scripting: bool, charset: str | None) -> LexborNode | None:
    """Return the root element as the parser has it; the arguments are those of `parse`."""
    text = _decode(html, charset) if charset and isinstance(html, bytes) else html
    if isinstance(text, str):
        text = text.removeprefix(_BYTE_ORDER_MARK)
    return LexborHTMLParser(text, encoding=True, scripting=scripting).root


def element_name(node: LexborNode) -> str | None:
    """Return an element's name; None for a comment or another node that is no element."""
    tag: str | None = node.tag
    return tag if tag and tag[0] != "-" else None


def _doctype(root: LexborNode | None) -> str | None:
    node = root.prev if root is not None else None
    while node is not None and node.tag != "-doctype":
        node = node.prev
    return "html" if node is not None else None


def _decode(html: bytes, charset: str) -> bytes | str:
    if html.startswith((b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")):
        return html
    try:
        return html.decode(_WINDOWS.get(charset.lower(), charset), errors="replace")
    except LookupError:
        return html


# The labels that the Encoding Standard gives to Windows' supersets.
_WINDOWS = {
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "us-ascii": "cp1252",
    "ascii": "cp1252",
    "iso-8859-9": "cp1254",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
}


def _base(tags: list[str], parents: list[int], attributes: list[Mapping[str, str]], url: str) -> str:
    """Return the address of the first HTML ``base`` element that has one (HTML Standard, 2.4.3)."""
    if "base" not in tags:
        return url
    foreign: list[bool] = []
    for tag, parent, found in zip(tags, parents, attributes, strict=True):
        foreign.append(tag in _FOREIGN or (parent >= 0 and foreign[parent]))
        if tag == "base" and "href" in found and not foreign[-1]:
            return resolve(found["href"], url) or url
    return url


def is_html_base(node: LexborNode, foreign: dict[int, bool]) -> bool:
    """Return whether a parsed element sets the page's base: SVG and MathML have elements of that name, too.

    Args:
        node: the element.
        foreign: what is known of the elements around others, by their ``mem_id``; it grows.
    """
    if node.tag != "base" or "href" not in node.attributes:
        return False
    path: list[int] = []
    around = node.parent
    while around is not None and around.mem_id not in foreign:
        if around.tag in _FOREIGN:
            foreign[around.mem_id] = True
            break
        path.append(around.mem_id)
        around = around.parent
    inside = around is not None and foreign[around.mem_id]
    foreign.update(dict.fromkeys(path, inside))
    return not inside
