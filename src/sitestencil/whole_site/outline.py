"""The tree of a site's pages: first as its menus have them, then the others by their folders."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from operator import and_, eq
from pathlib import PurePosixPath
from typing import NamedTuple, Self
from urllib.parse import quote

from sitestencil.crawl.kinds import SamplePage
from sitestencil.crawl.pages import PageContent
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


class Entry(NamedTuple):
    """A page in the lists of a site; `confidence` is the expected F1 of its text, else of its template."""

    file: str
    url: str
    title: str
    summary: str
    kind: str
    confidence: float | None
    words: int
    site_name: str

    @classmethod
    def of(cls, file: str, content: PageContent, kind: str) -> Self:
        """Return a page's entry."""
        facts = named(content, file)
        title, summary, site_name = (
            " ".join((text or "").split()) for text in (facts.title, facts.description, facts.site_name)
        )
        confidence = content.confidence if content.fit is None else content.fit
        return cls(file, content.url, title, summary, kind, confidence, content.words, site_name)


def named(content: PageContent, file: str) -> Metadata:
    """Return a page's metadata; one without a title is called as its file."""
    own = content.metadata or Metadata(content.url)
    return own if own.title else replace(own, title=PurePosixPath(file).stem)


def outline(site: Site, entries: Sequence[Entry]) -> tuple[str, str]:
    """Return the site's name, and its tree as nested lists of Markdown."""
    by_file = {entry.file: entry for entry in entries}
    first, *others = (source_title(page.html, page.charset) for page in site.pages[:_MOST_TITLES])
    shared = site_title(first, others) if any(others) else ""
    name = next((entry.site_name for entry in entries if entry.site_name), shared) or site_host(site.start)
    lines: dict[str, str] = {}
    for level, file, label in _menu(site):
        words = escaped(label or by_file[file].title)
        lines.setdefault(file, f"{'  ' * level}- [{words}]({quote(file)})\n")
    rest = sorted(by_file.keys() - lines.keys())
    parts = [*lines.values(), *(["\n## More pages\n\n"] if lines and rest else [])]
    above: list[str] = []
    for file in rest:
        folders = file.split("/")[1:-1]
        same = sum(accumulate(map(eq, folders, above), and_))
        parts += [f"{'  ' * at}- {escaped(folders[at])}/\n" for at in range(same, len(folders))]
        parts.append(f"{'  ' * len(folders)}- [{escaped(by_file[file].title)}]({quote(file)})\n")
        above = folders
    return name, "".join(parts)


def _menu(site: Site) -> Iterator[tuple[int, str, str]]:
    """Yield the links in the first page's menus to saved pages: the level, the file and the words of each."""
    page = next((page for page in site.pages if page.url == site.start), site.pages[0])
    document, before, least = SamplePage(page).document, -1, 0
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
