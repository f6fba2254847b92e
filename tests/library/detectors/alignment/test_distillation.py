"""The template distilled from aligned sequences."""

import pytest
from tests.support.tables import table

from sitestencil.detectors.alignment import distillation
from sitestencil.detectors.alignment.distillation import Profile, distill, merge, page_profile, pruned

FRAME, END, WORDS = 1, 2, 100


class _InOrder:
    """Pairs the sequences as they come."""

    def __init__(self, seed: int) -> None:
        pass

    def shuffle(self, sequences: list[Profile]) -> None:
        pass


def profiles(pages: list[list[int]]) -> list[Profile]:
    return [page_profile(page, is_key=not number) for number, page in enumerate(pages)]


def test_merging_gives_the_union_in_order_and_adds_the_scores_of_equal_tokens() -> None:
    merged = merge(page_profile([FRAME, 50, END], is_key=True), page_profile([FRAME, 60, END]))
    assert merged == Profile([FRAME, 50, 60, END], [2, 1, 1, 2], [0, 1, -1, 2])


def test_a_merged_token_remembers_its_place_in_the_key_page_from_either_side() -> None:
    key, other = page_profile([FRAME, END], is_key=True), page_profile([FRAME, END])
    assert merge(key, other).positions == merge(other, key).positions == [0, 1]


@table("t", [1, 2, 4, 8, 16, 32])
def test_what_half_of_the_pages_share_is_left(t: int) -> None:
    half, fewer = 200, 300
    pages = [
        [FRAME, *([half] * (page < (t + 1) // 2)), *([fewer] * (page < t // 2 - 1)), WORDS + page, END]
        for page in range(t)
    ]
    distilled = distill(profiles(pages))
    expected = [FRAME, half, END] if t > 2 else [FRAME, half, *([WORDS, WORDS + 1][:t]), END]
    assert sorted(distilled.tokens) == sorted(expected)
    assert distilled.tokens[0] == FRAME
    assert distilled.tokens[-1] == END


def test_a_token_on_one_of_eight_pages_is_dropped_after_the_third_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """With t = 16 the token is on 8 pages, enough for the root, were it not dropped on the way.

    After step 3 the least score is 2/16. On one page of the first eight it has 1/16 there: dropped, and the
    other half's 7/16 is below 1/2. On two of the first eight it has 2/16 and stays: 2/16 + 6/16 = 1/2.
    """
    monkeypatch.setattr(distillation, "Random", _InOrder)

    def with_token(numbers: set[int]) -> list[int]:
        pages = [[FRAME, *([7] if page in numbers else []), END] for page in range(16)]
        return distill(profiles(pages)).tokens

    assert with_token({0, *range(9, 16)}) == [FRAME, END]
    assert with_token({0, 1, *range(10, 16)}) == [FRAME, 7, END]


def test_nothing_is_dropped_after_the_first_two_steps() -> None:
    four = merge(merge(page_profile([1]), page_profile([2])), merge(page_profile([3]), page_profile([4])))
    assert sorted(four.tokens) == [1, 2, 3, 4]
    assert pruned(four, 2.0 ** (2 - 2)) == four
