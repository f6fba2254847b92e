"""Write a page's head: descriptions of the site and the page, a file's own lines, and the comment at the top."""

from collections.abc import Mapping

from sitestencil.outputs.allowed_markup import PAGE_RELATIONS, SITE_RELATIONS
from sitestencil.outputs.tree import Element, PageTree

_SITE_META = frozenset(
    "viewport theme-color color-scheme application-name msapplication-tilecolor referrer".split()
)
_PAGE_META = frozenset("description keywords author robots date".split())
_PAGE_PROPERTIES = ("og:", "article:", "twitter:", "dc:")


def add_head(page: PageTree, policy: str | None, title: str | None = None, base: str | None = None) -> None:
    """Put encoding, policy, base and title at the start of the head.

    Browsers look for the encoding in the first kilobyte, and a policy may be long.
    """
    head: list[Element | str] = [Element("meta", attributes={"charset": "utf-8"}), "\n"]
    if policy is not None:
        head += [Element("meta", attributes={"http-equiv": "Content-Security-Policy", "content": policy}), "\n"]
    if base is not None:
        head += [Element("base", attributes={"href": base}), "\n"]
    if title is not None:
        head += [Element("title", children=[title]), "\n"]
    page.head.set_children([*head, *page.head.children])


def describes_site(name: str, attributes: Mapping[str, str]) -> bool:
    """Return whether an element of the head applies to every page of the site and loads nothing for scripts."""
    if name == "link":
        relations = _relations(attributes)
        return bool(relations & SITE_RELATIONS) and ("stylesheet" in relations or not relations & PAGE_RELATIONS)
    if name == "meta":
        return attributes.get("name", "").lower() in _SITE_META and "http-equiv" not in attributes
    return name == "style"


def describes_page(name: str, attributes: Mapping[str, str]) -> bool:
    """Return whether an element of the head describes the page or its site."""
    if name == "link":
        return bool(_relations(attributes) & (SITE_RELATIONS | PAGE_RELATIONS))
    if name == "meta":
        named = attributes.get("name", "").lower()
        described = named in _SITE_META | _PAGE_META or attributes.get("property", "").startswith(_PAGE_PROPERTIES)
        return described and "http-equiv" not in attributes
    return name in {"style", "title"}


def _relations(attributes: Mapping[str, str]) -> frozenset[str]:
    return frozenset(attributes.get("rel", "").lower().split())
