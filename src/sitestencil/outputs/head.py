"""The head of a page that is written: what describes its site, what describes the page, and what a file needs."""

from collections.abc import Mapping

from sitestencil.outputs.tree import Element, Page

# What a head says of this page only: it describes content, and no page built on the template.
_PAGE_LINKS = frozenset("canonical prev next shortlink amphtml alternate bookmark pingback author me".split())
_SHEET_OR_ICON = frozenset(
    "stylesheet icon shortcut apple-touch-icon apple-touch-icon-precomposed mask-icon fluid-icon license".split()
)
_SITE_META = frozenset(
    "viewport theme-color color-scheme generator application-name msapplication-tilecolor referrer".split()
)
_PAGE_META = frozenset("description keywords author robots date".split())
_PAGE_PROPERTIES = ("og:", "article:", "twitter:", "dc:")


def add_head(page: Page, policy: str | None, title: str | None = None, base: str | None = None) -> None:
    """Say encoding, policy, base and title first in the head, as a page in a file of its own must.

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
    """Return whether an element of the head is true of every page of the site, and loads nothing for scripts."""
    if name == "link":
        relations = _relations(attributes)
        return bool(relations & _SHEET_OR_ICON) and ("stylesheet" in relations or not relations & _PAGE_LINKS)
    if name == "meta":
        return attributes.get("name", "").lower() in _SITE_META and "http-equiv" not in attributes
    return name == "style"


def describes_page(name: str, attributes: Mapping[str, str]) -> bool:
    """Return whether an element of the head says what the page or its site is."""
    if name == "link":
        return bool(_relations(attributes) & (_SHEET_OR_ICON | _PAGE_LINKS))
    if name == "meta":
        named = attributes.get("name", "").lower()
        described = named in _SITE_META | _PAGE_META or attributes.get("property", "").startswith(_PAGE_PROPERTIES)
        return described and "http-equiv" not in attributes
    return name in {"style", "title"}


def _relations(attributes: Mapping[str, str]) -> frozenset[str]:
    return frozenset(attributes.get("rel", "").lower().split())
