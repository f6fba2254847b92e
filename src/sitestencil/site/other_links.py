"""Links of a page beside its hyperlinks, and what its lists of links say of addresses."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from html import unescape

from sitestencil.page.document import Document
from sitestencil.urls import resolve

_LISTS = frozenset({"ul", "ol", "dl", "menu", "nav"})
_REFRESH = re.compile(r"[\s\d.]*+[;,]?\s*(?:url\s*=\s*)?[\"']?([^\"']+)", re.IGNORECASE)
_INSERTED = {"iframe": "src", "embed": "src", "object": "data"}
# Manuals and lists name their other pages so; the canonical page has another address and the same text.
_RELATIONS = frozenset(
    "canonical chapter contents first index last next prev previous section start toc up".split()
)
# Of jump menus, of scripts that open a page, and of HTML in an attribute or for browsers without frames.
_ADDRESS = re.compile(r"(?:https?:/|\.{0,2})/\S+|[\w%./-]+\.(?:html?|php|aspx?)(?:[?#]\S*)?", re.IGNORECASE)
_OPENED = re.compile(
    r"(?:location(?:\.href)?\s{0,9}=|location\.(?:assign|replace)\(|window\.open\()\s{0,9}[\"']([^\"'\s]+)[\"']"
)
_LINKED = re.compile(r"<a\s[^<>]{0,1000}?href\s{0,9}=\s{0,9}[\"']?([^\"'\s>]+)", re.IGNORECASE)
_MOST_SEARCHED = 100_000
_LINK_HEADER = re.compile(r"<([^<>]{1,2000})>((?:\s*;[^,;<>]{0,200}){0,9})")
_RELATION = re.compile(r";\s*rel\s*=\s*[\"']?([\w\s-]+)", re.IGNORECASE)
_FEEDS = frozenset({"application/atom+xml", "application/rss+xml"})
_HOST = 2  # slashes of its address
_ORDERED = re.compile(r"\?|/\d+(?:/|$)")  # what an order may be for
_FEWEST_BESIDE = 3  # links of a list to one folder
MOST = 1_000


def other_links(document: Document) -> dict[str, str]:
    """Return the addresses that a page leads to by more than hyperlinks, each with the language that it names.

    These are frames and other inserted pages, links in drawings, ``meta refresh``, and jump menus. A page also
    names others by their relation, such as the next one, and itself in other languages. Scripts, ``srcdoc`` and
    ``noframes`` have links, too. At most 1,000 count.
    """
    written: list[tuple[str, str]] = []
    for tag, found in zip(document.tags, document.attributes, strict=True):
        reference, language = "", ""
        if tag in _INSERTED:
            reference = found.get(_INSERTED[tag], "") if "html" in found.get("type", "html") else ""
        elif tag == "a" and "href" not in found:
            reference = found.get("xlink:href", "")
        elif tag == "link":
            rel, language = found.get("rel", "").lower().split(), found.get("hreflang", "")
            is_page = not _RELATIONS.isdisjoint(rel) or ("alternate" in rel and language)
            reference = found.get("href", "") if is_page else ""
        elif tag == "meta" and found.get("http-equiv", "").lower() == "refresh":
            target = _REFRESH.match(found.get("content", ""))
            reference = target[1] if target else ""
        elif tag == "option" and _ADDRESS.fullmatch(found.get("value", "")):
            reference = found["value"]
        if reference.strip():
            written.append((reference, language))
    written += ((reference, "") for reference in _in_texts(document))
    resolved = ((resolve(one, document.base), language) for one, language in written[:MOST])
    return {url: language for url, language in resolved if url is not None}


def _in_texts(document: Document) -> Iterator[str]:
    """Yield the references in handlers of clicks, addresses that are scripts, and HTML that no browser shows."""
    attributes = document.attributes
    scripts = [attributes[one][name] for name in ("onclick", "href") for one in document.having(name)]
    for script in scripts:
        if "location" in script or "window.open" in script:
            yield from _OPENED.findall(script[:_MOST_SEARCHED])
    inner = [attributes[one]["srcdoc"] for one in document.having("srcdoc")]
    for html in (*inner, *map(document.text_content, document.tagged("noframes"))):
        yield from map(unescape, _LINKED.findall(html[:_MOST_SEARCHED]))


def linked_by_headers(headers: Mapping[str, str], url: str) -> tuple[str, ...]:
    """Return the addresses that a response leads to by ``Refresh`` and ``Link``, of the relations of `other_links`.

    Args:
        headers: by name in lower case.
        url: the address that answered.
    """
    refresh = _REFRESH.match(headers.get("refresh", "")[:_MOST_SEARCHED])
    references = [refresh[1]] if refresh else []
    for reference, parameters in _LINK_HEADER.findall(headers.get("link", "")[:_MOST_SEARCHED]):
        relation = _RELATION.search(parameters)
        if relation and not _RELATIONS.isdisjoint(relation[1].lower().split()):
            references.append(reference)
    resolved = (resolve(one, url) for one in references[:MOST])
    return tuple(one for one in dict.fromkeys(resolved) if one is not None)


def feeds(document: Document) -> list[str]:
    """Return the addresses of the feeds that a page names, which list pages as sitemaps do."""
    named = (
        resolve(found.get("href", ""), document.base)
        for found in map(document.attributes.__getitem__, document.tagged("link"))
        if found.get("type", "").strip().lower() in _FEEDS
    )
    return [url for url in dict.fromkeys(named) if url is not None]


def states(document: Document) -> list[str]:
    """Return the addresses of what only a script shows, behind ``#/`` or ``#!`` of a page's address."""
    places = (reference for _, reference in document.hyperlinks() if re.search("#[/!].", reference))
    return [url for one in dict.fromkeys(places) if (url := resolve(one, document.base)) is not None]


def pages_in_lists(document: Document) -> frozenset[str]:
    """Return the addresses that a list has beside two or more others of their folder, as contents do."""
    folders = defaultdict[tuple[int, str], set[str]](set)
    for element, reference in document.hyperlinks():
        url = (resolve(reference, document.base) or "").partition("#")[0]
        folder = url.rstrip("/").rpartition("/")[0]
        lists = (above for above in reversed(document.path(element)) if document.tags[above] in _LISTS)
        if folder.count("/") > _HOST and not _ORDERED.search(url) and (of := next(lists, None)) is not None:
            folders[of, folder].add(url)
    return frozenset().union(*(one for one in folders.values() if len(one) >= _FEWEST_BESIDE))
