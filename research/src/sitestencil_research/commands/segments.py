"""``sitestencil segments``: divide a page by templateness."""

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from sitestencil.cli.command import Command
from sitestencil.cli.files import check_is_free, write_output
from sitestencil.cli.options import add_output_option

if TYPE_CHECKING:
    from sitestencil.page.document import Document


def _configure(parser: argparse.ArgumentParser) -> None:
    page = parser.add_mutually_exclusive_group(required=True)
    page.add_argument("url", nargs="?", metavar="URL", help="address of the page")
    page.add_argument("--site", type=Path, metavar="DIR", help="a stored site: a folder with site.json and pages/")
    parser.add_argument(
        "--model",
        type=Path,
        metavar="FILE",
        help="a model written by sitestencil train (default: the shipped model)",
    )
    add_output_option(parser)


def _run(options: argparse.Namespace) -> int:
    from sitestencil.detectors.pagelevel.model import read_model
    from sitestencil.urls import page_address
    from sitestencil_research.uses.segments import page_segments, segments_json

    check_is_free(options.output, force=options.force)
    model = read_model(options.model) if options.model is not None else None
    document = asyncio.run(_document(options.site or page_address(options.url)))
    write_output(segments_json(document, page_segments(document, model)), options.output)
    return 0


async def _document(page: str | Path) -> "Document":
    from sitestencil.site.open_site import open_site

    async with open_site(page) as (key_page, _):
        return key_page.document()


SEGMENTS = Command(
    name="segments",
    group="research",
    help="print the segments of a page as JSON",
    description="""\
Divide a page into parts that differ in templateness (detector `pagelevel`) and print them as JSON: topmost element,
templateness, element numbers, box, and the enclosing segment. Loads only the page.""",
    configure=_configure,
    run=_run,
    epilog="""\
examples:
  sitestencil segments https://example.org/
  sitestencil segments --site stored/example -o segments.json""",
)
