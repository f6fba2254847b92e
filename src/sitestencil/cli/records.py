"""``sitestencil records``: the fields of a site's pages, as tables."""

import argparse

from sitestencil.cli.command import Command, say
from sitestencil.cli.files import check_is_free_folder, make_folder
from sitestencil.cli.options import whole_number
from sitestencil.cli.progress import progress_bar
from sitestencil.cli.rules import INPUT, add_inputs, read_input
from sitestencil.errors import UnusableOutput

_DESCRIPTION = f"""\
Write the records of a site: a table for each kind of page, with a column for each slot whose value differs.

Products give name, price and picture, articles title, author and date. Of each kind with at least five pages, half
are learned from, and half prove the columns. Lists in a page, such as comments, have tables of their own: of any
number of rows, if three in ten pages have some. Pages that do not share the slots are another table.

{INPUT}
All pages of the learned kinds get a row, also those beyond the sample."""

_EPILOG = """\
the output, a folder; NAME is the host and the number of the kind:
  NAME.parquet (or .csv, .jsonl)  a row for each page: its url, its columns, and the text of its main content.
                                  Numbers and prices are numbers, dates are in ISO 8601, addresses are absolute
  NAME-list-N.parquet             a row for each entry of a list, with the page's url
  schema.json                     the tables: of each column its type, the share of pages held out that have it, and
                                  how sure its name is (0 to 1). "fields" has the same as selectors for parsel
                                  and Scrapy, "row" those of a list's rows: examples/schema_spider.py runs them.
                                  "json_ld" has the keys of columns that pages state and do not show,
                                  "constants" what all pages say alike, and
                                  "lists_left_out" the largest rows that make no list, and why

Names come from itemprop and RDFa, JSON-LD with equal values, the page's metadata, the labels that a person sees
beside a value, as they stand, and the words of classes. A value has at most 2,000 characters, and a kind eight
lists. What leads around the site, repeats a column, or is of the frame and has no name, is no column. A text in a
column of numbers is left empty. CSV has the page's texts unchanged: a spreadsheet may take one that begins with =
for a formula.

examples:
  sitestencil records https://shop.example/ -o records
  python -c "import pandas; print(pandas.read_parquet('records/shop.example-0.parquet'))"
  sitestencil records crawl.warc.gz --format csv -o records"""


def _configure(parser: argparse.ArgumentParser) -> None:
    add_inputs(parser)
    parser.add_argument("--format", choices=("parquet", "csv", "jsonl"), default="parquet", help="default: parquet")
    most = "columns of a table (default: 15)"
    parser.add_argument("--most-columns", type=whole_number(1), default=15, metavar="N", help=most)


def _run(options: argparse.Namespace) -> int:
    check_is_free_folder(options.output, force=options.force)
    pages, sites = read_input(options)
    from sitestencil.records.files import write_records

    make_folder(options.output)
    try:
        with progress_bar("Kinds of pages", quiet=options.quiet) as show:
            most = options.most_columns
            tables, unplaced = write_records(pages, sites, options.output, options.format, show, most)
    except OSError as error:
        raise UnusableOutput(f"{options.output} cannot be written: {error.strerror or error}.") from None
    for name, (table, rows) in tables.items():
        say(f"{name}: {rows:,} rows")
        for column in table.columns:
            say(f"  {column.name}: {column.form.type}, on {column.fill:.0%} of the pages held out: {column.query}")
    if unplaced:
        why = "too few of their kind are there, they lack its columns, or learning took too long"
        say(f"{unplaced:,} pages are in no table: {why}.")
    say(f"Written to {options.output}.")
    return 0


RECORDS = Command(
    name="records",
    group="crawl",
    help="write the fields of a site's pages as tables",
    description=_DESCRIPTION,
    configure=_configure,
    run=_run,
    epilog=_EPILOG,
)
