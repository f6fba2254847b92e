"""Collect all evidence on the judged elements of a key page, and explain the answer for every element by it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

from sitestencil.detectors.detection import Reason, with_frame
from sitestencil.detectors.stencil.agreement import (
    Agreement,
    JudgedElements,
    believed_landmarks,
    collect_agreement,
    find_judged_elements,
)
from sitestencil.detectors.stencil.features import differing_characters, feature_columns
from sitestencil.detectors.stencil.page_parts import parts_of, tables_of_contents
from sitestencil.detectors.stencil.similarity import ComparedPages, KeyPage
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.sketch import NONE

THRESHOLD = 0.5
BY_SCORE = ""
IN_CONTENTS = "content: in a table of contents of this page"
NOWHERE_ELSE = "content: no compared page has it"
ANOTHER_TEXT = "content: no compared page has the same text there"
IN_FORM = "template: in a form"
EQUAL_EVERYWHERE = "template: all similar pages have it as it is"
LINKS_ON_OTHER_KINDS = "template: pages of this kind and of others have the same links"
IN_LANDMARK = "template: in a header, a menu or a footer of the page"
BODY = "the body holds what every page has"
NOT_COMPARED = "not compared"
# Every rule that a reason may give; the order gives their numbers in the host's protocol.
RULES = (
    BY_SCORE,
    IN_CONTENTS,
    NOWHERE_ELSE,
    ANOTHER_TEXT,
    BODY,
    NOT_COMPARED,
    IN_FORM,
    EQUAL_EVERYWHERE,
    IN_LANDMARK,
    LINKS_ON_OTHER_KINDS,
)
BY_MARKUP = frozenset({IN_FORM, IN_LANDMARK})
_BEFORE_LANDMARK = frozenset({BY_SCORE, NOWHERE_ELSE, LINKS_ON_OTHER_KINDS})
_SCORES = {rule: float(rule.startswith("template")) for rule in RULES if ":" in rule}

# An element without a counterpart may recur elsewhere. At least this share of its text must not. Set by hand.
_NOTHING_RECURS = 0.9
# These bounds, which exclude chance, were set by hand. Measured in research/docs/errors.md.
_FEWEST_PAGES, _FEWEST_CHARACTERS = 3, 20
_ALL_WEIGHT = 0.999
_FEWEST_ELEMENTS, _LEAST_IN_LINKS, _LEAST_ON_SIMILAR, _LEAST_ON_OTHERS = 5, 0.25, 0.8, 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The evidence on a key page.

    Attributes:
        judged: the judged elements.
        columns: for each of `sitestencil.detectors.stencil.features.FEATURES`, the judged elements' values.
        rules: per judged element, the rule that makes it content or template whatever its score. `IN_FORM`: in a
            form that is a small part of the page, or in a list of choices. `IN_CONTENTS`: in a list of links into
            the page itself that differs on some similar page. `EQUAL_EVERYWHERE`: has some text, and is equal on
            all of at least three pages. `LINKS_ON_OTHER_KINDS`: a group of links that most similar pages, and at
            least half of the others, have as it is, in any place. `NOWHERE_ELSE`: no page has it, mapped or
            anywhere else. `ANOTHER_TEXT`: it is mostly text, and no page that has it has the same text;
            or a picture, and no page has one of the same description.
            `IN_LANDMARK`: in a landmark of the page, and no page has it, no other rule applies, or it is a group of
            such links. `BY_SCORE` if no rule applies.
        agreement: the pages' summed evidence on the judged elements.
    """

    judged: JudgedElements
    columns: Sequence[Sequence[float]]
    rules: list[str]
    agreement: Agreement

    def judge(
        self, probabilities: Sequence[float], key_sketch: KeySketch, threshold: float = THRESHOLD
    ) -> tuple[list[float], list[bool]]:
        """Return the score of every element of the document, and whether it is template by the threshold."""
        scores = self._scores(probabilities, key_sketch)
        template = [score >= threshold for score in scores]
        return scores, with_frame(key_sketch.document, template, key_sketch.shadow_roots)

    def _scores(self, probabilities: Sequence[float], key_sketch: KeySketch) -> list[float]:
        """Return the score of every element of the document; the judged elements' scores come in order.

        An element that is not compared, such as a script, has its parent's score. Every page of the site has a
        body, so the body belongs to the design.
        """
        judged, body = self.judged, key_sketch.document.body
        score_of_judged = {
            element: _SCORES.get(rule, probability)
            for element, probability, rule in zip(judged.elements, probabilities, self.rules, strict=True)
        }
        # The last entry, number -1, is for elements that go with none.
        scores = [*map(score_of_judged.__getitem__, judged.judged_as), 0.0]
        if body is not None:
            scores[key_sketch.numbers[body]] = 1.0
        return list(map(scores.__getitem__, key_sketch.goes_with))


