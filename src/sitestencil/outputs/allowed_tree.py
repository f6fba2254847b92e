"""Build the tree to write from a document: drop, rename or unwrap elements that may not be saved."""

import re
from base64 import b64decode
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from sitestencil.errors import CannotBeSaved
from sitestencil.outputs.allowed_markup import (
    DROPPED,
    ELEMENTS,
    IN_HEAD,
    RENAMED,
    VOID,
    AttributeRules,
    is_custom_element,
)
from sitestencil.outputs.safe_addresses import Base, Growth, image_address
from sitestencil.outputs.safe_css import safe_css
from sitestencil.outputs.secrets import keeps_typed_text
from sitestencil.outputs.tree import WHITE_SPACE, Element, PageTree, texts_by_place
from sitestencil.page.document import Document
from sitestencil.page.html_names import NO_PAGE_TEXT, SHADOW_HOSTS
from sitestencil.page.parser_rules import Namespace

_TEXT_ONLY = frozenset({"option", "textarea", "title"})
_SVG_TEXT = frozenset({"title", "desc"})
_MATH_TEXT = frozenset({"mi", "mo", "mn", "ms", "mtext"})
# Of all else that may not stand in a formula the words stay.
_NO_WORDS = DROPPED | NO_PAGE_TEXT | frozenset("annotation annotation-xml datalist iframe select textarea".split())
_CHOICES_OF = {"select": {"option", "optgroup"}, "optgroup": {"option"}}
_SHADOW_OPTIONS = ("shadowrootdelegatesfocus", "shadowrootclonable", "shadowrootserializable")
_SWITCHES_ON = re.compile(r"\bmedia\s*=|\brel\s*=\s*['\"]stylesheet", re.IGNORECASE)
_DATA_SHEET = re.compile(r"\s*data:text/css[^,]*?(;\s*base64)?,(.*)", re.IGNORECASE | re.DOTALL)
_IMAGE_ENDINGS = (".svg", ".png", ".gif", ".jpg", ".jpeg", ".webp", ".avif")
# No honest page comes near these bounds: the parser that checks the output takes quadratic time.
_DEEPEST = 16_000
_MOST_OPTIONS = 5_000


@dataclass(frozen=True, slots=True)
class Choice:
    """The parts of a document to write.

    Attributes:
        keep: per element, whether to write it; a dropped element takes everything below it along.
        text: returns the text to write for a text run, by its number.
        attributes: returns an element's attributes before cleaning.
        in_head: returns whether an element of the head stays, by its name and attributes.
        is_content: returns whether an element's whole subtree is content.
        form_values: whether to write the values of text fields.
        instead: the text to write for a dropped element of the body.
        frame_bases: the base addresses of frames' documents, by their root.
        adopted_sheets: CSS outside the texts, by the element of a shadow root or the root of a document.
        growth: limits the addresses of the page and its frames.
    """

    keep: Sequence[bool]
    text: Callable[[int], str]
    attributes: Callable[[int], Mapping[str, str]]
    in_head: Callable[[str, Mapping[str, str]], bool]
    is_content: Callable[[int], bool] = lambda _: False
    form_values: bool = False
    instead: str = ""
    frame_bases: Mapping[int, str] = field(default_factory=dict)
    adopted_sheets: Mapping[int, str] = field(default_factory=dict)
    growth: Growth = field(default_factory=Growth)


def allowed_page(document: Document, root: int, choice: Choice) -> PageTree:
    """Return the tree to write for the document whose ``html`` element is `root`.

    Raises:
        CannotBeSaved: the page is nested too deeply, or its addresses grow too much.
    """
    return _Builder(document, root, choice).build()


