"""Measure how similar two addresses are: the first guess whether their pages are of one kind."""

import re
from functools import lru_cache
from typing import NamedTuple

DIRECTORY_PAGE = re.compile(r"(index|default)\.\w+$", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_TELLING, _LONG = 4, 40  # the letters of a name to compare, and the longest length


class UrlShape(NamedTuple):
    """The shape of an address: directories, its own name, each segment's shape, and a number for their combination.

    Of the name only the first letters and the length are compared.
    """

    directories: tuple[str, ...]
    name: str
    shapes: tuple[tuple[str, str], ...]
    frame: int
    letters: str
    length: int


@lru_cache(4096)
def _segment_shape(segment: str) -> tuple[str, str]:
    """Return the shape of a segment (a number, a year or day, a short code, a name) and its extension."""
    stem, _, extension = segment.rpartition(".") if "." in segment else (segment, "", "")
    if _DIGITS.fullmatch(stem):
        return (f"date{len(stem)}" if len(stem) in {2, 4} else "number"), extension.lower()
    coded = _DIGITS.search(stem) and len(_DIGITS.sub("0", stem)) <= 3
    return ("code" if coded else "name"), extension.lower()


class UrlSimilarity:
    """Compares addresses by their shapes; each pair of frames is computed once."""

    def __init__(self) -> None:
        self._frames: dict[tuple[object, object], int] = {}
        self._between: dict[tuple[int, int], float] = {}

    def shape(self, url: str) -> UrlShape:
        """Return the shape of an address; the name of an index page is left out."""
        path = url.partition("#")[0].partition("?")[0].split("/", 3)[3:]
        segments = [segment for segment in "".join(path).split("/") if segment]
        if segments and DIRECTORY_PAGE.match(segments[-1]):
            segments.pop()
        directories, shapes = tuple(segments[:-1]), tuple(map(_segment_shape, segments))
        frame = self._frames.setdefault((directories, shapes), len(self._frames))
        name = segments[-1] if segments else ""
        return UrlShape(directories, name, shapes, frame, name[:_TELLING], min(len(name), _LONG))

    def __call__(self, key_shape: UrlShape, other: UrlShape) -> float:
        """Return 0 to 1: high for as many segments of like shapes, in the same directories, with like names."""
        _, _, shapes, frame, letters, length = key_shape
        _, _, their_shapes, their_frame, their_letters, their_length = other
        pair = frame, their_frame
        similarity = self._between.get(pair)
        if similarity is None:
            similarity = self._between[pair] = _frame_similarity(key_shape, other)
        if len(shapes) != len(their_shapes):
            below = shapes and other.directories == (*key_shape.directories, key_shape.name)
            return similarity + (0.1 if below else 0.0)
        common = _TELLING if letters == their_letters else _common(letters, their_letters)
        return similarity + 0.1 * common / _TELLING + 0.1 * (1 - abs(length - their_length) / _LONG)


def _frame_similarity(key_shape: UrlShape, other: UrlShape) -> float:
    count = len(key_shape.shapes)
    if not count or not other.shapes:
        return 0.8 if count == len(other.shapes) else 0.15
    directories = _common(key_shape.directories, other.directories)
    kind, extension = key_shape.shapes[-1]
    their_kind, their_extension = other.shapes[-1]
    if count != len(other.shapes):
        similarity = 0.05 + 0.10 * directories / max(1, count - 1)
        return similarity + (0.05 if bool(extension) == bool(their_extension) else 0.0)
    same_shapes = sum(ours == theirs for ours, theirs in zip(key_shape.shapes, other.shapes, strict=True))
    similarity = 0.30 + 0.20 * same_shapes / count + 0.30 * (directories / (count - 1) if count > 1 else 0.5)
    if (kind, extension) != (their_kind, their_extension) and (extension != their_extension or not extension):
        similarity -= 0.1
    return similarity


def _common(a: tuple[str, ...] | str, b: tuple[str, ...] | str) -> int:
    count = 0
    for ours, theirs in zip(a, b, strict=False):
        if ours != theirs:
            break
        count += 1
    return count
