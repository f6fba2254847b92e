"""Store the sketches of visited and compared pages by site in a SQLite file, which several programs may share.

Damage costs only the remembered pages: a damaged file, or one of a later version, gets another name, and a new
one is created. Each call opens the file for one transaction, so a program may be killed at any time.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from sitestencil.detectors.stored_sketch import encoded
from sitestencil.errors import MemoryUnavailable, UnusableMemory
from sitestencil.site.loading import KnownPage, KnownPages
from sitestencil.urls import site_host

_T = TypeVar("_T")

FOLDER_VARIABLE = "SITESTENCIL_DATA_DIR"
FILE_NAME = "pages.sqlite3"
VERSION = 1
MOST_BYTES = 50_000_000
MOST_PAGE_BYTES = 500_000
MOST_SITES = 1_000
MOST_PAGES = 60
# Sites change: older pages are not compared with.
SECONDS_TRUSTED = 30 * 24 * 3600.0
SECONDS_TO_WAIT = 2.0
# A call takes milliseconds; a slower one works on a malicious file.
SECONDS_TO_WORK = 3.0
_STEPS_BETWEEN_LOOKS = 10_000
# Deleted pages leave room in the file for a while.
_LARGEST_FILE = 2 * MOST_BYTES
DAMAGED, NEWER = "damaged", "newer"

_TABLE = """\
CREATE TABLE pages (
    site TEXT NOT NULL,
    url TEXT NOT NULL,
    sketch BLOB NOT NULL,
    seen_at REAL NOT NULL,
    PRIMARY KEY (site, url)
) STRICT"""
_INDEX = "CREATE INDEX pages_by_age ON pages (site, seen_at)"
_SCHEMA = {_TABLE, _INDEX}


def memory_file() -> Path:
    """Return the file in which this user's browsers remember."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen:
        return Path(chosen) / FILE_NAME
    import platformdirs

    return platformdirs.user_data_path("sitestencil", appauthor=False) / FILE_NAME


@dataclass(frozen=True, slots=True)
class RememberedSite:
    """A remembered site: the number of its pages, and their bytes."""

    site: str
    pages: int
    bytes: int


