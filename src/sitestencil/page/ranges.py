"""Ascending numbers of elements or texts as half-open ranges: short to send, quick to read."""

from collections.abc import Iterable

Range = tuple[int, int]


def ranges(numbers: Iterable[int]) -> list[Range]:
    """Return ascending numbers as half-open ranges that do not touch.

    >>> ranges([0, 1, 2, 7])
    [(0, 3), (7, 8)]
    """
    joined: list[Range] = []
    for number in numbers:
        if joined and joined[-1][1] == number:
            joined[-1] = (joined[-1][0], number + 1)
        else:
            joined.append((number, number + 1))
    return joined
