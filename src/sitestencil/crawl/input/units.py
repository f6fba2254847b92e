"""Find the units of a crawl's input: parts that are read on their own.

Each unit of a large packed WARC is a range of its bytes. Files of no format that is read are units, too, so none is
lost silently.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from pathlib import PurePosixPath
from typing import Literal

from xxhash import xxh3_64_hexdigest

from sitestencil.crawl.input.crawled import fault, in_unicode
from sitestencil.crawl.input.places import Found, Place, RemotePath, files_below, found
from sitestencil.crawl.input.stores import Info
from sitestencil.crawl.input.wacz import InZip, files_of
from sitestencil.crawl.input.warc_file import WarcFile
from sitestencil.errors import UnusableInput

Format = Literal["warc", "wacz", "site", "mirror", "parquet", "jsonl", "several", "other"]

_ENDINGS: dict[Format, tuple[str, ...]] = {
    "warc": (".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz"),
    "wacz": (".wacz",),
    "parquet": (".parquet",),
    "jsonl": tuple(f"{name}{packed}" for name in (".jsonl", ".ndjson") for packed in ("", ".gz", ".zst")),
}
_SURELY_HTML = {".html", ".htm", ".xhtml"}
# As wget names the folder of a site.
_HOST = re.compile(r"(?:(?:[\w-]+\.)+[^\W\d_][\w-]+|localhost|\d+(?:\.\d+){3})(?:[:+]\d+)?")
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
        UnusableInput: an input is missing, or none has a readable format.
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
        for named in pool.map(found, inputs):
            # What holds no crawl is skipped by its name.
            files = [file for one in named for file in _files(one)] or [(one, "other") for one in named]
            new = [_whole(file, kind) for file, kind in files if _is_new(file.place, met)]
            warcs = [unit for unit in new if unit.format == "warc"]
            units += [replace(unit, beside=_beside(unit, warcs)) for unit in new]
    if inputs and all(unit.format == "other" for unit in units):
        raise UnusableInput(
            f"{inputs[0]} is no crawl, saved site or address. Give WARC files (.warc, .warc.gz, .warc.zst), ARC "
            "and WACZ files, folders of stored sites, Parquet files, JSON lines (.jsonl), folders of HTML files "
            "that are named by their host (example.org), or a folder of any of these."
        )
    return units


def is_page(given: Place) -> bool:
    """Return whether an input is the address of a page on the web, and not that of a crawl's file."""
    return isinstance(given, RemotePath) and given.is_web and format_of(given.name) == "other"


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
    if is_small or (isinstance(unit.file, InZip) and unit.file.is_packed):
        return [unit]
    try:
        with closing(WarcFile(unit.file)) as warc:
            if not warc.is_packed:
                return [unit]
    except Exception as error:
        fault(error)
        return [unit]  # its reader tells why
    bounds = [*range(0, unit.size - unit_bytes, unit_bytes), unit.size]
    return [replace(unit, start=start, end=end, is_proven=start == 0) for start, end in pairwise(bounds)]


def _is_new(file: Place, met: set[Place]) -> bool:
    real = file.resolve()
    is_new = real not in met
    met.add(real)
    return is_new


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
        elif format_of(file.place.name) == "other" and (host := _host_folder(given.place, file.path)) is not None:
            folders.setdefault((host, "mirror"), []).append(file)
        else:
            yield from _of_file(file)
    for (folder, kind), inside in folders.items():
        if kind == "site" or any(ending_of(file.path) in _SURELY_HTML for file in inside):
            yield _as_one(given.place / folder if folder else given.place, inside), kind
        else:
            yield from ((file, "other") for file in inside)


def _of_file(file: Found) -> Iterator[tuple[Found, Format]]:
    """Yield a file with its format; of a WACZ, the WARC files in it."""
    kind = format_of(file.place.name)
    if kind != "wacz":
        yield file, kind
        return
    warcs = [(one, is_readable) for one, is_readable in files_of(file) if format_of(one.path) == "warc"]
    yield from ((one, "warc" if is_readable else "other") for one, is_readable in warcs)
    if not warcs:
        yield file, "other"


def _host_folder(given: Place, path: str) -> str | None:
    """Return the folder of a mirrored site, below the given one: that one, or the first one on the path."""
    if _HOST.fullmatch(host_name(given)):
        return ""
    folders = path.split("/")[:-1]
    first = next((number for number, folder in enumerate(folders, 1) if _HOST.fullmatch(folder)), 0)
    return "/".join(folders[:first]) or None


def host_name(folder: Place) -> str:
    """Return the name of a folder, as that of a host."""
    return folder.name if isinstance(folder, RemotePath) else folder.absolute().name


def ending_of(path: str) -> str:
    """Return the ending of a file that may have the query of its address in its name."""
    return PurePosixPath(path.partition("?")[0]).suffix.lower()


def _as_one(folder: Place, files: Sequence[Found]) -> Found:
    stamp = xxh3_64_hexdigest("".join(f"{file.path}\0{file.info}\0" for file in files).encode("utf-8", "replace"))
    return Found(folder, Info(sum(file.info.size for file in files), stamp, is_folder=True), folder.name)


def format_of(name: str) -> Format:
    """Return the format of a file, by its name."""
    return next((kind for kind, endings in _ENDINGS.items() if name.lower().endswith(endings)), "other")
