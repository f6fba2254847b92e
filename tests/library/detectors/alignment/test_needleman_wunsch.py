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


@cache
def biopython() -> Any:
    return PairwiseAligner(  # type: ignore[no-untyped-call]
        mode="global", match_score=1, mismatch_score=0, gap_score=-1
    )


def alignment_score(first: Sequence[int], second: Sequence[int], columns: Sequence[Column]) -> int:
    """Return the score of an alignment: +1 for each equal pair, -1 for each gap."""
    score = 0
    for i, j in columns:
        if NO_TOKEN in {i, j}:
            score -= 1
        elif first[i] == second[j]:
            score += 1
    return score


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
