"""When the answer is settled and no further page is loaded."""

import pytest

from sitestencil.detectors.stencil.comparison import ENOUGH_SIMILAR, StoppingRule

ANSWER = [True] * 500 + [False] * 500
OTHER = [True] * 490 + [False] * 510


def test_an_answer_is_settled_when_a_further_page_does_not_change_it() -> None:
    stopping_rule = StoppingRule()
    assert not stopping_rule.is_settled(ENOUGH_SIMILAR - 1, lambda: OTHER)
    assert not stopping_rule.is_settled(ENOUGH_SIMILAR, lambda: ANSWER)
    assert stopping_rule.is_settled(ENOUGH_SIMILAR + 1, lambda: ANSWER)


def test_an_answer_that_goes_on_changing_is_never_settled() -> None:
    stopping_rule = StoppingRule()
    answers = [(ANSWER, OTHER)[near % 2] for near in range(9)]
    assert not any(stopping_rule.is_settled(near, answer.copy) for near, answer in enumerate(answers))


def test_an_answer_from_pages_of_another_kind_is_never_settled() -> None:
    stopping_rule = StoppingRule()
    assert not any(stopping_rule.is_settled(1, lambda: ANSWER) for _ in range(9))


def test_no_answer_is_asked_for_before_it_can_matter() -> None:
    def fail() -> list[bool]:
        pytest.fail("asked too early")

    stopping_rule = StoppingRule()
    assert not any(stopping_rule.is_settled(similar, fail) for similar in range(ENOUGH_SIMILAR))
