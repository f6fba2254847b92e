"""Write an answer as lines: JSON for each element, or the tree with its reasons."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from sitestencil.page.document import Document

if TYPE_CHECKING:
    from sitestencil.content.main_content import MainContent
    from sitestencil.detectors.detection import Reason

Verdict = Literal["template", "main", "around"]

_DEEPEST_INDENT = 40


def json_lines(document: Document, scores: Sequence[float] | None, verdict: Callable[[int], Verdict]) -> str:
    """Return a line of JSON for each element; see `Template.to_json_lines`."""
    from sitestencil.selectors.element_selectors import ElementSelectors

    names, tags = ElementSelectors(document), document.tags
    return "".join(
        json.dumps(
            {
                "url": document.url,
                "tag": tags[element],
                "selector": names[element] if names.can_select(element) else None,
                "score": None if scores is None else round(scores[element], 3),
                "verdict": verdict(element),
            },
            ensure_ascii=False,
        )
        + "\n"
        for element in range(len(document))
    )


def reason_lines(
    document: Document,
    reasons: "Sequence[Reason] | None",
    main: "MainContent",
    verdict: Callable[[int], Verdict],
) -> str:
    """Return the tree of the judged elements with their reasons; see `Template.to_reasons`."""
    from sitestencil.content.main_content import content_reasons
    from sitestencil.outputs.plain_text import collapsed

    lines, main_scores = [], main.element_scores(document)
    facts = [facts and f" ({facts})" for facts in content_reasons(document)]
    levels: list[int] = []
    for parent in document.parents:
        levels.append(levels[parent] + 1 if parent >= 0 else 0)
    for element in range(document.body or 0, len(document)):
        reason = reasons[element] if reasons is not None else None
        if reason is not None and reason.element != element:
            continue
        mark = verdict(element)[0].upper()
        name = collapsed(_name(document.tags[element], document.attributes[element]))
        indent = "  " * min(levels[element], _DEEPEST_INDENT)
        told = [] if reason is None else [str(reason)]
        if mark != "T" and main_scores[element] is not None:
            told.append(f"main text {main_scores[element]:.2f}{facts[element]}")
        lines.append(f"{mark} {indent}{name}" + ("  " if told else "") + "; ".join(told))
    return "\n".join(lines) + "\n"


def _name(tag: str, attributes: Mapping[str, str]) -> str:
    """Return an element's name in the form of a CSS selector."""
    place = f"#{attributes['id']}" if attributes.get("id") else ""
    return tag + place + "".join(f".{name}" for name in attributes.get("class", "").split())
