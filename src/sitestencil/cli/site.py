"""``sitestencil site``: save a whole site as a folder."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sitestencil.cli.command import Command, confirms, counted, say
from sitestencil.cli.crawl import crawl_errors
from sitestencil.cli.options import (
    add_all_links_option,
    add_content_options,
    add_loading_options,
    delay,
    folder_path,
    whole_number,
)
from sitestencil.cli.pages import is_address, no_file
from sitestencil.cli.progress import crawl_progress
from sitestencil.errors import PackageMissing, WrongUsage
from sitestencil.printable import visible

if TYPE_CHECKING:
    from sitestencil.whole_site.saving import Saved

_DESCRIPTION = """\
Save a whole site as a folder: its main content as Markdown, and the frame of each kind of its pages once.

It follows sitemaps and links to the pages below URL, one page at a time, with a second between two. It obeys
robots.txt and Retry-After, and follows no links that act. On private networks, and with cookies, it follows only
links that look like pages or are in a sitemap.

URL may also be a file or folder that sitestencil crawl reads. No page is loaded then.

After an interruption or a kill, the same command goes on. On a finished folder it asks which pages changed, loads
those, and says what is new in changes.json: regions of the frame, and pages whose content changed, came or went."""

_EPILOG = """\
the folder:
  index.md            the site's tree, as its menus have it
  pages/PATH.md       a file for each page, by its address: title, address, author, date, kind and confidence at the
                      top; links between saved pages lead to their files
  pages.jsonl         a line for each page with all columns of a crawl (sitestencil crawl --help), and its file
  llms.txt, llms-full.txt  the list of pages, and all of them in one file, for language models
  templates/KIND.html the frame of each kind of page, ready for content of your own
  kinds.json          the kinds: their pages, and how sure each is
  report.html         the kinds, the least sure pages, and what was left out and why
  files.jsonl         the files that pages link to, such as PDF; they are in files/ with --files
  pictures/           with --pictures; beside each frame is its picture then
  changes.json        from the second run on: what changed since the run before

