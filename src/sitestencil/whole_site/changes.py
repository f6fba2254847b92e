"""Say what changed in a site since its last run: the frame, and pages whose content changed, came or went."""

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Any

from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.crawl.kinds import SamplePage
from sitestencil.crawl.regions import Change
from sitestencil.page.words import words
from sitestencil.whole_site.gathering import Site
from sitestencil.whole_site.visits import Visit, Visits
from sitestencil.whole_site.writing import Folder

_CHANGES = "changes.json"


def write_changes(
    folder: Folder, frame: Sequence[Change], site: Site, visits: Visits, now: Mapping[str, bytes]
) -> dict[str, Any]:
    """Write `changes.json`, and return it. Without any change the last one stays.

    Args:
        folder: the site's folder.
        frame: the changes of the frame.
        site: its pages.
        visits: the last run, with its pages and their texts.
        now: each page's packed text in this run, by its address.
    """
    before = visits.before.texts if visits.before is not None else {}
    earlier = {visit.url: visit for visit in visits.earlier.values() if visit.outcome == "page"}
    pages = {page.url: page for page in site.pages}

    def is_changed(url: str) -> bool:
        if before.get(url, now[url]) == now[url]:
            return False
        page, old = site.full(pages[url]), earlier.get(url)
        if old is None or not frame:  # the templates are those of the last run
            return old is None or zlib.decompress(old.packed) != page.html
        # Templates that were learned anew may choose other parts of the same page.
        gone, new = (zlib.decompress(text).decode().splitlines() for text in (before[url], now[url]))
        return not (_has(page, set(gone).difference(new)) and _has(_page(old), set(new).difference(gone)))

    changes = {
        "frame": [asdict(change) for change in frame],
        "content": [url for url in now if is_changed(url)],
        "added": [url for url in now if url not in before],
        "removed": [url for url in before if url not in now],
        "not reached": [url for url in site.unreached if url in now],
    }
    if any(changes.values()):
        folder.write(_CHANGES, json.dumps(changes, indent=1, ensure_ascii=False) + "\n")
    elif (folder.path / _CHANGES).exists():
        folder.files.append(_CHANGES)
    return changes


def _page(visit: Visit) -> CrawlPage:
    return CrawlPage(visit.url, zlib.decompress(visit.packed), charset=visit.charset)


def _has(page: CrawlPage, lines: Iterable[str]) -> bool:
    """Return whether each two words that follow each other in a line do so in a page or its pictures' texts."""
    document = SamplePage(page).document
    texts = [run.text for run in document.texts] + [found.get("alt", "") for found in document.attributes]
    written = [word for text in texts for word in words(text)]
    known = {*written, *pairwise(written)}
    return all(known.issuperset([*line, *pairwise(line)]) for line in map(words, lines))
