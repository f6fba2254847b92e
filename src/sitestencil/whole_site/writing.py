"""Write a site's folder: a file for each page, its kinds, lists for people, programs and language models."""

import json
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from sitestencil.content.main_content import MAIN_CONTENT, ContentChoice
from sitestencil.crawl.content import SiteExtractor, Wanted
from sitestencil.crawl.input.crawled import CrawlPage, Skipped
from sitestencil.crawl.kinds import SamplePage
from sitestencil.crawl.learning import SiteTemplates
from sitestencil.crawl.limits import MOST_SECONDS
from sitestencil.crawl.pages import PageContent
from sitestencil.crawl.plan import CrawlProgress, Report
from sitestencil.crawl.regions import Change
from sitestencil.crawl.rows import PAGES, ParquetFile, page_batch, row_of, valid_text
from sitestencil.crawl.spill import temporary
from sitestencil.crawl.work import content_or_skipped
from sitestencil.errors import CannotBeSaved
from sitestencil.outputs.front_matter import front_matter
from sitestencil.outputs.markdown import escaped
from sitestencil.page.metadata import Metadata
from sitestencil.template import Template
from sitestencil.whole_site.gathering import Site
from sitestencil.whole_site.learning import kind_names
from sitestencil.whole_site.outline import Entry, outline
from sitestencil.whole_site.report import report_page

Form = Literal["markdown", "text", "html"]
ENDINGS: Mapping[Form, str] = {"markdown": ".md", "text": ".txt", "html": ".html"}
ROWS = "pages.jsonl"
_RULE = "---\n"
_DAY = date(2000, 1, 1)  # is taken out again: a file changes only with its site


@dataclass(frozen=True, slots=True)
class Choice:
    """The choice of files and content.

    Attributes:
        form: that of the pages' files.
        content: the content of each page.
        parquet: also write the rows as Parquet.
    """

    form: Form = "markdown"
    content: ContentChoice = MAIN_CONTENT
    parquet: bool = False

    def wanted(self, site: Site) -> Wanted:
        """Return what is to be extracted of a site's pages."""
        return Wanted(self.form == "markdown", self.form == "html", choice=self.content, relink=site.relink)


@dataclass
class Folder:
    """The files of a site's folder. A file that would be the same again is left alone.

    Attributes:
        path: the folder.
        files: the paths of all files so far.
        written: how many of them are new or changed.
    """

    path: Path
    files: list[str] = field(default_factory=list)
    written: int = 0

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file, which is complete or not there."""
        data = content if isinstance(content, bytes) else valid_text(content).encode()
        file = self.path / name
        self.files.append(name)
        if file.is_file() and file.read_bytes() == data:
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        with temporary(file) as part:
            part.write_bytes(data)
        self.written += 1

    def remove_others(self, earlier: Iterable[str]) -> None:
        """Remove the files of an earlier run that this one did not write, and parts of files of killed runs."""
        for name in set(earlier) - set(self.files):
            (self.path / name).unlink(missing_ok=True)
        for part in self.path.rglob(".*.part"):
            part.unlink()


def page_contents(site: Site, templates: SiteTemplates, choice: Choice, show: Report) -> dict[str, PageContent]:
    """Return each page's content by its file; pages without content are left, and no link leads to them."""
    extractor = SiteExtractor(templates, choice.wanted(site))
    found: dict[str, PageContent] = {}
    skipped: dict[str, str] = {}
    for number, page in enumerate(site.pages):
        show(CrawlProgress("extracting", number, len(site.pages), number))
        content = content_or_skipped(extractor, page, MOST_SECONDS)
        if isinstance(content, Skipped):
            skipped[page.url] = f"{content.reason}: {content.detail}"
        else:
            found[site.files[site.key(page.url)]] = content
    if not skipped:
        return found
    pages = [page for page in site.pages if page.url not in skipped]
    rest = replace(site, pages=pages, left=site.left | skipped)
    site.pages, site.left = rest.pages, rest.left
    site.__dict__.pop("files", None)
    return page_contents(site, templates, choice, show)


def text_digests(contents: Mapping[str, PageContent]) -> dict[str, str]:
    """Return a digest of each page's text, by its address."""
    return {
        one.url: blake2b(one.text.encode("utf-8", "replace"), digest_size=16).hexdigest()
        for one in contents.values()
    }


