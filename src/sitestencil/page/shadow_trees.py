"""Read declarative shadow trees: ``<template shadowrootmode="open">``.

The parser hides the inside of a template. So it gets an ``applet`` element instead, which forms the same boundary,
and the result is called ``template`` again. This loses only one thing: a form within another form, if one of the
two is in a shadow tree.
"""

import re
from collections.abc import Mapping, Sequence

from selectolax.lexbor import LexborNode

from sitestencil.page.document import Document
from sitestencil.page.html_names import SHADOW_HOSTS, SHADOW_MARK, SHADOW_ROOT
from sitestencil.page.markup import ATTRIBUTE, tags

MODE = "shadowrootmode"
_ATTRIBUTE = re.compile(ATTRIBUTE)
_OPEN = re.compile(rf"[\s/]*{MODE}\s*=\s*([\"']?)open\1", re.IGNORECASE)


def with_shadow_trees(html: str, *, scripting: bool = False) -> str:
    """Return a page with its open shadow trees in a form that the parser reads; other pages stay as they are.

    A tree counts if it comes first in its host, as programs always write it, and not within SVG or MathML. A page
    that also has applets of its own stays as it is. `scripting` is that of the parser.
    """
    if MODE not in html:
        return html
    pieces: list[str] = []
    written = 0
    names: list[str] = []  # tags of the open templates
    may_host = False
    foreign = dict.fromkeys(("svg", "math", "/svg", "/math"), 0)
    for each in tags(html, scripting=scripting):
        tag, start = each.name, each.start
        if not tag:
            continue
        if tag in {SHADOW_ROOT, f"/{SHADOW_ROOT}"}:
            return html
        if tag in foreign and not each.is_empty:
            foreign[tag] += 1
        if tag == "template":
            is_html = all(foreign[name] <= foreign[f"/{name}"] for name in ("svg", "math"))
            is_open = may_host and is_html and any(map(_OPEN.fullmatch, _ATTRIBUTE.findall(each.attributes)))
            names.append(SHADOW_ROOT if is_open else tag)
            if names[-1] != tag:
                pieces += html[written:start], f"{SHADOW_ROOT} {SHADOW_MARK}"
                written = start + len(tag)
        elif tag == "/template" and names and names.pop() == SHADOW_ROOT:
            pieces += html[written:start], f"/{SHADOW_ROOT}"
            written = start + len(tag)
        may_host = tag in SHADOW_HOSTS or ("-" in tag and tag[0] != "/")
    return "".join([*pieces, html[written:]])


def is_shadow_root(node: LexborNode) -> bool:
    """Return whether a parsed element is the root of a shadow tree."""
    return node.tag == SHADOW_ROOT and SHADOW_MARK in node.attributes


def without_mark(attributes: Mapping[str, str | None]) -> dict[str, str | None]:
    """Return the attributes of a shadow tree's root as in the page."""
    return {name: value for name, value in attributes.items() if name != SHADOW_MARK}


def keep_around(document: Document, keep: list[bool], texts: Sequence[bool]) -> None:
    """Keep the containers and slots around kept nodes, too.

    Args:
        document: the page.
        keep: per element, whether it is kept; changed in place.
        texts: per text run, whether it is kept.
    """
    parents, (slots_of_elements, slots_of_texts) = document.parents, _slotted(document)
    for text, slot in slots_of_texts.items():
        keep[slot] |= texts[text] and not document.texts[text].text.isspace()
    kept = [element for element, stays in enumerate(keep) if stays]
    while kept:
        element = kept.pop()
        for around in (max(parents[element], 0), slots_of_elements.get(element, 0)):
            if not keep[around]:
                keep[around] = True
                kept.append(around)


def _slotted(document: Document) -> tuple[dict[int, int], dict[int, int]]:
    """Return the slot of each slotted element, and of each slotted text; assignments by script are unknown."""
    slots = _slots_by_host(document)
    elements: dict[int, int] = {}
    for element, parent in enumerate(document.parents if slots else ()):
        if parent in slots and document.tags[element] != "template":
            slot = slots[parent].get(document.attributes[element].get("slot", ""))
            if slot is not None:
                elements[element] = slot
    texts = {
        number: slots[run.parent][""]
        for number, run in enumerate(document.texts if slots else ())
        if "" in slots.get(run.parent, {})
    }
    return elements, texts


def _slots_by_host(document: Document) -> dict[int, dict[str, int]]:
    """Return the slots of each host's shadow tree by name; the first of a name counts."""
    roots = set(document.shadow_roots)
    slots: dict[int, dict[str, int]] = {document.parents[root]: {} for root in roots}
    if not slots:
        return {}
    hosts: list[int] = []  # of the innermost shadow tree around each element; -1 for none
    for element, (tag, parent) in enumerate(zip(document.tags, document.parents, strict=True)):
        alone = tag == "html" or parent < 0
        hosts.append(-1 if alone else parent if element in roots else hosts[parent])
        if tag == "slot" and hosts[element] >= 0:
            slots[hosts[element]].setdefault(document.attributes[element].get("name", ""), element)
    return slots
