"""``sitestencil extract``: print the template, or the content, of pages."""

import argparse
import re
import sys
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from sitestencil.cli.command import Command, complain
from sitestencil.cli.extracting import FORMATS, Extraction
from sitestencil.cli.files import (
    Output,
    check_is_free,
    check_is_free_folder,
    make_folder,
    read_rules,
    write_output,
    write_to_screen,
)
from sitestencil.cli.options import (
    add_all_links_option,
    add_content_options,
    add_loading_options,
    add_output_option,
    seconds,
    whole_number,
)
from sitestencil.cli.pages import NamedPage, add_page_arguments, named_pages
from sitestencil.cli.progress import found, loading_progress, progress_bar
from sitestencil.detectors import DEFAULT_DETECTOR, DETECTORS
from sitestencil.errors import SitestencilError, WrongArgument, WrongUsage
from sitestencil.page.memory_limit import memory_limit

if TYPE_CHECKING:
    from sitestencil.site.sources.polite import Answers

_LONGEST_NAME = 100
# Options that change some formats alone, by their names, with the values that change nothing.
_LAYOUTS = ("html", "folder", "jinja", "jinja-folder")
_OF_FORMATS: Mapping[str, tuple[object, tuple[str, ...]]] = {
    "offline": (False, _LAYOUTS),
    "own_scripts": (False, _LAYOUTS),
    "all_styles": (False, _LAYOUTS),
    "with_around": (False, ("text", "markdown", "content-html", "selectors")),
    "without": ((), ("text", "markdown", "content-html", "selectors")),
    "no_front_matter": (False, ("markdown",)),
}


def _configure(parser: argparse.ArgumentParser) -> None:
    add_page_arguments(parser)
    formats = "; ".join(f"{name}: {form.help}" for name, form in FORMATS.items())
    parser.add_argument("--format", choices=tuple(FORMATS), default="html", metavar="FORMAT", help=formats)
    add_output_option(parser)
    parser.add_argument(
        "--parallel",
        type=whole_number(1),
        default=1,
        metavar="N",
        help="extract N pages at a time (default: 1, which loads no page twice)",
    )
    _add_html_options(parser)
    _add_detector_option(parser)
    parser.add_argument(
        "--rules",
        type=Path,
        metavar="FILE",
        help="apply the corrections in this file, which the extension's options export",
    )
    add_content_options(parser, "with --format text, markdown, content-html or selectors: ")
    parser.add_argument(
        "--no-front-matter", action="store_true", help="with --format markdown: leave out the metadata at the top"
    )
    _add_loading_options(parser)
    parser.add_argument("--quiet", action="store_true", help="show errors and warnings only")


def _add_html_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of saved layouts."""
    html = parser.add_argument_group("with --format html, folder, jinja or jinja-folder")
    html.add_argument(
        "--offline", action="store_true", help="embed style sheets, images and fonts in the file (html, jinja)"
    )
    html.add_argument(
        "--own-scripts",
        action="store_true",
        help="let scripts and forms that you add to the file work, which its policy otherwise forbids; "
        "the page's scripts are never written",
    )
    html.add_argument(
        "--all-styles",
        action="store_true",
        help="keep the rules of style sheets that match nothing on the page",
    )


def _add_detector_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--detector NAME``."""
    names = "; ".join(f"{info.name}: {info.title}" for info in DETECTORS.values())
    parser.add_argument(
        "--detector",
        choices=tuple(DETECTORS),
        metavar="NAME",
        default=DEFAULT_DETECTOR,
        help=f"{names} (default: {DEFAULT_DETECTOR})",
    )


