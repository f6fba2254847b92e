"""Read JSON-LD (schema.org) as pages write it: graphs, arrays, references, and damaged JSON.

A page can hold many nodes: its article, its site, its breadcrumbs, teasers. `page_node` returns the one that
describes the page.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import msgspec

Node = Mapping[str, Any]

_LONGEST = 1_000_000
_MOST_NODES = 2_000
_MOST_VALUES = 20
_LONGEST_VALUE = 10_000
_ARTICLES = re.compile(r".*(?:Article|Posting|Report|Review)")
_PAGES = re.compile(r".*Page")
# These describe a part of the page, or its site.
_PARTS = re.compile(
    r".*(?:Organization|Action|List|Rating|Object|Element)|WebSite|Corporation|LocalBusiness|Person|ListItem|"
    r"WP(?:Header|Footer|SideBar)|Offer|PostalAddress|ContactPoint|Comment|EntryPoint|Brand|Question|Answer"
)
# Keys whose nodes may describe the page, too.
_GO_INTO = ("@graph", "mainEntity", "mainEntityOfPage")
_NAME_PARTS = ("givenName", "familyName")
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")


@dataclass(frozen=True, slots=True)
class Graph:
    """All nodes of a page's JSON-LD.

    Attributes:
        nodes: the nodes, in their order.
        by_id: the largest node of each ``@id``.
    """

    nodes: tuple[Node, ...] = ()
    by_id: Mapping[str, Node] = field(default_factory=dict)

    def page_node(self, addresses: Iterable[str]) -> Node:
        """Return the node that describes the page; an empty one if there is none.

        Articles come before other things, and these before pages. Of several of a kind only one with the page's own
        address counts: others are teasers.

        Args:
            addresses: the page's own addresses.
        """
        page_addresses = {_comparable(address) for address in addresses}
        ranked: dict[int, list[Node]] = {}
        for node in self.nodes:
            rank = _rank(node)
            if rank is not None:
                ranked.setdefault(rank, []).append(node)
        for rank in sorted(ranked):
            nodes = ranked[rank]
            of_page = [
                node for node in nodes if page_addresses.intersection(map(_comparable, self._addresses(node)))
            ]
            if of_page or len(nodes) == 1:
                return (of_page or nodes)[0]
        return {}

    def site_node(self) -> Node:
        """Return the node of the site; an empty one if there is none."""
        return next((node for node in self.nodes if "WebSite" in _types(node)), {})

    def names_of(self, kind: str) -> set[str]:
        """Return the names of all nodes of a type."""
        nodes = (node for node in (*self.nodes, *self.by_id.values()) if kind in _types(node))
        return {name for node in nodes for name in self.values(node, "name")}

    def values(self, node: Node, key: str, inner: str = "name") -> list[str]:
        """Return the texts of a key; those of nodes under it are their names.

        Many references can name one long text: at most 20 values are read, and 10,000 characters of each.

        Args:
            node: the node.
            key: the key.
            inner: the key of a node's own text.
        """
        found = node.get(key)
        if found is None:
            return []
        if isinstance(found, dict):
            found = found.get("@list", found)
        values = []
        for one in found[:_MOST_VALUES] if isinstance(found, list) else [found]:
            value = _named(self._resolved(one), inner) if isinstance(one, dict) else one
            if isinstance(value, list) and value:
                value = value[0]
            if isinstance(value, dict):
                value = value.get("@value")
            if isinstance(value, int | float) and not isinstance(value, bool):
                value = str(value)
            if isinstance(value, str) and (text := value[:_LONGEST_VALUE]).strip():
                values.append(unescape(text))
        return values

    def _resolved(self, node: Node) -> Node:
        name = node.get("@id")
        return self.by_id.get(name, node) if isinstance(name, str) else node

    def _addresses(self, node: Node) -> Iterator[str]:
        for key in ("url", "@id", "mainEntityOfPage"):
            value = node.get(key)
            value = value.get("@id") or value.get("url") if isinstance(value, dict) else value
            if isinstance(value, str):
                yield value


def graph_of(scripts: Iterable[str]) -> Graph:
    """Return the nodes of JSON-LD scripts; one that cannot be read counts as empty.

    Example:
        >>> graph = graph_of(['{"@graph": [{"@type": "Article", "author": {"@id": "#jo"}},]}', "{", "[]"])
        >>> graph.page_node([])["@type"]
        'Article'
    """
    nodes: list[Node] = []
    by_id: dict[str, Node] = {}
    waiting = [value for script in scripts if (value := _read(script)) is not None]
    waiting.reverse()
    seen = 0
    while waiting and seen < _MOST_NODES:
        value = waiting.pop()
        seen += 1
        if isinstance(value, list):
            waiting += reversed(value[:_MOST_NODES])
        elif isinstance(value, dict):
            if "@type" in value:
                nodes.append(value)
            waiting += [value[key] for key in reversed(_GO_INTO) if isinstance(value.get(key), dict | list)]
            name = value.get("@id")
            if isinstance(name, str) and len(value) > len(by_id.get(name, {})):
                by_id[name] = value
    return Graph(tuple(nodes), by_id)


def read_values(*scripts: str) -> dict[str, list[str]]:
    """Return the texts of the first JSON object by their keys; empty if it cannot be read.

    >>> read_values('{"author": ["Jo Marsh"], "pub_date": "2024-05-03"}')
    {'author': ['Jo Marsh'], 'pub_date': ['2024-05-03']}
    """
    value = _read(scripts[0]) if scripts else None
    graph = Graph()
    return {key: graph.values(value, key) for key in value if value[key]} if isinstance(value, dict) else {}


def _read(script: str) -> Any:  # noqa: ANN401 - any JSON
    """Return the value of a script; None if nothing in it can be read."""
    if len(script) > _LONGEST:
        return None
    try:
        return msgspec.json.decode(script)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        pass
    text = script.replace("<![CDATA[", "", 1)
    start = min((place for place in map(text.find, "{[") if place >= 0), default=len(text))
    for attempt in (text[start:], _TRAILING_COMMA.sub(r"\1", text[start:])):
        try:
            # Line ends in strings are a common mistake, and so is text before and after the value.
            return json.JSONDecoder(strict=False).raw_decode(attempt)[0]
        except (ValueError, RecursionError):
            continue
    return None


def _named(node: Node, inner: str) -> Any:  # noqa: ANN401 - any JSON
    """Return a node's text; a person's name may be in two parts."""
    text = node.get(inner)
    if text is None and inner == "name":
        text = " ".join(part[:_LONGEST_VALUE] for key in _NAME_PARTS if isinstance(part := node.get(key), str))
    return text


def _rank(node: Node) -> int | None:
    """Return a node's place in the order of those that describe a page; None for others."""
    types = _types(node)
    if not types or any(map(_PARTS.fullmatch, types)):
        return None
    if any(map(_ARTICLES.fullmatch, types)):
        return 0
    return 2 if any(map(_PAGES.fullmatch, types)) else 1


def _types(node: Node) -> set[str]:
    types = node.get("@type")
    named = types if isinstance(types, list) else [types]
    return {one.rpartition("/")[2][:100] for one in named if isinstance(one, str)}


def _comparable(address: str) -> str:
    return address.partition("#")[0].partition("://")[2].removeprefix("www.").rstrip("/")
