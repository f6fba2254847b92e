"""Splits a template, and its reasons, into messages, each within a browser's limit."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

import msgspec

from sitestencil_host.messaging.frames import LONGEST_OUT
from sitestencil_host.messaging.messages import Range, encode

if TYPE_CHECKING:
    from sitestencil.detectors.detection import Reason
    from sitestencil.detectors.stencil.evidence import Reasons
    from sitestencil.page.sketch import Sketch
    from sitestencil.template import Template

# A range takes at most 20 bytes: two numbers below 64 Mi, brackets, commas.
# Three scores take four letters of base64.
RANGES_PER_PART = 30_000
SCORES_PER_PART = 240_000
_REASONS_PER_PART = 600_000  # bytes
_MOST_NAMES, _LONGEST_NAME = 1_000, 100
_SHARES_AND_RULE = 5
_Data = TypeVar("_Data", str, bytes)
_LONGEST_SUMMARY_BESIDE = LONGEST_OUT - 20 * RANGES_PER_PART - 4 * SCORES_PER_PART // 3 - 4096


class Summary(msgspec.Struct, frozen=True):
    """The summary of a result: PROTOCOL.md, `result`."""

    url: str
    detector: str
    elements: int
    candidates: list[str]
    pages_loaded: int
    timings_ms: dict[str, float]
    confidence: float | None = None
    more_pages: int | None = None
    doubt: str | None = None
    fits: bool | None = None
    title: str = ""
    remembered: bool = False
    session_links: list[str] | None = None
    main_confidence: float | None = None
    main_doubt: str | None = None


class Verdicts(NamedTuple):
    """The verdicts of a template as ranges: PROTOCOL.md, `result`."""

    template: list[Range]
    content_texts: list[Range] = []  # noqa: RUF012 - nothing changes a message
    main: list[Range] = []  # noqa: RUF012
    main_texts: list[Range] = []  # noqa: RUF012

    @classmethod
    def of(cls, template: "Template") -> "Verdicts":
        """Return the verdicts of a template."""
        texts, main_texts = template.content_text_ranges(), template.main_text_ranges()
        return cls(template.ranges(), texts, template.main_ranges(), main_texts)


class ResultPart(msgspec.Struct, frozen=True, tag="result", omit_defaults=True):
    """One part of a result; the scores travel as base64."""

    id: int
    part: int
    parts: int
    template: list[Range]
    content_texts: list[Range]
    main: list[Range] = []
    main_texts: list[Range] = []
    scores: bytes | None = None
    summary: Summary | None = None


class EarlyResultPart(ResultPart, frozen=True, tag="early_result", omit_defaults=True):
    """One part of an early result, from the pages so far."""


class ReasonsPart(msgspec.Struct, frozen=True, tag="reasons"):
    """One part of the reasons; the rows travel as base64."""

    id: int
    part: int
    parts: int
    width: int
    rows: bytes
    own_names: list[str] = []


class ProgressAnswer(msgspec.Struct, frozen=True, tag="progress"):
    """The progress of an extraction or a saving."""

    id: int
    stage: Literal["loading", "mapping"]
    pages_loaded: int
    pages_wanted: int | None


def result_parts(
    request_id: int, verdicts: Verdicts, summary: Summary, scores: bytes | None = None
) -> list[ResultPart]:
    """Return the messages of a result in order; the last one carries the summary.

    Args:
        request_id: the request's.
        verdicts: the verdicts for elements and texts.
        summary: of the result.
        scores: a byte for each element, see `score_bytes`; None if the detector gives none.
    """
    scores = scores or b""
    count = max(_parts(sum(map(len, verdicts)), RANGES_PER_PART), _parts(len(scores), SCORES_PER_PART), 1)
    if len(encode(summary)) > _LONGEST_SUMMARY_BESIDE:
        count += 1
    return [
        ResultPart(
            request_id,
            part + 1,
            count,
            **_slices(verdicts, part * RANGES_PER_PART)._asdict(),
            scores=scores[part * SCORES_PER_PART : (part + 1) * SCORES_PER_PART] or None,
            summary=summary if part == count - 1 else None,
        )
        for part in range(count)
    ]


def pieces(data: _Data, length: int) -> list[_Data]:
    """Return text or bytes in pieces of at most this length; at least one."""
    return [data[start : start + length] for start in range(0, len(data) or 1, length)]


def score_bytes(scores: Sequence[float] | None) -> bytes | None:
    """Return scores of 0 to 1 as bytes of 0 to 255; None if there are none."""
    return None if scores is None else bytes(round(255 * min(max(score, 0.0), 1.0)) for score in scores)


def _parts(entries: int, per_part: int) -> int:
    return -(-entries // per_part)


def _slices(verdicts: Verdicts, start: int) -> Verdicts:
    """Return a part's slice of each list, as if they were one."""
    slices = []
    for ranges in verdicts:
        slices.append(ranges[max(start, 0) : max(start + RANGES_PER_PART, 0)])
        start -= len(ranges)
    return Verdicts(*slices)


def reasons_parts(request_id: int, template: "Template", compared: "Sequence[Sketch]" = ()) -> list[ReasonsPart]:
    """Return the messages with a template's reasons; none if the detector gives none.

    The first has the names that of the compared pages only the first has, the key page.
    """
    from sitestencil.detectors.stencil.evidence import Reasons
    from sitestencil.page.sketch import names_of_one_page

    reasons = template.reasons
    if not isinstance(reasons, Reasons):
        return []
    width = _SHARES_AND_RULE + -(-len(template.candidates) // 8)
    rows = reason_rows(reasons, width)
    per_part = _REASONS_PER_PART // width * width
    parts = pieces(rows, per_part)
    own_names = names_of_one_page(compared[0], compared[1:]) if len(compared) > 1 else []
    short = [name for name in own_names if len(name) <= _LONGEST_NAME][:_MOST_NAMES]
    names = [short, *[[]] * (len(parts) - 1)]
    parted = enumerate(zip(parts, names, strict=True), start=1)
    return [ReasonsPart(request_id, number, len(parts), width, *part) for number, part in parted]


def reason_rows(reasons: "Reasons", width: int) -> bytes:
    """Return a row of bytes for each element: four shares, the rule's number, a bit for each page."""
    rows: dict[int, bytes] = {}
    in_order = []
    for element in range(len(reasons)):
        judged = reasons.judged_with(element)
        row = rows.get(judged)
        if row is None:
            row = rows[judged] = _row(reasons[element], width)
        in_order.append(row)
    return b"".join(in_order)


def _row(reason: "Reason", width: int) -> bytes:
    from sitestencil.detectors.stencil.evidence import RULES

    shares = (reason.mapped, reason.same_text, reason.equal, reason.found_elsewhere)
    pages = sum(1 << page for page in reason.pages)
    return bytes(
        [
            *(round(255 * min(max(share, 0.0), 1.0)) for share in shares),
            RULES.index(reason.rule),
            *pages.to_bytes(width - _SHARES_AND_RULE, "little"),
        ]
    )
