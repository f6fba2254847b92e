"""Store learned templates by site in a SQLite file, which several programs may share.

Damage costs only the remembered templates: a damaged file, or one of a later version, gets another name, and a new
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

from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.errors import MemoryUnavailable, UnusableLearnedTemplate, UnusableMemory
from sitestencil.urls import site_host

_T = TypeVar("_T")

FOLDER_VARIABLE = "SITESTENCIL_DATA_DIR"
FILE_NAME = "templates.sqlite3"
VERSION = 1
MOST_BYTES = 50_000_000
MOST_TEMPLATE_BYTES = 2_000_000
MOST_SITES = 1_000
MOST_KINDS = 8
SECONDS_TO_WAIT = 2.0
# A call takes milliseconds; a slower one works on a malicious file.
SECONDS_TO_WORK = 3.0
_STEPS_BETWEEN_LOOKS = 10_000
# Deleted templates leave room in the file for a while.
_LARGEST_FILE = 2 * MOST_BYTES
DAMAGED, NEWER = "damaged", "newer"

_TABLE = """\
CREATE TABLE templates (
    number INTEGER PRIMARY KEY,
    site TEXT NOT NULL,
    detector TEXT NOT NULL,
    learned BLOB NOT NULL,
    learned_at REAL NOT NULL,
    used_at REAL NOT NULL
) STRICT"""
_INDEX = "CREATE INDEX templates_of_site ON templates (site, detector, used_at)"
_SCHEMA = {_TABLE, _INDEX}


def memory_file() -> Path:
    """Return the file in which this user's browsers remember."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen:
        return Path(chosen) / FILE_NAME
    import platformdirs

    return platformdirs.user_data_path("sitestencil", appauthor=False) / FILE_NAME


@dataclass(frozen=True, slots=True)
class Remembered:
    """A stored template.

    Attributes:
        number: its number in the file.
        learned: the learned template.
        learned_at: the time of learning, in seconds since 1970.
    """

    number: int
    learned: LearnedTemplate
    learned_at: float


@dataclass(frozen=True, slots=True)
class RememberedSite:
    """The stored templates of a site: their number and their bytes."""

    site: str
    templates: int
    bytes: int


