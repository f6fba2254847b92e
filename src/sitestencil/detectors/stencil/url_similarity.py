"""How alike two addresses are: the first guess at whether their pages are of one kind."""

import re
from functools import lru_cache
from typing import NamedTuple

DIRECTORY_PAGE = re.compile(r"(index|default)\.\w+$", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_TELLING, _LONG = 4, 40  # of a name: so many first letters, and no more in all


class Place(NamedTuple):
    """Where a page is: directories, its own name, what each segment looks like; a number for all but the name."""

    directories: tuple[str, ...]
    name: str
    shapes: tuple[tuple[str, str], ...]
    frame: int


@lru_cache(4096)
def _shape(segment: str) -> tuple[str, str]:
    """Return what a segment looks like: a number, a year or day, a short code, a name; and its extension."""
    stem, _, extension = segment.rpartition(".") if "." in segment else (segment, "", "")
    if _DIGITS.fullmatch(stem):
        return (f"date{len(stem)}" if len(stem) in {2, 4} else "number"), extension.lower()
    coded = _DIGITS.search(stem) and len(_DIGITS.sub("0", stem)) <= 3
    return ("code" if coded else "name"), extension.lower()


class Likeness:
    """Compares places; what those of the same directories and shapes have in common is computed once."""

    def __init__(self) -> None:
        self._frames: dict[tuple[object, object], int] = {}
        self._between: dict[tuple[int, int], float] = {}

    def place(self, url: str) -> Place:
        """Return the place of an address; the name of a directory's own page is left out."""
        path = url.partition("#")[0].partition("?")[0].split("/", 3)[3:]
        found = [segment for segment in "".join(path).split("/") if segment]
        if found and DIRECTORY_PAGE.match(found[-1]):
            found.pop()
        directories, shapes = tuple(found[:-1]), tuple(map(_shape, found))
        frame = self._frames.setdefault((directories, shapes), len(self._frames))
        return Place(directories, found[-1] if found else "", shapes, frame)

    def __call__(self, key: Place, other: Place) -> float:
        """Return 0 to 1: as many segments, of like shape, in the same directories, of like names."""
        pair = key.frame, other.frame
        found = self._between.get(pair)
        if found is None:
            found = self._between[pair] = _frame_likeness(key, other)
        if len(key.shapes) != len(other.shapes):
            below = key.shapes and other.directories == (*key.directories, key.name)
            return found + (0.1 if below else 0.0)
        ours, theirs = key.name, other.name
        alike = _TELLING if ours[:_TELLING] == theirs[:_TELLING] else _common(ours, theirs)
        lengths = abs(min(len(ours), _LONG) - min(len(theirs), _LONG))
        return found + 0.1 * alike / _TELLING + 0.1 * (1 - lengths / _LONG)


def _frame_likeness(key: Place, other: Place) -> float:
    count = len(key.shapes)
    if not count or not other.shapes:
        return 0.8 if count == len(other.shapes) else 0.15
    directories = _common(key.directories, other.directories)
    kind, extension = key.shapes[-1]
    their_kind, their_extension = other.shapes[-1]
    if count != len(other.shapes):
        found = 0.05 + 0.10 * directories / max(1, count - 1)
        return found + (0.05 if bool(extension) == bool(their_extension) else 0.0)
    alike = sum(ours == theirs for ours, theirs in zip(key.shapes, other.shapes, strict=True))
    found = 0.30 + 0.20 * alike / count + 0.30 * (directories / (count - 1) if count > 1 else 0.5)
    if (kind, extension) != (their_kind, their_extension) and (extension != their_extension or not extension):
        found -= 0.1
    return found


def _common(a: tuple[str, ...] | str, b: tuple[str, ...] | str) -> int:
    count = 0
    for ours, theirs in zip(a, b, strict=False):
        if ours != theirs:
            break
        count += 1
    return count
