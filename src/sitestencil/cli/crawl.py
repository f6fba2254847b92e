"""``sitestencil crawl``: extract the content of all pages of a crawl."""

import argparse
import errno
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sitestencil.cli.command import Command, complain, counted, say
from sitestencil.cli.options import add_content_options, whole_number
from sitestencil.cli.progress import crawl_progress
from sitestencil.errors import PackageMissing, UnusableOutput, WrongUsage
from sitestencil.page.memory_limit import most_gb

if TYPE_CHECKING:
    from sitestencil.crawl.input.places import Place
    from sitestencil.crawl.job import Job, JobReport

_DESCRIPTION = """\
Extract the content of all pages of a crawl, by the templates of their sites.

The crawl learns the template of each kind of a site's pages (articles, lists, forms) from a few, and applies it to
all. A page that fits no template is compared with other pages of its site, or judged alone.

INPUT is a WARC file (.warc, .warc.gz, .warc.zst), an ARC file (.arc, .arc.gz) or a WACZ file. Or it is a Parquet
file or JSON lines (.jsonl, .jsonl.gz, .jsonl.zst) with the columns url and html. It is also the folder of a stored
site, or of HTML files as wget mirrors them. There the first folder named like a host is the host, and the path
below it, without index.html, the path of an https address. Pages that a WARC file beside such a mirror has count
once. A folder is searched with all its folders, but for outputs of crawls. Wildcards (* ? [ ] **) work here and in
buckets.

An input can be in a bucket (s3://, gs://) or on a web server (https://), and the output in a bucket. Credentials
are found as pyarrow finds them: in AWS_ACCESS_KEY_ID, AWS_PROFILE, GOOGLE_APPLICATION_CREDENTIALS, or on the
machine. AWS_ENDPOINT_URL names another store of S3's kind. Temporary files are in the output's folder; for a
bucket in TMPDIR. No page is loaded from the web."""

_EPILOG = """\
the output, a folder:
  pages/*.parquet      a row for each page: its record, template, metadata and text; markdown and html if wanted.
                       docs/crawls.md describes the columns
  templates/*.parquet  with --templates-out: a row for each template: id, site, key_page (it was learned from),
                       pages (it was compared with; the first of_kind are of its kind), stands_on (a byte for each
                       element: a bit for each page that has it), confidence, regions, header and footer (its text
                       around the content), template_selectors, content_selectors, learned (its bytes), site_pages
  skipped.jsonl        a line for each skipped record, and for each file not read: source, offset, reason, detail
  README.md            how datasets loads the folder
  report.json          all counts; pages_in = pages_out + all skipped
  changes.parquet      with --against: a row for each change since the earlier crawl: site, change (region added,
                       removed or moved, text changed; page added or removed, content changed; not compared), url
                       (the page, or the kind's key page), same_template, kinds, region (its path), region_before,
                       elements
  lines/*.jsonl.zst    with --json-lines: the same rows without template

examples:
  sitestencil crawl crawl.warc.gz -o out
  python -c "import pandas; print(pandas.read_parquet('out/pages')[['url', 'text']])"
  sitestencil crawl new.warc.gz -o new --templates out
  sitestencil crawl tuesday.warc.gz -o tuesday --against monday
  sitestencil crawl 's3://bucket/crawl/**/*.warc.gz' -o s3://bucket/out
  sitestencil crawl --paths warc.paths.gz --prefix https://data.commoncrawl.org/ -o out
  sitestencil crawl shared/*.warc.gz -o shared/out --engine ray --address auto

After an interruption or a kill, the same command resumes the job.

exit status:
  0    done; damaged or failed records give a warning
  1    failed; with --strict also if anything was skipped
  3    no page was read, though the input has records; the last line says the most frequent reason"""


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "inputs", nargs="*", metavar="INPUT", help="the crawl's files or folders, or their addresses"
    )
    parser.add_argument(
        "--paths",
        action="append",
        default=[],
        metavar="FILE",
        help="a file with a path of an input on each line, such as Common Crawl's warc.paths.gz; may be repeated",
    )
    parser.add_argument(
        "--prefix",
        default="",
        metavar="ADDRESS",
        help="what precedes each path, such as https://data.commoncrawl.org/ or s3://commoncrawl/",
    )
    parser.add_argument(
        "-o", "--output", required=True, metavar="OUT", help="a folder for the output, or its address"
    )
    parser.add_argument("--markdown", action="store_true", help="also give the content as Markdown (slower)")
    parser.add_argument("--html", action="store_true", help="also give the content as HTML (slower)")
    add_content_options(parser, "")
    parser.add_argument("--template-html", action="store_true", help="also give each template as HTML (slower)")
    parser.add_argument("--json-lines", action="store_true", help="also write JSON lines")
    parser.add_argument(
        "--templates",
        action="append",
        default=[],
        metavar="DIR",
        help="use the templates of an earlier crawl, the folder of its output, and add new kinds of pages "
        "(may be repeated: the last that knows a site counts)",
    )
    parser.add_argument(
        "--templates-out",
        action="store_true",
        help="also write the templates, for the --templates or --against of a later crawl (slower); these two and "
        "--template-html write them, too",
    )
    parser.add_argument(
        "--against",
        metavar="DIR",
        help="compare with an earlier crawl, the folder of its output: say which templates and contents changed",
    )
    parser.add_argument("--jobs", type=whole_number(1), metavar="N", help="processes (default: one for each core)")
    parser.add_argument(
        "--engine", choices=("local", "ray"), default="local", help="the place of the work (default: local)"
    )
    parser.add_argument(
        "--address",
        metavar="ADDRESS",
        help="the Ray cluster's address; by default a new one starts here, "
        "which listens on all interfaces and needs a secret token",
    )
    parser.add_argument("--strict", action="store_true", help="exit with 1 if anything was skipped")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")


