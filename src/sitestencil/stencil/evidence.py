"""All evidence about the judged elements of a key page."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitestencil.stencil.agreement import Agreement, agreements, groups
from sitestencil.stencil.facts import page_facts
from sitestencil.stencil.frontier import NOT_COMPARED, Frontier, frontier
from sitestencil.stencil.kinship import Key, Kin
from sitestencil.stencil.pooling import path_pools, subtree_sums
from sitestencil.stencil.rows import Rows


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What is known of a key page.

    Attributes:
        frontier: which elements are judged.
        rows: per judged element, the values of `sitestencil.stencil.rows.FEATURES`.
        ruled_out: per judged element, whether it is content whatever its score: because it is in a table of
            contents of this page, a list of links into the page itself that is not the same on all near pages;
            or because no page has it, mapped or anywhere else.
    """

    frontier: Frontier
    rows: list[tuple[float, ...]]
    ruled_out: list[bool]

    def judge(self, probabilities: Sequence[float], parents: Sequence[int]) -> list[float]:
        """Return the score of every element from those of the judged ones, in their order.

        What is not compared, such as scripts, goes with the element around it.
        """
        judged = self.frontier.judged
        own = {
            element: 0.0 if ruled_out else probability
            for element, probability, ruled_out in zip(judged, probabilities, self.ruled_out, strict=True)
        }
        scores: list[float] = []
        for top, parent in zip(self.frontier.judged_as, parents, strict=True):
            scores.append(own[top] if top != NOT_COMPARED else scores[parent] if parent >= 0 else 0.0)
        return scores


def collect_evidence(key: Key, kin: Kin) -> Evidence:
    """Compare the key page with its kin, of which there must be at least one page."""
    border = frontier(key, kin)
    grouped = groups(key, border.judged)
    heard = agreements(key, kin, border, grouped)
    facts = page_facts(key)
    texts = _text_agreement(key, border, heard)
    sums = subtree_sums(key, facts, border.recurrence, texts)
    rows = Rows(key, kin, border, grouped, heard, facts, sums, path_pools(key, border, texts))
    found = [rows.row(element) for element in border.judged]
    ruled_out = [
        rows.contents[element] > 0 or (heard[element].mapped == 0 and border.recurrence[element] == 0)
        for element in border.judged
    ]
    return Evidence(border, found, ruled_out)


def _text_agreement(key: Key, border: Frontier, heard: dict[int, Agreement]) -> list[float]:
    found = [0.0] * len(key.sketch)
    for element in key.elements:
        top = border.judged_as[element]
        if top == element or heard[top].mapped > 0:
            found[element] = heard[top].text
    return found