class PageStore:
    """Sketches of pages by site.

    Args:
        file: the SQLite file; the first write creates it and its folder.
        told: called with a sentence when a file had to be set aside.
        most_bytes: the maximum size of all sketches; those seen longest ago go first.

    Example:
        >>> import tempfile
        >>> from sitestencil import parse
        >>> from sitestencil.page.key_sketch import KeySketch
        >>> page = KeySketch(parse("<nav><a href='/a'>A</a></nav>", "https://site.example/"))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     store = PageStore(Path(folder) / "pages.sqlite3")
        ...     store.remember(page.url, KnownPages(seen=[page]))
        ...     [known.url for known in store.of_page("https://www.site.example/b").pages]
        ['https://site.example/']
    """

    def __init__(
        self, file: Path, told: Callable[[str], object] = lambda _: None, most_bytes: int = MOST_BYTES
    ) -> None:
        self.file = file
        self._told = told
        self._most_bytes = most_bytes

    def of_page(self, url: str) -> KnownPages:
        """Return the pages of a page's site that were seen in the last 30 days, the last seen first.

        Raises:
            MemoryUnavailable: the file cannot be read now.
        """
        if not self.file.exists():
            return KnownPages()
        query = "SELECT url, sketch FROM pages WHERE site = ? AND seen_at > ? ORDER BY seen_at DESC, url LIMIT ?"
        values = site_host(url), time.time() - SECONDS_TRUSTED, MOST_PAGES
        return KnownPages(self._do(lambda file: [KnownPage(*row) for row in file.execute(query, values)]))

    def remember(self, url: str, known: KnownPages, *, anew: bool = False) -> None:
        """Store the pages that a detection saw, and delete those it found outdated.

        Args:
            url: the address of the page of which the template was wanted.
            known: the pages.
            anew: delete all other pages of the site.

        Raises:
            MemoryUnavailable: the file cannot be written now, or the disk is full.
        """
        site, now = site_host(url), time.time()
        pages = [(sketch.url.partition("#")[0], encoded(sketch)) for sketch in known.seen]
        rows = [(site, address, data, now) for address, data in pages if len(data) <= MOST_PAGE_BYTES]

        def write(file: sqlite3.Connection) -> None:
            if anew:
                file.execute("DELETE FROM pages WHERE site = ?", (site,))
            file.executemany(
                "DELETE FROM pages WHERE site = ? AND url = ?", [(site, old) for old in known.outdated]
            )
            file.executemany("INSERT OR REPLACE INTO pages (site, url, sketch, seen_at) VALUES (?, ?, ?, ?)", rows)
            self._make_room(file, site)

        if rows or known.outdated:
            self._do(write)

    def forget(self, site: str | None = None) -> int:
        """Forget one site, or all with the files set aside; return the number of pages.

        Raises:
            MemoryUnavailable: the file cannot be written now.
        """
        pages = 0
        if self.file.exists() and site is not None:
            name = site_host(f"https://{site}/")
            pages = self._do(lambda file: file.execute("DELETE FROM pages WHERE site = ?", (name,)).rowcount)
        elif self.file.exists():
            pages = self._do(lambda file: file.execute("DELETE FROM pages").rowcount)
        for aside in self.set_aside() if site is None else ():
            aside.unlink(missing_ok=True)
        return pages

    def sites(self) -> list[RememberedSite]:
        """Return the remembered sites.

        Raises:
            MemoryUnavailable: the file cannot be read now.
        """
        if not self.file.exists():
            return []
        query = "SELECT site, count(*), sum(length(sketch)) FROM pages GROUP BY site ORDER BY site"
        return [RememberedSite(*row) for row in self._do(lambda file: file.execute(query).fetchall())]

    def set_aside(self) -> list[Path]:
        """Return the files set aside: damaged, or of a later version."""
        files = (self.file.with_name(f"{self.file.name}.{problem}") for problem in (DAMAGED, NEWER))
        return [file for file in files if file.exists()]

    def _make_room(self, file: sqlite3.Connection, site: str) -> None:
        """Delete the pages seen longest ago beyond the limits: pages of the site, total bytes, sites."""
        file.execute(
            "DELETE FROM pages WHERE site = ? AND url NOT IN "
            "(SELECT url FROM pages WHERE site = ? ORDER BY seen_at DESC, url LIMIT ?)",
            (site, site, MOST_PAGES),
        )
        file.execute(
            "DELETE FROM pages WHERE rowid IN (SELECT rowid FROM (SELECT rowid, sum(length(sketch)) "
            "OVER (ORDER BY seen_at DESC, rowid) AS bytes FROM pages) WHERE bytes > ?)",
            (self._most_bytes,),
        )
        file.execute(
            "DELETE FROM pages WHERE site NOT IN "
            "(SELECT site FROM pages GROUP BY site ORDER BY max(seen_at) DESC LIMIT ?)",
            (MOST_SITES,),
        )

    def _do(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Run one transaction; set an unusable file aside once, and create a new one."""
        try:
            return self._try(work)
        except UnusableMemory as problem:
            self._put_aside(str(problem))
        try:
            return self._try(work)
        except UnusableMemory as problem:
            raise MemoryUnavailable(f"The memory cannot be used: {self.file} is {problem}.") from None

    def _try(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        try:
            with self._open() as file, file:
                file.execute("BEGIN IMMEDIATE")
                return work(file)
        except (sqlite3.OperationalError, OSError) as error:
            if getattr(error, "sqlite_errorname", "") == "SQLITE_INTERRUPT":
                raise UnusableMemory(DAMAGED) from None
            raise MemoryUnavailable(f"The memory cannot be used now: {error} ({self.file}).") from None
        except sqlite3.DatabaseError:
            raise UnusableMemory(DAMAGED) from None

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            os.close(os.open(self.file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        if self.file.stat().st_size > _LARGEST_FILE:
            raise UnusableMemory(DAMAGED)
        with closing(sqlite3.connect(self.file, timeout=SECONDS_TO_WAIT, isolation_level=None)) as file:
            deadline = time.monotonic() + SECONDS_TO_WAIT + SECONDS_TO_WORK
            file.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS_BETWEEN_LOOKS)
            file.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 2 * MOST_PAGE_BYTES)
            file.execute("PRAGMA secure_delete = ON")
            file.execute("PRAGMA trusted_schema = OFF")
            self._check(file)
            yield file

    def _check(self, file: sqlite3.Connection) -> None:
        (version,) = file.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise UnusableMemory(NEWER)
        if version == 0 and not _schema(file):
            file.execute("PRAGMA auto_vacuum = FULL")
            with file:
                file.execute("BEGIN IMMEDIATE")
                for statement in () if _schema(file) else (_TABLE, _INDEX):  # another program may have created it
                    file.execute(statement)
                file.execute(f"PRAGMA user_version = {VERSION}")
        if _schema(file) != _SCHEMA:
            raise UnusableMemory(DAMAGED)

    def _put_aside(self, problem: str) -> None:
        """Rename an unusable file; keep the last one of each problem."""
        aside = self.file.with_name(f"{self.file.name}.{problem}")
        with suppress(FileNotFoundError):  # another program has just done so
            self.file.replace(aside)
            self._told(f"The memory of sites could not be used: the file is {problem}. It is now {aside}.")
        for ending in ("-journal", "-wal", "-shm"):
            self.file.with_name(f"{self.file.name}{ending}").unlink(missing_ok=True)


def _schema(file: sqlite3.Connection) -> set[str]:
    """Return the statements of a file's schema; of a foreign file at most one more than ours has."""
    rows = file.execute(
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL LIMIT ?", (len(_SCHEMA) + 1,)
    ).fetchall()
    return {str(sql) for (sql,) in rows}
