"""Save pictures into a site's folder: those of its pages, and one of each kind's frame."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from sitestencil.crawl.pages import PageContent
from sitestencil.errors import BrowserMissing, PackageMissing, PageUnavailable
from sitestencil.site.sources.headless_browser import start_browser, stop_browser
from sitestencil.site.sources.http import ROBOT, FileSource
from sitestencil.urls import origin
from sitestencil.whole_site.gathering import Site
from sitestencil.whole_site.visiting import Loading
from sitestencil.whole_site.writing import Folder

# The first bytes of PNG, JPEG, GIF, WebP and AVIF. SVG may run scripts, and stays where it is.
_PICTURE = re.compile(rb"\x89PNG|\xff\xd8\xff|GIF8|RIFF....WEBP|....ftypavi[fs]", re.DOTALL)
_SECONDS = 20.0
_FILE = re.compile(r"(?:\.\./){0,16}(pictures/[0-9a-f]{32}\.\w+)")


def draw_frames(folder: Folder) -> None:
    """Draw the frame of each kind beside it, where a browser is there, unless it did not change."""
    frames = [name for name in folder.files if name.startswith("templates/")]
    pictures = {frame: frame.removesuffix(".html") + ".png" for frame in frames}
    due = [frame for frame in frames if frame in folder.changed or not (folder.path / pictures[frame]).is_file()]
    folder.files += [pictures[frame] for frame in frames if frame not in due]
    if not due:
        return
    try:
        browser = start_browser(None, _SECONDS)
    except (PackageMissing, BrowserMissing):
        return
    try:
        for frame in due:
            browser.get((folder.path / frame).resolve().as_uri())
            folder.write(pictures[frame], browser.get_screenshot_as_png())
    finally:
        stop_browser(browser)


async def with_pictures(
    site: Site, contents: Mapping[str, PageContent], folder: Folder, loading: Loading
) -> dict[str, PageContent]:
    """Load the pictures that are not there yet; return the pages, with the addresses of those that do not come."""
    missing: dict[str, str] = {}
    async with FileSource(site.start, cookies=loading.cookies) as source:
        rules = await source.rules(site.start)
        delay = max(loading.delay, float(rules.crawl_delay(ROBOT) or 0))
        for address, file in (site.pictures or {}).items():
            if (folder.path / file).is_file():
                folder.files.append(file)
                continue
            content: object = b""
            if origin(address) != origin(site.start) or rules.can_fetch(address, ROBOT):
                await loading.pause(delay)
                with suppress(PageUnavailable):
                    content = (await source.load_file(address, is_sheet=False)).content
            if isinstance(content, bytes) and _PICTURE.match(content):
                folder.write(file, content)
            else:
                missing[file] = address

    def written(text: str | None) -> str | None:
        return text and _FILE.sub(lambda found: missing.get(found[1], found[0]), text)

    return {file: replace(one, markdown=written(one.markdown)) for file, one in contents.items()}
