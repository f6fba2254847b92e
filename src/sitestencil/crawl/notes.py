"""Note the page at work, so that a page that ends its process costs only itself.

The system kills a process when memory runs out, and compiled code may crash: the process can tell nobody. So a task
notes each page in a file before it begins it. When the task is done again, the file says which pages have ended a
process twice in one run: they are left out. A single end may have another reason.
"""

import struct
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from io import RawIOBase
from pathlib import Path
from secrets import randbits

from xxhash import xxh3_64_intdigest

from sitestencil.crawl.input.places import Place, home_of

_TWICE = 2
_MOST_PAGES = 3  # that end a process: then their site is left out
_MOST_LOSSES = 12  # in one run and site, wherever they were
_RECORD = struct.Struct("<B3Q")  # stage, run, site or file, page


class Stage(IntEnum):
    """The work on a page."""

    READING = 1
    LEARNING = 2
    TEMPLATE = 3
    EXTRACTING = 4


@dataclass(frozen=True, slots=True)
class Notes:
    """The notes of a job's tasks.

    Attributes:
        output: the output's folder; the notes are on the machine that does the task.
        run: a number of this run of the command.
    """

    output: Place
    run: int = field(default_factory=lambda: randbits(64))

    @property
    def _folder(self) -> Path:
        return home_of(self.output) / ".work" / "spill"

    @contextmanager
    def of(self, task: str) -> Iterator["TaskNotes"]:
        """Return the notes of a task that begins; its end deletes them, but for the end of its process."""
        self._folder.mkdir(parents=True, exist_ok=True)
        file = self._folder / f"{task}.notes"
        file.touch()
        try:
            with file.open("r+b", buffering=0) as stream:
                yield TaskNotes(stream, self.run)
        finally:
            file.unlink(missing_ok=True)

    def of_unit(self, number: int) -> AbstractContextManager["TaskNotes"]:
        """Return the notes of the task that reads a unit."""
        return self.of(f"{number:06}")

    def are_left(self) -> bool:
        """Return whether an earlier run left notes: its process ended within a task."""
        return any(self._folder.glob("*.notes"))


class TaskNotes:
    """The notes of a task: the last one of each earlier attempt, which lost its process, and one of this attempt.

    Args:
        stream: the file.
        run: the number of this run.
    """

    def __init__(self, stream: RawIOBase, run: int) -> None:
        data = stream.read() or b""
        self._stream = stream
        self._run = run
        self._at = len(data) // _RECORD.size * _RECORD.size
        lost = Counter(_RECORD.iter_unpack(data[: self._at]))
        self._ended = {(stage, site, page) for (stage, _, site, page), times in lost.items() if times >= _TWICE}
        pages = Counter(site for site, _ in {(site, page) for _, site, page in self._ended})
        losses: Counter[tuple[int, int]] = Counter()
        for (_, of_run, site, _), times in lost.items():
            losses[of_run, site] += times
        self._left_out = {site for site, count in pages.items() if count >= _MOST_PAGES}
        self._left_out |= {site for (_, site), times in losses.items() if times >= _MOST_LOSSES}

    def may_begin(self, stage: Stage, site: str, source: str = "", offset: int = 0) -> bool:
        """Note a page, or a site as a whole; return False instead if it has ended two processes in this stage.

        Args:
            stage: the work to begin.
            site: the page's site.
            source: the file of the page's record; empty for the site as a whole.
            offset: the record's position there.
        """
        where = stage, _hash(site), _hash(f"{source} {offset}")
        if where in self._ended:
            return False
        self._stream.seek(self._at)
        self._stream.write(_RECORD.pack(stage, self._run, *where[1:]))
        return True

    def may_read(self, source: str, offset: int) -> bool:
        """Note a record; return False instead if reading it has ended two processes."""
        return self.may_begin(Stage.READING, source, source, offset)

    def may_begin_site(self, site: str) -> bool:
        """Note a site; return False instead if it or three of its pages have ended two processes each."""
        return _hash(site) not in self._left_out and self.may_begin(Stage.LEARNING, site)


def _hash(text: str) -> int:
    return xxh3_64_intdigest(text.encode("utf-8", "surrogatepass"))
