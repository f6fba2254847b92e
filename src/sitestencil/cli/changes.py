"""``sitestencil changes``: what changed between two versions of a page, or from capture to capture."""

import argparse
import json
import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from sitestencil.cli.command import Command
from sitestencil.cli.files import check_is_free, write_output
from sitestencil.cli.options import add_output_option
from sitestencil.cli.pages import is_address, read_page
from sitestencil.cli.progress import crawl_progress
from sitestencil.errors import PackageMissing, WrongUsage
from sitestencil.urls import UNKNOWN_ADDRESS, page_address, page_key

if TYPE_CHECKING:
    from sitestencil.site.loaded_page import LoadedPage

_DESCRIPTION = """\
Tell what changed between two versions of a page: in its main content, unit by unit, and in its frame (header,
menus, footer, and the rest around the content). A unit is a block of text, or the target of a link or picture.

The two are files of HTML, or addresses; those of a web archive are loaded as they were captured. A unit that both
have did not change, so a redesign is a change of the frame alone. Numbers in the frame are all alike. In text, -
is a unit as it was, + as it is, > one that moved.

With --of, the inputs are what "sitestencil crawl" reads, such as WARC files. The table has a line for each capture
of URL: its date, its words, and what changed in content and frame since the line before."""

_EPILOG = """\
examples:
  sitestencil changes before.html after.html
  sitestencil changes before.html after.html --url https://example.org/a --pages site.warc.gz --format html
  sitestencil changes https://archive.example/web/2024/https://example.org/ https://example.org/
  sitestencil changes 2024.warc.gz 2025.warc.gz --of https://example.org/

exit status 3: no capture of URL is there, or a file is no HTML"""

# The path that archives give a capture: a time, mostly with a form of its own, and the whole address.
_ARCHIVED = re.compile(r"(https?://[^?#]+?/)(\d{4,14})(?:[a-z]{2}_)?/(https?://.+)", re.IGNORECASE)
_LINE = "{:20}  {:>7}  {:38}  {}"
_MOST_READ = 60  # pages of the site, which tell the frame


def _configure(parser: argparse.ArgumentParser) -> None:
    what = "two pages: files of HTML, or addresses; with --of, files of a crawl"
    parser.add_argument("inputs", nargs="+", metavar="A", help=what)
    parser.add_argument("--of", metavar="URL", help="list all captures of this address in the inputs")
    parser.add_argument("--url", help="the address that the HTML in the files came from")
    pages = "other pages of the site, which tell its frame: its address, a folder of sitestencil site, or a crawl"
    parser.add_argument("--pages", metavar="INPUT", help=f"{pages}. Without them each version is judged alone")
    parser.add_argument(
        "--format", choices=("text", "html", "json"), default="text", help="default: text; with --of, text or json"
    )
    add_output_option(parser)


def _run(options: argparse.Namespace) -> int:
    check_is_free(options.output, force=options.force)
    try:
        output = _table(options) if options.of else _changes(options)
    except ModuleNotFoundError as error:
        raise PackageMissing(f"Crawls are read with {error.name}.", "crawl") from None
    write_output(output, options.output)
    return 0


def _changes(options: argparse.Namespace) -> str:
    from sitestencil.versions import compare

    if len(options.inputs) != 2:
        raise WrongUsage("Name two versions of a page; or, with --of URL, the files with its captures.")
    old, new = (_version(name, options.url) for name in options.inputs)
    pages: dict[str, bytes] = {}
    if options.pages:
        from sitestencil.crawl.input.crawled import CrawlPage
        from sitestencil.whole_site.pages import Pages

        if UNKNOWN_ADDRESS in (old.url, new.url):
            raise WrongUsage("--pages needs --url: the page itself is left out of them.")
        own = {page_key(old.url), page_key(new.url)}
        with crawl_progress(quiet=False) as show:
            site = Pages([options.pages], _MOST_READ, show)
        read = (one for one in site if isinstance(one, CrawlPage))
        pages = {one.url: one.html for one in islice(read, _MOST_READ) if page_key(one.url) not in own}
    changes = compare(old, new, pages=pages)
    return {"text": changes.to_text, "html": changes.to_html, "json": changes.to_json}[options.format]()


def _version(name: str, url: str | None) -> "LoadedPage":
    """Return a page in a file, or at an address; a capture of an archive as it was, with its own address."""
    from sitestencil.site.event_loop import run
    from sitestencil.site.links import link_to
    from sitestencil.site.sources.http import HttpSource
    from sitestencil.site.sources.stored import given_page

    if not is_address(name):
        return given_page(read_page(name), page_address(url) if url else UNKNOWN_ADDRESS)
    archived = _ARCHIVED.fullmatch(name)
    place = f"{archived[1]}{archived[2]}id_/{archived[3]}" if archived else name

    async def load() -> "LoadedPage":
        async with HttpSource() as source:
            return await source.load(link_to(page_address(place)))

    loaded = run(load())
    return replace(loaded, url=page_address(archived[3])) if archived else loaded


def _table(options: argparse.Namespace) -> str:
    from sitestencil.crawl.captures import captures

    if options.format == "html" or options.url or options.pages:
        raise WrongUsage("--of goes with --format text or json, and needs neither --url nor --pages.")
    found = captures(options.of, options.inputs)
    if options.format == "json":
        return "".join(f"{json.dumps(one.to_dict(), ensure_ascii=False)}\n" for one in found)
    lines = [_LINE.format("date", "words", "content", "frame")]
    for one in found:
        if one.comparison is None:
            lines.append(_LINE.format(one.date, "-", one.skipped, ""))
            continue
        told = ("first", "") if one.is_first else one.comparison.counts()
        lines.append(_LINE.format(one.date, f"{one.comparison.words:,}", *told))
    return "".join(f"{line.rstrip()}\n" for line in lines)


CHANGES = Command(
    name="changes",
    group="use",
    help="tell what changed between two versions of a page",
    description=_DESCRIPTION,
    configure=_configure,
    run=_run,
    epilog=_EPILOG,
)
