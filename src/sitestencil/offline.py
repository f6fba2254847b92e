"""Load a template's files, so that it opens offline."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from http.cookiejar import CookieJar

from sitestencil.errors import WrongArgument, shown
from sitestencil.outputs.files import File, NeededFile
from sitestencil.outputs.judged_page import Choices, JudgedPage
from sitestencil.progress import Progress, Report, silent
from sitestencil.saving.standalone_html import files_wanted
from sitestencil.site.event_loop import run
from sitestencil.site.loading import passing_over
from sitestencil.site.sources.http import FileSource
from sitestencil.template import Template

MOST_FILES = 200
MOST_BYTES = 30_000_000
SECONDS_IN_ALL = 30.0
_AT_A_TIME = 6

Fetch = Callable[[NeededFile], Awaitable[File]]


def load_files(
    template: Template,
    *,
    headers: Mapping[str, str] | None = None,
    cookies: CookieJar | None = None,
    progress: Report | None = None,
    timeout: float = SECONDS_IN_ALL,
    all_styles: bool = False,
) -> Mapping[str, File]:
    """Load the style sheets, images and fonts of a template, for `Template.to_html`.

    This sees only the HTML: a static page looks the same as in the browser, a scripted one may lack files. A file
    that cannot be loaded keeps its address.

    Args:
        template: the template that needs the files.
        headers: sent with each request to the page's own origin.
        cookies: sent likewise, each within its own domain and path.
        progress: called with a `Progress` while files load.
        timeout: the seconds for all files; at most 200 files and 30 MB are loaded.
        all_styles: also load what only rules need that match nothing on the page.

    Raises:
        WrongArgument: the page's address is unknown.

    Example:
        >>> from sitestencil import extract
        >>> pages = {"https://site.example/": "<nav>Menu</nav>A", "https://site.example/b": "<nav>Menu</nav>B"}
        >>> template = extract("https://site.example/", pages=pages)
        >>> load_files(template)
        {}
        >>> html = template.to_html(files=load_files(template))
    """
    if not isinstance(template, Template):
        raise WrongArgument(f"Files are loaded for a Template, not for {shown(template)}.")
    if not template.url:
        raise WrongArgument("Files are loaded by their addresses: give the page's own with url=.")
    source = FileSource(template.url, headers=headers, cookies=cookies)
    choices = Choices(all_styles=all_styles)
    return run(load_files_of(template.judged_page(), source, choices, progress or silent, timeout))


async def load_files_of(
    page: JudgedPage,
    source: FileSource,
    choices: Choices,
    report: Report = silent,
    seconds: float = SECONDS_IN_ALL,
    files: Mapping[str, File] | None = None,
) -> Mapping[str, File]:
    """Load the files of a page's template; see `load_files`.

    Args:
        page: the page.
        source: the source of files, which is opened and closed.
        choices: the options of the file.
        report: receives the number of loaded files.
        seconds: the timeout for all files.
        files: files that are already there.
    """

    async def fetch(wanted: NeededFile) -> File:
        page = await source.load_file(wanted.url, is_sheet=wanted.kind == "sheet")
        assert isinstance(page.content, bytes)
        return File(page.url, page.content, page.charset)

    async with source:
        return await load_wanted(files_wanted(page, choices), fetch, files=files, report=report, seconds=seconds)


async def load_wanted(
    wanted: Callable[[Mapping[str, File]], Iterable[NeededFile]],
    fetch: Fetch,
    *,
    files: Mapping[str, File] | None = None,
    report: Report = silent,
    seconds: float = SECONDS_IN_ALL,
) -> dict[str, File]:
    """Load the files that a page needs, by the addresses in the page.

    A file that fails or is late is left out. At most `MOST_FILES` files and `MOST_BYTES` bytes are loaded.

    Args:
        wanted: returns the files still needed, by those loaded so far: style sheets first.
        fetch: loads one file.
        files: files that are already there.
        report: receives the number of loaded files.
        seconds: the timeout for all files together.
    """
    loading = _Loading(dict(files or {}), fetch, report)
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while batch := loading.next_batch(wanted(loading.files)):
                await asyncio.gather(*map(loading.load, batch))
    return loading.files


class _Loading:
    def __init__(self, files: dict[str, File], fetch: Fetch, report: Report) -> None:
        self.files = files
        self._fetch, self._report = fetch, report
        self._asked = set(files)
        self._loaded = 0
        self._bytes = sum(len(file.content) for file in files.values())
        self._turn = asyncio.Semaphore(_AT_A_TIME)

    def next_batch(self, wanted: Iterable[NeededFile]) -> list[NeededFile]:
        """Return the next batch: all style sheets first, then the rest."""
        new: dict[str, NeededFile] = {}
        for one in wanted:
            if new and one.kind != "sheet" and next(iter(new.values())).kind == "sheet":
                break
            if one.url not in self._asked:
                new[one.url] = one
        batch = list(new.values())[: max(0, MOST_FILES - len(self._asked))]
        self._asked.update(one.url for one in batch)
        return batch

    async def load(self, one: NeededFile) -> None:
        async with self._turn:
            if self._bytes >= MOST_BYTES:
                return
            with passing_over(one.url):
                file = await self._fetch(one)
                self._bytes += len(file.content)
                if self._bytes <= MOST_BYTES:
                    self.files[one.url] = file
        self._loaded += 1
        self._report(Progress("loading", self._loaded, len(self._asked)))
