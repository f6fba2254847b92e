"""The reasons for each element's verdict, as messages before a result."""

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from sitestencil.detectors.detection import Reason
    from sitestencil.detectors.stencil.reasons import Reasons
    from sitestencil.template import Template

_BYTES_PER_PART = 600_000
_SHARES_AND_RULE = 5


class ReasonsPart(msgspec.Struct, frozen=True, tag="reasons"):
    """One part of the reasons; the rows travel as base64."""

    id: int
    part: int
    parts: int
    width: int
    rows: bytes


def reasons_parts(request_id: int, template: "Template") -> list[ReasonsPart]:
    """Return the messages with a template's reasons; none if the detector gives none."""
    from sitestencil.detectors.stencil.reasons import Reasons

    reasons = template.reasons
    if not isinstance(reasons, Reasons):
        return []
    width = _SHARES_AND_RULE + -(-len(template.candidates) // 8)
    rows = reason_rows(reasons, width)
    per_part = _BYTES_PER_PART // width * width
    count = max(1, -(-len(rows) // per_part))
    return [
        ReasonsPart(request_id, part + 1, count, width, rows[part * per_part : (part + 1) * per_part])
        for part in range(count)
    ]


def reason_rows(reasons: "Reasons", width: int) -> bytes:
    """Return a row of bytes for each element: four shares, the rule's number, a bit for each page."""
    rows: dict[int, bytes] = {}
    in_order = []
    for element, judged in enumerate(reasons.all_judged_with()):
        row = rows.get(judged)
        if row is None:
            row = rows[judged] = _row(reasons[element], width)
        in_order.append(row)
    return b"".join(in_order)


def _row(reason: "Reason", width: int) -> bytes:
    from sitestencil.detectors.stencil.reasons import RULES

    shares = (reason.mapped, reason.same_text, reason.equal, reason.found_elsewhere)
    pages = sum(1 << page for page in reason.pages)
    return bytes(
        [
            *(round(255 * min(max(share, 0.0), 1.0)) for share in shares),
            RULES.index(reason.rule),
            *pages.to_bytes(width - _SHARES_AND_RULE, "little"),
        ]
    )