class _Builder:
    def __init__(self, document: Document, root: int, choice: Choice) -> None:
        self._document = document
        self._root = root
        self._choice = choice
        self._base = Base(choice.frame_bases.get(root, document.base), choice.growth)
        self._rules = AttributeRules(self._base, form_values=choice.form_values)
        self._head, self._body = Element("head"), Element("body")
        self._html = Element("html", children=[self._head, self._body])
        self._frames: list[tuple[Element, int]] = []
        self._seen: set[str] = set()
        self._has_uses = False
        self._element = root  # the current element
        self._first_texts, self._texts_after = texts_by_place(document, root)
        # The current element's ancestors, each with the container of its children.
        self._open: list[tuple[int, Element]] = []

    def build(self) -> PageTree:
        ends, keep = self._document.ends, self._choice.keep
        self._open_element(self._root, self._root_container())
        element, end = self._root + 1, ends[self._root]
        while element < end:
            while ends[self._open[-1][0]] <= element:
                self._close_element()
            container, self._element = self._open[-1][1], element
            entered = self._enter(element, container) if keep[element] else None
            if entered is None:
                if not keep[element]:
                    self._add_instead(container)
                self._add_texts(container, self._texts_after.get(element, ()))
                element = ends[element]
            else:
                self._open_element(element, entered)
                element += 1
        while self._open:
            self._close_element()
        self._add_adopted(self._root, self._head)
        return PageTree(self._html, self._head, self._body, self._frames, self._has_uses)

    def _open_element(self, element: int, container: Element) -> None:
        self._add_texts(container, self._first_texts.get(element, ()))
        self._open.append((element, container))
        if len(self._open) > _DEEPEST:
            raise CannotBeSaved(f"This page nests its elements more than {_DEEPEST:,} deep, too deep to be saved.")

    def _close_element(self) -> None:
        element, container = self._open.pop()
        if container.name == "template":
            self._add_adopted(element, container)
        if self._open:
            self._add_texts(self._open[-1][1], self._texts_after.get(element, ()))

    def _root_container(self) -> Element:
        is_html = self._document.tags[self._root] == "html"
        return self._take_over(self._html if is_html else self._body, self._root)

    def _enter(self, element: int, container: Element) -> Element | None:
        """Add an element if it is allowed; return the container of its children, or None to drop them."""
        name = self._document.tags[element]
        namespace = self._document.namespaces.get(element, "html")
        if container is self._html and namespace == "html":
            if name in {"head", "body", "frameset"} and name not in self._seen:
                self._seen.add(name)
                return self._take_over(self._head if name == "head" else self._body, element)
            if name == "head":
                return None
        if container is self._head:
            return self._enter_in_head(element, name, namespace)
        parent = self._body if container is self._html else container
        return self._enter_in_body(element, name, namespace, parent)

    def _take_over(self, target: Element, element: int) -> Element:
        target.attributes.update(self._rules.of("html", target.name, self._choice.attributes(element)))
        return target

    def _enter_in_head(self, element: int, name: str, namespace: Namespace) -> Element | None:
        if namespace != "html" or (name in DROPPED and name not in IN_HEAD):
            return None
        if name not in IN_HEAD:
            return self._head  # its children take its place: style sheets may be among them
        if name in {"link", "style"}:
            return self._enter_sheet(name, self._own(element), self._head)
        attributes = self._choice.attributes(element)
        return (
            self._add(self._head, name, namespace, attributes) if self._choice.in_head(name, attributes) else None
        )

    def _enter_sheet(self, name: str, attributes: Mapping[str, str], parent: Element) -> Element | None:
        """Add a style sheet, or a link of the head; the rules in an address become a ``style``."""
        is_inert = name == "style" and attributes.get("type", "").strip().lower() not in {"", "text/css"}
        in_head = parent is self._head or name == "link"
        if is_inert or (in_head and not self._choice.in_head(name, attributes)):
            return None
        if name == "link" and (css := _css_in(attributes)) is not None:
            kept = {key: attributes[key] for key in ("media", "id", "title") if key in attributes}
            self._add(parent, "style", "html", kept).children.append(safe_css(css, self._base))
            return None
        return self._add(parent, name, "html", attributes)

    def _own(self, element: int) -> Mapping[str, str]:
        """Return an element's attributes; a sheet that its own script switches on is on."""
        attributes = self._choice.attributes(element)
        script = attributes.get("onload", "") if self._document.tags[element] == "link" else ""
        return {**attributes, "media": "all", "rel": "stylesheet"} if _SWITCHES_ON.search(script) else attributes

    def _enter_in_body(self, element: int, name: str, namespace: Namespace, parent: Element) -> Element | None:
        attributes = self._own(element)
        if namespace == "html" and name == "html":
            if parent.name == "iframe":
                self._frames.append((parent, element))
            return None
        if parent.name in VOID or parent.name in {"iframe", "style"}:
            return None
        if namespace == "html" and (parent.namespace == "html" or parent.name == "foreignObject"):
            return self._enter_html(name, attributes, parent)
        if namespace == "svg" and name == "style":
            self._add_svg_style(element)
            return None
        if name not in ELEMENTS[namespace] or not _may_stand_in(parent, namespace, name):
            keeps_words = parent.namespace == "math" and namespace != "svg" and name not in _NO_WORDS
            return parent if keeps_words else None
        return self._add(parent, name, namespace, attributes)

    def _enter_html(self, name: str, attributes: Mapping[str, str], parent: Element) -> Element | None:
        if name == "template":
            return self._shadow_root(attributes, parent)
        if name in {"object", "embed"} and (image := self._pictured(attributes)) is not None:
            self._add(parent, "img", "html", {**attributes, "src": image, "alt": attributes.get("title", "")})
            return None
        if name in DROPPED or (name == "option" and len(parent.children) >= _MOST_OPTIONS):
            return None
        if parent.name in _TEXT_ONLY or name not in _CHOICES_OF.get(parent.name, {name}):
            return parent
        if name in {"link", "style"}:
            return self._enter_sheet(name, attributes, parent)
        written = self._allowed_name(name, parent)
        return self._add(parent, written, "html", attributes)

    def _allowed_name(self, name: str, parent: Element) -> str:
        written = RENAMED.get(name, name)
        known = written in ELEMENTS["html"] or is_custom_element(written)
        if not known or (name == "option" and parent.name not in {"select", "optgroup", "datalist"}):
            return "span"
        if name == "optgroup" and parent.name != "select":
            return "span"
        return "div" if written in {"html", "head", "body"} else written

    def _add(self, parent: Element, name: str, namespace: Namespace, attributes: Mapping[str, str]) -> Element:
        return self._append(parent, Element(name, namespace, self._rules.of(namespace, name, attributes)))

    def _append(self, parent: Element, made: Element) -> Element:
        made.number, made.is_content = self._element, self._choice.is_content(self._element)
        parent.children.append(made)
        self._has_uses |= made.name == "use"
        return made

    def _shadow_root(self, given: Mapping[str, str], host: Element) -> Element | None:
        """Return a shadow root's element; it must be the first child of an element that may host one."""
        may_have_one = host.namespace == "html" and (host.name in SHADOW_HOSTS or is_custom_element(host.name))
        if given.get("shadowrootmode") != "open" or not may_have_one or host.children:
            return None
        attributes = {"shadowrootmode": "open", **{name: "" for name in _SHADOW_OPTIONS if name in given}}
        return self._append(host, Element("template", "html", attributes))

    def _add_adopted(self, element: int, container: Element) -> None:
        css = self._choice.adopted_sheets.get(element, "")
        if css:
            container.children.append(Element("style", children=[safe_css(css, self._base)]))

    def _pictured(self, attributes: Mapping[str, str]) -> str | None:
        """Return the address of the image in an ``object`` or ``embed``; SVG logos were embedded so."""
        address = attributes.get("data") or attributes.get("src") or ""
        path = address.partition("?")[0].partition("#")[0].lower()
        if attributes.get("type", "").lower().startswith("image/") or path.endswith(_IMAGE_ENDINGS):
            return image_address(address, self._base)
        return None

    def _add_svg_style(self, element: int) -> None:
        """Move the rules of an SVG ``style`` into an HTML one: they apply to the whole page or shadow tree."""
        text = "".join(self._choice.text(number) for number in self._first_texts.get(element, ()))
        if text.strip():
            around = (container for _, container in reversed(self._open) if container.name == "template")
            home = next(around, self._head)
            home.children.append(Element("style", children=[safe_css(text, self._base)]))

    def _add_texts(self, container: Element, runs: Sequence[int]) -> None:
        for number in runs:
            text = self._choice.text(number)
            if container is self._html:
                if text.strip(WHITE_SPACE):
                    self._body.add(text)
            elif container.name == "style":
                container.add(safe_css(text, self._base))
            elif self._holds_text(container, text):
                container.add(text)

    def _add_instead(self, container: Element) -> None:
        in_body = container is not self._html and container is not self._head
        if (
            in_body
            and self._document.tags[self._element] not in NO_PAGE_TEXT
            and self._holds_text(container, self._choice.instead)
        ):
            container.add(self._choice.instead)

    def _holds_text(self, container: Element, text: str) -> bool:
        if container is self._head or container.name in {"select", "optgroup", "datalist"}:
            return not text.strip(WHITE_SPACE)
        if container.name == "textarea":
            return keeps_typed_text(container.attributes, form_values=self._choice.form_values)
        return container.name not in VOID and container.name != "iframe"


def _css_in(link: Mapping[str, str]) -> str | None:
    """Return the rules in the address (``data:``) of a style sheet's link; None for any other."""
    found = _DATA_SHEET.match(link.get("href", ""))
    if found is None or "stylesheet" not in link.get("rel", "").lower().split() or "disabled" in link:
        return None
    content = unquote_to_bytes(found[2])
    with suppress(ValueError):
        return (b64decode(content) if found[1] else content).decode("utf-8", "replace")
    return None


def _may_stand_in(parent: Element, namespace: Namespace, name: str) -> bool:
    """Return whether an element of SVG or MathML may be a child of a written element."""
    if namespace == "html":
        return False
    if parent.namespace == "html":
        return name == namespace and parent.name not in _TEXT_ONLY and parent.name not in _CHOICES_OF
    if parent.namespace != namespace:
        return False
    if namespace == "svg":
        return parent.name not in _SVG_TEXT and parent.name != "foreignObject"
    return parent.name not in _MATH_TEXT
