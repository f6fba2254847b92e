"""Load the pictures of a site's pages and the files that they link to, and draw the frames of its kinds.

All comes through one door, `FileSource`, which judges each address. The browser that draws has no network.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from sitestencil.crawl.kinds import SamplePage
from sitestencil.crawl.pages import PageContent
from sitestencil.errors import BrowserMissing, CannotBeSaved, PackageMissing, PageUnavailable
from sitestencil.offline import load_wanted
from sitestencil.outputs.files import File, NeededFile
from sitestencil.outputs.secrets import without_tokens
from sitestencil.saving.standalone_html import files_wanted
from sitestencil.site.event_loop import run
from sitestencil.site.followable import NO_PAGES
from sitestencil.site.links import extension
from sitestencil.site.sources.headless_browser import start_browser, stop_browser
from sitestencil.site.sources.http import FileSource
from sitestencil.template import Template
from sitestencil.urls import origin, resolve
from sitestencil.whole_site.folder import FILES, Folder, digest
from sitestencil.whole_site.gathering import LinkedFile, Site
from sitestencil.whole_site.visiting import Loading

# The first bytes of PNG, JPEG, GIF, WebP and AVIF. SVG may run scripts, and stays where it is.
_PICTURE = re.compile(rb"\x89PNG|\xff\xd8\xff|GIF8|RIFF....WEBP|....ftypavi[fs]", re.DOTALL)
_MOST_MEDIA = 50_000_000
_BROWSER_SECONDS = 20.0
_PICTURE_FILE = re.compile(r"(?:\.\./){0,16}(pictures/[0-9a-f]{32}\.\w+)")
_DRAWN_POLICY = "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline' data:"

_Load = Callable[[NeededFile], Awaitable[File]]


def draw_frames(folder: Folder, frames: Mapping[str, Template], site: Site, loading: Loading) -> None:
    """Draw each frame that changed as a picture beside it, with its files, if wanted and a browser is installed."""
    pictures = {frame: frame.removesuffix(".html") + ".png" for frame in frames}
    due = [frame for frame in frames if frame in folder.changed or not (folder.path / pictures[frame]).is_file()]
    folder.files += [pictures[frame] for frame in frames if frame not in due]
    if not (due and loading.pictures):
        return
    try:
        browser = start_browser(None, _BROWSER_SECONDS, online=False)
    except (PackageMissing, BrowserMissing):
        return
    from selenium.common.exceptions import WebDriverException
    from urllib3.exceptions import HTTPError

    hangs = False
    try:
        with TemporaryDirectory(prefix="sitestencil-") as drawn:
            page, files = Path(drawn, "frame.html"), dict[str, File]()
            for frame in due:
                files = run(_with_files(frames[frame], files, site, loading))
                with suppress(CannotBeSaved, WebDriverException):  # this frame has no picture
                    html = frames[frame].to_html(files=files, policy=_DRAWN_POLICY)
                    page.write_text(html, encoding="utf-8", errors="replace")
                    browser.get(page.as_uri())
                    folder.write(pictures[frame], browser.get_screenshot_as_png())
    except HTTPError:  # neither has this frame, nor those after it
        hangs = True
    finally:
        stop_browser(browser, hangs=hangs)


async def _with_files(
    template: Template, files: Mapping[str, File], site: Site, loading: Loading
) -> dict[str, File]:
    needed = files_wanted(template.judged_page())
    async with file_door(site, loading) as load:
        return await load_wanted(
            lambda found: (one for one in needed(found) if one.kind != "media"), load, files=files
        )


async def with_pictures(
    site: Site, contents: Mapping[str, PageContent], folder: Folder, loading: Loading
) -> dict[str, PageContent]:
    """Load missing pictures into the folder; the returned pages link to the web for those that do not load."""
    missing: dict[str, str] = {}
    async with file_door(site, loading) as load:
        for address, file in (site.pictures or {}).items():
            if (folder.path / file).is_file():
                folder.files.append(file)
                continue
            content = b""
            with suppress(PageUnavailable):
                content = (await load(NeededFile(address, "picture"))).content
            if _PICTURE.match(content):
                folder.write(file, content)
            else:
                missing[file] = without_tokens(address)

    def written(text: str | None) -> str | None:
        return text and _PICTURE_FILE.sub(lambda found: missing.get(found[1], found[0]), text)

    return {file: replace(one, markdown=written(one.markdown)) for file, one in contents.items()}


@asynccontextmanager
async def file_door(site: Site, loading: Loading) -> AsyncIterator[_Load]:
    """Give what loads a file: one after another, as robots.txt allows."""
    async with FileSource(site.start, cookies=loading.cookies) as source:
        rules, turn = await source.rules(site.start), asyncio.Lock()
        delay = max(loading.delay, rules.delay)

        async def load(wanted: NeededFile) -> File:
            if origin(wanted.url) == origin(site.start) and (why := rules.refusal(wanted.url)) is not None:
                raise PageUnavailable(f"{wanted.url}: {why}.")
            async with turn:
                await loading.pause(delay)
                most = _MOST_MEDIA if wanted.kind == "media" else 0
                page = await source.load_file(wanted.url, is_sheet=wanted.kind == "sheet", most=most)
            assert isinstance(page.content, bytes)
            return File(page.url, page.content, page.charset)

        yield load


_MOST = 10_000  # files that are named
_MOST_SAVED = 1_000
_MOST_BYTES = 1_000_000_000  # of all files that a run saves
_LONGEST_LABEL = 200
_HTML = re.compile(rb"\s*<(?:!doctype html|html)\b", re.IGNORECASE)


def linked_files(site: Site) -> dict[str, LinkedFile]:
    """Return the files that pages link to, at most 10,000, by their addresses, which have the endings of files."""
    found, pages = dict[str, LinkedFile](), {site.key(page.url) for page in site.pages}
    for page in site.pages:
        with suppress(PageUnavailable):
            document = SamplePage(site.full(page)).document
            for element, reference in document.hyperlinks():
                url = (resolve(reference, document.base) or "").partition("#")[0]
                if url in found or extension(url) not in NO_PAGES or len(found) >= _MOST:
                    continue
                if site.key(url) not in pages:
                    words = " ".join(document.link_label(element, reference).text.split())
                    found[url] = LinkedFile(url, page.url, words[:_LONGEST_LABEL])
    return found


async def save_files(site: Site, folder: Folder, loading: Loading) -> None:
    """Find linked files in the folder; load others into it if they are wanted, at most 1,000 with 1 GB in a run."""
    missing = dict[str, LinkedFile]()
    for one in site.linked.values():
        name = f"files/{digest(one.url.encode())}.{extension(one.url)}"
        if (folder.path / name).is_file():
            one.file = name
            folder.files.append(name)
        else:
            missing[name] = one
    if not (missing and loading.files):
        return
    total = saved = 0
    async with file_door(site, loading) as load:
        for name, one in missing.items():
            if saved >= _MOST_SAVED or total >= _MOST_BYTES:
                one.detail = f"more than {_MOST_SAVED:,} files or 1 GB; the next run goes on"
                continue
            try:
                content = (await load(NeededFile(one.url, "media"))).content
            except PageUnavailable as error:
                one.detail = str(error)
                continue
            if _HTML.match(content):
                one.detail = "it is a page in HTML"
                continue
            total, saved, one.file = total + len(content), saved + 1, name
            folder.write(name, content)


def write_list(site: Site, folder: Folder) -> None:
    """Write ``files.jsonl``, if pages link to files: a line for each, with the file of the page."""
    rows = (
        {
            "url": without_tokens(one.url),
            "page": site.file(one.page),
            "words": one.words,
            **({"file": one.file} if one.file else {"detail": one.detail} if one.detail else {}),
        }
        for one in site.linked.values()
    )
    if site.linked:
        folder.write(FILES, "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows))
