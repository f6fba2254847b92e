"""The pages of a site as lists for people: its tree as Markdown, and `report.html`, which runs no script."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from operator import and_, eq
from pathlib import Path, PurePosixPath
from string import Template
from typing import NamedTuple, Self
from urllib.parse import quote

from markdown_it import MarkdownIt

from sitestencil.crawl.kinds import SamplePage
from sitestencil.crawl.pages import PageContent
from sitestencil.outputs.markdown import escaped
from sitestencil.outputs.secrets import text_without_tokens
from sitestencil.page.metadata import Metadata
from sitestencil.page.page_title import site_title, source_title
from sitestencil.page.serialization import escape_text, escape_value
from sitestencil.printable import visible
from sitestencil.urls import resolve, site_host
from sitestencil.whole_site.gathering import LinkedFile, Site

_LISTS = frozenset({"ul", "ol", "menu"})
_MENUS = frozenset({"nav", "header", "aside", "footer"})
_LONGEST_LABEL = 80
_MOST_TITLES = 50
_LEAST_SURE = 10
_LOW, _HIGH = 0.8, 0.95  # as cli/progress.py has them for main content
_HEAD = Template(Path(__file__).with_name("report_head.html").read_text("utf-8"))


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
    stated = content.metadata or Metadata(content.url)
    return stated if stated.title else replace(stated, title=PurePosixPath(file).stem)


def outline(site: Site, entries: Sequence[Entry]) -> tuple[str, str]:
    """Return the site's name, and its tree as nested lists of Markdown."""
    by_file = {entry.file: entry for entry in entries}
    first, *others = (source_title(page.html, page.charset) for page in map(site.full, site.pages[:_MOST_TITLES]))
    shared = site_title(first, others) if any(others) else ""
    name = next((entry.site_name for entry in entries if entry.site_name), visible(shared)) or site_host(site.start)
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
    document, before, least = SamplePage(site.full(page)).document, -1, 0
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
        yield before, file, visible(" ".join(words))[:_LONGEST_LABEL]


def report_page(name: str, site: Site, entries: Sequence[Entry], tree: str, files: Container[str] = ()) -> str:
    """Return the page; `tree` has the pages as nested lists of Markdown, and `files` may have frames' pictures."""
    kinds = sorted({entry.kind for entry in entries}, key=lambda kind: (not kind, len(kind), kind))
    parts = [
        _HEAD.substitute(title=escape_text(f"{name}: {len(entries)} pages")),
        f"<h1>{escape_text(name)}</h1>\n<p>{len(entries):,} pages of {_link(site.start, site.start)}, "
        f"{sum(entry.words for entry in entries):,} words.\n",
        "<h2>Least sure pages</h2>\n<p>Look at these first. Confidence, 0 to 1, says how right a text is.\n",
        _table(sorted(entries, key=lambda entry: entry.confidence or 0.0)[:_LEAST_SURE]),
        "<h2>Kinds</h2>\n<p>Pages of a kind share a frame: header, menus, footer.\n",
    ]
    for kind in kinds:
        of_kind = [entry for entry in entries if entry.kind == kind]
        frame = f"<p>{_link(f'templates/{kind}.html', 'The frame')}\n" if kind else ""
        if f"templates/{kind}.png" in files:
            frame += f"<p><img src='templates/{kind}.png' alt='The frame of {kind}'>\n"
        many = "1 page" if len(of_kind) == 1 else f"{len(of_kind):,} pages"
        parts.append(_folded(f"{kind or 'Of no kind'}: {many}", frame + _table(of_kind)))
    # The tree is Markdown of ours; what is HTML in it is shown as text.
    pages = MarkdownIt("commonmark", {"html": False}).render(tree)
    parts += ["<h2>Pages</h2>\n", _folded("As the menus have them", pages)]
    if site.unreached:
        parts += ["<h2>Not reached</h2>\n<p>These pages stay as they were, since they did not answer as before.\n"]
        parts += [f"<p>{escape_text(many_stay(site))}\n"] if site.going else []
        parts += _reasons(site.unreached)
    if site.gone:
        parts += ["<h2>Gone</h2>\n<p>The last pages that went, with their files.\n", *_reasons(site.gone)]
    if site.edited:
        items = "".join(f"<li>{escape_text(name)}\n" for name in site.edited)
        parts.append(f"<h2>Edited: kept</h2>\n<p>These files stay as somebody edited them.\n<ul>\n{items}</ul>\n")
    if site.linked:
        table = _file_table(site.linked.values())
        parts += ["<h2>Files</h2>\n", _folded(f"That pages link to: {len(site.linked):,}", table)]
    return text_without_tokens(
        "".join([*parts, "<h2>Left out</h2>\n", *(_reasons(site.left) or ["<p>Nothing.\n"])])
    )


def many_stay(site: Site) -> str:
    """Return a sentence about saved pages that stay since they are too many."""
    of = f"{site.going:,} of {len(site.names):,} saved pages would go at once, so all stay."
    return f"{of} If they may go, run the command again with --remove."


def _reasons(why: Mapping[str, str]) -> list[str]:
    """Return a folded list of addresses for each reason."""
    reasons: dict[str, list[str]] = {}
    for url, detail in why.items():
        reasons.setdefault(short_reason(url, detail), []).append(url)
    parts: list[str] = []
    for reason, urls in sorted(reasons.items(), key=lambda one: -len(one[1])):
        items = "".join(f"<li>{escape_text(url)}\n" for url in urls)
        parts.append(_folded(f"{reason}: {len(urls):,}", f"<ul>\n{items}</ul>\n"))
    return parts


def short_reason(url: str, detail: str) -> str:
    """Return why an address is left, without the address."""
    return detail.removeprefix(url).lstrip(": ").rstrip(".")


def _folded(title: str, content: str) -> str:
    return f"<details><summary>{escape_text(title)}</summary>\n{content}</details>\n"


def _table(entries: Sequence[Entry]) -> str:
    rows = (
        f"<tr><td>{_link(quote(entry.file), entry.title)} ({_link(entry.url, 'source')})<td>{entry.kind}"
        f"<td class=number>{entry.words:,}<td class=number>{_sure(entry.confidence)}\n"
        for entry in entries
    )
    head = "<tr><th>page<th>kind<th class=number>words<th class=number>confidence\n"
    return f"<table>\n{head}{''.join(rows)}</table>\n"


def _file_table(linked: Iterable[LinkedFile]) -> str:
    rows = (
        f"<tr><td>{_link(quote(one.file) or one.url, one.url)}<td>{escape_text(one.words)}"
        f"<td>{escape_text('saved' if one.file else one.detail)}\n"
        for one in linked
    )
    return f"<table>\n<tr><th>file<th>link<th>saved\n{''.join(rows)}</table>\n"


def _sure(confidence: float | None) -> str:
    if confidence is None:
        return "unknown"
    return f"{confidence:.2f} {'low' if confidence < _LOW else 'high' if confidence >= _HIGH else 'medium'}"


def _link(url: str, words: str) -> str:
    return f'<a href="{escape_value(url)}" rel="noreferrer">{escape_text(words)}</a>'