class TemplateStore:
    """Learned templates by site.

    Args:
        file: the SQLite file; the first write creates it and its folder.
        told: called with a sentence when a file had to be set aside.
        most_bytes: the maximum size of all templates; the least recently used ones go first.

    Example:
        >>> import tempfile
        >>> from sitestencil import learn
        >>> page = "<nav><a href='/a'>A</a></nav>"
        >>> learned = learn(page, url="https://site.example/", pages={"https://site.example/a": page})
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     store = TemplateStore(Path(folder) / "templates.sqlite3")
        ...     store.remember(learned)
        ...     [found.learned for found in store.of_page("https://www.site.example/b", "stencil")]
        [<LearnedTemplate https://site.example/ by stencil, 4 elements>]
    """

    def __init__(
        self, file: Path, told: Callable[[str], object] = lambda _: None, most_bytes: int = MOST_BYTES
    ) -> None:
        self.file = file
        self._told = told
        self._most_bytes = most_bytes

    def of_page(self, url: str, detector: str) -> list[Remembered]:
        """Return a detector's templates of a page's site, the most recently used first.

        Raises:
            MemoryUnavailable: the file cannot be read now.
        """
        if not self.file.exists():
            return []
        query = (
            "SELECT number, learned, learned_at FROM templates WHERE site = ? AND detector = ? "
            "ORDER BY used_at DESC LIMIT ?"
        )
        rows = self._do(lambda file: file.execute(query, (site_host(url), detector, MOST_KINDS)).fetchall())
        return [kept for row in rows if (kept := self._read(*row)) is not None]

    def remember(self, learned: LearnedTemplate, instead_of: int | None = None) -> None:
        """Store a learned template, as a new one of its site or in place of another.

        Raises:
            MemoryUnavailable: the file cannot be written now, or the disk is full.
        """
        data = learned.to_bytes()
        if len(data) > MOST_TEMPLATE_BYTES:
            return
        site, now = site_host(learned.url), time.time()

        def write(file: sqlite3.Connection) -> None:
            if instead_of is not None:
                file.execute("DELETE FROM templates WHERE number = ? AND site = ?", (instead_of, site))
            file.execute(
                "INSERT INTO templates (site, detector, learned, learned_at, used_at) VALUES (?, ?, ?, ?, ?)",
                (site, learned.detector, data, now, now),
            )
            self._make_room(file, site)

        self._do(write)

    def use(self, number: int) -> None:
        """Mark a template as used, which keeps it longer.

        Raises:
            MemoryUnavailable: the file cannot be written now.
        """
        self._do(
            lambda file: file.execute("UPDATE templates SET used_at = ? WHERE number = ?", (time.time(), number))
        )

    def forget(self, site: str | None = None) -> int:
        """Forget one site, or all with the files set aside; return the number of templates.

        Raises:
            MemoryUnavailable: the file cannot be written now.
        """
        if site is None:
            return self._forget_all()
        if not self.file.exists():
            return 0
        name = site_host(f"https://{site}/")
        return self._do(lambda file: file.execute("DELETE FROM templates WHERE site = ?", (name,)).rowcount)

    def sites(self) -> list[RememberedSite]:
        """Return the stored sites.

        Raises:
            MemoryUnavailable: the file cannot be read now.
        """
        if not self.file.exists():
            return []
        query = "SELECT site, count(*), sum(length(learned)) FROM templates GROUP BY site ORDER BY site"
        return [RememberedSite(*row) for row in self._do(lambda file: file.execute(query).fetchall())]

    def set_aside(self) -> list[Path]:
        """Return the files set aside: damaged, or of a later version."""
        files = (self.file.with_name(f"{self.file.name}.{problem}") for problem in (DAMAGED, NEWER))
        return [file for file in files if file.exists()]

    def _forget_all(self) -> int:
        templates = 0
        if self.file.exists():
            with suppress(MemoryUnavailable):
                templates = self._do(lambda file: int(file.execute("SELECT count(*) FROM templates").fetchone()[0]))
            self._do(lambda file: file.execute("DELETE FROM templates"))
        for file in self.set_aside():
            file.unlink(missing_ok=True)
        return templates

    def _read(self, number: int, data: bytes, learned_at: float) -> Remembered | None:
        """Return a template; None if it is damaged or of another version."""
        try:
            return Remembered(number, LearnedTemplate.from_bytes(data), learned_at)
        except UnusableLearnedTemplate:
            with suppress(MemoryUnavailable):
                self._do(lambda file: file.execute("DELETE FROM templates WHERE number = ?", (number,)))
            return None

    def _make_room(self, file: sqlite3.Connection, site: str) -> None:
        """Delete the least recently used templates beyond the limits: kinds per site, total bytes, sites."""
        file.execute(
            "DELETE FROM templates WHERE site = ? AND number NOT IN "
            "(SELECT number FROM templates WHERE site = ? ORDER BY used_at DESC, number DESC LIMIT ?)",
            (site, site, MOST_KINDS),
        )
        file.execute(
            "DELETE FROM templates WHERE number IN (SELECT number FROM (SELECT number, sum(length(learned)) "
            "OVER (ORDER BY used_at DESC, number DESC) AS bytes FROM templates) WHERE bytes > ?)",
            (self._most_bytes,),
        )
        file.execute(
            "DELETE FROM templates WHERE site NOT IN "
            "(SELECT site FROM templates GROUP BY site ORDER BY max(used_at) DESC LIMIT ?)",
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
            file.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 2 * MOST_TEMPLATE_BYTES)
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
    rows = file.execute("SELECT sql FROM sqlite_master LIMIT ?", (len(_SCHEMA) + 1,)).fetchall()
    return {str(sql) for (sql,) in rows}
