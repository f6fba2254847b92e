"""Tell what changed in a site since the last run: its frame, or the content of its pages.

The frame changed where all pages of a kind that can be compared gained, or lost, the same texts, links or elements.
"""

import json
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import reduce
from itertools import islice, pairwise
from operator import and_
from posixpath import dirname, join, normpath
from typing import NamedTuple
from urllib.parse import unquote

from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.crawl.kinds import SamplePage
from sitestencil.crawl.pages import PageContent
from sitestencil.crawl.regions import Change, PageKind
from sitestencil.errors import PageUnavailable
from sitestencil.outputs.plain_text import whole_text
from sitestencil.outputs.secrets import text_without_tokens
from sitestencil.page.words import words
from sitestencil.urls import resolve, site_host
from sitestencil.versions import REFERENCES, Units, page_units, text_unit
from sitestencil.whole_site.folder import CHANGES, Folder
from sitestencil.whole_site.gathering import Site
from sitestencil.whole_site.visits import Visit, Visits

_MOST_COMPARED = 5  # pages of a kind
_FEWEST_COMPARED = 2  # on one page nothing tells its frame
_TARGET = re.compile(r"\]\(([^()\s]+)\)|\b(?:href|src)=\"([^\"]+)\"")
_WEB = ("http://", "https://")
_NAMES = {"text": "text changed", "link": "link changed", "element": "markup changed"}


class _News(NamedTuple):
    """Says what a page gained and lost since the last run."""

    gained: Units
    lost: Units


def frame_changes(site: Site, visits: Visits, kinds: Sequence[PageKind], learned: Sequence[Change]) -> list[Change]:
    """Return the changes of a site's frame.

    Args:
        site: its pages.
        visits: the last run, with its pages.
        kinds: the kinds of the pages of this run.
        learned: how their templates differ from those of the last run.
    """
    before = {visit.url: visit for visit in visits.saved.values()}
    pages = {page.url: page for page in site.pages}
    changes: list[Change] = []
    for kind in kinds:
        olds = ((url, before[url]) for url in kind.pages[: kind.of_kind] if url in before and url in pages)
        compared = [(old, site.full(pages[url])) for url, old in olds][:_MOST_COMPARED]
        own = [one for one in learned if kind.id in one.kinds]
        if len(compared) < _FEWEST_COMPARED:
            changes += own
            continue
        with suppress(PageUnavailable):
            news = [_news(old.sample(), SamplePage(page)) for old, page in compared]
            gained, lost = (reduce(and_, (getattr(one, name) for one in news)) for name in _News._fields)
            changes += ((gained or lost) and (own or [_change(gained or lost, compared[0][1], kind)])) or []
    merged: dict[tuple[str, str, str | None, int], list[str]] = {}
    for one in changes:
        merged.setdefault((one.change, one.region, one.before, one.elements), []).extend(one.kinds)
    return [Change(*one, tuple(dict.fromkeys(names))) for one, names in merged.items()]


def _news(old: SamplePage, new: SamplePage) -> _News:
    if old.page.html == new.page.html:
        return _News(Counter(), Counter())
    before, now = page_units(old.document), page_units(new.document)
    return _News(now - before, before - now)


def _change(units: Units, page: CrawlPage, kind: PageKind) -> Change:
    """Return the change that common units of a kind's pages show, the most telling one."""
    sort, shown = min(units, key=lambda unit: ([*_NAMES].index(unit[0]), unit[1]))
    return Change(_NAMES[sort], text_without_tokens(shown)[:200], None, sum(units.values()), (kind.id,))


def bodies_of(site: Site, contents: Mapping[str, PageContent], form: str) -> dict[str, bytes]:
    """Return what each page's file says, packed, by its address; links between pages as they were in the site."""
    files = {file: key for key, file in site.files.items()}
    files |= {one.file: one.url for one in site.linked.values() if one.file}
    files |= {file: url for url, file in (site.pictures or {}).items()}

    def plain(file: str, content: PageContent) -> bytes:
        def target(found: re.Match[str]) -> str:
            address = found[1] or found[2]
            if "://" not in address:
                address = files.get(normpath(join(dirname(file), unquote(address))), address)
            return f"]({_target(site, address)})"

        facts = content.metadata
        head = (facts.title, facts.author, facts.published, facts.modified) if facts is not None else ()
        body = _TARGET.sub(target, str(getattr(content, form) or ""))
        return zlib.compress("\n".join([*(str(one) for one in head), body]).encode("utf-8", "replace"))

    return {content.url: plain(file, content) for file, content in contents.items()}


