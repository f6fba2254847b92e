"""Splits a template into the messages of one result, each within a browser's limit."""

from collections.abc import Sequence

import msgspec

from sitestencil_host.messaging.frames import LONGEST_OUT
from sitestencil_host.messaging.messages import Range, encode

# A range takes at most 20 bytes: two numbers below 64 Mi, brackets, commas.
# Three scores take four letters of base64.
RANGES_PER_PART = 30_000
SCORES_PER_PART = 240_000
_LONGEST_SUMMARY_BESIDE = LONGEST_OUT - 20 * RANGES_PER_PART - 4 * SCORES_PER_PART // 3 - 4096


class Summary(msgspec.Struct, frozen=True):
    """The summary of a result: PROTOCOL.md, `result`."""

    url: str
    detector: str
    elements: int
    candidates: list[str]
    pages_loaded: int
    timings_ms: dict[str, float]
    sureness: float | None = None
    more_pages: int | None = None
    doubt: str | None = None
    fits: bool | None = None
    title: str = ""
    remembered: bool = False
    session_links: list[str] | None = None


class ResultPart(msgspec.Struct, frozen=True, tag="result", omit_defaults=True):
    """One part of a result; the scores travel as base64."""

    id: int
    part: int
    parts: int
    template: list[Range]
    content_texts: list[Range]
    scores: bytes | None = None
    summary: Summary | None = None


class EarlyResultPart(ResultPart, frozen=True, tag="early_result", omit_defaults=True):
    """One part of an early result, from the pages so far."""


class ProgressAnswer(msgspec.Struct, frozen=True, tag="progress"):
    """The progress of an extraction or a saving."""

    id: int
    stage: str
    pages_loaded: int
    pages_wanted: int | None


def result_parts(
    request_id: int,
    template: Sequence[Range],
    content_texts: Sequence[Range],
    summary: Summary,
    scores: bytes | None = None,
) -> list[ResultPart]:
    """Return the messages of a result in order; the last one carries the summary.

    Args:
        request_id: the request's.
        template: ranges of elements.
        content_texts: ranges of texts.
        summary: of the result.
        scores: a byte for each element, see `score_bytes`; None if the detector gives none.
    """
    scores = scores or b""
    ranges = len(template) + len(content_texts)
    count = max(_parts(ranges, RANGES_PER_PART), _parts(len(scores), SCORES_PER_PART), 1)
    if len(encode(summary)) > _LONGEST_SUMMARY_BESIDE:
        count += 1
    return [
        ResultPart(
            request_id,
            part + 1,
            count,
            *_range_slices(template, content_texts, part * RANGES_PER_PART),
            scores[part * SCORES_PER_PART : (part + 1) * SCORES_PER_PART] or None,
            summary if part == count - 1 else None,
        )
        for part in range(count)
    ]


def score_bytes(scores: Sequence[float] | None) -> bytes | None:
    """Return scores of 0 to 1 as bytes of 0 to 255; None if there are none."""
    return None if scores is None else bytes(round(255 * min(max(score, 0.0), 1.0)) for score in scores)


def _parts(entries: int, per_part: int) -> int:
    return -(-entries // per_part)


def _range_slices(template: Sequence[Range], texts: Sequence[Range], start: int) -> tuple[list[Range], list[Range]]:
    """Return a part's slice of both lists, as if they were one."""
    end, first_text = start + RANGES_PER_PART, len(template)
    return list(template[start:end]), list(texts[max(start - first_text, 0) : max(end - first_text, 0)])
