"""Declarative shadow trees: what a browser makes of ``<template shadowrootmode="open">``.

The parser keeps the inside of a template apart and hands it out to nobody. So such a template is given to it as an
``applet``, which is as much of a boundary to what is inside, and called ``template`` again in what is read. Only a
form within another form, one of the two in a shadow tree, is lost by that.
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborNode

from sitestencil.page.html_names import SHADOW_MARK, SHADOW_ROOT
from sitestencil.page.markup import ATTRIBUTE, tags
from sitestencil.page.native import NATIVE

if TYPE_CHECKING or NATIVE:
    from sitestencil.page.native_limits import has_word

# What may have a shadow root, beside custom elements.
SHADOW_HOSTS = frozenset(
    "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split()
)
MODE = "shadowrootmode"
_MODE, _RAREST = MODE.encode(), MODE.index("w")
_ATTRIBUTE = re.compile(ATTRIBUTE)
_OPEN = re.compile(rf"[\s/]*{MODE}\s*=\s*([\"']?)open\1", re.IGNORECASE)


def with_shadow_trees(html: str) -> str:
    """Return a page whose open shadow trees the parser will read; a page without any, as it is.

    A tree counts where it is what comes first in its host, as all that are made by programs do, and not within SVG
    or MathML. A page that has applets of its own beside them stays as it is.
    """
    if not (has_word(html, _MODE, _RAREST) if NATIVE else MODE in html):
        return html
    pieces: list[str] = []
    written = 0
    names: list[str] = []  # of the open templates
    may_host = False
    foreign = dict.fromkeys(("svg", "math", "/svg", "/math"), 0)
    for each in tags(html):
        tag, start = each.name, each.start
        if not tag:
            continue
        if tag in {SHADOW_ROOT, f"/{SHADOW_ROOT}"}:
            return html
        if tag in foreign and not each.is_empty:
            foreign[tag] += 1
        if tag == "template":
            is_html = all(foreign[name] <= foreign[f"/{name}"] for name in ("svg", "math"))
            names.append(SHADOW_ROOT if may_host and is_html and _is_open(each.attributes) else tag)
            if names[-1] != tag:
                pieces += html[written:start], f"{SHADOW_ROOT} {SHADOW_MARK}"
                written = start + len(tag)
        elif tag == "/template" and names and names.pop() == SHADOW_ROOT:
            pieces += html[written:start], f"/{SHADOW_ROOT}"
            written = start + len(tag)
        may_host = tag in SHADOW_HOSTS or ("-" in tag and tag[0] != "/")
    return "".join([*pieces, html[written:]])


def _is_open(attributes: str) -> bool:
    return any(_OPEN.fullmatch(attribute) for attribute in _ATTRIBUTE.findall(attributes))


def is_shadow_root(node: LexborNode) -> bool:
    """Return whether a parsed element is the root of a shadow tree."""
    return node.tag == SHADOW_ROOT and SHADOW_MARK in node.attributes


def without_mark(attributes: Mapping[str, str | None]) -> dict[str, str | None]:
    """Return the attributes of a shadow tree's root as the page has them."""
    return {name: value for name, value in attributes.items() if name != SHADOW_MARK}
