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
_MOST = 1_000


def other_links(document: Document) -> list[str]:
    """Return the addresses of a page's frames, and of the pages that it leads to by itself.

    It also names the next and the previous page, and itself in other languages. At most 1,000 count.
    """
    written: list[str] = []
    for tag, found in zip(document.tags, document.attributes, strict=True):
        if tag == "iframe":
            written.append(found.get("src", ""))
        elif tag == "link" and not {"next", "prev", "alternate"}.isdisjoint(found.get("rel", "").lower().split()):
            is_feed = "hreflang" not in found and "alternate" in found.get("rel", "").lower()
            written.append("" if is_feed else found.get("href", ""))
        elif tag == "meta" and found.get("http-equiv", "").lower() == "refresh":
            target = _REFRESH.match(found.get("content", ""))
            written.append(target[1] if target else "")
    urls = (resolve(one, document.base) for one in written[:_MOST] if one.strip())
    return list(dict.fromkeys(filter(None, urls)))


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