def collect_evidence(prepared: KeyPage, compared: ComparedPages) -> Evidence:
    """Return the compared pages' evidence on the key page; there must be at least one page."""
    judged = find_judged_elements(prepared, compared)
    agreement = collect_agreement(prepared, compared, judged)
    same_text, mapped = agreement.same_text, agreement.mapped
    texts = [
        same_text[top] if top == element or mapped[top] > 0 else 0.0 for element, top in enumerate(judged.judged_as)
    ]
    differing = differing_characters(prepared.sketch, texts, judged.found_elsewhere)
    columns = feature_columns(prepared, compared, judged, agreement, texts, differing)
    return Evidence(judged, columns, _rules(prepared, compared, judged, agreement, differing), agreement)


def _rules(
    prepared: KeyPage,
    compared: ComparedPages,
    judged: JudgedElements,
    agreement: Agreement,
    differing: Sequence[float],
) -> list[str]:
    """Return each judged element's rule, the first that applies; see `Evidence.rules`."""
    sketch, rules = prepared.sketch, list[str]()
    in_contents = tables_of_contents(sketch, judged.on_similar)
    in_form, are_enough = parts_of(sketch, prepared.forms), len(compared.pages) >= _FEWEST_PAGES
    in_landmark = parts_of(sketch, believed_landmarks(prepared, compared))

    def is_common(element: int) -> bool:
        return judged.on_similar[element] >= _LEAST_ON_SIMILAR and judged.on_others[element] >= _LEAST_ON_OTHERS

    for element in judged.elements:
        characters, rule = sketch.characters[element], BY_SCORE
        is_sure = are_enough and characters > _FEWEST_CHARACTERS
        are_links = sketch.link_characters[element] >= _LEAST_IN_LINKS * characters
        is_group = are_links and sketch.ends[element] - element >= _FEWEST_ELEMENTS
        is_text = 0 < characters <= 2 * len(sketch.own_texts[element])
        if in_form[element]:
            rule = IN_FORM
        elif in_contents[element]:
            rule = IN_CONTENTS
        elif is_sure and agreement.equal[element] >= _ALL_WEIGHT:
            rule = EQUAL_EVERYWHERE
        elif is_sure and is_group and is_common(element):
            rule = LINKS_ON_OTHER_KINDS
        elif judged.found_elsewhere[element]:
            rule = BY_SCORE
        elif not agreement.mapped[element]:
            rule = NOWHERE_ELSE if differing[element] >= _NOTHING_RECURS * characters else BY_SCORE
        elif (is_text and not agreement.same_text[element]) or sketch.tags[element] == "img":
            rule = ANOTHER_TEXT
        rules.append(IN_LANDMARK if in_landmark[element] and rule in _BEFORE_LANDMARK else rule)
    return rules


class Reasons(Sequence[Reason]):
    """A reason for each element of the document.

    Args:
        key_sketch: the key page.
        evidence: the evidence on the key page.
        scores: the score per element of the document.
        compared: the compared pages, of which only the presence of the key page's elements is kept.
    """

    def __init__(
        self, key_sketch: KeySketch, evidence: Evidence, scores: Sequence[float], compared: ComparedPages
    ) -> None:
        self._document_elements, self._goes_with = key_sketch.document_elements, key_sketch.goes_with
        body = key_sketch.document.body
        self._body = NONE if body is None else key_sketch.numbers[body]
        self._evidence, self._scores = evidence, scores
        self._present = [page.present for page in compared.pages]

    def __len__(self) -> int:
        """Return the number of elements of the document."""
        return len(self._scores)

    @cached_property
    def _rules(self) -> dict[int, str]:
        return dict(zip(self._evidence.judged.elements, self._evidence.rules, strict=True))

    @overload
    def __getitem__(self, element: int) -> Reason: ...
    @overload
    def __getitem__(self, element: slice) -> list[Reason]: ...
    def __getitem__(self, element: int | slice) -> Reason | list[Reason]:
        """Return an element's reason."""
        if isinstance(element, slice):
            return [self[each] for each in range(*element.indices(len(self)))]
        compared = self._goes_with[element]
        if compared == NONE:
            return Reason(element, self._scores[element], 0.0, 0.0, 0.0, 0.0, NOT_COMPARED)
        evidence, agreement = self._evidence, self._evidence.agreement
        judged = evidence.judged.judged_as[compared]
        return Reason(
            self._document_elements[judged],
            self._scores[element],
            agreement.mapped[judged],
            agreement.same_text[judged],
            agreement.equal[judged],
            evidence.judged.found_elsewhere[judged],
            BODY if self._body in {compared, judged} else self._rules[judged],
            tuple(number for number, page in enumerate(self._present) if page[judged]),
        )

    def judged_with(self, element: int) -> int:
        """Return the element of the document with the same reason; -1 if it is not compared."""
        compared = self._goes_with[element]
        if compared == NONE:
            return NONE
        judged = compared if compared == self._body else self._evidence.judged.judged_as[compared]
        return self._document_elements[judged]
