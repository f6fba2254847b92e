"""Measure the tables of ``records`` against fields and lists that a person wrote down.

    python -m sitestencil_research.measurements.records ../shared/benchmark/opened --extruct VENV/bin/python

``labels/records.json`` has what a person would want of the main kind's pages, read from the HTML before the output
was seen: of two pages each field's values and each list's items, with a hand-written selector. Sites that are
`fresh` were written down before the mends that the others led to.

A field is found if one column (of a site's tables by its name) or constant has both values, and a list if a column
of a list's table has all items in order; a row without a value is no item. Texts are equal by letters and digits,
dates by the day, addresses as a whole, but for a picture's size. Extruct gets the same: one key of its JSON-LD,
microdata, RDFa or Open Graph.
"""

import json
import logging
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import compress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from selectolax.lexbor import LexborHTMLParser

from sitestencil.records.files import write_records
from sitestencil.rules.site_pages import read_sites
from sitestencil.rules.values import is_equal
from sitestencil.urls import resolve
from sitestencil.whole_site.pages import Pages
from sitestencil_research.commands.tables import print_markdown
from sitestencil_research.measurements.harness import arguments, sites_in
from sitestencil_research.measurements.site_rules import SIZES

LABELS = Path(__file__).parent / "labels" / "records.json"
Wanted = Mapping[str, Any]  # a site of the labels
Columns = Mapping[str, Sequence[list[Any]]]  # the values of each column, by page
_WHAT = ("fields", "lists")
_EXTRUCT = """
import extruct, json, sys
for line in sys.stdin:
    path, url = json.loads(line)
    found = extruct.extract(open(path, "rb").read(), base_url=url, errors="ignore", uniform=True)
    print(json.dumps(found, default=str))
"""


class Found(NamedTuple):
    """The fields and lists that a program found, and its columns that match no field."""

    fields: Set[str]
    lists: Set[str]
    others: Set[str]


def main() -> int:
    """Print a line for each site, and what ``records`` missed."""
    parser = arguments(__doc__)
    parser.add_argument("--extruct", metavar="PYTHON", help="the interpreter of an environment with extruct")
    options = parser.parse_args()
    logging.disable()
    labels = json.loads(LABELS.read_text("utf-8"))
    rows, notes, fresh = list[list[Any]](), list[str](), list[bool]()
    for folder in sites_in(options.folders):
        if (wanted := labels.get(folder.name)) is None:
            continue
        columns, lists = of_records(folder, wanted)
        told = of_extruct(options.extruct, folder, wanted) if options.extruct else {}
        hand = by_hand(folder, wanted)
        found = [matched(wanted, *both) for both in ((columns, lists), (told, told), (hand, hand))]
        own = {name for name in columns if not name.startswith("=")}
        fields, items = ([len(wanted[what]), *(len(one[at]) for one in found)] for at, what in enumerate(_WHAT))
        rows.append([folder.name, *fields, *items, len(own), len(own & found[0].others)])
        fresh.append(wanted.get("fresh", False))
        lost = {*wanted["fields"], *wanted["lists"]} - found[0].fields - found[0].lists
        notes.append(f"{folder.name}: missed {sorted(lost)}, no field {sorted(own & found[0].others)}")
    totals = [("all", rows), ("fresh", [*compress(rows, fresh)])]
    sums = [[name, *map(sum, [*zip(*those, strict=True)][1:])] for name, those in totals if those]
    heads = [f"{what}{by}" for what in _WHAT for by in ("", ": `records`", ": extruct", ": by hand")]
    print_markdown(["site", *heads, "columns", "match no field"], [[*map(str, row)] for row in rows + sums])
    print("", *notes, sep="\n")
    return 0


