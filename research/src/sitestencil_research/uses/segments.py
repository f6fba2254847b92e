"""Divide a page into segments of equal templateness (PageLevel, sections 4 and 6.1; definitions.md, 4.3)."""

import json
from dataclasses import dataclass

from sitestencil.detectors.pagelevel.model import Model, shipped_model
from sitestencil.detectors.pagelevel.templateness import Smoothing, templateness
from sitestencil.page.document import Box, Document, Range, ranges
from sitestencil.page.geometry import page_boxes


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a page whose elements have the same templateness.

    Attributes:
        top: its topmost element.
        parent: the index of the enclosing segment in the list; -1 for the page's own segment.
        templateness: y, from 0 (content) to 1 (template); never less than the enclosing segment's.
        elements: its elements as ranges of numbers, without the segments inside it.
        box: the box of its topmost element.
    """

    top: int
    parent: int
    templateness: float
    elements: list[Range]
    box: Box


def page_segments(document: Document, model: Model | None = None) -> list[Segment]:
    """Return a page's segments by a model (default: the shipped one), the page's own first. Nothing is loaded."""
    judged = templateness(document, model or shipped_model(), Smoothing())
    nodes, boxes = judged.nodes, page_boxes(document)
    tops = sorted(set(judged.segments))
    number = {top: position for position, top in enumerate(tops)}
    members: dict[int, list[int]] = {top: [] for top in tops}
    for element, position in enumerate(nodes.position):
        if position >= 0:
            members[judged.segments[position]].append(element)
    return [
        Segment(
            top=nodes.elements[top],
            parent=number[judged.segments[nodes.parents[top]]] if nodes.parents[top] >= 0 else -1,
            templateness=judged.values[top],
            elements=ranges(members[top]),
            box=boxes[nodes.elements[top]],
        )
        for top in tops
    ]


def segments_json(document: Document, segments: list[Segment]) -> str:
    """Return segments as JSON text."""
    page = page_boxes(document)[0]
    written = {
        "url": document.url,
        "elements": len(document),
        "page": [round(page.width), round(page.height)],
        "segments": [
            {
                "top": segment.top,
                "tag": document.tags[segment.top],
                "id": document.id(segment.top),
                "parent": segment.parent,
                "templateness": round(segment.templateness, 4),
                "elements": [list(element_range) for element_range in segment.elements],
                "box": [round(value) for value in segment.box],
            }
            for segment in segments
        ],
    }
    return json.dumps(written, ensure_ascii=False, indent=1) + "\n"
