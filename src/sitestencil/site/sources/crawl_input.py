"""Read a crawl's input: WARC files, folders of stored sites, and tables with addresses and HTML.

Files are read in independent units: each unit of a large packed WARC is a range of its bytes. Each record that is
not a page is reported with its offset and the reason, so none is lost silently.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Literal

from sitestencil.errors import UnusableInput
from sitestencil.site.sources.crawled import MOST_BYTES, CrawlPage, Skipped, in_unicode, page_or_skipped
from sitestencil.site.sources.stored import StoredSite
from sitestencil.site.sources.tables import read_table
from sitestencil.site.sources.warc import Bounds, read_warc
from sitestencil.site.sources.warc_file import WarcFile

Format = Literal["warc", "site", "parquet", "jsonl"]

UNIT_BYTES = 16 * 1024 * 1024  # of a packed WARC
_WARC = (".warc", ".warc.gz", ".warc.zst")
_JSON_LINES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")


@dataclass(frozen=True, slots=True)
class Unit:
    """A part of the input that is read at a time.

    Attributes:
        file: the file, or the folder of a stored site.
        format: its format.
        start: its records begin at this byte or later; 0 except for parts of a WARC.
        end: its records begin before this byte; None: to the end.
        name: the file's name in the output: its path as given.
        is_proven: a member of the file begins at the first byte.
    """

    file: Path
    format: Format
    start: int = 0
    end: int | None = None
    name: str = ""
    is_proven: bool = True


def units_of(inputs: Sequence[Path], unit_bytes: int = UNIT_BYTES) -> list[Unit]:
    """Return the units of all inputs in the order given; folders are read by name.

    A file that is given twice, even by another path, is read once.

    Raises:
        UnusableInput: an input is missing, or has no readable format.
    """
    units: list[Unit] = []
    met: set[Path] = set()
    for given in inputs:
        files = list(_files(given))
        units += [unit for file, kind in files if _is_new(file, met) for unit in _split(file, kind, unit_bytes)]
        if not files:
            raise UnusableInput(
                f"{given} holds no crawl. Give WARC files (.warc, .warc.gz, .warc.zst), folders of stored sites, "
                "Parquet files, or JSON lines (.jsonl), or a folder of them."
            )
    return units


def _is_new(file: Path, met: set[Path]) -> bool:
    real = file.resolve()
    is_new = real not in met
    met.add(real)
    return is_new


def read_unit(unit: Unit, bounds: Bounds | None = None) -> Iterator[CrawlPage | Skipped]:
    """Yield each page of a unit, and each record that is not a page.

    Args:
        unit: the unit.
        bounds: receives the range of a WARC that was read.
    """
    if unit.format == "warc":
        records = read_warc(unit.file, unit.name, unit.start, unit.end, is_proven=unit.is_proven, bounds=bounds)
    elif unit.format == "site":
        records = _read_site(unit)
    else:
        records = read_table(unit.file, unit.name, unit.format)
    for record in records:
        yield _checked(record) if isinstance(record, CrawlPage) else record


def proven_again(units: Sequence[Unit], bounds_of: Callable[[int], Bounds]) -> Iterator[tuple[int, Unit]]:
    """Yield the units that were read from a wrong start, each with its proven start.

    Read each of them again before the next one is requested. An undamaged file has none: every unit ends where the
    next begins.

    Args:
        units: all units, in order.
        bounds_of: returns the range read of a unit.
    """
    ended = 0
    for number, unit in enumerate(units):
        if unit.format != "warc":
            continue
        if not unit.is_proven:
            bounds = bounds_of(number)
            if bounds.began is None and unit.end is not None and ended >= unit.end:
                continue  # a member spans the whole unit
            if bounds.began != ended or bounds.ended is None:
                yield number, replace(unit, start=ended, is_proven=True)
        ended = bounds_of(number).ended or ended


def _checked(page: CrawlPage) -> CrawlPage | Skipped:
    if len(page.html) > MOST_BYTES:
        text = f"It has {len(page.html):,} bytes, more than {MOST_BYTES:,}."
        return Skipped(page.source, page.offset, "too large", text, page.url)
    if not page.html.strip():
        return Skipped(page.source, page.offset, "empty", "It has no bytes but white space.", page.url)
    return page


def _files(given: Path) -> Iterator[tuple[Path, Format]]:
    if not given.exists():
        raise UnusableInput(f"{given} does not exist.")
    if given.is_file():
        kind = _format(given)
        if kind is not None:
            yield given, kind
    elif (given / "site.json").is_file():
        yield given, "site"
    else:
        for entry in sorted(given.iterdir()):
            if entry.is_dir() and (entry / "site.json").is_file():
                yield entry, "site"
            elif entry.is_file() and (kind := _format(entry)) is not None:
                yield entry, kind


def _format(file: Path) -> Format | None:
    name = file.name.lower()
    if name.endswith(_WARC):
        return "warc"
    if name.endswith(".parquet"):
        return "parquet"
    return "jsonl" if name.endswith(_JSON_LINES) else None


def _split(file: Path, kind: Format, unit_bytes: int) -> list[Unit]:
    name = in_unicode(str(file))
    size = file.stat().st_size if kind == "warc" else 0
    if size <= 2 * unit_bytes or not _is_packed(file):
        return [Unit(file, kind, name=name)]
    bounds = [*range(0, size - unit_bytes, unit_bytes), size]
    return [Unit(file, kind, start, end, name, is_proven=start == 0) for start, end in pairwise(bounds)]


def _is_packed(file: Path) -> bool:
    with WarcFile(file) as warc:
        return warc.is_packed


def _read_site(unit: Unit) -> Iterator[CrawlPage | Skipped]:
    site = StoredSite(unit.file)
    files = sorted(file for file in site.pages.rglob("*") if file.is_file())
    for number, file in enumerate(files):
        path = in_unicode(file.relative_to(site.pages).as_posix())
        url = site.url_of(path)
        if file.suffix.lower() not in {".html", ".htm", ".xhtml", ".php", ".asp", ".aspx", ""}:
            yield Skipped(unit.name, number, "not HTML", f"{path} has another ending.", url)
        elif file.stat().st_size > MOST_BYTES:
            yield Skipped(unit.name, number, "too large", f"{path} has more than {MOST_BYTES:,} bytes.", url)
        else:
            yield page_or_skipped(url, file.read_bytes(), unit.name, number)
