"""Parse HTML, or a tree of another parser, into a document with lexbor, whose tree equals the browser's."""

import re
import sys
from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Protocol, cast

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode, SelectolaxError

from sitestencil.errors import WrongArgument, shown
from sitestencil.page.document import NO_ATTRIBUTES, Document, TextRun
from sitestencil.page.encoding import decode
from sitestencil.page.gc_pause import collector_paused
from sitestencil.page.limits import check_levels, check_markup, copies_options
from sitestencil.page.noscript import may_go_on, read_contents
from sitestencil.page.parser_rules import written_mode
from sitestencil.page.shadow_trees import is_shadow_root, with_shadow_trees, without_mark
from sitestencil.page.without_scripts import show_without_scripts
from sitestencil.urls import base_address, resolve, without_user


class LxmlTree(Protocol):
    """An element or a tree of lxml."""

    def xpath(self, path: Any, /) -> Any:  # noqa: ANN401 - as lxml has it
        """Find by XPath."""


class SoupTree(Protocol):
    """A page or a tag of BeautifulSoup."""

    def prettify(self) -> Any:  # noqa: ANN401 - as BeautifulSoup has it
        """Write with indents."""


_XHTML = "{http://www.w3.org/1999/xhtml}"
# HTML, or a tree of it.
Markup = str | bytes | Document | LxmlTree | SoupTree


def written_tree(page: object) -> str | None:
    """Return a tree of lxml or BeautifulSoup as HTML, for our own parser; None for anything else.

    Neither is imported here: who has no such tree does not pay for it.

    >>> from lxml import html
    >>> written_tree(html.fromstring("<p>Rope & <br>knots")), written_tree("<p>Rope")
    ('<p>Rope &amp; <br>knots</p>', None)
    """
    etree, soup = sys.modules.get("lxml.etree"), sys.modules.get("bs4")
    if soup is not None and isinstance(page, soup.Tag):
        return str(page.decode())
    if etree is None or not isinstance(page, etree._Element | etree._ElementTree):
        return None
    from lxml import html

    # A root is written with its doctype, which decides how browsers lay the page out.
    is_root = isinstance(page, etree._Element) and page.getparent() is None
    tree = page.getroottree() if is_root else page
    if str((tree if isinstance(tree, etree._Element) else tree.getroot()).tag).startswith(_XHTML):
        tree = deepcopy(tree)
        html.xhtml_to_html(tree)
    return str(html.tostring(tree, encoding="unicode", with_tail=False))


# What HTML reads otherwise: as HTML, an empty script takes in the rest of the page.
_ONLY_XML = re.compile(r"<(?:script|style|title|textarea|iframe)\b[^<>]*/>|<!\[CDATA\[", re.IGNORECASE)
_DECLARATION = re.compile(r"\s*<\?xml\b")


