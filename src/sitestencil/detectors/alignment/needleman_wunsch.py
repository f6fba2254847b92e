"""Align two sequences globally (Alignment, section 2.1; definitions.md, 5).

The scores are the paper's: equal tokens +1, different tokens in one place 0, a gap -1. So this is not the longest
common subsequence. The matrix is filled row by row, in the bits of whole numbers.

Let ``S`` be the paper's similarity matrix. Each cell receives ``h = S[i-1][j] - S[i-1][j-1] + 1`` from above and
``v = S[i][j-1] - S[i-1][j-1] + 1`` from the left; both are 0 to 3. Then ``z = S[i][j] - S[i-1][j-1] + 2`` is
``max(w + 2, h, v)`` with w = 1 for equal tokens and 0 for others: 3 or 2. The cell passes ``z - v`` down and ``z -
h`` to the right. A ``v`` of 3 spreads along a row as the carry spreads through an addition, so one addition finds
it for the whole row. Myers (JACM 46, 1999) does the same; for such scores, so do Loving, Hernandez and Benson
(Bioinformatics 30, 2014).
"""

from collections.abc import Sequence
from typing import NamedTuple

NO_TOKEN = -1

Column = tuple[int, int]

# The trace keeps two bits per cell, up to 16 MB. A larger matrix is traced one block of rows at a time.
_CELLS_KEPT = 1 << 26


class _Row(NamedTuple):
    """The differences h below a row of the matrix, one bit per cell: whether h < 2, and the low bit of h."""

    small: int
    low: int


class _Way(NamedTuple):
    """The trace of a row, one bit per cell: whether z is 3, and whether the h from above is 3."""

    three: int
    above: int


def align(first: Sequence[int], second: Sequence[int]) -> list[Column]:
    """Return an alignment with the highest score as its columns, in order.

    A column holds the positions of a token in the first and in the second sequence; `NO_TOKEN` marks a gap. Of
    equally good steps back from a cell, the step over both tokens comes first, then the gap in the second.

    Time grows with the product of the lengths over the width of a machine word; memory grows with the longer one.
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
    """Return, for each token of both sequences, the bit set of its positions in the second."""
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
    """Fill the rows of some tokens of the first sequence; return the last row, and the traces if wanted."""
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
    """Walk from the last row of a block to its first, append the columns, and return the column reached."""
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
