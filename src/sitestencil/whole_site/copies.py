"""Which pages of a site are copies of others: they name another as canonical, and show nearly the same."""

import re
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Set
from itertools import chain

from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.crawl.kinds import SamplePage
from sitestencil.errors import PageUnavailable
from sitestencil.outputs.plain_text import whole_text
from sitestencil.page.document import Document
from sitestencil.page.words import words
from sitestencil.urls import resolve

_HEAD = 100_000
_CANONICAL = re.compile(
    rb"<link\b(?=[^<>]*?\brel=[\"']?canonical\b)[^<>]*?\bhref=(?:\"([^\"]*)|'([^']*)|([^\s>]+))", re.IGNORECASE
)
_SHOWN = frozenset("img source picture video audio iframe embed object".split())
_MOST_DIFFERENT = 0.05  # of the words that are not on most pages of the site
_SENTENCE_END = re.compile(r"[.!?]\s|[\u3002\uff01\uff1f\n]")
_LEAST_WORDS = 8  # of a sentence that no copy may take along; numbers, dates and counters differ without a loss

Packed = tuple[CrawlPage, bytes]


def named_copies(
    pages: Mapping[str, Packed], key: Callable[[str], str], saved: Set[str] = frozenset()
) -> dict[str, str]:
    """Return the pages that copies name as canonical, by copy; `key` gives the form that addresses share.

    Some sites name one page as canonical on all, by mistake. So a name counts only where both show nearly the same.
    Addresses that differ in a last slash or in capitals name one of them. Each sentence of a copy stands on its
    canonical page, on a `saved` copy, or on an earlier one that stays.
    """
    named = {name: key(_canonical(*one)) for name, one in pages.items()}
    twins = dict[str, str]()
    for name in sorted(pages, key=lambda name: (name not in saved, name)):
        twin = twins.setdefault(name.rstrip("/").casefold(), name)
        named[name] = twin if named[name] == name else named[name]
    pairs = [(name, right) for name, right in named.items() if right != name and named.get(right) == right]
    if not pairs:
        return {}
    shown = {name: _shown(*one) for name, one in pages.items()}
    counts = Counter(chain.from_iterable(shown.values()))
    copies, staying = dict[str, str](), set[str]()
    for name, right in sorted(pairs, key=lambda pair: (pair[0] not in saved, pair)):
        if _agree(shown[name], shown[right], counts, len(pages) // 2):
            own = _sentences(*pages[name]) - _sentences(*pages[right])
            if name in saved or not own <= staying:
                staying |= own
            else:
                copies[name] = right
    return copies


def _agree(one: frozenset[str], other: frozenset[str], counts: Mapping[str, int], most: int) -> bool:
    own = {text for text in one | other if counts[text] <= most}
    return bool(one & other) and _words(one ^ other) <= _MOST_DIFFERENT * _words(own)


def _words(texts: frozenset[str] | set[str]) -> int:
    return sum(max(1, len(words(text))) for text in texts)


def _canonical(page: CrawlPage, packed: bytes) -> str:
    """Return the address that a page names as the right one; its own if it names none."""
    found = _CANONICAL.search(zlib.decompress(packed)[:_HEAD])
    written = next(filter(None, found.groups()), b"").decode("utf-8", "replace") if found is not None else ""
    return (written and resolve(written, page.url)) or page.url


def _sentences(page: CrawlPage, packed: bytes) -> set[str]:
    """Return the longer sentences of a page without their numbers."""
    found = (words(one) for one in _SENTENCE_END.split(whole_text(_document(page, packed))))
    plain = ([word for word in one if not any(map(str.isdigit, word))] for one in found)
    return {" ".join(one) for one in plain if len(one) >= _LEAST_WORDS}


def _document(page: CrawlPage, packed: bytes) -> Document:
    return SamplePage(CrawlPage(page.url, zlib.decompress(packed), charset=page.charset)).document


def _shown(page: CrawlPage, packed: bytes) -> frozenset[str]:
    """Return the texts in a page's body, and the attributes of its pictures; none if it cannot be read."""
    try:
        document = _document(page, packed)
    except PageUnavailable:
        return frozenset()
    body = document.body or 0
    texts = [run.text for run in document.texts if run.parent >= body]
    pictures = zip(document.tags, document.attributes, strict=True)
    texts += chain.from_iterable(given.values() for tag, given in pictures if tag in _SHOWN)
    return frozenset(filter(None, map(str.strip, texts)))
