"""All evidence about the judged elements of a key page."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from sitestencil.detectors.detection import with_frame
from sitestencil.detectors.stencil.agreement import Agreement, Frontier, frontier, hear
from sitestencil.detectors.stencil.features import feature_columns, path_pools, subtree_sums
from sitestencil.detectors.stencil.key_sketch import KeySketch
from sitestencil.detectors.stencil.similarity import Key, Kin

_LISTS = frozenset({"ul", "ol"})
_FEWEST, _MOSTLY = 2, 0.8


def tables_of_contents(page: KeySketch, on_all_near_pages: Sequence[bool]) -> list[bool]:
    """Return per element whether it is in a list most of whose links lead to places of this page.

    A list that all near pages have as it is, is none: it leads into a part of the page that they have, too. The
    list itself does not count, only what is in it: its place is the design's.
    """
    found = [False] * len(page)
    for element in _lists_of_contents(page):
        if not on_all_near_pages[element] and not found[element]:
            first, end = element + 1, page.ends[element]
            found[first:end] = [True] * (end - first)
    return found


def _lists_of_contents(page: KeySketch) -> list[int]:
    """Return the lists most of whose links lead to places of the page."""
    links, page_links = page.links, page.page_links
    if len(page_links) < _FEWEST:
        return []
    found = []
    for element, tag in enumerate(page.tags):
        if tag in _LISTS:
            end = page.ends[element]
            inside = bisect_left(page_links, end) - bisect_left(page_links, element)
            if inside >= max(_FEWEST, _MOSTLY * (bisect_left(links, end) - bisect_left(links, element))):
                found.append(element)
    return found


THRESHOLD = 0.5
BY_SCORE = ""
IN_CONTENTS = "content: in a table of contents of this page"
NOWHERE_ELSE = "content: no compared page has it"


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What is known of a key page.

    Attributes:
        frontier: which elements are judged.
        columns: of `sitestencil.detectors.stencil.features.FEATURES`, the values for the judged elements.
        rules: per judged element, why it is content whatever its score: `IN_CONTENTS`, in a list of links into the
            page itself that is not the same on all near pages; `NOWHERE_ELSE`, no page has it, mapped or anywhere
            else. `BY_SCORE` where no rule applies.
        heard: what the pages say of the judged elements.
    """

    frontier: Frontier
    columns: Sequence[Sequence[float]]
    rules: list[str]
    heard: Agreement

    def judge(
        self, probabilities: Sequence[float], key: KeySketch, threshold: float = THRESHOLD
    ) -> tuple[list[float], list[bool]]:
        """Return the score of every element of the document, and which reach the threshold: the template."""
        scores = self._scores(probabilities, key)
        return scores, with_frame(key.document, [score >= threshold for score in scores])

    def _scores(self, probabilities: Sequence[float], key: KeySketch) -> list[float]:
        """Return the score of every element of the document from those of the judged ones, in their order.

        What is not compared, such as scripts, goes with the element around it. The body holds whatever a page of
        the site has, so it is the design's.
        """
        own = {
            element: 0.0 if rule else probability
            for element, probability, rule in zip(self.frontier.judged, probabilities, self.rules, strict=True)
        }
        compared = {place: own[top] for place, top in zip(key.places, self.frontier.judged_as, strict=True)}
        if key.document.body is not None:
            compared[key.document.body] = 1.0
        scores: list[float] = []
        for element, parent in enumerate(key.document.parents):
            found = compared.get(element)
            scores.append(found if found is not None else scores[parent] if parent >= 0 else 0.0)
        return scores


def collect_evidence(key: Key, kin: Kin) -> Evidence:
    """Compare the key page with its kin, of which there must be at least one page."""
    border = frontier(key, kin)
    heard = hear(key, kin, border)
    texts = _text_agreement(border, heard)
    sums = subtree_sums(key.sketch, texts, border.recurrence)
    columns = feature_columns(key, kin, border, heard, sums, path_pools(key, texts))
    contents = tables_of_contents(key.sketch, border.on_all_near)
    rules = [
        IN_CONTENTS
        if contents[element]
        else NOWHERE_ELSE
        if heard.mapped[element] == 0 and border.recurrence[element] == 0
        else BY_SCORE
        for element in border.judged
    ]
    return Evidence(border, columns, rules, heard)


def _text_agreement(border: Frontier, heard: Agreement) -> list[float]:
    text, mapped = heard.text, heard.mapped
    return [text[top] if top == element or mapped[top] > 0 else 0.0 for element, top in enumerate(border.judged_as)]
