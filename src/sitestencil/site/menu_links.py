"""The links of a page that stand in its menus and lists: what may be loaded in a person's own session.

Where a page is fetched with the person's cookies, more depends on which one it is. So no link is followed that
stands in the midst of a text, or by itself: only those that lead to pages of the site, say nowhere that they act,
carry no secret (`site.followable`), and stand in a menu or a list.
"""

from sitestencil.page.document import Document
from sitestencil.site.links import Link, site_links

MOST = 40
_MENUS = frozenset("nav menu ul ol dl header footer aside".split())
_ROLES = frozenset("navigation menu menubar list tree tablist directory banner contentinfo complementary".split())


def menu_links(document: Document) -> list[Link]:
    """Return the links to other pages of a page's site that stand in its menus and lists, at most `MOST` of them.

    Example:
        >>> from sitestencil import parse
        >>> page = "<ul><li><a href='/a'>A</a><li><a href='/logout'>Log out</a></ul><p>See <a href='/b'>b</a>."
        >>> [link.url for link in menu_links(parse(page, "https://site.example/"))]
        ['https://site.example/a']
    """
    links = (link for link in site_links(document) if _is_in_menu(document, link.element))
    return sorted(links, key=lambda link: link.element)[:MOST]


def _is_in_menu(document: Document, element: int) -> bool:
    return any(
        document.tags[above] in _MENUS or document.attributes[above].get("role", "").strip().lower() in _ROLES
        for above in document.path(element)
    )
