"""The elements, attributes and kinds of values that a saved page may hold, and the cleaning of the values.

The lists are in ``allowed_markup.txt``.
Names are compared exactly: ``SCRIPT`` and ``foreignobject``, which only scripts can create, are other names.
Custom elements (``x-card``) stay, because no script defines them.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from itertools import islice

from sitestencil.outputs.names import names_in
from sitestencil.outputs.safe_addresses import (
    action_address,
    fragment_address,
    image_address,
    link_address,
    source_set,
    web_address,
)
from sitestencil.outputs.safe_css import safe_css
from sitestencil.outputs.secrets import field_value, without_secrets
from sitestencil.page.parser_rules import Namespace
from sitestencil.page.without_scripts import with_later_images
from sitestencil.urls import cached_if_short

_MOST_ATTRIBUTES = 1_000  # of one element: the parser that checks the output takes quadratic time
_TARGETS = frozenset({"_blank", "_self", "_parent", "_top"})
# Scripts load an image from these when it comes into view; no saved page has such scripts.
_IMAGES = frozenset({"img", "source"})
_LATER = re.compile(r"(?<!\S)lazyload(?:ing)?(?!\S)")  # style sheets hide such an image
_ICONS = frozenset({"icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon", "fluid-icon"})


class Value(StrEnum):
    """The kind of an attribute's value, which decides how it is cleaned."""

    TEXT = "text"
    DATA = "data"  # for scripts
    LINK = "link"  # an address that a person may follow
    ACTION = "action"  # the address of a form
    IMAGE = "image"
    IMAGES = "images"  # srcset
    MEDIA = "media"  # sound or film
    FRAME = "frame"
    SHEET = "sheet"  # a style sheet or an icon
    SPRITE = "sprite"  # an element of this page or of another SVG file
    RELATIONS = "relations"  # kinds of links
    CITED = "cited"  # the address of a source
    FRAGMENT = "fragment"  # an address within the page
    STYLE = "style"  # CSS declarations
    PAINT = "paint"  # a CSS value
    TARGET = "target"  # where a link opens
    FIELD = "field"


_LISTS = names_in("allowed_markup.txt")
VOID = frozenset(_LISTS["void"])
ELEMENTS: dict[Namespace, frozenset[str]] = {
    "html": VOID.union(_LISTS["html"]),
    "svg": frozenset(_LISTS["svg"]),
    "math": frozenset(_LISTS["math"]),
    "other": frozenset(),
}
RENAMED = _LISTS["renamed"]
DROPPED = frozenset(_LISTS["dropped"])
IN_HEAD = frozenset({"meta", "link", "style", "title"})
SITE_RELATIONS = frozenset(_LISTS["relations of the site"])
PAGE_RELATIONS = frozenset(_LISTS["relations of the page"])
_CUSTOM_ELEMENT = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]*)+")
_OWN_ATTRIBUTE = re.compile(r"[a-z_][a-z0-9_]*-[a-z0-9_-]*")
# In SVG and MathML a name with a dash may be a CSS property.
_OWN_ATTRIBUTE_ELSEWHERE = re.compile(r"(?:data|_[a-z0-9]*)-[a-z0-9_-]*")
_ARIA = re.compile(r"aria-[a-z]+")


def is_custom_element(name: str) -> bool:
    """Return whether an HTML name is a custom element's, which only a script can define.

    >>> is_custom_element("x-card"), is_custom_element("font-face"), is_custom_element("x-<!--")
    (True, False, False)
    """
    return _CUSTOM_ELEMENT.fullmatch(name) is not None and name not in _LISTS["not custom"]


@cached_if_short
def kind_of_value(namespace: Namespace, element: str, name: str) -> Value | None:
    """Return the kind of an attribute's value; None for an attribute that is not written.

    >>> kind_of_value("html", "a", "href"), kind_of_value("html", "a", "onclick")
    (<Value.LINK: 'link'>, None)
    """
    if _ARIA.fullmatch(name):
        return Value.TEXT
    lists = ["attributes of all", f"{namespace} {element}", f"attributes of {namespace}"]
    if namespace == "html" and is_custom_element(element):
        lists.append("attributes of custom elements")
    for one in lists:
        if (kind := _LISTS.get(one, {}).get(name)) is not None:
            return Value(kind or ("paint" if one == "attributes of svg" else "text"))
    # `data-price`, `_ngcontent-c1`: names with a dash are the page's own, as with elements.
    pattern = _OWN_ATTRIBUTE if namespace == "html" else _OWN_ATTRIBUTE_ELSEWHERE
    return Value.DATA if pattern.fullmatch(name) and name != "http-equiv" else None


class AttributeRules:
    """Clean the attributes of one document, each by the kind of its value.

    Args:
        base: the address that references resolve against.
        form_values: whether to write the values of text fields.
    """

    def __init__(self, base: str, *, form_values: bool = False) -> None:
        self._base = base
        self._form_values = form_values

    def of(self, namespace: Namespace, element: str, attributes: Mapping[str, str]) -> dict[str, str]:
        """Return the attributes to write for an element, in their order."""
        written = {}
        if element in _IMAGES and namespace == "html":
            attributes = _with_later_image(attributes)
        for name, value in islice(attributes.items(), _MOST_ATTRIBUTES):
            kind = kind_of_value(namespace, element, name)
            clean = None if kind is None else self._cleaned(kind, name, value, attributes)
            if clean is not None:
                written[name] = clean
        if element == "iframe" and namespace == "html":
            written["sandbox"] = ""  # the framed page runs no script and opens nothing
        return written

    def _cleaned(  # noqa: PLR0911, PLR0912 - a table
        self, kind: Value, name: str, value: str, attributes: Mapping[str, str]
    ) -> str | None:
        base = self._base
        match kind:
            case Value.TEXT:
                return value
            case Value.DATA:
                return without_secrets(name, value)
            case Value.STYLE | Value.PAINT:
                return safe_css(value, base)
            case Value.FIELD:
                return field_value(attributes, form_values=self._form_values)
            case Value.LINK:
                return link_address(value, base)
            case _ if not value.strip():
                return None
            case Value.SHEET:
                return self._sheet(value, attributes)
            case Value.ACTION | Value.CITED:
                return action_address(value, base)
            case Value.IMAGE:
                return image_address(value, base)
            case Value.IMAGES:
                return source_set(value, base) or None
            case Value.RELATIONS:
                return relations(value) or None
            case Value.FRAGMENT:
                return fragment_address(value)
            case Value.SPRITE:
                return fragment_address(value) or web_address(value, base)
            case Value.TARGET:
                return value if value.strip().lower() in _TARGETS else None
            case _:
                return web_address(value, base)

    def _sheet(self, value: str, attributes: Mapping[str, str]) -> str | None:
        kinds = set(relations(attributes.get("rel", "")).split())
        if "stylesheet" in kinds or not kinds & _ICONS:
            return web_address(value, self._base)
        return image_address(value, self._base)


def relations(value: str) -> str:
    """Return the allowed relations of a ``link``, in their order.

    >>> relations("Prefetch stylesheet")
    'stylesheet'
    """
    return " ".join(name for name in value.lower().split() if name in SITE_RELATIONS | PAGE_RELATIONS)


def _with_later_image(attributes: Mapping[str, str]) -> Mapping[str, str]:
    """Return an image's attributes as a script leaves them that has loaded its later address."""
    loaded = with_later_images(attributes)
    if loaded == attributes or "class" not in loaded:
        return loaded
    return {**loaded, "class": _LATER.sub("lazyloaded", loaded["class"])}
