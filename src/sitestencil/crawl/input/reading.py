"""Read the units of a crawl's input: WARC files, folders of stored and of mirrored sites, and tables.

Each record that is not a page is reported with its offset and the reason, so none is lost silently.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from urllib.parse import quote

from xxhash import xxh3_64_intdigest

from sitestencil.crawl.input.crawled import (
    KILLED,
    MOST_BYTES,
    CrawlPage,
    MayBegin,
    Skipped,
    always,
    fault,
    in_unicode,
    page_or_skipped,
)
from sitestencil.crawl.input.places import files_below
from sitestencil.crawl.input.tables import read_table
from sitestencil.crawl.input.units import Unit, ending_of, format_of, host_name
from sitestencil.crawl.input.wacz import InZip
from sitestencil.crawl.input.warc import Bounds, read_warc
from sitestencil.site.sources.stored import site_file

_HTML = {".html", ".htm", ".xhtml", ".php", ".asp", ".aspx", ""}
_AS_IN_ADDRESSES = "/%:@!$&'()*+,;=~?"


def read_unit(
    unit: Unit, bounds: Bounds | None = None, may_begin: MayBegin = always
) -> Iterator[CrawlPage | Skipped]:
    """Yield each page of a unit, and each record that is not a page; a file ends where it cannot be read further.

    Args:
        unit: the unit.
        bounds: receives the range of a WARC that was read.
        may_begin: is asked before a member of a WARC is read, and before the next record of another file, by the
            one before. A member that it refuses is left out, and so is the rest of another file.
    """
    for part in unit.parts:
        yield from read_unit(part, may_begin=may_begin)
    if unit.parts:
        return
    bounds, following, is_empty = bounds or Bounds(), unit.start, unit.end is None
    try:
        for record in _records(unit, bounds, may_begin):
            following, is_empty = record.offset + 1, False
            yield record
    except Exception as error:
        bounds.ended = unit.size if unit.end is None else unit.end
        detail = f"The file cannot be read from here on: {fault(error)}."
        yield Skipped(unit.name, following, "broken record", detail)
        return
    in_zip = unit.file if isinstance(unit.file, InZip) else None
    if in_zip is not None and (missing := in_zip.missing()):
        yield Skipped(unit.name, following, "truncated", f"It cannot be unpacked further: {missing}.")
    elif is_empty and (unit.size or in_zip is not None):
        yield Skipped(unit.name, 0, "empty", "It holds no record.")


def _records(unit: Unit, bounds: Bounds, may_begin: MayBegin) -> Iterator[CrawlPage | Skipped]:
    if unit.format == "warc":
        range_of = unit.file, unit.name, unit.start, unit.end
        yield from read_warc(*range_of, is_proven=unit.is_proven, bounds=bounds, may_begin=may_begin)
        return
    if unit.format == "other":
        detail = "It is of no format that is read, or is damaged, encrypted or unpacks to too much."
        yield Skipped(unit.name, 0, "not read", detail)
        return
    is_folder = unit.format in {"site", "mirror"}
    records = _read_folder(unit) if is_folder else read_table(unit.file, unit.name, unit.format)
    following = 0
    while may_begin(unit.name, following):
        record = next(records, None)
        if record is None:
            return
        following = record.offset + 1
        yield record
    detail = "Reading it killed its process twice. The file is left out from here on."
    yield Skipped(unit.name, following, KILLED, detail)


def as_read(unit: Unit, bounds: Bounds) -> Unit | None:
    """Return a unit that is read without another guess; None if no record begins in it."""
    if unit.format != "warc":
        return unit
    return None if bounds.began is None else replace(unit, start=bounds.began, is_proven=True)


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


def _read_folder(unit: Unit) -> Iterator[CrawlPage | Skipped]:
    """Read a folder's pages; the offset is the file's number, from 0."""
    is_stored = unit.format == "site"
    pages = unit.file / "pages" if is_stored else unit.file
    host = host_name(unit.file).replace("+", ":")
    base = site_file(unit.file)[1] if is_stored else f"https://{host}/"
    known = _addresses(unit.beside)
    for number, file in enumerate(files_below(pages)):
        path = in_unicode(file.path)
        if not is_stored and format_of(file.place.name) != "other":
            continue  # it is read on its own
        url = f"{base}{quote(path) if is_stored else _mirrored(file.path)}"
        if ending_of(path) not in _HTML:
            yield Skipped(unit.name, number, "not HTML", f"{path} has another ending.", url)
        elif file.info.size > MOST_BYTES:
            yield Skipped(unit.name, number, "too large", f"{path} has more than {MOST_BYTES:,} bytes.", url)
        else:
            try:
                page = page_or_skipped(url, file.place.read_bytes(), unit.name, number)
            except Exception as error:
                detail = f"{path} cannot be read: {fault(error)}."
                yield Skipped(unit.name, number, "broken record", detail, url)
                continue
            names = {_address(page.url), _address(page.url.removesuffix(".html"))}  # wget may have added it
            detail = "A WARC file in the folder has it."
            yield page if known.isdisjoint(names) else Skipped(unit.name, number, "no page", detail, url)


@lru_cache(1)
def _addresses(units: tuple[Unit, ...]) -> frozenset[int]:
    """Return the addresses of the pages in files, as hashes."""
    pages = chain.from_iterable(map(read_unit, units))
    return frozenset(_address(page.url) for page in pages if isinstance(page, CrawlPage))


def _address(url: str) -> int:
    return xxh3_64_intdigest(url.partition("://")[2].encode("utf-8", "surrogatepass"))


def _mirrored(path: str) -> str:
    """Return the address of a file that wget has stored: its path, without ``index.html``."""
    file, mark, query = path.partition("?")
    folder, slash, name = file.rpartition("/")
    shown = f"{folder}{slash}" if name == "index.html" else file
    return quote(f"{shown}{mark}{query}", _AS_IN_ADDRESSES, errors="surrogateescape")
