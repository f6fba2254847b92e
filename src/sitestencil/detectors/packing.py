"""Pack columns of numbers, and a sketch's tree of such columns, as bytes that are the same on every machine.

Numbers are little-endian, in the least sufficient width. Strings are stored once, in a table.
"""

import sys
from array import array
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from sitestencil.page.sketch import HASH_BYTES, NONE, Sketch

_WIDTHS = {1: "B", 2: "H", 4: "I"}
_DIGITS = b"01".ljust(256)
_T = TypeVar("_T")


def packed(numbers: Iterable[int]) -> bytes:
    """Return whole numbers as bytes: first their width, then each number, little-endian."""
    listed = list(numbers)
    highest = max(listed, default=0)
    width = 1 if highest < 1 << 8 else 2 if highest < 1 << 16 else 4
    return bytes([width]) + _little_endian(array(_WIDTHS[width], listed))


def unpacked(data: bytes) -> list[int]:
    """Return the whole numbers that `packed` wrote.

    Raises:
        ValueError: the bytes are truncated.
    """
    if not data or data[0] not in _WIDTHS or (len(data) - 1) % data[0]:
        raise ValueError("a column is truncated")
    numbers: list[int] = _from_little_endian(_WIDTHS[data[0]], data[1:]).tolist()
    return numbers


def doubles(numbers: Iterable[float]) -> bytes:
    """Return decimal numbers as bytes, eight bytes each."""
    return _little_endian(array("d", numbers))


def decimals(data: bytes) -> list[float]:
    """Return the decimal numbers that `doubles` wrote.

    Raises:
        ValueError: the bytes are truncated.
    """
    if len(data) % 8:
        raise ValueError("a column is truncated")
    numbers: list[float] = _from_little_endian("d", data).tolist()
    return numbers


def _little_endian(numbers: "array[Any]") -> bytes:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _from_little_endian(code: str, data: bytes) -> "array[Any]":
    numbers: array[Any] = array(code)
    numbers.frombytes(data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def bits(flags: Iterable[bool]) -> bytes:
    """Return flags as bits, eight to a byte."""
    listed = bytes(map(bool, flags))
    number = int(listed[::-1].translate(_DIGITS) or b"0", 2)
    return number.to_bytes((len(listed) + 7) // 8, "little")


def bools(data: bytes, count: int) -> list[bool]:
    """Return `count` flags that `bits` wrote.

    Raises:
        ValueError: the bytes hold fewer or more flags.
    """
    if len(data) != (count + 7) // 8:
        raise ValueError("a column is truncated")
    number = int.from_bytes(data, "little")
    text = f"{number:0{count}b}"[::-1] if count else ""
    if len(text) != count:
        raise ValueError("a column is too long")
    return list(map("1".__eq__, text))


def numbered(values: Iterable[_T], numbers: dict[_T, int]) -> bytes:
    """Return values as packed numbers in the order of their first occurrence, which `numbers` receives."""
    return packed([numbers.setdefault(value, len(numbers)) for value in values])


class Tree(NamedTuple):
    """The columns of a sketch's tree."""

    tags: list[str]
    kinds: list[str]
    parents: list[int]
    hashes: list[bytes]


def packed_tree(sketch: Sketch) -> dict[str, Any]:
    """Return a sketch's tree as columns: a table of names, and the rest with an entry for each element."""
    elements = range(len(sketch))
    names: dict[str, int] = {}
    return {
        "tags": numbered(sketch.tags, names),
        "kinds": numbered((sketch.kinds[element] for element in elements), names),
        "names": list(names),
        "parents": packed(element - parent for element, parent in enumerate(sketch.parents)),
        "ids": {element: name for element in elements if (name := sketch.ids[element])},
    }


def unpacked_tree(names: Sequence[str], tags: bytes, kinds: bytes, parents: bytes, hashes: bytes) -> Tree:
    """Return the tree that `packed_tree` packed, with the hashes of its subtrees, which follow one another.

    Raises:
        ValueError: the columns do not fit together, or form no tree.
    """
    tree = Tree(
        [names[number] for number in unpacked(tags)],
        [names[number] for number in unpacked(kinds)],
        [element - back for element, back in enumerate(unpacked(parents))],
        [hashes[start : start + HASH_BYTES] for start in range(0, len(hashes), HASH_BYTES)],
    )
    if not len(tree.tags) == len(tree.kinds) == len(tree.parents) == len(hashes) / HASH_BYTES:
        raise ValueError("its columns differ in length")
    _check_tree(tree.parents)
    return tree


def ends_of(parents: Sequence[int]) -> list[int]:
    """Return one past each element's subtree, from the elements' parents."""
    ends = list(range(1, len(parents) + 1))
    for element in range(len(parents) - 1, 0, -1):
        ends[parents[element]] = max(ends[parents[element]], ends[element])
    return ends


def _check_tree(parents: Sequence[int]) -> None:
    """Check that each parent is on the path of the element before, and only the first has none."""
    path: list[int] = []
    for element, parent in enumerate(parents):
        while path and path[-1] != parent:
            path.pop()
        if bool(path) == (element == 0) or (element == 0 and parent != NONE):
            raise ValueError(f"element {element} has no place in the tree")
        path.append(element)