def _add_loading_options(parser: argparse.ArgumentParser) -> None:
    loading = parser.add_argument_group("loading")
    loading.add_argument(
        "--most-pages",
        type=whole_number(0),
        metavar="N",
        help="compare with at most N other pages (default: as many as the detector needs, usually a few)",
    )
    loading.add_argument(
        "--timeout",
        type=seconds,
        metavar="SECONDS",
        help="load for at most this long; a single page has a third of it (default: 30)",
    )
    add_all_links_option(loading)
    add_loading_options(loading)
    loading.add_argument(
        "--header",
        dest="headers",
        action="append",
        type=_header,
        default=[],
        metavar="'NAME: VALUE'",
        help="send this header to the page's own server; repeatable",
    )


def _run(options: argparse.Namespace) -> int:
    pages = named_pages(options.pages, options.url, options.site)
    form = FORMATS[options.format]
    _check_options_of_formats(options)
    if form.is_folder and options.output is None:
        raise WrongUsage(f"--format {options.format} writes a folder: name it with -o.")
    if len(pages) > 1 and options.output is None and not form.streams:
        raise WrongUsage(f"Several pages as {options.format} go into a folder: name one with -o.")
    _check_rendering(pages, options)
    files = _files(pages, options)
    if form.is_folder:
        check_is_free_folder(*files, force=options.force)
    elif options.output is not None:
        if len(pages) > 1:
            make_folder(options.output)
        check_is_free(*files, force=options.force)
    rules = None if options.rules is None else read_rules(options.rules)
    if any(page.is_without_address for page in pages):
        _tell_of_unknown_address(options)
    names = {field.name for field in fields(Extraction)} - {"page", "rules", "answers"}
    given = {name: getattr(options, name) for name in names}
    answers: Answers = OrderedDict()
    extractions = [Extraction(page, rules=rules, answers=answers, **given) for page in pages]
    if len(extractions) == 1:
        (extraction,) = extractions
        with memory_limit(), loading_progress(quiet=options.quiet) as (of_pages, of_files):
            template = extraction.template(of_pages)
            output = extraction.output(template, of_files)
        write_output(output, options.output)
        # A person sees the end of the output, and no program.
        if not options.quiet and sys.stderr.isatty() and (options.output is not None or sys.stdout.isatty()):
            complain(f"sitestencil: {found(template, of_content=form.is_content)}")
        return 0
    return _write_several(extractions, files, options)


def _check_options_of_formats(options: argparse.Namespace) -> None:
    for name, (unchanged, formats) in _OF_FORMATS.items():
        if getattr(options, name) != unchanged and options.format not in formats:
            *others, last = formats
            named = f"{', '.join(others)} or {last}" if others else last
            raise WrongUsage(f"--{name.replace('_', '-')} is for --format {named}, not for {options.format}.")


def _files(pages: Sequence[NamedPage], options: argparse.Namespace) -> list[Path | None]:
    """Return per page its file, or None for standard output."""
    if options.output is None or len(pages) == 1:
        return [options.output] * len(pages)
    taken = set[str]()
    return [options.output / _file_name(page.name, FORMATS[options.format].ending, taken) for page in pages]


def _tell_of_unknown_address(options: argparse.Namespace) -> None:
    if options.offline or FORMATS[options.format].is_folder:
        raise WrongUsage("A page's files are loaded by its address: give it with --url.")
    complain("sitestencil: without --url the page is judged alone, and its links stay as they are.")


def _check_rendering(pages: Sequence[NamedPage], options: argparse.Namespace) -> None:
    if not options.render:
        if options.browser is not None:
            raise WrongUsage("--browser needs --render.")
        return
    if any(page.url is not None or isinstance(page.page, Path) for page in pages):
        raise WrongUsage("--render loads the page in a browser: give its address.")
    if options.headers or options.cookie_file is not None:
        raise WrongUsage("--render takes no --header and no --cookie-file.")


