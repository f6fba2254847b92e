"""When the answer is settled and no further page is loaded."""

import pytest

from sitestencil.detectors.stencil.comparison import ENOUGH_NEAR, Settling

ANSWER = [True] * 500 + [False] * 500
OTHER = [True] * 490 + [False] * 510


def test_an_answer_is_settled_when_a_further_page_does_not_change_it() -> None:
    settling = Settling()
    assert not settling.is_settled(ENOUGH_NEAR - 1, lambda: OTHER)
    assert not settling.is_settled(ENOUGH_NEAR, lambda: ANSWER)
    assert settling.is_settled(ENOUGH_NEAR + 1, lambda: ANSWER)


def test_an_answer_that_goes_on_changing_is_never_settled() -> None:
    settling = Settling()
    answers = [(ANSWER, OTHER)[near % 2] for near in range(9)]
    assert not any(settling.is_settled(near, answer.copy) for near, answer in enumerate(answers))


def test_an_answer_from_pages_of_another_kind_is_never_settled() -> None:
    settling = Settling()
    assert not any(settling.is_settled(1, lambda: ANSWER) for _ in range(9))


def test_no_answer_is_asked_for_before_it_can_matter() -> None:
    def fail() -> list[bool]:
        pytest.fail("asked too early")

    assert not Settling().is_settled(ENOUGH_NEAR - 2, fail)
