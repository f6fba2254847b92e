"""Read a crawl's input: WARC files, folders of stored and of mirrored sites, and tables with addresses and HTML.

Files are read in independent units: each unit of a large packed WARC is a range of its bytes. Each record that is
not a page is reported with its offset and the reason, and so is each other file, so none is lost silently.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, pairwise
from pathlib import PurePosixPath
from typing import Literal
from urllib.parse import quote

from xxhash import xxh3_64_hexdigest, xxh3_64_intdigest

from sitestencil.crawl.input.crawled import (
    KILLED,
    MOST_BYTES,
    CrawlPage,
    MayBegin,
    Skipped,
    always,
    in_unicode,
    page_or_skipped,
)
from sitestencil.crawl.input.places import Found, Place, RemotePath, files_below, found
from sitestencil.crawl.input.stores import Info
from sitestencil.crawl.input.tables import is_bomb, read_table
from sitestencil.crawl.input.wacz import InZip, files_of
from sitestencil.crawl.input.warc import Bounds, read_warc
from sitestencil.crawl.input.warc_file import WarcFile
from sitestencil.errors import UnusableInput
from sitestencil.site.sources.stored import site_file

Format = Literal["warc", "wacz", "site", "mirror", "parquet", "jsonl", "several", "other"]

_ENDINGS: dict[Format, tuple[str, ...]] = {
    "warc": (".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz"),
    "wacz": (".wacz",),
    "parquet": (".parquet",),
    "jsonl": tuple(f"{name}{packed}" for name in (".jsonl", ".ndjson") for packed in ("", ".gz", ".zst")),
}
_HTML = {".html", ".htm", ".xhtml", ".php", ".asp", ".aspx", ""}
_SURELY_HTML = {".html", ".htm", ".xhtml"}
# As wget names the folder of a site.
_HOST = re.compile(r"(?:(?:[\w-]+\.)+[^\W\d_][\w-]+|localhost|\d+(?:\.\d+){3})(?:[:+]\d+)?")
_AS_IN_ADDRESSES = "/%:@!$&'()*+,;=~?"
JOB_FILE = ".work/job.json"  # in the output of a crawl
_OF_OUTPUTS = (f"/{JOB_FILE}", "/.work/lock")
_AT_ONCE = 16  # files that are looked up in stores


@dataclass(frozen=True, slots=True)
class Unit:
    """A part of the input that is read at a time.

    Attributes:
        file: the file, or the folder of a site.
        format: its format.
        start: its records begin at this byte or later; 0 except for parts of a WARC.
        end: its records begin before this byte; None: to the end.
        name: the file's name in the output: its path as given.
        is_proven: a member of the file begins at the first byte.
        size: the bytes of the whole file or folder.
        stamp: the version of the file or folder; it changes with it.
        parts: small files that are read as one unit, in the format ``several``; each is a unit of its own here.
        beside: the WARC files in the folder of a mirrored site; its pages that they have are read from them.
    """

    file: Place
    format: Format
    start: int = 0
    end: int | None = None
    name: str = ""
    is_proven: bool = True
    size: int = 0
    stamp: str = ""
    parts: "tuple[Unit, ...]" = ()
    beside: "tuple[Unit, ...]" = ()

    @property
    def files(self) -> "tuple[Unit, ...]":
        """The files that are read."""
        return self.parts or (self,)


def units_of(inputs: Sequence[Place]) -> list[Unit]:
    """Return each file as a unit, in the order given; folders are read by name.

    A file that is given twice, even by another path, is read once.

    Raises:
        UnusableInput: an input is missing, or has no readable format.
    """
    units: list[Unit] = []
    met: set[Place] = set()
    for given in inputs:
        if is_page(given):
            raise UnusableInput(
                f"{given} is no file of a crawl (.warc.gz, .parquet, .jsonl). To save the pages of a site, run: "
                f"sitestencil site {given} -o DIR"
            )
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for given, named in zip(inputs, pool.map(found, inputs), strict=True):
            files = [file for one in named for file in _files(one)]
            if all(kind == "other" for _, kind in files):
                raise UnusableInput(
                    f"{given} holds no crawl. Give WARC files (.warc, .warc.gz, .warc.zst), ARC and WACZ files, "
                    "folders of stored sites, Parquet files, JSON lines (.jsonl), folders of HTML files that are "
                    "named by their host (example.org), or a folder of any of these."
                )
            new = [_whole(file, kind) for file, kind in files if _is_new(file.place, met)]
            warcs = [unit for unit in new if unit.format == "warc"]
            units += [replace(unit, beside=_beside(unit, warcs)) for unit in new]
    return units


def is_page(given: Place) -> bool:
    """Return whether an input is the address of a page on the web, and not that of a crawl's file."""
    return isinstance(given, RemotePath) and given.is_web and _format(given.name) == "other"