def write_site(
    folder: Folder, site: Site, templates: SiteTemplates, contents: Mapping[str, PageContent], choice: Choice
) -> list[Entry]:
    """Write all files but `changes.json`; return the pages, as the lists have them."""
    kinds = kind_names(templates)
    named = {file: _metadata(one, file) for file, one in contents.items()}
    entries = [Entry.of(file, one, named[file], kinds.get(one.kind, "")) for file, one in contents.items()]
    texts = {file: _written(one, choice.form, site) for file, one in contents.items()}
    for entry in entries:
        head = _head(named[entry.file], entry) if choice.form == "markdown" else ""
        folder.write(entry.file, head + texts[entry.file])
    rows = (row_of(one) | {"file": file, "kind": kinds.get(one.kind)} for file, one in contents.items())
    folder.write(ROWS, "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows))
    if choice.parquet:
        _write_parquet(folder, contents.values())
    by_url = {page.url: page for page in site.pages}
    _write_kinds(folder, templates, kinds, entries, by_url)
    name, tree = outline(site, entries, by_url.get(site.start) or site.pages[0])
    folder.write("index.md", f"# {escaped(name)}\n\n{tree}")
    summary = next((entry.summary for entry in entries if entry.url == site.start), "")
    listed = "".join(
        f"- [{escaped(entry.title)}]({quote(entry.file)})"
        f"{f': {_line(entry.summary)}' if entry.summary not in {'', summary} else ''}\n"
        for entry in entries
    )
    title = f"# {_line(name)}\n\n" + (f"> {_line(summary)}\n\n" if summary else "")
    folder.write("llms.txt", f"{title}## Pages\n\n{listed}")
    full = (f"# {_line(entry.title)}\n\nSource: {entry.url}\n\n{texts[entry.file]}\n" for entry in entries)
    folder.write("llms-full.txt", title + "".join(full))
    folder.write("report.html", report_page(name, site, entries, kinds))
    return entries


def _written(content: PageContent, form: Form, site: Site) -> str:
    if form == "html":
        return site.relinked(content.url, content.html or "")
    return (content.markdown if form == "markdown" else content.text) or ""


def _metadata(content: PageContent, file: str) -> Metadata:
    own = content.metadata or Metadata(content.url)
    return own if own.title else replace(own, title=Path(file).stem)


def _head(metadata: Metadata, entry: Entry) -> str:
    kind = f"kind: {entry.kind}\n" if entry.kind else ""
    confidence = "" if entry.confidence is None else f"confidence: {entry.confidence}\n"
    return f"{front_matter(metadata)[: -len(_RULE)]}{kind}{confidence}{_RULE}\n"


def _line(text: str) -> str:
    return " ".join(text.split())


def _write_parquet(folder: Folder, contents: Iterable[PageContent]) -> None:
    folder.files.append("pages.parquet")
    with ExitStack() as files:
        file = files.enter_context(
            ParquetFile[PageContent](folder.path / "pages.parquet", PAGES, page_batch, lambda one: len(one.text))
        )
        for content in contents:
            file.add(content)


def _write_kinds(
    folder: Folder,
    templates: SiteTemplates,
    kinds: Mapping[str, str],
    entries: Iterable[Entry],
    by_url: Mapping[str, CrawlPage],
) -> None:
    rows: list[dict[str, Any]] = []
    for group in templates.groups:
        name = kinds[group.id]
        own = [entry for entry in entries if entry.kind == name]
        key_page = by_url.get(group.pages[0]) or next((by_url[entry.url] for entry in own), None)
        if key_page is None:
            continue
        row = {"kind": name, "confidence": group.sureness, "key_page": key_page.url, "template": None}
        try:
            document = SamplePage(key_page).document
            template = Template(document, group.compiled.learned.apply(document), group.compiled.learned.detector)
            html = template.to_html(saved=_DAY).replace(f" on {_DAY.isoformat()}\n", "\n", 1)
        except CannotBeSaved:
            pass
        else:
            row["template"] = f"templates/{name}.html"
            folder.write(f"templates/{name}.html", html)
        rows.append({**row, "pages": [entry.file for entry in own]})
    folder.write("kinds.json", _json(rows))


def changes_file(
    changes: Iterable[Change], before: Mapping[str, str], now: Mapping[str, str], same: Iterable[str]
) -> dict[str, Any]:
    """Return what changed since the last run: the frame's regions, and the pages.

    Args:
        changes: those of the frame.
        before: a digest of each page's text in the last run, by its address.
        now: likewise in this one.
        same: the pages that the server has not changed, whatever is now read of them.
    """
    unchanged = set(same)
    both = [url for url in now if url in before]
    return {
        "frame": [asdict(change) for change in changes],
        "content": [url for url in both if now[url] != before[url] and url not in unchanged],
        "added": [url for url in now if url not in before],
        "removed": [url for url in before if url not in now],
    }


def write_changes(folder: Folder, changes: Mapping[str, Any]) -> None:
    """Write `changes.json`."""
    folder.write("changes.json", _json(changes))


def _json(data: object) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"
