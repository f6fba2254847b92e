"""Needleman-Wunsch with the paper's scores, against the paper's figure and Biopython's aligner."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy
import pytest
from Bio.Align import PairwiseAligner
from hypothesis import given, settings
from hypothesis import strategies as st

from sitestencil.detectors.alignment import needleman_wunsch
from sitestencil.detectors.alignment.needleman_wunsch import NO_TOKEN, Column, align

tokens = st.lists(st.integers(0, 5), max_size=40)

# Figure 1 of the paper: two small HTML snippets and their filled similarity matrix.
U = ["<H1>", "Title 1", "</H1>", "<HR>", "Text 1", "<BR>"]
V = ["<H1>", "Title 2", "</H1>", "<HR>", '<IMG SRC="#">', "Text 2", "<BR>"]
MATRIX = [
    [0, -1, -2, -3, -4, -5, -6],
    [-1, 1, 0, -1, -2, -3, -4],
    [-2, 0, 1, 0, -1, -2, -3],
    [-3, -1, 0, 2, 1, 0, -1],
    [-4, -2, -1, 1, 3, 2, 1],
    [-5, -3, -2, 0, 2, 3, 2],
    [-6, -4, -3, -1, 1, 2, 3],
    [-7, -5, -4, -2, 0, 1, 3],
]


@cache
def biopython() -> Any:
    return PairwiseAligner(  # type: ignore[no-untyped-call]
        mode="global", match_score=1, mismatch_score=0, gap_score=-1
    )


def numbered(snippet: list[str]) -> list[int]:
    names = sorted({*U, *V})
    return [names.index(token) for token in snippet]


def alignment_score(first: Sequence[int], second: Sequence[int], columns: Sequence[Column]) -> int:
    """Return the score of an alignment: +1 for each equal pair, -1 for each gap."""
    score = 0
    for i, j in columns:
        if NO_TOKEN in {i, j}:
            score -= 1
        elif first[i] == second[j]:
            score += 1
    return score


def test_every_entry_of_the_papers_matrix_is_the_score_of_its_prefixes() -> None:
    u, v = numbered(U), numbered(V)
    for j, row in enumerate(MATRIX):
        for i, score in enumerate(row):
            assert alignment_score(u[:i], v[:j], align(u[:i], v[:j])) == score


def test_the_papers_snippets_share_the_heading_the_rule_and_the_break() -> None:
    shared = [U[i] for i, j in align(numbered(U), numbered(V)) if NO_TOKEN not in {i, j} and U[i] == V[j]]
    assert shared == ["<H1>", "</H1>", "<HR>", "<BR>"]


@settings(max_examples=300)
@given(tokens.filter(bool), tokens.filter(bool))
def test_the_score_is_biopythons(first: list[int], second: list[int]) -> None:
    expected = biopython().score(numpy.array(first, "int32"), numpy.array(second, "int32"))
    assert alignment_score(first, second, align(first, second)) == expected


@given(tokens, tokens)
def test_an_alignment_holds_both_sequences_whole_and_in_order(first: list[int], second: list[int]) -> None:
    columns = align(first, second)
    assert [i for i, _ in columns if i != NO_TOKEN] == list(range(len(first)))
    assert [j for _, j in columns if j != NO_TOKEN] == list(range(len(second)))
    assert (NO_TOKEN, NO_TOKEN) not in columns


def test_it_is_no_longest_common_subsequence() -> None:
    # Three gaps on each side to reach one equal pair cost more than four different pairs.
    assert align([1, 2, 3, 9], [9, 4, 5, 6]) == [(0, 0), (1, 1), (2, 2), (3, 3)]


@given(tokens, tokens, st.integers(1, 60))
def test_a_matrix_kept_in_blocks_gives_the_same_alignment(first: list[int], second: list[int], cells: int) -> None:
    whole = align(first, second)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(needleman_wunsch, "_CELLS_KEPT", cells)
        assert align(first, second) == whole


def test_an_empty_sequence_is_all_gaps() -> None:
    assert align([], [7, 8]) == [(NO_TOKEN, 0), (NO_TOKEN, 1)]
    assert align([7, 8], []) == [(0, NO_TOKEN), (1, NO_TOKEN)]
    assert align([], []) == []