def _target(site: Site, address: str) -> str:
    """Return the form of an address that all addresses of a page of the site share."""
    is_own = address.startswith(_WEB) and site_host(address) == site_host(site.start)
    return site.key(address) if is_own else address


def content_changes(site: Site, visits: Visits, frame: Sequence[Change], bodies: Mapping[str, bytes]) -> list[str]:
    """Return the addresses of the pages whose content changed.

    Args:
        site: its pages.
        visits: the last run, with its pages and bodies.
        frame: the changes of the frame; with any, templates were learned anew, and may choose other parts.
        bodies: what each page's file says, packed, by its address.
    """
    finished = visits.before
    if finished is None:
        return []
    earlier = {visit.url: visit for visit in visits.earlier.values() if visit.outcome == "page"}
    pages = {page.url: page for page in site.pages}
    shared = _shared_news(site, earlier, pages) if frame else None

    def is_changed(url: str) -> bool:
        before, now = finished.bodies.get(url), bodies[url]
        if before is None or url not in pages or url in site.unreached or before == now:
            return False
        if url not in earlier:
            return True
        old, new = earlier[url].sample(), SamplePage(site.full(pages[url]))
        if old.page.html == new.page.html:
            return False
        if not frame:  # the templates are those of the last run
            return True
        if shared is not None and not _has_own_news(old, new, shared):
            return False
        gone, said = (zlib.decompress(one).decode().splitlines() for one in (before, now))
        lost, come = ({*one}.difference(other) for one, other in ((gone, said), (said, gone)))
        return not (_has(site, new, lost) and _has(site, old, come))

    return [url for url in bodies if is_changed(url)]


def _shared_news(site: Site, earlier: Mapping[str, Visit], pages: Mapping[str, CrawlPage]) -> _News | None:
    """Return what changed pages all gained and lost since the last run; None if too few can be compared."""
    urls = (url for url in earlier if url in pages and url not in site.unreached)
    both = ((earlier[url].sample(), SamplePage(site.full(pages[url]))) for url in urls)
    changed = (pair for pair in both if pair[0].page.html != pair[1].page.html)
    with suppress(PageUnavailable):
        news = [_news(*pair) for pair in islice(changed, _MOST_COMPARED)]
        if len(news) >= _FEWEST_COMPARED:
            return _News(*(reduce(and_, units) for units in zip(*news, strict=True)))
    return None


def _has_own_news(old: SamplePage, new: SamplePage, shared: _News) -> bool:
    """Return whether a page changed by more than what it shares with others; numbers count."""
    news = _news(old, new)
    if news.gained - shared.gained or news.lost - shared.lost:
        return True
    before, now = (Counter(run.text.strip() for run in one.document.texts) for one in (old, new))
    return any(("text", text_unit(text)) not in shared.gained | shared.lost for text in before - now | now - before)


def write_changes(folder: Folder, changes: Mapping[str, Sequence[object]]) -> None:
    """Write `changes.json`; without a change the last file stays."""
    if any(changes.values()):
        folder.write(CHANGES, text_without_tokens(json.dumps(changes, indent=1, ensure_ascii=False)) + "\n")
    elif (folder.path / CHANGES).exists():
        folder.files.append(CHANGES)


def _has(site: Site, page: SamplePage, lines: Iterable[str]) -> bool:
    """Return whether a page has all targets of lines, and each pair of adjacent words of their cells."""
    document = page.document
    pictures = [found.get("alt", "") for found in document.attributes]
    as_written = [word for run in document.texts for word in words(run.text)]
    written = words("\n".join([whole_text(document), *pictures]))
    known = {*written, *pairwise(written), *as_written, *pairwise(as_written)}
    parted = [_TARGET.split(line) for line in lines]
    cells = (words(cell) for parts in parted for text in parts[::3] for cell in text.split("\t"))
    if not all(known.issuperset([*cell, *pairwise(cell)]) for cell in cells):
        return False
    named = (found[name] for found in document.attributes for name in REFERENCES if name in found)
    targets = {_target(site, url) for one in named if (url := resolve(one, document.base))}
    return targets.issuperset(one for parts in parted for one in parts[1::3] if one)
