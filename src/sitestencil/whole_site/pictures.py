"""Load the pictures of saved pages, one after the other, into the site's folder."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from sitestencil.crawl.pages import PageContent
from sitestencil.errors import PageUnavailable
from sitestencil.site.links import link_to
from sitestencil.site.sources.http import FileSource
from sitestencil.urls import origin
from sitestencil.whole_site.gathering import Site
from sitestencil.whole_site.visiting import Loading
from sitestencil.whole_site.writing import Folder

# The first bytes of PNG, JPEG, GIF, WebP and AVIF. SVG may run scripts, and stays where it is.
_PICTURE = re.compile(rb"\x89PNG|\xff\xd8\xff|GIF8|RIFF....WEBP|....ftypavi[fs]", re.DOTALL)
_FILE = re.compile(r"(?:\.\./)*(pictures/[0-9a-f]{32}\.\w+)")


async def with_pictures(
    site: Site, contents: Mapping[str, PageContent], folder: Folder, loading: Loading
) -> dict[str, PageContent]:
    """Load the pictures that are not there yet; return the pages, with the addresses of those that do not come."""
    missing: dict[str, str] = {}
    async with FileSource(site.start, cookies=loading.cookies) as source:
        for address, file in (site.pictures or {}).items():
            if (folder.path / file).is_file():
                folder.files.append(file)
                continue
            content: object = b""
            if origin(address) != origin(site.start) or await source.may_crawl(link_to(address)):
                await loading.pause(loading.delay)
                with suppress(PageUnavailable):
                    content = (await source.load_file(address, is_sheet=False)).content
            if isinstance(content, bytes) and _PICTURE.match(content):
                folder.write(file, content)
            else:
                missing[file] = address

    def written(text: str | None) -> str | None:
        return text and _FILE.sub(lambda found: missing.get(found[1], found[0]), text)

    return {file: replace(one, markdown=written(one.markdown)) for file, one in contents.items()}
