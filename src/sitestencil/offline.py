"""A template that opens offline: the files that it is drawn with are loaded, to be written into it."""

from collections.abc import Mapping
from http.cookiejar import CookieJar

from sitestencil.event_loop import run
from sitestencil.outputs.file_loading import SECONDS_IN_ALL, load_wanted
from sitestencil.outputs.files import File, Wanted
from sitestencil.outputs.judged_page import JudgedPage
from sitestencil.outputs.standalone_html import files_wanted
from sitestencil.progress import Report, silent
from sitestencil.site.sources.files import FileSource
from sitestencil.template import Template


def load_files(
    template: Template,
    *,
    headers: Mapping[str, str] | None = None,
    cookies: CookieJar | None = None,
    progress: Report | None = None,
    seconds: float = SECONDS_IN_ALL,
) -> Mapping[str, File]:
    """Load the style sheets, images and fonts that a template is drawn with, for `Template.to_html`.

    What scripts put on the page is not known here: a static page is drawn as in the browser, others as far as their
    HTML goes. What cannot be had is left out, and keeps its address in what is written.

    Args:
        template: whose files they are.
        headers: are sent with each request to the page's own origin.
        cookies: likewise, each as far as its own domain and path allow.
        progress: is called with a `Progress` while files load.
        seconds: the time for all of them; no more than 200 files and 30 MB are taken.

    Example:
        >>> from sitestencil import extract
        >>> pages = {"https://site.example/": "<nav>Menu</nav>A", "https://site.example/b": "<nav>Menu</nav>B"}
        >>> template = extract("https://site.example/", pages=pages)
        >>> load_files(template)
        {}
        >>> html = template.to_html(files=load_files(template))
    """
    source = FileSource(template.url, headers=headers, cookies=cookies)
    return run(load_files_of(template.judged_page(), source, progress or silent, seconds))


async def load_files_of(
    page: JudgedPage,
    source: FileSource,
    report: Report = silent,
    seconds: float = SECONDS_IN_ALL,
    files: Mapping[str, File] | None = None,
) -> Mapping[str, File]:
    """Return the files that a page's template is drawn with; see `load_files`.

    Args:
        page: the page.
        source: where they come from; it is opened, and closed in the end.
        report: is told how many have come.
        seconds: the time for all.
        files: those that are here already.
    """

    async def fetch(wanted: Wanted) -> File:
        page = await source.load_file(wanted.url, is_sheet=wanted.kind == "sheet")
        assert isinstance(page.content, bytes)
        return File(page.url, page.content, page.charset)

    async with source:
        return await load_wanted(files_wanted(page), fetch, files=files, report=report, seconds=seconds)