def _run(options: argparse.Namespace) -> int:
    if options.against and options.templates:
        raise WrongUsage("--against learns all templates anew, so it excludes --templates.")
    if not options.inputs and not options.paths:
        raise WrongUsage("Give an INPUT, or --paths.")
    if options.prefix and not options.paths:
        raise WrongUsage("--prefix needs --paths.")
    if options.address and options.engine != "ray":
        raise WrongUsage("--address needs --engine ray.")
    most_gb()  # a worker would skip each page
    try:
        import pyarrow as pa
    except ImportError:
        raise PackageMissing("A crawl needs pyarrow and fastwarc.", "crawl") from None
    pa.set_cpu_count(1)
    with crawl_errors():
        return _crawl(options)


@contextmanager
def crawl_errors(work: str = "The crawl") -> Iterator[None]:
    """End the block with a sentence where files fail, or where it is interrupted, also by SIGTERM.

    Raises:
        UnusableOutput: a file cannot be read or written.
    """
    try:
        with _terminated_as_interrupted():
            yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UnusableOutput(f"{work} cannot go on: {_sentence(error)}") from None
    except KeyboardInterrupt:
        complain("Finished work is kept: to resume, run the same command again.")
        raise


def _sentence(error: OSError) -> str:
    """Return what happened to a file, and what to do."""
    file, kept = error.filename or "A file", "Finished work is kept: run the same command again."
    match error:
        case NotADirectoryError() | FileExistsError():
            return f"{file} is a file, or within one, but must be a folder. Give another folder."
        case PermissionError():
            return f"You may not read or write {file}. Change its permissions, or give another one. {kept}"
        case OSError(errno=errno.ENOSPC | errno.EDQUOT | errno.EFBIG):
            return f"The disk is full. Free some space. {kept}"
        case _:
            return f"{error.strerror or error}: {file}. {kept}"


