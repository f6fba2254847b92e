"""Snapshots of pages, as the extension sends them (host/PROTOCOL.md)."""

from typing import Any

from sitestencil.page.document import Document, ranges
from sitestencil.page.parsing import parse

Snapshot = dict[str, Any]


def example_snapshot() -> Snapshot:
    return {
        "url": "https://example.org/a",
        "base": "https://example.org/",
        "scripting": True,
        "doctype": "html",
        "names": ["html", "head", "title", "body", "a"],
        "tags": [0, 1, 2, 3, 4],
        "parents": [-1, 0, 1, 0, 3],
        "attributes": [["lang", "en"], [], [], ["class", "home wide"], ["href", "/b"]],
        "texts": [[2, -1, "Example"], [4, -1, "Next"]],
    }


def snapshot_of(html: str, url: str) -> Snapshot:
    """Return the snapshot of a page that a browser has loaded."""
    return snapshot_of_document(parse(html.encode(), url, scripting=True, charset="utf-8", checked=False))


def snapshot_of_document(document: Document) -> Snapshot:
    """Return the snapshot of a page whose tree is known."""
    names = {name: number for number, name in enumerate(dict.fromkeys(document.tags))}
    foreign = [
        [start, end, namespace]
        for namespace in ("svg", "math", "other")
        for start, end in ranges(element for element, name in document.namespaces.items() if name == namespace)
    ]
    return {
        "url": document.url,
        "base": document.base,
        "scripting": document.scripting,
        "doctype": document.doctype,
        "names": list(names),
        "tags": [names[tag] for tag in document.tags],
        "parents": list(document.parents),
        "attributes": [
            [word for pair in attributes.items() for word in pair] for attributes in document.attributes
        ],
        "namespaces": sorted(foreign),
        "texts": [list(text) for text in document.texts if text.text.strip()],
    }
