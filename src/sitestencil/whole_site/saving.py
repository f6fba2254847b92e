"""Save a site: visit it or read its files, learn its kinds, write its folder, and say what changed."""

from contextlib import AsyncExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitestencil.crawl.folder_lock import folder_lock
from sitestencil.crawl.plan import Report
from sitestencil.errors import UnusableOutput
from sitestencil.event_loop import run
from sitestencil.site.frontier import Extent
from sitestencil.site.sources.polite import PoliteSource
from sitestencil.site.sources.rendered import RenderedSource
from sitestencil.whole_site.gathering import Site, of_files, of_visits
from sitestencil.whole_site.learning import kept, learn_kinds
from sitestencil.whole_site.outline import Entry
from sitestencil.whole_site.visiting import Pause, Visited, Visitor
from sitestencil.whole_site.visits import Finished, Visits
from sitestencil.whole_site.writing import (
    ENDINGS,
    Choice,
    Folder,
    changes_file,
    page_contents,
    text_digests,
    write_changes,
    write_site,
)

if TYPE_CHECKING:
    from http.cookiejar import CookieJar

STATE = ".work"
WEB = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class Loading:
    """How a site is loaded.

    Attributes:
        extent: which pages.
        delay: the seconds between two requests.
        cookies: cookies for the site's own server.
        rendered: load pages in a browser, which runs their scripts.
        browser: its name; by default the first one installed.
        pause: waits between requests.
    """

    extent: Extent = field(default_factory=Extent)
    delay: float = 1.0
    cookies: "CookieJar | None" = None
    rendered: bool = False
    browser: str | None = None
    pause: Pause | None = None


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved site.

    Attributes:
        site: its pages.
        entries: the pages as the lists have them.
        changes: what `changes.json` says; None in the first run.
        written: the number of files that are new or changed.
    """

    site: Site
    entries: list[Entry]
    changes: dict[str, Any] | None
    written: int


def save_site(name: str, path: Path, loading: Loading, choice: Choice, report: Report) -> Saved:
    """Save a site in a folder; go on if an earlier run was killed, and update what a finished one wrote.

    Args:
        name: the address of a site, or a file or folder that holds a crawl of it.
        path: the folder.
        loading: how it is loaded.
        choice: what is written.
        report: receives the progress.

    Raises:
        PageUnavailable: the first page is unavailable, or the server answers no more.
        UnusableInput: the file or folder holds no crawl.
        UnusableOutput: the folder has other files, or another run is at work in it.
    """
    with folder_lock(path):
        if path.exists() and not (path / STATE).is_dir():
            raise UnusableOutput(f"{path} has other files in it. Give a new folder, or that of an earlier run.")
        with closing(Visits(path / STATE)) as visits:
            came = run(visited(name, loading, visits, report)) if name.startswith(WEB) else None
            site = of_visits(came) if came is not None else of_files(name)
            site.ending = ENDINGS[choice.form]
            return _written(site, path, choice, visits, came, report)


async def visited(name: str, loading: Loading, visits: Visits, report: Report) -> Visited:
    """Visit a site; the errors are those of `Visitor`."""
    async with AsyncExitStack() as stack:
        source = await stack.enter_async_context(PoliteSource(cookies=loading.cookies))
        browser = None
        if loading.rendered:
            browser = await stack.enter_async_context(RenderedSource(browser=loading.browser))
        visitor = Visitor(source, visits, loading.delay, browser, report)
        visitor.pause = loading.pause or visitor.pause
        return await visitor.visit(name, loading.extent)


def _written(site: Site, path: Path, choice: Choice, visits: Visits, came: Visited | None, report: Report) -> Saved:
    before = visits.before or Finished()
    folder, own = Folder(path), came.visits if came is not None else []
    same = [visit.url for visit in own if (old := visits.earlier(visit.page)) and old.packed == visit.packed]
    templates, frame = learn_kinds(site.pages, before.kinds)
    contents = page_contents(site, templates, choice, report)
    entries = write_site(folder, site, templates, contents, choice)
    digests, changes = text_digests(contents), None
    if visits.before is not None:
        changes = changes_file(frame, before.texts, digests, same)
        if any(changes.values()):
            write_changes(folder, changes)
        elif (path / "changes.json").exists():
            folder.files.append("changes.json")
    folder.remove_others(before.files)
    visits.finish(own, Finished(digests, tuple(sorted(folder.files)), kept(templates)))
    return Saved(site, entries, changes, folder.written)
