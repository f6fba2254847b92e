"""Find how a program for feeds follows a site: the feed that it states, or the page with most of its links."""

from collections import Counter
from collections.abc import Collection, Sequence

import msgspec

from sitestencil.rules.site_pages import KindPage
from sitestencil.selectors.candidates import candidates, quality
from sitestencil.site.links import site_links
from sitestencil.urls import page_key, resolve

_FEEDS = frozenset({"application/rss+xml", "application/atom+xml"})
_LEAST_LINKS, _LEAST_F1 = 3, 0.8


class Feed(msgspec.Struct, frozen=True):
    """The address of a feed; or that of a page, with the selector of the links in it that lead to the articles."""

    url: str
    links: str = ""


def feed_of(pages: Sequence[KindPage], articles: Collection[str]) -> Feed | None:
    """Return the feed that most pages of a site state, else the page with most links to articles; None without."""
    stated: Counter[str] = Counter()
    for document in (page.document for page in pages):
        tags = zip(document.attributes, document.tags, strict=True)
        feeds = (
            one.get("href", "") for one, tag in tags if tag == "link" and one.get("type", "").lower() in _FEEDS
        )
        stated.update([url for one in feeds if (url := resolve(one, document.base))][:1])
    if stated:
        return Feed(max(stated, key=lambda url: (stated[url], -len(url), url)))
    known = {page_key(url) for url in articles}
    best, leading = None, dict[int, int]()
    for page in pages:
        found = {one.element: 1 for one in site_links(page.document) if page_key(one.url) in known}
        found = {one: 1 for one in found if page.words_in(one) & page.content}
        if len(found) > max(len(leading), _LEAST_LINKS - 1):
            best, leading = page, found
    if best is None:
        return None

    def f1(selector: str) -> float:
        matched = {*best.selected(selector)}
        return 2 * len(matched & leading.keys()) / max(1, len(matched) + len(leading))

    ranked = candidates([best.document] * 2, [leading] * 2)
    selector = max(ranked, key=lambda one: f1(one) * quality(one), default="")
    return Feed(best.document.url, selector) if selector and f1(selector) >= _LEAST_F1 else None
