"""Results cut to what a browser takes."""

import base64
import json

from hypothesis import given
from hypothesis import strategies as st

from sitestencil_host.messaging.frames import LONGEST_OUT
from sitestencil_host.messaging.messages import Range, encode
from sitestencil_host.messaging.results import (
    RANGES_PER_PART,
    SCORES_PER_PART,
    Summary,
    Verdicts,
    result_parts,
    score_bytes,
)

LARGEST = 64 * 1024 * 1024


def summary(url: str = "https://example.org/") -> Summary:
    return Summary(url, "temex", 5, ["https://example.org/b"], 1, {"total": 1.5})


def spread(count: int) -> list[Range]:
    """Return as many ranges with numbers as long as a message can make them."""
    return [(LARGEST - 2 * n - 1, LARGEST - 2 * n) for n in range(count, 0, -1)]


@given(st.integers(0, 3 * RANGES_PER_PART), st.integers(0, 3 * RANGES_PER_PART))
def test_parts_put_together_are_the_whole_and_each_fits(elements: int, texts: int) -> None:
    template, content = spread(elements), spread(texts)
    parts = result_parts(3, Verdicts(template, content, content, template), summary())
    assert [found for part in parts for found in part.template] == template
    assert [found for part in parts for found in part.content_texts] == content
    assert [found for part in parts for found in part.main] == content
    assert [found for part in parts for found in part.main_texts] == template
    assert all(len(encode(part)) <= LONGEST_OUT for part in parts)
    assert [part.summary is not None for part in parts] == [False] * (len(parts) - 1) + [True]


@given(st.integers(0, 2 * RANGES_PER_PART), st.integers(0, 3 * SCORES_PER_PART))
def test_each_part_carries_its_own_slice_of_the_scores(ranges: int, elements: int) -> None:
    template, scores = spread(ranges), bytes(number % 256 for number in range(elements))
    parts = result_parts(3, Verdicts(template), summary(), scores)
    sent = [json.loads(encode(part)) for part in parts]
    assert b"".join(base64.b64decode(part.get("scores", ""), validate=True) for part in sent) == scores
    assert [found for part in parts for found in part.template] == template
    assert all(len(encode(part)) <= LONGEST_OUT for part in parts)
    assert [(part.part, part.parts) for part in parts] == [(n, len(parts)) for n in range(1, len(parts) + 1)]


def test_the_scores_of_200_000_elements_and_as_many_ranges_fit_into_parts() -> None:
    scores, ranges = score_bytes([number / 199_999 for number in range(200_000)]), spread(100_000)
    assert scores is not None
    parts = result_parts(3, Verdicts(ranges), summary(), scores)
    assert len(parts) == 4
    assert b"".join(part.scores or b"" for part in parts) == scores
    assert all(len(encode(part)) <= LONGEST_OUT for part in parts)


def test_a_score_is_a_byte_of_its_share_and_no_scores_are_none() -> None:
    assert score_bytes([0.0, 1.0, 0.5, 0.001, 1.0000001, -0.0000001]) == bytes([0, 255, 128, 0, 255, 0])
    assert score_bytes(None) is None
    assert "scores" not in json.loads(encode(result_parts(3, Verdicts([]), summary())[0]))


def test_a_long_summary_gets_a_part_of_its_own() -> None:
    parts = result_parts(3, Verdicts(spread(RANGES_PER_PART)), summary("https://example.org/" + "a" * 900_000))
    assert [len(part.template) for part in parts] == [RANGES_PER_PART, 0]
    assert all(len(encode(part)) <= LONGEST_OUT for part in parts)
