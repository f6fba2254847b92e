"""Read declarative shadow trees: ``<template shadowrootmode="open">``.

The parser hides the inside of a template. So it gets an ``applet`` element instead, which forms the same boundary,
and the result is called ``template`` again. This loses only one thing: a form within another form, if one of the
two is in a shadow tree.
"""

import re
from collections.abc import Mapping

from selectolax.lexbor import LexborNode

from sitestencil.page.html_names import SHADOW_MARK, SHADOW_ROOT
from sitestencil.page.markup import ATTRIBUTE, tags

# Elements that may have a shadow root, besides custom elements.
SHADOW_HOSTS = frozenset(
    "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split()
)
MODE = "shadowrootmode"
_ATTRIBUTE = re.compile(ATTRIBUTE)
_OPEN = re.compile(rf"[\s/]*{MODE}\s*=\s*([\"']?)open\1", re.IGNORECASE)


def with_shadow_trees(html: str) -> str:
    """Return a page with its open shadow trees in a form that the parser reads; other pages stay as they are.

    A tree counts if it comes first in its host, as programs always write it, and not within SVG or MathML. A page
    that also has applets of its own stays as it is.
    """
    if MODE not in html:
        return html
    pieces: list[str] = []
    written = 0
    names: list[str] = []  # tags of the open templates
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
    """Return the attributes of a shadow tree's root as in the page."""
    return {name: value for name, value in attributes.items() if name != SHADOW_MARK}
