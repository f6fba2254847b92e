"""The elements, attributes and kinds of values that a saved page may hold: the lists of ``allowed_markup.txt``.

Names are compared exactly: ``SCRIPT`` and ``foreignobject``, which only scripts can create, are other names.
Custom elements (``x-card``) stay, because no script defines them.
"""

import re
from enum import StrEnum
from functools import lru_cache

from sitestencil.outputs.names import names_in
from sitestencil.page.parser_rules import Namespace


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


@lru_cache(4096)
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
