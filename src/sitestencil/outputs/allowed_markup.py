"""The elements, attributes and kinds of values that a saved page may hold: the lists of ``allowed_markup.txt``.

Names are compared exactly: ``SCRIPT`` and ``foreignobject``, which only scripts can create, are other names.
Anything missing here is not written. Custom elements (``x-card``) stay, because no script defines them.
"""

import re
from enum import Enum
from pathlib import Path

from sitestencil.lists import read_lists
from sitestencil.page.namespaces import Namespace


class Value(Enum):
    """The kind of an attribute's value, which decides how it is cleaned."""

    TEXT = "text"
    DATA = "data for scripts"
    LINK = "address a person may follow"
    ACTION = "address of a form"
    IMAGE = "address of an image"
    IMAGES = "addresses of images (srcset)"
    MEDIA = "address of sound or film"
    FRAME = "address of a framed page"
    SHEET = "address of a style sheet or icon"
    RELATIONS = "kinds of links"
    CITED = "address of a source"
    FRAGMENT = "address within the page"
    STYLE = "CSS declarations"
    PAINT = "CSS value"
    TARGET = "where a link opens"
    FIELD = "value of a form field"


_LISTS = {name: frozenset(entries) for name, entries in read_lists(Path(__file__).with_suffix(".txt")).items()}


def _attributes(of: str) -> dict[str, Value]:
    pairs = (entry.partition("=") for entry in _LISTS[of])
    return {name: Value[kind or "TEXT"] for name, _, kind in pairs}


VOID = _LISTS["void"]
HTML_ELEMENTS = VOID | _LISTS["html"]
RENAMED = dict(entry.split("=") for entry in _LISTS["renamed"])
DROPPED = _LISTS["dropped"]
IN_HEAD = _LISTS["in head"]
SITE_RELATIONS = _LISTS["relations of the site"]
PAGE_RELATIONS = _LISTS["relations of the page"]
SVG_ELEMENTS = _LISTS["svg"]
MATH_ELEMENTS = _LISTS["math"]
ELEMENTS: dict[Namespace, frozenset[str]] = {
    "html": HTML_ELEMENTS,
    "svg": SVG_ELEMENTS,
    "math": MATH_ELEMENTS,
    "other": frozenset(),
}
_CUSTOM_ELEMENT = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]*)+")
_OWN_ATTRIBUTE = re.compile(r"[a-z_][a-z0-9_]*-[a-z0-9_-]*")
# In SVG and MathML a name with a dash may be a CSS property.
_OWN_ATTRIBUTE_ELSEWHERE = re.compile(r"(?:data|_[a-z0-9]*)-[a-z0-9_-]*")
_ARIA = re.compile(r"aria-[a-z]+")
_NOT_OWN = frozenset({"http-equiv"})

_ANYWHERE = _LISTS["attributes anywhere"]
_OF_CUSTOM_ELEMENTS = _LISTS["attributes of custom elements"]
_OF_ANY_HTML = _LISTS["attributes of html"]
_OF_HTML = {name.strip("<>"): _attributes(name) for name in _LISTS if name.startswith("<")}
_OF_SVG = _LISTS["attributes of svg"]
_SVG_LINKS = {"a": Value.LINK, "image": Value.IMAGE, "feImage": Value.IMAGE}
_OF_MATH = _LISTS["attributes of math"]


def is_custom_element(name: str) -> bool:
    """Return whether an HTML name is a custom element's, which only a script can define.

    >>> is_custom_element("x-card"), is_custom_element("font-face"), is_custom_element("x-<!--")
    (True, False, False)
    """
    return _CUSTOM_ELEMENT.fullmatch(name) is not None and name not in _LISTS["reserved"]


def kind_of_value(namespace: Namespace, element: str, name: str) -> Value | None:
    """Return the kind of an attribute's value; None for an attribute that is not written.

    >>> kind_of_value("html", "a", "href"), kind_of_value("html", "a", "onclick")
    (<Value.LINK: 'address a person may follow'>, None)
    """
    if name in _ANYWHERE or _ARIA.fullmatch(name):
        return Value.TEXT
    if name == "style":
        return Value.STYLE
    of_namespace = {"html": _of_html, "svg": _of_svg, "math": _of_math, "other": _of_none}[namespace]
    kind = of_namespace(element, name)
    # `data-price`, `_ngcontent-c1`: names with a dash are the page's own, as with elements.
    pattern = _OWN_ATTRIBUTE if namespace == "html" else _OWN_ATTRIBUTE_ELSEWHERE
    own_name = kind is None and pattern.fullmatch(name) and name not in _NOT_OWN
    return Value.DATA if own_name else kind


def _of_html(element: str, name: str) -> Value | None:
    of_all = _OF_ANY_HTML | _OF_CUSTOM_ELEMENTS if is_custom_element(element) else _OF_ANY_HTML
    return _OF_HTML.get(element, {}).get(name) or (Value.TEXT if name in of_all else None)


def _of_svg(element: str, name: str) -> Value | None:
    if name in {"href", "xlink:href"}:
        return _SVG_LINKS.get(element, Value.FRAGMENT)
    return Value.PAINT if name in _OF_SVG else None


def _of_math(_: str, name: str) -> Value | None:
    return Value.TEXT if name in _OF_MATH else None


def _of_none(_: str, __: str) -> Value | None:
    return None
