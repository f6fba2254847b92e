"""Change one page as scripts, servers and experiments change live pages, without changing its labels."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random

from sitestencil.page.document import Document
from sitestencil.site.links import page_in_site
from sitestencil.urls import resolve
from sitestencil_research.perturbations.editable_tree import (
    EditableElement,
    EditedDocument,
    edit_body,
    edit_element,
)

PageChange = Callable[[Document], EditedDocument]
_ANOTHER_SITE = "https://another-site.example/"


@dataclass(frozen=True, slots=True)
class HostMove:
    """A site's move from one host and port to another. Call it with a text to rename the host in addresses."""

    old: str
    new: str

    def __call__(self, text: str) -> str:
        """Return the text with the new host wherever an address has the old one; a leading ``www.`` stays."""
        return re.sub(
            rf"(//(?:www\.)?){re.escape(self.old)}(?=[/?#:\"'\s]|$)", rf"\g<1>{self.new}", text, flags=re.I
        )

    def back(self) -> "HostMove":
        """Return the reverse move."""
        return HostMove(self.new, self.old)


def wrapped(page: Document) -> EditedDocument:
    """Put a ``div`` around the body's content."""

    def edit(body: EditableElement) -> None:
        body.children = [EditableElement("div", {"class": "page-wrapper"}, body.children)]

    return edit_body(page, edit)


def with_empty_first_child(page: Document) -> EditedDocument:
    """Put an empty ``div`` before the body's content."""
    return edit_body(page, lambda body: body.children.insert(0, EditableElement("div")))


def with_consent_banner(page: Document) -> EditedDocument:
    """Put a consent banner before the body's content."""
    banner = EditableElement(
        "div",
        {"id": "consent-banner", "class": "consent consent--open", "role": "dialog", "aria-modal": "true"},
        [
            EditableElement("h2", {"class": "consent__title"}, ["We value your privacy"]),
            EditableElement(
                "p", {}, ["We use cookies. ", EditableElement("a", {"href": "#consent-details"}, ["Details"])]
            ),
            EditableElement("button", {"type": "button", "class": "consent__button"}, ["Accept all"]),
            EditableElement("button", {"type": "button", "class": "consent__button"}, ["Reject"]),
        ],
    )
    return edit_body(page, lambda body: body.children.insert(0, banner))


def with_leftovers_of_scripts(page: Document) -> EditedDocument:
    """Add the traces that scripts leave: classes on ``html`` and ``body``, and invisible nodes."""

    def edit(root: EditableElement) -> None:
        root.attributes = _with_classes(root.attributes, "js no-touch webfonts-active")
        for part in root.children:
            if isinstance(part, EditableElement) and part.tag == "head":
                part.children.insert(
                    0, EditableElement("script", {"async": "", "src": "https://tags.example/t.js"})
                )
                part.children.append(EditableElement("style", {"data-injected": ""}, [".late{display:none}"]))
            elif isinstance(part, EditableElement) and part.tag == "body":
                part.attributes = _with_classes(part.attributes, "loaded scrolled-top")
                part.children.insert(0, EditableElement("div", {"id": "app-root", "class": "reset"}))
                part.children += _invisible_nodes()

    return edit_element(page, 0, edit)


def with_last(page: Document, element: EditableElement) -> EditedDocument:
    """Put an element after the body's content."""
    return edit_body(page, lambda body: body.children.append(element))


def with_shuffled_attributes(page: Document) -> EditedDocument:
    """Shuffle each element's attributes; every page has its own order."""
    random = Random(page.url)  # noqa: S311 - no secret: every run must use the same order

    def shuffled(attributes: Mapping[str, str]) -> Mapping[str, str]:
        return dict(random.sample(list(attributes.items()), len(attributes)))

    return _with_attributes(page, shuffled)


def with_shuffled_classes(page: Document) -> EditedDocument:
    """Shuffle each element's class names; every page has its own order."""
    random = Random(page.url)  # noqa: S311 - no secret

    def shuffled(attributes: Mapping[str, str]) -> Mapping[str, str]:
        names = attributes.get("class", "").split()
        return {**attributes, "class": " ".join(random.sample(names, len(names)))} if names else attributes

    return _with_attributes(page, shuffled)


def on_host(page: Document, move: HostMove) -> Document:
    """Serve a page from another host, and point its absolute references to that host too."""

    def moved(attributes: Mapping[str, str]) -> Mapping[str, str]:
        return {name: move(value) for name, value in attributes.items()}

    return replace(_with_attributes(page, moved).document, url=move(page.url), base=move(page.base))


def without_links_to(page: Document, url: str, key_url: str) -> Document:
    """Point all links to a page of the site at another site, as if the page had never existed."""
    target = page_in_site(url, key_url)
    attributes = list(page.attributes)
    for element, reference in page.hyperlinks():
        address = resolve(reference, page.base)
        if address is not None and page_in_site(address, key_url) == target:
            attributes[element] = {**attributes[element], "href": _ANOTHER_SITE}
    return replace(page, attributes=attributes)


def _with_attributes(page: Document, change: Callable[[Mapping[str, str]], Mapping[str, str]]) -> EditedDocument:
    attributes = [change(of_element) if of_element else of_element for of_element in page.attributes]
    return EditedDocument.unchanged(replace(page, attributes=attributes))


def _with_classes(attributes: Mapping[str, str], names: str) -> Mapping[str, str]:
    return {**attributes, "class": f"{attributes.get('class', '')} {names}".strip()}


def _invisible_nodes() -> list[EditableElement]:
    return [
        EditableElement("div", {"style": "display: none; visibility: hidden", "aria-hidden": "true"}),
        EditableElement("iframe", {"style": "display: none", "title": "", "width": "0", "height": "0"}),
        EditableElement("script", {"src": "https://tags.example/late.js"}),
    ]
