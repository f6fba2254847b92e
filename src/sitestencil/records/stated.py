"""Read what a page states of itself in JSON-LD, as keys and values, and prices of today."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

from sitestencil.page.document import Document
from sitestencil.page.json_ld import Node, graph_of
from sitestencil.page.page_facts import document_facts
from sitestencil.reading.reading import element_text
from sitestencil.rules.values import form_of

OLD = frozenset({"del", "s", "strike"})  # what is no longer so
_MOST_IN_PRICE = 20  # elements


def json_ld_of(document: Document) -> Node:
    """Return the JSON-LD node that describes a page; an empty one if there is none."""
    return graph_of(document_facts(document).scripts).page_node([document.url])


@lru_cache(64)
def stated_in(document: Document) -> list[tuple[str, str]]:
    """Return the keys and values of the JSON-LD node that describes a page."""
    return values_of(json_ld_of(document))


def values_of(node: Node) -> list[tuple[str, str]]:
    """Return a node's keys with their values; of a thing in it, such as the author, its name."""
    return list(islice(_flat(node, "", 3), 200))


def _flat(value: Any, key: str, depth: int) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - any JSON
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, dict) and depth:
        is_named = key not in {"", "mainEntity"} and {"name", "url", "@value"} & value.keys()
        for inner, one in value.items() if not str(value.get("@type")).endswith("Action") else ():
            # Of another thing only its name and address count.
            if not inner.startswith("@") and (not is_named or inner in {"name", "url"}):
                yield from _flat(one, key if key and inner in {"name", "url"} else inner, depth - 1)
    elif isinstance(value, str | int | float) and not isinstance(value, bool) and key:
        yield key, str(value)[:2_000]


def text_today(document: Document, element: int) -> str:
    """Return an element's text; of a price that was and one that is the latter."""
    text = element_text(document, element)
    for old in range(element + 1, min(document.ends[element], element + _MOST_IN_PRICE)):
        if document.tags[old] in OLD:
            rest = text.replace(element_text(document, old), " ", 1)
            text = rest if form_of([rest.strip()]).type == "price" else text
    return text
