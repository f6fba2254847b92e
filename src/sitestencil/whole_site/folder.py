"""A site's folder, in which only files as a run wrote them are written again or removed."""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import unquote

from sitestencil.crawl.rows import valid_text
from sitestencil.errors import UnusableOutput
from sitestencil.kept_files import UNFINISHED, write_file

STATE = ".work"
ROWS, TABLE, CHANGES, FILES = "pages.jsonl", "pages.parquet", "changes.json", "files.jsonl"
_LISTS = {"index.md", "llms.txt", "llms-full.txt", "kinds.json", "report.html", ROWS, TABLE, CHANGES, FILES}
_LOADED = ("pictures/", "files/")
_LOADED_FILE = re.compile(rb"(?:pictures|files)/[0-9a-f]{32}\.\w+")
_NOTES = "written"  # a line for each file that a run wrote, until it has finished


@dataclass
class Folder:
    """A site's folder.

    Attributes:
        path: the folder.
        digests: those of the files as the last finished run wrote them.
        files: the paths of all files of this run so far.
        changed: of those that are new or changed.
        stay: of those that stay as they are.
    """

    path: Path
    digests: Mapping[str, str] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)
    stay: set[str] = field(default_factory=set)

    @cached_property
    def _known(self) -> dict[str, set[str]]:
        """The digests of what runs wrote, by file: a run notes them before it writes, and may be killed."""
        known, notes = {name: {digest} for name, digest in self.digests.items()}, self.path / STATE / _NOTES
        for line in notes.read_text("utf-8").splitlines() if notes.exists() else ():
            digest, _, name = line.partition(" ")
            known.setdefault(name, set()).add(digest)
        return known

    @cached_property
    def _is_ours(self) -> dict[str, bool]:
        """Whether what is in the folder is as a run wrote it, by path."""

        def is_ours(file: Path, known: Set[str]) -> bool:
            return bool(known) and file.is_file() and digest(file.read_bytes()) in known

        found = {file.relative_to(self.path).as_posix(): file for file in self.path.rglob("*")}
        return {name: is_ours(file, self._known.get(name, set())) for name, file in found.items()}

    @property
    def edited(self) -> list[str]:
        """The files that a run wrote, and a person edited."""
        return sorted(name for name, is_ours in self._is_ours.items() if name in self._known and not is_ours)

    @property
    def foreign(self) -> Set[str]:
        """The paths of what no run wrote."""
        return self._is_ours.keys() - self._known.keys()

    @property
    def foreign_files(self) -> Set[str]:
        """Those of them that are files: no folder can have such a name."""
        return {name for name in self.foreign if (self.path / name).is_file()}

    def refuse_lists(self) -> None:
        """Raise `UnusableOutput` if a file that no run wrote has the name of a list."""
        for name in sorted(self.foreign & _LISTS):
            raise UnusableOutput(f"{self.path / name} is a file of your own. Move it, or give another folder.")

    def keep(self, files: Iterable[str], going: Set[str], anew: Set[str]) -> None:
        """Leave files as they are from now on, unless they can be written `anew`, and link to a file that goes."""
        for name in files:
            text = (
                (self.path / name).read_text("utf-8") if going and name in anew and self._is_ours.get(name) else ""
            )
            links = re.findall(r"""[^\s()"'<>#]+""", text)
            if name in self._is_ours and going.isdisjoint(
                normpath(join(dirname(name), unquote(link))) for link in links
            ):
                self.stay.add(name)
        self.files += self.stay

    def stay_unless(self, changes: Mapping[str, Sequence[object]], pages: Mapping[str, str]) -> None:
        """Leave files as they are that no change names, by the files of `pages`; lists tell of all changes."""
        ours = {name for name, is_ours in self._is_ours.items() if is_ours and name in self._known}
        of_frame = {name for name in ours if name.startswith("templates/")}
        of_pages = {file for url, file in pages.items() if url not in changes["content"]}
        if not any(changes.values()):
            self.stay |= ours - {"report.html", FILES}
        elif not changes["frame"]:
            is_same = not (changes["added"] or changes["removed"])
            self.stay |= ours & (of_frame | of_pages | {"kinds.json"} if is_same else of_frame)

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file, which is complete or not there; one that is the same, or not as a run wrote it, is left."""
        data, file = valid_text(content).encode() if isinstance(content, str) else content, self.path / name
        self.files.append(name)
        if name in self.stay or not self._is_ours.get(name, True) or (file.is_file() and file.read_bytes() == data):
            return
        with (self.path / STATE / _NOTES).open("a", encoding="utf-8") as notes:
            notes.write(f"{digest(data)} {name}\n")
        write_file(file, data)
        self.changed.add(name)

    def keep_loaded(self, unnamed: tuple[str, ...]) -> None:
        """Keep pictures and files of earlier runs that a page of this run or an edited one names.

        Of the folders `unnamed` all stay.
        """
        others = {name for name in self._known.keys() & self._is_ours if name.startswith(_LOADED)}
        others.difference_update(self.files)
        asked = {name for name in others if not name.startswith(unnamed)}
        if asked:
            stay = {name for name, is_ours in self._is_ours.items() if not is_ours}.union(self.files)
            files = (self.path / name for name in stay if not name.startswith((*_LOADED, f"{STATE}/")))
            found = (_LOADED_FILE.findall(file.read_bytes()) for file in files if file.is_file())
            others -= asked - {name.decode() for name in chain.from_iterable(found)}
        self.files += sorted(others)

    def remove_others(self) -> dict[str, str]:
        """Remove files of earlier runs, and what a killed one left; return the digests of all of this run."""
        for name in self._is_ours.keys() - set(self.files):
            if self._is_ours[name]:
                (self.path / name).unlink()
        ours = {self.path / name for name in (*self._known, *self.files)}
        for part in self.path.rglob(UNFINISHED):
            if part.parent == self.path / STATE or part.parent / part.name[1:].rsplit(".", 2)[0] in ours:
                part.unlink()
        # What is edited keeps its digest, and so stays edited.
        return {
            name: digest((self.path / name).read_bytes())
            if self._is_ours.get(name, True)
            else self.digests.get(name, "-")
            for name in sorted({*self.files})
        }

    def finish(self) -> None:
        """Forget what was noted: the finished run knows it."""
        (self.path / STATE / _NOTES).unlink(missing_ok=True)


def digest(content: bytes) -> str:
    """Return a hash of a content, in 32 hex digits."""
    return blake2b(content, digest_size=16).hexdigest()
