"""Links of a page beside its hyperlinks, and what its lists of links say of addresses."""

import re
from collections import defaultdict

from sitestencil.page.document import Document
from sitestencil.urls import resolve

_LISTS = frozenset({"ul", "ol", "dl", "menu", "nav"})
_REFRESH = re.compile(r"[\s\d.]*[;,]?\s*(?:url\s*=\s*)?[\"']?([^\"']+)", re.IGNORECASE)
_HOST = 2  # slashes of its address
_ORDERED = re.compile(r"\?|/\d+(?:/|$)")  # what an order may be for
_FEWEST_BESIDE = 3  # links of a list to one folder
MOST = 1_000


def other_links(document: Document) -> dict[str, str]:
    """Return the addresses that a page leads to by more than hyperlinks, each with the language that it names.

    These are frames, links in drawings, ``meta refresh``, the next and previous page, and the page in other
    languages. At most 1,000 count.
    """
    written: list[tuple[str, str]] = []
    for tag, found in zip(document.tags, document.attributes, strict=True):
        reference, language = "", ""
        if tag == "iframe":
            reference = found.get("src", "")
        elif tag == "a" and "href" not in found:
            reference = found.get("xlink:href", "")
        elif tag == "link":
            rel, language = found.get("rel", "").lower().split(), found.get("hreflang", "")
            is_page = "next" in rel or "prev" in rel or ("alternate" in rel and language)
            reference = found.get("href", "") if is_page else ""
        elif tag == "meta" and found.get("http-equiv", "").lower() == "refresh":
            target = _REFRESH.match(found.get("content", ""))
            reference = target[1] if target else ""
        if reference.strip():
            written.append((reference, language))
    resolved = ((resolve(one, document.base), language) for one, language in written[:MOST])
    return {url: language for url, language in resolved if url is not None}


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
