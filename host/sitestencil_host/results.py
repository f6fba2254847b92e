"""A template as the messages of one result, each within what a browser takes."""

from collections.abc import Sequence

from sitestencil_host.frames import LONGEST_OUT
from sitestencil_host.messages import Range, ResultPart, Summary, encode

# A range takes at most 20 bytes: two numbers below 64 Mi, brackets, commas.
RANGES_PER_PART = 40_000
_LONGEST_SUMMARY_BESIDE_RANGES = LONGEST_OUT - 20 * RANGES_PER_PART - 4096


def result_parts(
    request_id: int, template: Sequence[Range], content_texts: Sequence[Range], summary: Summary
) -> list[ResultPart]:
    """Return the messages of a result in order; the last one carries the summary."""
    slices = _slices(template, content_texts)
    if len(encode(summary)) > _LONGEST_SUMMARY_BESIDE_RANGES:
        slices.append(([], []))
    count = len(slices)
    return [
        ResultPart(request_id, part, count, ranges, texts, summary if part == count else None)
        for part, (ranges, texts) in enumerate(slices, start=1)
    ]


def _slices(template: Sequence[Range], texts: Sequence[Range]) -> list[tuple[list[Range], list[Range]]]:
    first_text = len(template)
    slices = []
    for start in range(0, max(len(template) + len(texts), 1), RANGES_PER_PART):
        end = start + RANGES_PER_PART
        slices.append(
            (
                list(template[start:end]),
                list(texts[max(start - first_text, 0) : max(end - first_text, 0)]),
            )
        )
    return slices
