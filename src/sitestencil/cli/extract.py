"""``sitestencil extract``: the template of one page."""

import argparse

from sitestencil.cli.command import Command
from sitestencil.cli.files import write_output
from sitestencil.cli.options import add_output_option, add_page_options
from sitestencil.cli.progress import loading_progress
from sitestencil.detectors import DEFAULT_DETECTOR, DETECTORS
from sitestencil.template import Template


def _configure(parser: argparse.ArgumentParser) -> None:
    add_page_options(parser)
    parser.add_argument(
        "--format",
        choices=("html", "annotated", "json", "why"),
        default="html",
        help="html: the template alone, ready to take content (default); annotated: the whole page, with class "
        "template_node on every template element; json: element numbers and scores, compared pages, times; why: "
        "the tree of the elements, a line each, with the score and the share of the compared pages that have it",
    )
    add_output_option(parser)
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
    write_output(_formatted(template, options.format), options.output)
    return 0


def _formatted(template: Template, name: str) -> str:
    if name == "annotated":
        return template.to_annotated_html()
    if name == "why":
        return template.to_reasons()
    return template.to_json() if name == "json" else template.to_html()


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