@contextmanager
def _terminated_as_interrupted() -> Iterator[None]:
    """Make SIGTERM end the block like Ctrl-C; outside the main thread leave signals alone."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _crawl(options: argparse.Namespace) -> int:
    from sitestencil.content.main_content import ContentChoice
    from sitestencil.crawl.content import Formats
    from sitestencil.crawl.folder_lock import folder_lock
    from sitestencil.crawl.input.places import place
    from sitestencil.crawl.job import finished_report, open_job
    from sitestencil.crawl.work import Options

    choice = ContentChoice(options.with_around, options.without)
    wanted = Formats(options.markdown, options.html, options.template_html, choice)
    output = place(options.output)
    with folder_lock(output):
        chosen = Options(
            wanted=wanted,
            lines=options.json_lines,
            templates=tuple(map(place, options.templates)),
            templates_out=options.templates_out,
            against=None if options.against is None else place(options.against),
        )
        job = open_job(_inputs(options), output, chosen)
        report = finished_report(output) or _done(job, options)
    _say_report(report)
    if report.pages_in and not report.pages_out:
        reason, count = next(iter(report.skipped.items()))
        sys.stdout.flush()
        complain(f"sitestencil: no page was read: {count:,} of {report.pages_in:,} are skipped for: {reason}.")
        return 3
    return 1 if report.skipped and options.strict else 0


def _inputs(options: argparse.Namespace) -> list["Place"]:
    """Return the places of all inputs, also of those that a list names."""
    from sitestencil.crawl.input.places import listed, place

    return [
        *map(place, options.inputs),
        *(one for file in options.paths for one in listed(place(file), options.prefix)),
    ]


def _done(job: "Job", options: argparse.Namespace) -> "JobReport":
    with crawl_progress(quiet=options.quiet) as show:
        if options.engine == "ray":
            from sitestencil.crawl.ray_engine import run_on_ray

            return run_on_ray(job, show, options.address)
        from sitestencil.crawl.engine import run_locally

        return run_locally(job, show, options.jobs)


def _say_report(report: "JobReport") -> None:
    from sitestencil.crawl.input.places import place

    sites, others = counted(report.sites, "site"), report.pages_in - report.pages_out
    left = f"; {counted(others, 'other file')}" if others else ""
    say(f"{counted(report.pages_out, 'page')} of {sites}, by {counted(report.templates, 'template')}{left}")
    ways = {
        "template": "by their kind's template",
        "compared": "by comparing them with others of their site",
        "alone": "from the page alone",
    }
    for way, count in report.ways.items():
        say(f"  {count:>9,} {ways[way]}")
    for reason, count in report.skipped.items():
        say(f"  {count:>9,} skipped: {reason}")
    if report.changes is not None:
        _say_changes(report.changes)
    say(f"Written to {report.folder}.")
    if report.skipped:
        say(f"Skipped records: {place(report.folder) / 'skipped.jsonl'}")
    if report.damaged:
        complain(f"sitestencil: warning: {report.damaged:,} records were damaged or failed.")


def _say_changes(changes: dict[str, int]) -> None:
    """Say in sentences what changed since the earlier crawl."""

    def number(name: str) -> str:
        return f"{changes.get(name, 0):,}"

    say(
        f"Since the earlier crawl the templates of {number('sites changed')} of {number('sites')} sites changed: "
        f"regions added {number('region added')}, removed {number('region removed')}, "
        f"moved {number('region moved')}, texts changed {number('text changed')}. "
        f"Pages changed in their content alone: {number('content alone')}, "
        f"perhaps with the template: {number('content changed')}. "
        f"New pages: {number('page added')}, gone: {number('page removed')}."
    )
    if "not compared" in changes:
        complain(f"sitestencil: warning: the templates of {number('not compared')} sites were not compared.")


CRAWL = Command(
    name="crawl",
    group="crawl",
    help="extract the content of all pages of a crawl, as Parquet",
    description=_DESCRIPTION,
    configure=_configure,
    run=_run,
    epilog=_EPILOG,
)