def from_xhtml(text: str) -> str:
    """Return a page that is written in XML, and that HTML would read otherwise, as HTML; any other as it is.

    >>> from_xhtml('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><title/><p>A</p></html>')
    '<html><title></title><p>A</p></html>'
    """
    if not _DECLARATION.match(text) or _XHTML[1:-1] not in text or not _ONLY_XML.search(text):
        return text
    from lxml import etree, html

    try:
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        tree = etree.fromstring(text.partition("?>")[2].lstrip().encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:  # then no browser shows it
        return text
    html.xhtml_to_html(tree)
    etree.cleanup_namespaces(tree)
    doctype = "<!doctype html>" if "<!DOCTYPE" in text[:_HEAD] else ""
    return doctype + str(html.tostring(tree, encoding="unicode"))


_HEAD = 1_000
_FOREIGN = frozenset({"svg", "math"})
_MOST_BASES = 1_000
_BYTE_ORDER_MARK = "\ufeff"
_OPTIONS = LexborDocumentOptions.WO_EVENTS.value  # otherwise the parser takes minutes for long lists of options


def parse(
    html: bytes | str | LxmlTree | SoupTree,
    url: str,
    *,
    scripting: bool = False,
    charset: str | None = None,
    checked: bool = True,
) -> Document:
    """Parse a page into the element tree that a browser builds from the same bytes.

    Args:
        html: the page. `sitestencil.page.encoding.decode` decodes bytes. A tree of lxml or BeautifulSoup is read
            as a browser would read it as HTML.
        url: the address the page was loaded from.
        scripting: parse ``noscript`` like a browser with scripting on. Parse the key page and its candidates alike:
            the flag changes the tree of more than half of all pages.
        charset: the encoding named by the HTTP header.
        checked: refuse pathological markup, and read open shadow trees; False for HTML from this program itself.

    Raises:
        PageUnavailable: the page is nested too deeply, or has too many attributes or tags.
        WrongArgument: the page is something else.

    Example:
        >>> page = parse("<title>A page</title><p class='first last'>Text", "https://site.example/")
        >>> page
        <Document https://site.example/ of 5 elements>
        >>> page.tags
        ['html', 'head', 'title', 'body', 'p']
    """
    text = html if isinstance(html, bytes | str) else written_tree(html)
    if not isinstance(url, str):
        raise WrongArgument(f"url= takes the page's address as a str, not {shown(url)}.")
    if text is None:
        raise WrongArgument(f"HTML is bytes, str, or a tree of lxml or BeautifulSoup, not {shown(html)}.")
    with collector_paused():
        root = lexbor_root(text, scripting=scripting, charset=charset, checked=checked)
        return document_of(root, text, url, scripting=scripting, checked=checked)


def document_of(
    root: LexborNode | None, html: bytes | str, url: str, *, scripting: bool, checked: bool = True
) -> Document:
    """Return the document of a parsed page; the arguments are those of `parse`.

    Raises:
        PageUnavailable: the page is nested too deeply.
    """
    with collector_paused():
        doctype = _doctype(root)
        tags, parents, attributes, texts = columns(root) if root is not None else ([], [], [], [])
        if checked:
            check_levels(parents)
        url = without_user(url)
        base = html_base(root) if root is not None and "base" in tags else ""
        return Document(
            url=url,
            base=base_address(resolve(base, url) or url, url) if base else url,
            tags=tags,
            parents=parents,
            attributes=attributes,
            texts=texts,
            scripting=scripting,
            doctype=doctype,
            mode=written_mode(html) if doctype else "quirks",
        )


_Columns = tuple[list[str], list[int], list[Mapping[str, str]], list[TextRun]]


def columns(root: LexborNode) -> _Columns:
    """Return tags, parents, attributes and texts of a page's document.

    Args:
        root: as `lexbor_root` returns it.
    """
    tags: list[str] = []
    parents: list[int] = []
    attributes: list[Mapping[str, str]] = []
    texts: list[TextRun] = []
    last_child: list[int] = []
    numbers: dict[int, int] = {}
    # A node's name costs more than its number; TextRun(...) costs more than converting a tuple.
    names: dict[int, str | None] = {}
    text_run = tuple.__new__
    for node in root.traverse(include_text=True):
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
        if tag == "template" and is_shadow_root(node):
            found = without_mark(found)
        attributes.append(cast("Mapping[str, str]", found))
    return tags, parents, attributes, texts


def lexbor_root(
    html: bytes | str, *, scripting: bool, charset: str | None, checked: bool = True
) -> LexborNode | None:
    """Return the parser's root element; the arguments are those of `parse`.

    It includes open shadow trees, whose roots `sitestencil.page.shadow_trees` recognizes.

    Raises:
        PageUnavailable: as in `parse`.
        MemoryError: the parser got no memory.
    """
    text = decode(html, charset) if isinstance(html, bytes) else html
    apart = False
    if checked:
        text = from_xhtml(text)
        is_suspect = check_markup(text, scripting=scripting)
        apart = not scripting and may_go_on(text)
        if apart and is_suspect:
            check_markup(text, scripting=True)
        text = with_shadow_trees(text, scripting=apart)
    options = 0 if copies_options(text) else _OPTIONS
    try:
        whole = text.removeprefix(_BYTE_ORDER_MARK)
        root = LexborHTMLParser(whole, scripting=scripting or apart, options=options).root
    except SelectolaxError:  # any text is HTML, so memory has run out
        raise MemoryError from None
    if apart and root is not None:
        read_contents(root)
    if checked and not scripting and root is not None:
        show_without_scripts(root, text)
    return root


def element_name(node: LexborNode) -> str | None:
    """Return an element's name; None for a comment or another node that is not an element."""
    tag: str | None = node.tag
    if tag and tag[0] != "-":
        return "template" if is_shadow_root(node) else tag
    return None


def _doctype(root: LexborNode | None) -> str | None:
    node = root.prev if root is not None else None
    while node is not None and node.tag != "-doctype":
        node = node.prev
    return "html" if node is not None else None


def html_base(root: LexborNode) -> str:
    """Return the reference of a page's first HTML ``base`` that has one (HTML Standard, 2.4.3); empty without one.

    SVG and MathML have elements of that name, too.
    """
    for node in root.css("base[href]")[:_MOST_BASES]:
        around = node.parent
        while around is not None and around.tag not in _FOREIGN:
            around = around.parent
        if around is None:
            return node.attributes["href"] or ""
    return ""
