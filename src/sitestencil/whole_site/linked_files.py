"""Files that a site's pages link to, such as PDF and pictures: named all, and saved if wanted."""

import json
import re
from contextlib import suppress

from sitestencil.crawl.kinds import SamplePage
from sitestencil.errors import PageUnavailable
from sitestencil.outputs.files import NeededFile
from sitestencil.outputs.secrets import without_tokens
from sitestencil.site.followable import NO_PAGES
from sitestencil.site.links import extension
from sitestencil.urls import resolve
from sitestencil.whole_site.folder import FILES, Folder, digest
from sitestencil.whole_site.gathering import LinkedFile, Site
from sitestencil.whole_site.pictures import file_door
from sitestencil.whole_site.visiting import Loading

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
