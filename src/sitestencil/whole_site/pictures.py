"""Load the pictures of a site's pages, and draw the frames of its kinds.

All comes through one door, `FileSource`, which judges each address. The browser that draws has no network.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from sitestencil.crawl.pages import PageContent
from sitestencil.errors import BrowserMissing, CannotBeSaved, PackageMissing, PageUnavailable
from sitestencil.offline import load_wanted
from sitestencil.outputs.files import File, NeededFile
from sitestencil.outputs.secrets import without_tokens
from sitestencil.saving.standalone_html import files_wanted
from sitestencil.site.event_loop import run
from sitestencil.site.sources.headless_browser import start_browser, stop_browser
from sitestencil.site.sources.http import FileSource
from sitestencil.template import Template
from sitestencil.urls import origin
from sitestencil.whole_site.folder import Folder
from sitestencil.whole_site.gathering import Site
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
