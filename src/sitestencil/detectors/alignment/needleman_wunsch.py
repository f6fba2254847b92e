"""Global alignment of two sequences (Alignment, section 2.1; definitions.md, 5).

The scores are the paper's: equal tokens +1, different tokens in one place 0, a gap -1; so this is no longest
common subsequence. The matrix is filled a row at a time in the bits of whole numbers.

Let ``S`` be the paper's similarity matrix, ``h = S[i-1][j] - S[i-1][j-1] + 1`` and ``v = S[i][j-1] - S[i-1][j-1]
+ 1``: what a cell receives from above and from the left, each 0 to 3. Then ``z = S[i][j] - S[i-1][j-1] + 2`` is
``max(w + 2, h, v)`` with w = 1 for equal tokens and 0 for others: 3 or 2. The cell hands on ``z - v`` below and
``z - h`` to the right. That ``v`` is 3 runs along a row as the carry runs through an addition, so one addition
finds it for the whole row (as in Myers, JACM 46, 1999; for such scores Loving, Hernandez and Benson,
Bioinformatics 30, 2014).
"""

from collections.abc import Sequence
from typing import NamedTuple

NO_TOKEN = -1

Column = tuple[int, int]

# Two bits a cell are kept for the way back: up to 16 MB; of a larger matrix, a block of rows at a time.
_CELLS_KEPT = 1 << 26


class _Row(NamedTuple):
    """The differences h below a row of the matrix, one bit a cell: whether h < 2, and the low bit of h."""

    small: int
    low: int


class _Way(NamedTuple):
    """Where the cells of a row come from: whether z is 3, and whether the h from above is 3."""

    three: int
    above: int


def align(first: Sequence[int], second: Sequence[int]) -> list[Column]:
    """Return an alignment of the highest score as its columns, in order.

    A column holds the positions of a token of the first and of the second sequence; `NO_TOKEN` stands for a gap.
    Of equally good steps back from a cell, the one over both tokens is taken, then the gap in the second.

    Time grows with the product of the lengths over the width of a machine word; memory with the longer of them.
    """
    positions = _positions(second, set(first))
    full = (1 << len(second)) - 1
    block = max(1, _CELLS_KEPT // max(1, len(second)))
    starts = [_Row(full, 0)]
    for start in range(0, len(first) - block, block):
        row, _ = _fill(first[start : start + block], positions, starts[-1], full, keep=False)
        starts.append(row)
    columns: list[Column] = []
    j = len(second)
    while starts:
        start = (len(starts) - 1) * block
        piece = first[start : start + block]
        _, ways = _fill(piece, positions, starts.pop(), full, keep=True)
        j = _walk_back(piece, start, second, j, ways, columns)
    columns += ((NO_TOKEN, k) for k in range(j - 1, -1, -1))
    columns.reverse()
    return columns


def _positions(second: Sequence[int], wanted: set[int]) -> dict[int, int]:
    """Return for each token that both sequences have the bit set of its positions in the second."""
    positions = dict.fromkeys(wanted.intersection(second), 0)
    bit = 1
    for token in second:
        if token in positions:
            positions[token] |= bit
        bit <<= 1
    return positions


def _fill(
    piece: Sequence[int], positions: dict[int, int], row: _Row, full: int, *, keep: bool
) -> tuple[_Row, list[_Way]]:
    """Go through the rows of some tokens of the first sequence; return the last, and the ways if asked for."""
    small, low = row
    ways: list[_Way] = []
    for token in piece:
        equal = positions.get(token, 0)
        h_below_2_odd = small & low
        h_is_0 = small ^ h_below_2_odd
        h_is_3 = low ^ h_below_2_odd
        begins = equal & h_is_0
        v_is_3 = (((h_is_0 + begins) ^ h_is_0) | begins) & h_is_0
        three = equal | h_is_3 | (v_is_3 << 1)
        v_high = (small ^ low ^ (low & three)) << 1
        v_low = (low ^ three) << 1
        small = (v_high | (v_low ^ (v_low & three))) & full
        low = (v_low ^ three) & full
        if keep:
            ways.append(_Way(three, h_is_3))
    return _Row(small, low), ways


def _walk_back(
    piece: Sequence[int], start: int, second: Sequence[int], j: int, ways: list[_Way], columns: list[Column]
) -> int:
    """Walk from the last row of a block to its first, append the columns, and return the column arrived at."""
    i = len(piece)
    while i:
        three, above = ways[i - 1]
        cell = j - 1
        if j and (piece[i - 1] == second[cell] or not three >> cell & 1):
            i -= 1
            j = cell
            columns.append((start + i, j))
        elif not j or above >> cell & 1:
            i -= 1
            columns.append((start + i, NO_TOKEN))
        else:
            j = cell
            columns.append((NO_TOKEN, j))
    return j
