"""``sitestencil rebuild``: a site as a project of layouts, data and content that builds into the same site."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sitestencil.cli.command import Command, say
from sitestencil.cli.crawl import crawl_errors
from sitestencil.cli.files import check_is_free_folder
from sitestencil.cli.options import add_all_links_option, add_force_option, folder_path, whole_number
from sitestencil.cli.pages import is_address, no_file
from sitestencil.cli.progress import steps_progress
from sitestencil.errors import PackageMissing

if TYPE_CHECKING:
    from sitestencil.rebuild.rebuilding import Rebuilt

_DESCRIPTION = """\
Rebuild a site: write a project whose build is the same site. The frame is there once, each kind of page has a
layout, and each page is a file with its fields and its main content.

SITE is an address, a folder of "sitestencil site", or what "sitestencil crawl" reads, such as a stored site or a
folder that wget made. From an address, pages below it are loaded, one a second, as robots.txt allows.

Every page is built and compared with its original. A tenth of the pages of each kind is also kept from learning,
and written as new pages with title, description, date, author and main content alone. So you see what a page of
your own will look like. Scripts are left out."""

_EPILOG = """\
the project:
  layouts/base.html    the frame, with what differs by page as slots; header, menu, sidebar and footer are files in
                       layouts/partials/
  layouts/KIND.html    the regions of a kind; other.html is for pages of no kind
  content/PATH.html    a page: its fields as JSON values between two lines ---, then its main content; or PATH.md
  data/facets.json     what a slot is by default, by section, language or author, or made of a page's fields
  data/menus.json      the items of menus, and what active ones have; the page's address tells which is active
  data/slots.json      the slots of each kind, and where their values come from
  static/              style sheets, pictures and fonts that the pages load, as far as they are at hand
  new-page.md          an empty page of each kind
  inventory.html, .csv kinds, fields, pages that nothing links to, what was left out
  proof.html, .json    how each page compares with its original, worst first
  _redirects           old paths that moved
  build.py             builds it all into public/: pip install jinja2; python build.py. Others have
                       hugo.toml, or eleventy.config.js and package.json

examples:
  sitestencil rebuild https://docs.example.org/ -o project
  sitestencil rebuild docs-example -o project       after: sitestencil site https://docs.example.org/ -o ...
  sitestencil rebuild www.example.org -o project    after: wget --mirror --page-requisites ..."""


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("site", metavar="SITE", help="the site's address, or a file or folder with its pages")
    parser.add_argument(
        "-o", "--output", type=folder_path, required=True, metavar="DIR", help="a folder for the project"
    )
    parser.add_argument(
        "--for",
        dest="generator",
        choices=("jinja", "hugo", "eleventy"),
        default="jinja",
        help="what builds it (default: jinja)",
    )
    parser.add_argument(
        "--content",
        choices=("html", "markdown"),
        default="html",
        help="what content files hold: HTML, or Markdown where the same page comes back from it (default: html)",
    )
    most = "take at most N pages (default: 500)"
    parser.add_argument("--most-pages", type=whole_number(1), default=500, metavar="N", help=most)
    add_all_links_option(parser, "of an address, ")
    add_force_option(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")


def _run(options: argparse.Namespace) -> int:
    if not is_address(options.site) and not Path(options.site).exists():
        raise no_file(options.site)
    check_is_free_folder(options.output, force=options.force)
    try:
        import jinja2  # noqa: F401 - it proves the pages only when all are loaded and learned
        import pyarrow as pa
    except ImportError:
        raise PackageMissing("Rebuilding a site needs Jinja2, pyarrow and fastwarc.", "crawl,rebuild") from None
    from sitestencil.rebuild.rebuilding import rebuilt, write_project
    from sitestencil.site.frontier import Extent

    pa.set_cpu_count(1)
    extent = Extent(most_pages=options.most_pages, all_links=options.all_links)
    with crawl_errors("Rebuilding the site"), steps_progress(quiet=options.quiet) as show:
        project = rebuilt(options.site, options.generator, extent, show, content=options.content)
        write_project(project, options.output)
    _say(project, options)
    return 0


def _say(project: "Rebuilt", options: argparse.Namespace) -> None:
    folder = options.output
    for name, value in project.summary().items():
        say(f"{name}: {value:,}" if isinstance(value, int | float) else f"{name}: {value}")
    if project.left:
        say(f"{len(project.left):,} addresses are left out, and {folder / 'inventory.html'} says why.")
    if project.missing:
        say(f"{len(project.missing):,} style sheets and pictures were not at hand: they keep their addresses.")
    builds = {"hugo": f"hugo --source {folder}", "eleventy": f"cd {folder} && npm install && npm run build"}
    build = builds.get(options.generator, f"{sys.executable} {folder / 'build.py'}")
    say(f"Open {folder / 'proof.html'} (how each page compares), and build with: {build}")


REBUILD = Command(
    name="rebuild",
    group="crawl",
    help="write a site as a project of layouts and content that builds into the same site",
    description=_DESCRIPTION,
    configure=_configure,
    run=_run,
    epilog=_EPILOG,
)
