"""Write a site's folder: pages, kinds, and lists for people, programs and language models."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Literal
from urllib.parse import quote

from sitestencil.content.main_content import MAIN_CONTENT, ContentChoice
from sitestencil.crawl.content import Formats, SiteExtractor, content_or_skipped
from sitestencil.crawl.input.crawled import Skipped
from sitestencil.crawl.kinds import SamplePage
from sitestencil.crawl.learning import SiteTemplates
from sitestencil.crawl.limits import MOST_SECONDS, TimeIsUp, page_limits
from sitestencil.crawl.pages import PageContent
from sitestencil.crawl.plan import CrawlProgress, Report
from sitestencil.crawl.rows import PAGES, ParquetFile, page_batch, row_of
from sitestencil.errors import CannotBeSaved, OutOfMemory, PageUnavailable
from sitestencil.outputs.content import front_matter
from sitestencil.outputs.markdown import escaped
from sitestencil.outputs.secrets import without_tokens
from sitestencil.template import Template
from sitestencil.whole_site.folder import ROWS, STATE, TABLE, Folder
from sitestencil.whole_site.gathering import Site
from sitestencil.whole_site.report import Entry, named, outline, report_page

_ENDINGS = {"markdown": ".md", "text": ".txt", "html": ".html"}
_RULE = "---\n"
_DAY = date(2000, 1, 1)  # is taken out again: a file changes only with its site


@dataclass(frozen=True, slots=True)
class Choice:
    """The output: the form of the pages' files, their content, and whether the rows are also Parquet.

    `remove` lets saved pages go even if they are many at once, and lose nearly all of their words.
    """

    form: Literal["markdown", "text", "html"] = "markdown"
    content: ContentChoice = MAIN_CONTENT
    parquet: bool = False
    remove: bool = False


def page_contents(site: Site, templates: SiteTemplates, choice: Choice, show: Report) -> dict[str, PageContent]:
    """Return each page's content by its file; a page without content is left out, and no link leads to it.

    Raises:
        PageUnavailable: no page has any.
    """
    site.ending = _ENDINGS[choice.form]
    wanted = Formats(choice.form == "markdown", choice.form == "html", choice=choice.content, relink=site.relink)
    extractor, found = SiteExtractor(templates, wanted), dict[str, PageContent]()
    left = len(site.left)
    for number, page in enumerate(site.pages):
        show(CrawlProgress("extracting", number, len(site.pages), number))
        content = content_or_skipped(extractor, site.full(page), MOST_SECONDS)
        if isinstance(content, Skipped):
            site.left[page.url] = f"{content.reason}: {content.detail}"
        else:
            found[site.files[site.key(page.url)]] = content
    if len(site.left) == left:
        return found
    if not found:
        raise PageUnavailable(f"{site.start}: no page of this site can be read.")
    site.pages = [page for page in site.pages if page.url not in site.left]
    del site.files
    return page_contents(site, templates, choice, show)


def write_site(
    folder: Folder,
    site: Site,
    templates: SiteTemplates,
    contents: Mapping[str, PageContent],
    choice: Choice,
    draw: Callable[[Folder, Mapping[str, Template]], None],
) -> list[Entry]:
    """Write all files but `changes.json`; return the lists' entries.

    `draw` may add a picture of each kind's frame, whose template it gets by its file.
    """
    kinds = kind_names(templates)
    entries = [Entry.of(file, one, kinds.get(one.kind, "")) for file, one in contents.items()]
    texts = {file: getattr(one, choice.form) or "" for file, one in contents.items()}
    for entry in entries:
        head = _head(contents[entry.file], entry) if choice.form == "markdown" else ""
        folder.write(entry.file, head + texts[entry.file])
    safe = {file: _without_tokens(one) for file, one in contents.items()}
    rows = (row_of(one) | {"kind": kinds.get(one.kind), "file": file} for file, one in safe.items())
    folder.write(ROWS, "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows))
    if choice.parquet:
        file = folder.path / STATE / TABLE
        with ParquetFile[PageContent](file, PAGES, page_batch, lambda one: len(one.text)) as table:
            for content in safe.values():
                table.add(content)
        folder.write(TABLE, file.read_bytes())
        file.unlink()
    frames = _write_kinds(folder, site, templates, entries)
    name, tree = outline(site, entries)
    folder.write("index.md", f"# {escaped(name)}\n\n{tree}")
    summary = next((entry.summary for entry in entries if entry.url == site.start), "")
    title = f"# {escaped(name)}\n\n" + (f"> {escaped(summary)}\n\n" if summary else "")
    items = (
        f"- [{escaped(entry.title)}]({quote(entry.file)})"
        + (f": {escaped(entry.summary)}" if entry.summary not in {"", summary} else "")
        for entry in entries
    )
    folder.write("llms.txt", "\n".join([f"{title}## Pages\n", *items, ""]))
    sources = {entry.file: without_tokens(entry.url).replace("[", "%5B") for entry in entries}
    full = (
        f"# {escaped(entry.title)}\n\nSource: {sources[entry.file]}\n\n{texts[entry.file]}\n" for entry in entries
    )
    folder.write("llms-full.txt", title + "".join(full))
    draw(folder, frames)
    folder.write("report.html", report_page(name, site, entries, tree, folder.files))
    return entries


def _without_tokens(content: PageContent) -> PageContent:
    record = content.record._replace(url=without_tokens(content.record.url or content.url))
    stated = content.metadata
    if stated is not None and stated.canonical:
        stated = replace(stated, canonical=without_tokens(stated.canonical))
    return replace(content, url=without_tokens(content.url), record=record, metadata=stated)


def kind_names(templates: SiteTemplates) -> dict[str, str]:
    """Return the name of each kind in files, by its id."""
    return {group.id: f"kind-{number}" for number, group in enumerate(templates.groups, 1)}


def _head(content: PageContent, entry: Entry) -> str:
    kind = f"kind: {entry.kind}\n" if entry.kind else ""
    confidence = "" if entry.confidence is None else f"confidence: {entry.confidence}\n"
    doubt = f"doubt: {content.doubt}\n" if content.doubt else ""
    stated = front_matter(named(content, entry.file), content.page_kind).removesuffix(_RULE)
    return f"{stated}{kind}{confidence}{doubt}{_RULE}\n"


def _write_kinds(
    folder: Folder, site: Site, templates: SiteTemplates, entries: Iterable[Entry]
) -> dict[str, Template]:
    rows, frames = list[dict[str, Any]](), dict[str, Template]()
    pages, names = {page.url: page for page in site.pages}, kind_names(templates)
    for group in templates.groups:
        name, row = names[group.id], dict[str, Any]()
        of_kind = [entry for entry in entries if entry.kind == name]
        key_page = pages.get(group.pages[0]) or next((pages[entry.url] for entry in of_kind), None)
        if key_page is None:
            continue
        try:
            with page_limits(MOST_SECONDS):
                document = SamplePage(site.full(key_page)).document
                template = Template(document, group.learned.apply(document), group.learned.detector)
                html = template.to_html(saved=_DAY).replace(f" on {_DAY.isoformat()}\n", "\n", 1)
            row["template"] = f"templates/{name}.html"
            folder.write(row["template"], html)
            frames[row["template"]] = template
        except (CannotBeSaved, OutOfMemory, TimeIsUp) as error:
            row["template"], row["detail"] = None, str(error) or "This page takes too long to write."
        facts = {"kind": name, "confidence": group.confidence, "key_page": without_tokens(key_page.url)}
        rows.append(facts | row | {"pages": [entry.file for entry in of_kind]})
    folder.write("kinds.json", json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
    return frames
