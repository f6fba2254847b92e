"""Judges later elements of a page by its earlier answer, without loading pages."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from sitestencil_host.errors import WRONG_SHAPE, HostError
from sitestencil_host.messaging.frames import decode
from sitestencil_host.messaging.messages import PageRequest, Range
from sitestencil_host.messaging.results import ResultPart, Summary, Verdicts, result_parts, score_bytes

if TYPE_CHECKING:
    from sitestencil.detectors.detection import Detection
    from sitestencil.page.document import Document


class ApplyRequest(PageRequest, frozen=True, tag="apply"):
    """Asks for the template of a changed page; the text is the JSON of a `Change`."""


class KnownAnswer(msgspec.Struct, frozen=True):
    """The answer for the page before: its snapshot and its template."""

    snapshot: msgspec.Raw
    template: list[Range]
    content_texts: list[Range]
    detector: str = ""
    scores: bytes | None = None


class Change(msgspec.Struct, frozen=True):
    """A changed page, and the answer for the page before."""

    known: KnownAnswer
    snapshot: msgspec.Raw


def apply(request: ApplyRequest) -> list[ResultPart]:
    """Return the messages that answer a request.

    Raises:
        HostError, SitestencilError: there is no answer.
    """
    from sitestencil.detectors.learned_template import MAPPING_FITS_FROM, LearnedTemplate
    from sitestencil.page.snapshot import Snapshot, document_from_snapshot
    from sitestencil.template import Template

    change = decode(request.text.encode(), Change, request.id)
    answer = change.known
    known = document_from_snapshot(decode(answer.snapshot, Snapshot))
    page = document_from_snapshot(decode(change.snapshot, Snapshot))
    learned = LearnedTemplate.of_answer(answer.detector, known, _detection(answer, known))
    template = Template(page, learned.apply(page), answer.detector)
    summary = Summary(
        url=page.url,
        detector=answer.detector,
        elements=len(page),
        candidates=[],
        pages_loaded=0,
        timings_ms={},
        fits=template.fit >= MAPPING_FITS_FROM,
    )
    return result_parts(request.id, Verdicts.of(template), summary, score_bytes(template.scores))


def _detection(answer: KnownAnswer, known: "Document") -> "Detection":
    from sitestencil.detectors.detection import Detection

    template = _mask(answer.template, len(known))
    content = _mask(answer.content_texts, len(known.texts))
    texts = [template[run.parent] and not content[number] for number, run in enumerate(known.texts)]
    scores = answer.scores
    if scores is not None and len(scores) != len(known):
        raise HostError(WRONG_SHAPE, f"there are {len(scores)} scores of {len(known)} elements")
    return Detection(template, texts, (known.url,), None if scores is None else [score / 255 for score in scores])


def _mask(ranges: Sequence[Range], length: int) -> list[bool]:
    mask = [False] * length
    for start, end in ranges:
        if not 0 <= start <= end <= length:
            raise HostError(WRONG_SHAPE, f"the answer names {start} to {end} of {length}")
        mask[start:end] = [True] * (end - start)
    return mask