def _write_several(
    extractions: Sequence[Extraction], files: Sequence[Path | None], options: argparse.Namespace
) -> int:
    """Write the pages in order; report a failed one, and go on."""
    failed = 0
    with progress_bar("Pages", len(extractions), quiet=options.quiet) as show:
        for number, outcome in enumerate(_outcomes(extractions, options.parallel)):
            page, file = extractions[number].page, files[number]
            if isinstance(outcome, SitestencilError):
                text = str(outcome)
                complain(f"sitestencil: {text if text.startswith(page.name) else f'{page.name}: {text}'}")
                failed += 1
            elif file is not None:
                make_folder(file.parent)
                write_output(outcome, file)
            else:
                assert isinstance(outcome, str)
                write_to_screen(_streamed(page.name, outcome, options.format))
            show(number + 1)
    return 1 if failed else 0


def _outcomes(extractions: Sequence[Extraction], parallel: int) -> Iterator[Output | SitestencilError]:
    """Yield each page's output or error, in the order of the pages."""
    from sitestencil.processes import ProcessPool, process_count, shut_down

    processes = process_count(parallel, len(extractions))
    if processes == 1:
        yield from (extraction.outcome() for extraction in extractions)
        return
    pool = ProcessPool(processes)
    futures = [pool.submit(extraction.outcome) for extraction in extractions]
    try:
        for future in futures:
            yield future.result()
    finally:
        shut_down([pool], futures)


def _streamed(name: str, output: str, form: str) -> str:
    """Return one of several outputs: JSON on one line, other formats below the page's name like ``head``."""
    if form == "json":
        import json

        return json.dumps(json.loads(output), ensure_ascii=False) + "\n"
    return output if form == "jsonl" else f"==> {name} <==\n{output}\n"


def _file_name(page: str, ending: str, taken: set[str]) -> str:
    """Return a unique file name of plain characters for a page."""
    stem = re.sub(r"[^A-Za-z0-9.]+", "-", page.partition("://")[2] or page).strip("-.")
    stem = re.sub(r"\.x?html?$", "", stem, flags=re.IGNORECASE)[:_LONGEST_NAME] or "page"
    name, number = f"{stem}{ending}", 1
    while name.lower() in taken:
        number += 1
        name = f"{stem}-{number}{ending}"
    taken.add(name.lower())
    return name


def _header(text: str) -> tuple[str, str]:
    from sitestencil.site.sources.messages import check_header

    name, colon, value = text.partition(":")
    if not colon:
        raise argparse.ArgumentTypeError(f"{text!r} is no header: write 'Name: value'")
    try:
        check_header(name.strip(), value.strip())
    except WrongArgument as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return name.strip(), value.strip()


EXTRACT = Command(
    name="extract",
    group="use",
    help="print a page's template, or its content",
    description="Compare a page with other pages of its site, and print its template or its content.",
    configure=_configure,
    run=_run,
    epilog="""\
Several pages: -o names a folder, which gets a file for each page, or a folder with the folder formats. Without -o
the formats text, markdown, selectors, json, jsonl and why are printed in the order of the pages. If a page fails,
standard error says so, the others go on, and the exit status is 1.

Low confidence: if the answer may be wrong, standard error says why and what to do, and json has "doubt" (of the
template) and "main_doubt". The exit status stays 0. It is 3 if there is nothing to write: the input is no HTML,
shows nothing, or has no main content.

--render needs Chromium or Firefox with its driver, and downloads nothing. The browser starts with an empty profile.

The command uses the proxy that http_proxy, https_proxy, all_proxy and no_proxy name, except for this computer.

examples:
  sitestencil extract https://example.org/ -o template.html
  sitestencil extract https://example.org/a https://example.org/b --parallel 2 --format markdown -o pages
  curl -s https://example.org/ | sitestencil extract - --url https://example.org/ --format text
  sitestencil extract https://example.org/ --offline -o template.html
  sitestencil extract saved.html --url https://example.org/ --format selectors
  sitestencil extract https://example.org/ --format jsonl | jq -r 'select(.verdict == "main") | .selector'
  sitestencil extract https://example.org/ --cookie-file cookies.txt --header 'Accept-Language: es'
  sitestencil extract https://app.example.org/ --render --format markdown
  sitestencil extract --site stored/example --format annotated""",
)
