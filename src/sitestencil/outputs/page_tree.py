"""Write a page with its head and the documents of its frames; a page that works alone runs no script.

`allowed_markup` lists everything it may hold. A content security policy in the file is a second wall.
"""

from collections.abc import Callable, Mapping

from sitestencil.outputs.allowed_markup import PAGE_RELATIONS, SITE_RELATIONS, Value, kind_of_value
from sitestencil.outputs.allowed_tree import Choice, allowed_page
from sitestencil.outputs.safe_writing import written
from sitestencil.outputs.secrets import text_without_tokens
from sitestencil.outputs.sprites import embed_sprites
from sitestencil.outputs.tree import Element, PageTree, elements
from sitestencil.page.document import Document

# Deeper frames are left out, as each level quotes the levels below once more.
DEEPEST_FRAME = 8
_LOADED = frozenset(
    {Value.IMAGE, Value.IMAGES, Value.MEDIA, Value.FRAME, Value.SHEET, Value.SPRITE, Value.STYLE, Value.PAINT}
)

Change = Callable[[PageTree], None]


def page_html(document: Document, choice: Choice, policy: str | None, base: str | None = None) -> str:
    """Return a page with the documents of its frames; see `page_tree`.

    Raises:
        CannotBeSaved: no HTML gives the same page again.
    """
    page = page_tree(document, choice, policy, base=base)
    return written(page.html, page.body, document.rendering_mode)


def page_tree(
    document: Document,
    choice: Choice,
    policy: str | None,
    title: str | None = None,
    base: str | None = None,
    change: Change = lambda _: None,
) -> PageTree:
    """Return the tree of a page with the documents of its frames written into it, innermost first.

    Args:
        document: the key page.
        choice: the parts to write.
        policy: the content security policy of the file; None for none.
        title: a title in place of the page's own.
        base: an http or https address for programs to resolve the page's other addresses against.
        change: changes each document's tree before it gets its head.

    Raises:
        CannotBeSaved: no HTML gives a frame's document again.
    """
    texts: dict[int, str] = {}
    (_, page), *frames = pages_with_frames(document, choice)
    for root, inner in reversed(frames):
        _finish(inner, texts, change)
        add_head(inner, policy)
        texts[root] = written(inner.html, inner.body, "no-quirks")
    _finish(page, texts, change)
    add_head(page, policy, title, base)
    return page


def _finish(page: PageTree, texts: Mapping[int, str], change: Change) -> None:
    """Put the written documents of frames into their elements, and change the tree."""
    for frame, root in page.frames:
        if root in texts:
            frame.attributes.pop("src", None)
            frame.attributes["srcdoc"] = texts[root]
    change(page)
    for element in elements(page.html):
        drop_tokens(element)
    embed_sprites(page, {}, lambda _: False)  # the links that are left


def drop_tokens(element: Element) -> None:
    """Apply the rule for links to the addresses of what a page loads; its files were found by them before."""
    for name, value in element.attributes.items():
        if kind_of_value(element.namespace, element.name, name) in _LOADED:
            element.attributes[name] = text_without_tokens(value)
    if element.name == "style":
        element.children = [
            text_without_tokens(child) if isinstance(child, str) else child for child in element.children
        ]


def pages_with_frames(document: Document, choice: Choice) -> list[tuple[int, PageTree]]:
    """Return the page and its frames' documents, outer ones first, each with the number of its root."""
    pages = [(0, allowed_page(document, 0, choice))]
    depths = [0]
    for number, (_, page) in enumerate(pages):  # the list grows during the loop
        if depths[number] < DEEPEST_FRAME:
            for _, root in page.frames:
                pages.append((root, allowed_page(document, root, choice)))
                depths.append(depths[number] + 1)
    return pages


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