def of_records(folder: Path, wanted: Wanted) -> tuple[Columns, Columns]:
    """Return the columns of the pages' tables, with constants (``=`` and their key), and those of their lists."""
    both = of_pages, of_lists = _columns(), _columns()
    with TemporaryDirectory() as name:
        pages = Pages([str(folder)])
        write_records(pages, read_sites(pages)[0], Path(name), "jsonl", lambda *_: None)
        tables = json.loads((Path(name) / "schema.json").read_text("utf-8"))
        for table in [*tables, *(one for of_kind in tables for one in of_kind.get("lists", []))]:
            file = Path(name) / f"{table['table']}.jsonl"
            rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []
            columns, prefix = (of_lists, f"{table['table']}.") if "row" in table else (of_pages, "")
            names = [column["name"] for column in table["columns"]]
            for at, (_, url) in enumerate(_pages(folder, wanted)):
                for row in (row for row in rows if row["url"] == url):
                    said = {f"={key}": value for key, value in table.get("constants", {}).items()}
                    for key, value in ({key: row[key] for key in names} | said).items():
                        columns[f"{prefix}{key}"][at].append(value)
    return both


def of_extruct(python: str, folder: Path, wanted: Wanted) -> Columns:
    """Return the values of each key of extruct's output."""
    lines = "".join(f"{json.dumps([str(path), url])}\n" for path, url in _pages(folder, wanted))
    told = subprocess.run([python, "-c", _EXTRUCT], input=lines, capture_output=True, text=True, check=True)
    columns = _columns()
    for at, line in enumerate(told.stdout.splitlines()):
        for key, value in _leaves(json.loads(line), ""):
            columns[key][at].append(value)
    return columns


def by_hand(folder: Path, wanted: Wanted) -> Columns:
    """Return what the hand-written selectors take: a text, or an attribute after ``@``."""
    columns = _columns()
    for at, (path, url) in enumerate(_pages(folder, wanted)):
        page = LexborHTMLParser(path.read_bytes())
        for name, (selector, *_) in (wanted["fields"] | wanted["lists"]).items():
            css, _, key = selector.partition("@")
            values = [(node.attributes.get(key) or "") if key else node.text() for node in page.css(css)]
            columns[name][at].extend((resolve(one, url) or one) if key == "src" else one for one in values)
    return columns


def _columns() -> defaultdict[str, tuple[list[Any], list[Any]]]:
    return defaultdict(lambda: ([], []))


def _leaves(value: Any, key: str) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - any JSON
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _leaves(one, f"{key}.{name}")
    elif isinstance(value, list):
        for one in value:
            yield from _leaves(one, key)
    elif value is not None:
        yield key, str(value)


def matched(wanted: Wanted, columns: Columns, lists: Columns) -> Found:
    """Return the fields and lists that columns have on both pages, and the columns that match no field."""
    firsts = {name: [(values or [None])[0] for values in both] for name, both in columns.items()}
    of_fields = {
        field: {name for name in firsts if _is_same(firsts[name], both)}
        for field, (_, *both) in wanted["fields"].items()
    }
    items = [[[value for value in values if value is not None] for values in one] for one in lists.values()]
    full = {
        name for name, (_, *both) in wanted["lists"].items() if any(all(map(_is_same, one, both)) for one in items)
    }
    others = columns.keys() - set[str]().union(*of_fields.values())
    return Found({field for field, names in of_fields.items() if names}, full, others)


def _is_same(values: Sequence[Any], stated: Sequence[str | None]) -> bool:
    return len(values) == len(stated) and all(map(_is_value, values, stated))


def _is_value(value: Any, stated: str | None) -> bool:  # noqa: ANN401 - a cell
    if value is None or stated is None:
        return value is stated
    text = f"{value:.12g}" if isinstance(value, float) else str(value)
    return _address(text) == _address(stated) if "://" in stated else is_equal(text, stated)


def _address(text: str) -> str:
    return SIZES.sub("", text.partition("://")[2].partition("?v=")[0])


def _pages(folder: Path, wanted: Wanted) -> list[tuple[Path, str]]:
    base = json.loads((folder / "site.json").read_text("utf-8"))["base_url"]
    return [(folder / "pages" / path, f"{base}{path}") for path in wanted["pages"]]


if __name__ == "__main__":
    sys.exit(main())
