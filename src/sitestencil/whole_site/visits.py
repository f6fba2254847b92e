"""Keep each answer of a site at once in a folder, so that a killed run goes on, and the next one asks what changed.

``visits.new`` grows by a line for each address of the run at work; half a line at its end is cut off. ``visits``
holds the last finished run, with what it wrote. One rename replaces it, so a run is finished or it is not.
"""

import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, TypeVar

import msgspec

from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.crawl.kinds import SamplePage
from sitestencil.errors import UnusableOutput
from sitestencil.kept_files import written

_FINISHED = "visits"
NEW_VISITS = "visits.new"
_T = TypeVar("_T")
# Paths that never leave the folder: somebody else may have made it.
_NAME = r"[\w@=&+,-][\w.@=&+,-]*"
_Path = Annotated[str, msgspec.Meta(pattern=rf"\A{_NAME}(?:/{_NAME})*\Z")]


class Visit(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer at an address, whose `page` all addresses of the page share; of a page, `url` is after redirects.

    `detail` is a redirect's target, or why there is no page; of the "same" page as before, why it was not reached.
    A page that robots may not index is "none", and `packed` for its links. `etag` and `modified` are the server's
    version; HTTP headers lead to `linked`; `is_gone` is the server's word that there is no page any more.
    """

    page: str
    url: Annotated[str, msgspec.Meta(pattern=r"\Ahttps?://")]
    outcome: Literal["page", "same", "moved", "none"]
    detail: str = ""
    etag: str = ""
    modified: str = ""
    charset: str | None = None
    packed: bytes = b""
    is_gone: bool = False
    linked: tuple[str, ...] = ()

    def sample(self) -> SamplePage:
        """Return the page that it got."""
        return SamplePage(CrawlPage(self.url, zlib.decompress(self.packed), charset=self.charset))


class Visited(NamedTuple):
    """All visits of a site in their order, from its first page on, and why addresses gave no page."""

    start: str
    visits: list[Visit]
    left: dict[str, str]


# A kind of page: the id, the learned template, and the other fields of `PageKind` up to `confidence`.
Kept = tuple[str, bytes, tuple[str, ...], int, bytes, tuple[str, ...], float | None]


class Finished(msgspec.Struct, frozen=True):
    """The output of the last run: each page's packed text by its address, the kinds, and pages' files.

    `names` are by page, without the files' ending; `digests` are those of the files as written. `gone` has the
    pages that went when pages went last, with the reason. `bodies` have what each page's file says, packed, and
    `wanted` how it was to be written.
    """

    texts: dict[str, bytes] = {}
    kinds: tuple[Kept, ...] = ()
    names: dict[str, _Path] = {}
    digests: dict[_Path, str] = {}
    gone: dict[str, str] = {}
    bodies: dict[str, bytes] = {}
    wanted: str = ""


class Visits:
    """The visits of a run; `earlier` has those of the finished one before it, and `before` what it wrote, or None.

    `saved` has the pages that it wrote.

    Raises:
        UnusableOutput: a file is damaged.
    """

    def __init__(self, folder: Path) -> None:
        self._old, self._new = folder / _FINISHED, folder / NEW_VISITS
        self.earlier, self.before = finished_visits(folder)
        texts = {} if self.before is None else self.before.texts
        self.saved = {page: one for page, one in self.earlier.items() if one.outcome == "page" and one.url in texts}
        content = self._new.read_bytes() if self._new.exists() else b""
        *lines, cut = content.split(b"\n")
        self._visits = {visit.page: visit for visit in _decoded(self._new, lines, Visit)}
        self._file = self._new.open("ab")
        self._file.truncate(len(content) - len(cut))
        if {page: self.of(page) for page in self._visits} == self.earlier:
            self._file.truncate(0)  # that run was killed when it had finished
            self._visits.clear()
        # The run that goes on asks again for what was not reached.
        self._visits = {
            page: one for page, one in self._visits.items() if not (one.outcome == "same" and one.detail)
        }
        self.close = self._file.close

    @property
    def first(self) -> str | None:
        """The page that the folder's first address leads to; None as long as nothing of it is loaded."""
        return next(iter(self.earlier or self._visits), None)

    @property
    def unreached(self) -> dict[str, str]:
        """Why pages that the finished run saved stay as they were in this one."""
        same = (visit for visit in self._visits.values() if visit.outcome == "same" and visit.detail)
        earlier = ((visit, self.earlier.get(visit.page)) for visit in same)
        return {old.url: visit.detail for visit, old in earlier if old is not None and old.page in self.saved}

    def of(self, page: str) -> Visit | None:
        """Return a visit of this run."""
        visit = self._visits.get(page)
        return self.earlier.get(page) if visit is not None and visit.outcome == "same" else visit

    def saved_text(self, url: str) -> str:
        """Return the text that the finished run saved for an address."""
        packed = None if self.before is None else self.before.texts.get(url)
        return zlib.decompress(packed).decode() if packed else ""

    def stay(self, page: str, reason: str) -> Visit:
        """Leave a page as it was in the finished run, out if it is new; return its visit."""
        earlier = self.earlier.get(page)
        visit = Visit(page, (earlier or self._visits[page]).url, "same" if earlier else "none", reason)
        self.add(visit)
        return earlier or visit

    def add(self, *visits: Visit) -> None:
        """Keep visits."""
        for visit in visits:
            self._file.write(msgspec.json.encode(visit) + b"\n")
            self._visits[visit.page] = visit
        self._file.flush()

    def finish(self, visits: Sequence[Visit], finished: Finished) -> None:
        """Replace the finished run by this one."""
        if finished != self.before or {visit.page: visit for visit in visits} != self.earlier:
            with written(self._old) as stream:
                for each in (*visits, finished):
                    stream.write(msgspec.json.encode(each) + b"\n")
        self.close()
        self._new.unlink()


def finished_visits(folder: Path) -> tuple[dict[str, Visit], Finished | None]:
    """Return the visits of a folder's finished run by their pages, in order, and what it wrote; None without one.

    Raises:
        UnusableOutput: the file is damaged.
    """
    file = folder / _FINISHED
    try:
        *lines, last = file.read_bytes().splitlines() or [b""]
    except (FileNotFoundError, NotADirectoryError):
        return {}, None
    (written,) = _decoded(file, [last], Finished)
    return {visit.page: visit for visit in _decoded(file, lines, Visit)}, written


def refuse_links(folder: Path, state: str) -> None:
    """Raise `UnusableOutput` if a folder with a state has links, which lead out: somebody else may have made it."""
    for one in folder.rglob("*") if (folder / state).exists() else ():
        if one.resolve() != one.parent.resolve() / one.name:
            raise UnusableOutput(f"{one} is a link, and may lead out of the folder. Delete it.")


def _decoded(file: Path, lines: Iterable[bytes], kind: type[_T]) -> list[_T]:
    try:
        return [msgspec.json.decode(line, type=kind) for line in lines]
    except msgspec.DecodeError:
        is_update = file.name != _FINISHED and (file.parent / _FINISHED).exists()
        advice = (
            "Delete it, and this run begins anew" if is_update else "Give a new folder: all pages are loaded again"
        )
        raise UnusableOutput(f"{file} is damaged. {advice}.") from None
