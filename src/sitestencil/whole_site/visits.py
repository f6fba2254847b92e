"""Keep a site's answers in a folder, so that a killed run goes on, and the next one loads only changes.

``visits.new`` grows by a line for each address of the run at work; half a line at its end is cut off. ``visits``
holds the last finished run, with what it wrote. One rename replaces it, so a run is finished or it is not.
"""

import zlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from sitestencil.crawl.spill import temporary
from sitestencil.errors import UnusableOutput

_T = TypeVar("_T")


class Visit(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer at an address, whose `page` all addresses of the page share; of a page, `url` is after redirects.

    `detail` is a redirect's target, or why there is no page. `etag` and `modified` are the server's version.
    """

    page: str
    url: str
    outcome: Literal["page", "same", "moved", "none"]
    detail: str = ""
    etag: str = ""
    modified: str = ""
    charset: str | None = None
    packed: bytes = b""

    @property
    def html(self) -> bytes:
        """The page's bytes."""
        return zlib.decompress(self.packed)


# A kind of page: the id, the learned template, and the other fields of `PageKind` up to `confidence`.
Kept = tuple[str, bytes, tuple[str, ...], int, bytes, tuple[str, ...], float | None]


class Finished(msgspec.Struct, frozen=True):
    """The output of the last run: a digest of each page's text by its address, the files, and the kinds."""

    texts: dict[str, str] = {}
    files: tuple[str, ...] = ()
    kinds: tuple[Kept, ...] = ()


class Visits:
    """The visits of a run and of the finished one before it; `before` is what that wrote, or None.

    Raises:
        UnusableOutput: a file is damaged.
    """

    def __init__(self, folder: Path) -> None:
        self._old, self._new = folder / "visits", folder / "visits.new"
        self.before: Finished | None = None
        self._earlier: dict[str, Visit] = {}
        with suppress(FileNotFoundError):
            *lines, last = self._old.read_bytes().splitlines()
            self._earlier = {visit.page: visit for visit in _decoded(self._old, lines, Visit)}
            (self.before,) = _decoded(self._old, [last], Finished)
        self._file = self._new.open("ab+")
        self._file.seek(0)
        *lines, cut = self._file.read().split(b"\n")
        self._visits = {visit.page: visit for visit in _decoded(self._new, lines, Visit)}
        self._file.truncate(self._file.tell() - len(cut))

    def of(self, page: str) -> Visit | None:
        """Return a visit of this run."""
        visit = self._visits.get(page)
        return self._earlier.get(page) if visit is not None and visit.outcome == "same" else visit

    def earlier(self, page: str) -> Visit | None:
        """Return a visit of the finished run."""
        return self._earlier.get(page)

    def add(self, visit: Visit) -> None:
        """Keep a visit."""
        self._file.write(msgspec.json.encode(visit) + b"\n")
        self._file.flush()
        self._visits[visit.page] = visit

    def finish(self, visits: Sequence[Visit], finished: Finished) -> None:
        """Replace the finished run by this one."""
        if finished != self.before or {visit.page: visit for visit in visits} != self._earlier:
            with temporary(self._old) as file, file.open("wb") as stream:
                for each in (*visits, finished):
                    stream.write(msgspec.json.encode(each) + b"\n")
        self.close()
        self._new.unlink()

    def close(self) -> None:
        """Close the file of the run at work."""
        self._file.close()


def _decoded(file: Path, lines: Iterable[bytes], kind: type[_T]) -> list[_T]:
    try:
        return [msgspec.json.decode(line, type=kind) for line in lines]
    except msgspec.DecodeError:
        raise UnusableOutput(f"{file} is damaged. Delete {file.parent}, and all pages are loaded again.") from None
