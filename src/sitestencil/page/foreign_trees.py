"""Take the trees of lxml and BeautifulSoup as pages."""

import sys
from copy import deepcopy
from typing import Any, Protocol

from sitestencil.page.document import Document


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
