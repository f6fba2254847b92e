"""Pack columns of numbers as bytes: little-endian, in the least sufficient width, the same on every machine."""

import sys
from array import array
from collections.abc import Iterable
from typing import Any

_WIDTHS = {1: "B", 2: "H", 4: "I"}
_DIGITS = b"01".ljust(256)


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