def _whole(file: Found, kind: Format) -> Unit:
    # A log that grows must not make this another crawl.
    info = Info(0, "") if kind == "other" else file.info
    return Unit(file.place, kind, name=in_unicode(str(file.place)), size=info.size, stamp=info.stamp)


def _beside(unit: Unit, warcs: Sequence[Unit]) -> tuple[Unit, ...]:
    folder = unit.file.parent
    return () if unit.format != "mirror" else tuple(warc for warc in warcs if folder in _file_of(warc).parents)


def _file_of(unit: Unit) -> Place:
    return unit.file.file if isinstance(unit.file, InZip) else unit.file


def parts_of(units: Sequence[Unit], unit_bytes: int) -> list[Unit]:
    """Split each large packed WARC into units of this size, and join small files; leave other files whole."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        parts = pool.map(lambda unit: _split(unit, unit_bytes), units)
        return list(_joined(chain.from_iterable(parts), unit_bytes))


def _joined(units: Iterable[Unit], most: int) -> Iterator[Unit]:
    """Yield units; whole files that follow one another become one unit of at most this size."""
    small: list[Unit] = []
    size = 0
    for unit in units:
        is_small = unit.end is None and unit.size < most
        if small and not (is_small and size + unit.size <= most):
            yield _several(small)
            small, size = [], 0
        if is_small:
            small.append(unit)
            size += unit.size
        else:
            yield unit
    if small:
        yield _several(small)


def _several(units: Sequence[Unit]) -> Unit:
    first = units[0]
    return first if len(units) == 1 else Unit(first.file, "several", name=first.name, parts=tuple(units))


def _split(unit: Unit, unit_bytes: int) -> list[Unit]:
    is_small = unit.format != "warc" or unit.size <= 2 * unit_bytes
    if is_small or (isinstance(unit.file, InZip) and unit.file.is_packed) or not _is_packed(unit.file):
        return [unit]
    bounds = [*range(0, unit.size - unit_bytes, unit_bytes), unit.size]
    return [replace(unit, start=start, end=end, is_proven=start == 0) for start, end in pairwise(bounds)]


def _is_new(file: Place, met: set[Place]) -> bool:
    real = file.resolve()
    is_new = real not in met
    met.add(real)
    return is_new


def read_unit(
    unit: Unit, bounds: Bounds | None = None, may_begin: MayBegin = always
) -> Iterator[CrawlPage | Skipped]:
    """Yield each page of a unit, and each record that is not a page.

    Args:
        unit: the unit.
        bounds: receives the range of a WARC that was read.
        may_begin: is asked before a member of a WARC is read, and before the next record of another file, by the
            one before. A member that it refuses is left out, and so is the rest of another file.
    """
    if unit.format == "several":
        for part in unit.parts:
            yield from read_unit(part, may_begin=may_begin)
        return
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
    following = size = 0
    while may_begin(unit.name, following):
        record = next(records, None)
        if record is None:
            return
        following = record.offset + 1
        if isinstance(record, CrawlPage):
            size += len(record.html) + len(record.record.columns or "")
        if is_bomb(size, unit.size):
            detail = "The pages up to here are too large for their file. It is left out from here on."
            yield Skipped(unit.name, record.offset, "too large", detail)
            return
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


def _files(given: Found) -> Iterator[tuple[Found, Format]]:
    """Yield a file, or what a folder and its folders hold: files, and each site's folder as one.

    The output of a crawl is passed over: it may be in the folder of its input.
    """
    if not given.info.is_folder:
        yield from _of_file(given)
        return
    files = files_below(given.place)
    stored = {file.path.rpartition("/")[0] for file in files if PurePosixPath(file.path).name == "site.json"}
    outputs = {file.path.rpartition("/.work/")[0] for file in files if file.path.endswith(_OF_OUTPUTS)}
    folders: dict[tuple[str, Format], list[Found]] = {}
    for file in files:
        parents = [str(parent) if parent.name else "" for parent in PurePosixPath(file.path).parents]
        if not outputs.isdisjoint(parents):
            continue
        site = next((parent for parent in parents if parent in stored), None)
        if site is not None and file.path.removeprefix(site).lstrip("/").startswith(("site.json", "pages/")):
            folders.setdefault((site, "site"), []).append(file)
        elif _format(file.place.name) == "other" and (host := _host_folder(given.place, file.path)) is not None:
            folders.setdefault((host, "mirror"), []).append(file)
        else:
            yield from _of_file(file)
    for (folder, kind), inside in folders.items():
        if kind == "site" or any(_ending(file.path) in _SURELY_HTML for file in inside):
            yield _as_one(given.place / folder if folder else given.place, inside), kind
        else:
            yield from ((file, "other") for file in inside)


def _of_file(file: Found) -> Iterator[tuple[Found, Format]]:
    """Yield a file with its format; of a WACZ, the WARC files in it."""
    kind = _format(file.place.name)
    if kind != "wacz":
        yield file, kind
        return
    warcs = [(one, is_readable) for one, is_readable in files_of(file) if _format(one.path) == "warc"]
    yield from ((one, "warc" if is_readable else "other") for one, is_readable in warcs)
    if not warcs:
        yield file, "other"


def _host_folder(given: Place, path: str) -> str | None:
    """Return the folder of a mirrored site, below the given one: that one, or the first one on the path."""
    if _HOST.fullmatch(_host_name(given)):
        return ""
    folders = path.split("/")[:-1]
    first = next((number for number, folder in enumerate(folders, 1) if _HOST.fullmatch(folder)), 0)
    return "/".join(folders[:first]) or None


def _host_name(folder: Place) -> str:
    return folder.name if isinstance(folder, RemotePath) else folder.absolute().name


def _ending(path: str) -> str:
    """Return the ending of a file that may have the query of its address in its name."""
    return PurePosixPath(path.partition("?")[0]).suffix.lower()


def _as_one(folder: Place, files: Sequence[Found]) -> Found:
    stamp = xxh3_64_hexdigest("".join(f"{file.path}\0{file.info}\0" for file in files).encode("utf-8", "replace"))
    return Found(folder, Info(sum(file.info.size for file in files), stamp, is_folder=True), folder.name)


def _format(name: str) -> Format:
    return next((kind for kind, endings in _ENDINGS.items() if name.lower().endswith(endings)), "other")


def _is_packed(file: Place) -> bool:
    with WarcFile(file) as warc:
        return warc.is_packed


def _read_folder(unit: Unit) -> Iterator[CrawlPage | Skipped]:
    """Read a folder's pages; the offset is the file's number, from 0."""
    is_stored = unit.format == "site"
    pages = unit.file / "pages" if is_stored else unit.file
    host = _host_name(unit.file).replace("+", ":")
    base = site_file(unit.file)[1] if is_stored else f"https://{host}/"
    known = _addresses(unit.beside)
    for number, file in enumerate(files_below(pages)):
        path = in_unicode(file.path)
        if not is_stored and _format(file.place.name) != "other":
            continue  # it is read on its own
        url = f"{base}{quote(path) if is_stored else _mirrored(file.path)}"
        if _ending(path) not in _HTML:
            yield Skipped(unit.name, number, "not HTML", f"{path} has another ending.", url)
        elif file.info.size > MOST_BYTES:
            yield Skipped(unit.name, number, "too large", f"{path} has more than {MOST_BYTES:,} bytes.", url)
        else:
            page = page_or_skipped(url, file.place.read_bytes(), unit.name, number)
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
