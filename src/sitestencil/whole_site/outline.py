"""The tree of a site's pages: first as its menus have them, then the others by their folders."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import and_, eq
from typing import Self
from urllib.parse import quote

from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.crawl.kinds import SamplePage
from sitestencil.crawl.pages import PageContent
from sitestencil.errors import PageUnavailable
from sitestencil.outputs.markdown import escaped
from sitestencil.outputs.site_title import site_title
from sitestencil.page.metadata import Metadata
from sitestencil.page.page_title import source_title
from sitestencil.urls import resolve, site_host
from sitestencil.whole_site.gathering import Site

_LISTS = frozenset({"ul", "ol", "menu"})
_MENUS = frozenset({"nav", "header", "aside", "footer"})
_LONGEST_LABEL = 80
_MOST_TITLES = 50


@dataclass(frozen=True, slots=True)
class Entry:
    """A page in the lists of a site.

    Attributes:
        file: its file.
        url: its address.
        title: its title, without the site's name.
        summary: its description; empty without one.
        kind: the name of its kind; empty if its template is of no kind.
        confidence: the expected F1 of its text; of its template, where that is unknown.
        words: the number of its words.
        site_name: what it calls its site.
    """

    file: str
    url: str
    title: str
    summary: str
    kind: str
    confidence: float | None
    words: int
    site_name: str

    @classmethod
    def of(cls, file: str, content: PageContent, named: Metadata, kind: str) -> Self:
        """Return a page's entry."""
        confidence = content.confidence if content.fit is None else content.fit
        texts = named.title or "", named.description or ""
        return cls(file, content.url, *texts, kind, confidence, content.words, named.site_name or "")


def outline(site: Site, entries: Sequence[Entry], first: CrawlPage) -> tuple[str, str]:
    """Return the site's name, and its tree as nested lists of Markdown."""
    by_file = {entry.file: entry for entry in entries}
    title, *others = (source_title(page.html, page.charset) for page in (first, *site.pages[:_MOST_TITLES]))
    shared = site_title(title, others) if len(site.pages) > 1 else ""
    name = next((entry.site_name for entry in entries if entry.site_name), shared) or site_host(site.start)
    lines: list[str] = []
    met: set[str] = set()
    try:
        for level, file, label in _menu(site, first):
            if file in by_file and file not in met:
                met.add(file)
                lines.append(f"{'  ' * level}- [{escaped(label or by_file[file].title)}]({quote(file)})\n")
    except PageUnavailable:
        pass
    rest = sorted(entry.file for entry in entries if entry.file not in met)
    if lines and rest:
        lines.append("\n## More pages\n\n")
    above: list[str] = []
    for file in rest:
        folders = file.split("/")[1:-1]
        same = sum(accumulate(map(eq, folders, above), and_))
        lines += [f"{'  ' * at}- {escaped(folders[at])}/\n" for at in range(same, len(folders))]
        lines.append(f"{'  ' * len(folders)}- [{escaped(by_file[file].title)}]({quote(file)})\n")
        above = folders
    return name, "".join(lines)


def _menu(site: Site, page: CrawlPage) -> Iterator[tuple[int, str, str]]:
    """Yield the links in a page's menus to saved pages: the level, the file and the words of each."""
    document = SamplePage(page).document
    before, least = -1, 0
    for element, reference in document.hyperlinks():
        tags = [document.tags[above] for above in document.path(element)]
        url = None if reference.startswith("#") else resolve(reference, document.base)
        if url is None or _MENUS.isdisjoint(tags) or (file := site.file(url)) is None:
            continue
        depth = sum(tag in _LISTS for tag in tags)
        if before < 0 or depth < least:
            least, before = depth, -1
        before = min(depth - least, before + 1)
        words = " ".join(document.texts[run].text for run in document.runs(element)).split()
        yield before, file, " ".join(words)[:_LONGEST_LABEL]
