"""``sitestencil extract``: the template of one page."""

import argparse
import sys
from pathlib import Path

from sitestencil.cli.command import Command
from sitestencil.cli.progress import loading_progress
from sitestencil.detectors import DEFAULT_DETECTOR, DETECTORS
from sitestencil.errors import SitestencilError
from sitestencil.template import Template


def _configure(parser: argparse.ArgumentParser) -> None:
    page = parser.add_mutually_exclusive_group(required=True)
    page.add_argument("url", nargs="?", metavar="URL", help="address of the page")
    page.add_argument("--site", type=Path, metavar="DIR", help="a stored site: a folder with site.json and pages/")
    parser.add_argument(
        "--format",
        choices=("html", "annotated", "json", "why"),
        default="html",
        help="html: the template alone, ready to take content (default); annotated: the whole page, with class "
        "template_node on every template element; json: element numbers and scores, compared pages, times; why: "
        "the tree of the elements, a line each, with the score and the share of the compared pages that have it",
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write here, not to standard output")
    _add_detector_option(parser)


def _add_detector_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--detector NAME``."""
    names = "; ".join(f"{info.name}: {info.title}" for info in DETECTORS.values())
    parser.add_argument(
        "--detector", metavar="NAME", default=DEFAULT_DETECTOR, help=f"{names} (default: {DEFAULT_DETECTOR})"
    )


def _run(options: argparse.Namespace) -> int:
    from sitestencil.extraction import extract
    from sitestencil.urls import page_address

    page = options.site or page_address(options.url)
    with loading_progress() as report:
        template = extract(page, detector=options.detector, progress=report)
    write_text(_formatted(template, options.format), options.output)
    return 0


def _formatted(template: Template, name: str) -> str:
    if name == "annotated":
        return template.to_annotated_html()
    if name == "why":
        return template.to_reasons()
    return template.to_json() if name == "json" else template.to_html()


def write_text(text: str, file: Path | None) -> None:
    """Write text to a file, or to standard output.

    Raises:
        SitestencilError: the file cannot be written.
    """
    data = text.encode("utf-8", errors="replace")
    if file is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        file.write_bytes(data)
    except OSError as error:
        raise SitestencilError(f"{file} cannot be written: {error.strerror}.") from None


EXTRACT = Command(
    name="extract",
    help="print the template of a page",
    description="Load a page and some pages of its site, and print the page's template.",
    configure=_configure,
    run=_run,
    epilog="""\
examples:
  sitestencil extract https://example.org/ -o template.html
  sitestencil extract https://example.org/ --format json | jq .template
  sitestencil extract https://example.org/ --format why | less
  sitestencil extract --site stored/example --format annotated""",
)