examples:
  sitestencil site https://docs.example.org/ -o docs-example
  sitestencil site https://example.org/blog/ -o blog --include '/blog/20*' --most-pages 2000
  sitestencil site https://app.example.org/ -o app --render
  sitestencil site crawl.warc.gz -o site"""

_LEAST_SURE = 3
_SHOWN_LINKS = 20


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("site", metavar="URL", help="the site's address, or a file or folder with a crawl of it")
    parser.add_argument(
        "-o", "--output", required=True, type=folder_path, metavar="DIR", help="the folder to write"
    )
    parser.add_argument(
        "--format",
        choices=("markdown", "text", "html"),
        default="markdown",
        help="of the pages (default: markdown)",
    )
    add_content_options(parser, "")
    parser.add_argument("--parquet", action="store_true", help="also write the rows as pages.parquet")
    parser.add_argument(
        "--pictures",
        action="store_true",
        help="also save the pages' pictures, and a picture of each frame where a browser is there (for markdown)",
    )
    parser.add_argument(
        "--files",
        action="store_true",
        help="also save the files that pages link to, such as PDF: at most 1,000 a run, each of at most 50 MB",
    )
    which = parser.add_argument_group("which pages")
    which.add_argument("--whole-host", action="store_true", help="also pages of the host that are not below URL")
    which.add_argument(
        "--most-pages", type=whole_number(1), metavar="N", help="at most N pages (default: 500; all of a file)"
    )
    which.add_argument("--depth", type=whole_number(0), metavar="N", help="at most N links away from URL")
    add_all_links_option(which, "also follow addresses that say that they act; ")
    for name, what in (("include", "only"), ("exclude", "no")):
        which.add_argument(
            f"--{name}",
            action="append",
            default=[],
            metavar="PATTERN",
            help=f"{what} pages whose path or address matches, such as '/blog/*'; may be repeated",
        )
    loading = parser.add_argument_group("loading")
    loading.add_argument(
        "--delay",
        type=delay,
        metavar="SECONDS",
        help="wait so long between two requests (default: 1; your own server: 0); robots.txt may ask for longer",
    )
    add_loading_options(loading)
    parser.add_argument(
        "--remove",
        action="store_true",
        help="let more than a tenth of the saved pages go at once, and pages lose nearly all of their words",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")


def _run(options: argparse.Namespace) -> int:
    if options.browser is not None and not options.render:
        raise WrongUsage("--browser needs --render.")
    if options.pictures and options.format != "markdown":
        raise WrongUsage("--pictures is for --format markdown.")
    loads_files = options.pictures or options.files
    of_addresses = {
        "--whole-host": options.whole_host,
        "--depth": options.depth is not None,
        "--all-links": options.all_links,
        "--render": options.render,
        "--delay": options.delay is not None and not loads_files,
        "--cookie-file": options.cookie_file is not None and not loads_files,
    }
    given = [name for name, is_given in of_addresses.items() if is_given]
    if given and not is_address(options.site):
        raise WrongUsage(f"{given[0]} is for an address: from a file, no page is loaded. Leave it out.")
    if not is_address(options.site) and not Path(options.site).exists():
        raise no_file(options.site)
    try:
        import pyarrow as pa
    except ImportError:
        raise PackageMissing("Saving a site needs pyarrow and fastwarc, as crawls do.", "crawl") from None
    pa.set_cpu_count(1)
    with crawl_errors("Saving the site"):
        saved = _saved(options)
        if _wants_all_links(saved, options):
            options.all_links = True
            saved = _saved(options)
        _say(saved, options.output)
    return 0


def _wants_all_links(saved: "Saved", options: argparse.Namespace) -> bool:
    """Show a person the links that were left out as they may act, and ask whether to load them."""
    from sitestencil.site.frontier import NO_PAGE

    left = [url for url, why in saved.site.left.items() if why.startswith(NO_PAGE)]
    if not left or options.quiet:
        return False
    shown = [f"  {visible(url)}" for url in left[:_SHOWN_LINKS]]
    beyond = [f"  and {len(left) - _SHOWN_LINKS:,} more"] if len(left) > _SHOWN_LINKS else []
    lines = ["These links do not look like pages. On this network, or with cookies, one may act:", *shown, *beyond]
    return confirms("\n".join([*lines, f"Load {'it' if len(left) == 1 else 'them'}, too?"]))


def _saved(options: argparse.Namespace) -> "Saved":
    from sitestencil.content.main_content import ContentChoice
    from sitestencil.site.frontier import Extent
    from sitestencil.site.sources.messages import cookies_in
    from sitestencil.urls import page_address
    from sitestencil.whole_site.saving import save_site
    from sitestencil.whole_site.visiting import Loading
    from sitestencil.whole_site.writing import Choice

    include, exclude = tuple(options.include), tuple(options.exclude)
    most = options.most_pages or (500 if is_address(options.site) else sys.maxsize)
    extent = Extent(options.whole_host, most, options.depth, include, exclude, options.all_links)
    cookies = None if options.cookie_file is None else cookies_in(options.cookie_file)
    delay = 1.0 if options.delay is None else options.delay
    loading = Loading(extent, delay, cookies, options.render, options.browser, options.pictures, options.files)
    content = ContentChoice(options.with_around, options.without)
    choice = Choice(options.format, content, options.parquet, options.remove)
    name = page_address(options.site) if is_address(options.site) else options.site
    with crawl_progress(quiet=options.quiet) as show:
        return save_site(name, options.output, loading, choice, show)


def _say(saved: "Saved", folder: Path) -> None:
    from sitestencil.site.frontier import ACTS, NO_PAGE, OUTSIDE
    from sitestencil.whole_site.report import many_stay
    from sitestencil.whole_site.staying import STUB

    pages, kinds = len(saved.entries), len({entry.kind for entry in saved.entries if entry.kind})
    of_kinds = f" of {counted(kinds, 'kind')}" if kinds else ""
    say(f"{counted(pages, 'page')}{of_kinds}. {counted(len(saved.site.left), 'address')} left out.")
    reasons = list(saved.site.left.values())
    hints = (
        (
            OUTSIDE,
            "are not below the address that you gave",
            "--whole-host, and --all-links for those that may act",
        ),
        (NO_PAGE, "do not look like pages, and may act here", "--all-links"),
        (f"{ACTS}: ", "say that they act", "--all-links"),
    )
    for reason, words, option in hints:
        if count := sum(one.startswith(reason) for one in reasons):
            say(f"{count:,} of them {words}. To load these, too, add {option}.")
    say("The least sure pages (1 is sure):")
    for confidence, url in sorted((entry.confidence or 0.0, entry.url) for entry in saved.entries)[:_LEAST_SURE]:
        say(f"  {confidence:.2f} {url}")
    if saved.changes is not None:
        counts = {name: len(found) for name, found in saved.changes.items() if found}
        told = ", ".join(f"{name} {count:,}" for name, count in counts.items()) or "nothing changed"
        say(f"Since the last run: {told}. {counted(saved.written, 'file')} written.")
    if saved.site.going:
        say(many_stay(saved.site))
    if stubs := [url for url, why in saved.site.unreached.items() if why == STUB]:
        say(
            f"Kept, as nearly all words are lost: {', '.join(stubs[:_LEAST_SURE])}. If that is right, add --remove."
        )
    if saved.site.edited:
        say(f"Edited: kept {', '.join(map(visible, saved.site.edited[:_LEAST_SURE]))}. The report names all.")
    say(f"Open {folder / 'report.html'} (what was found, and why the rest was left out)")
    say(f"  or {folder / 'index.md'} (the list of pages, each with a link to its text).")


SITE = Command(
    name="site",
    group="use",
    help="save a whole site as a folder of Markdown, with its frames",
    description=_DESCRIPTION,
    configure=_configure,
    run=_run,
    epilog=_EPILOG,
)
