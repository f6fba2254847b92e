"""Map a peer's output to the elements of the key page.

Some peers keep the marks that this benchmark puts on the elements, so the kept elements are known. The others
return text. Their words are matched with the page's words, longest common run first (Ratcliff and Obershelp). This
places repeated words next to their neighbours.

An element with words is content if the peer keeps all of them. So a container of both content and template is
template, as in the labels. So is the outermost wrapper of a run of content, such as a ``div`` around paragraphs. An
element without words (an image, a line break) is content if it stands between two content words. For every peer
these rules gave the best figures of those tried (research/docs/benchmark.md).
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate

from sitestencil.page.document import Document, TextRun
from sitestencil.page.html_names import NO_PAGE_TEXT_WITHOUT_SCRIPTS
from sitestencil.page.words import words

_WRAPPERS = frozenset({"article", "body", "div", "main", "section", "td"})


@dataclass(frozen=True, slots=True)
class KeptText:
    """Pieces of the page's text in order, each with whether the peer keeps it. The peer drops all other text."""

    pieces: Sequence[tuple[str, bool]]


@dataclass(frozen=True, slots=True)
class KeptElements:
    """The numbers of the elements that the peer keeps."""

    elements: frozenset[int]


Kept = KeptText | KeptElements


def template_of(document: Document, kept: Kept) -> list[bool]:
    """Return, per element, whether it is template: the peer does not keep it as content."""
    runs = [(run, words(run.text)) for run in page_runs(document)]
    if isinstance(kept, KeptElements):
        keeps = [run.parent in kept.elements for run, own in runs for _ in own]
    else:
        keeps = _kept_words([word for _, own in runs for word in own], kept)
    starts, counts = _spans(document, runs)
    kept_before = [0, *accumulate(keeps)]
    content = []
    for start, count in zip(starts, counts, strict=True):
        if count:
            content.append(kept_before[start + count] - kept_before[start] == count)
        else:
            content.append(0 < start < len(keeps) and keeps[start - 1] and keeps[start])
    for wrapper in _wrappers(document, content, counts, {run.parent for run, own in runs if own}):
        content[wrapper] = False
    return [not is_content for is_content in content]


def _wrappers(
    document: Document, content: Sequence[bool], counts: Sequence[int], with_own_words: Set[int]
) -> list[int]:
    return [
        element
        for element, parent in enumerate(document.parents)
        if content[element]
        and document.tags[element] in _WRAPPERS
        and not (parent >= 0 and content[parent])
        and element not in with_own_words
        and sum(counts[child] > 0 for child in document.children[element]) > 1
    ]


def page_runs(document: Document) -> list[TextRun]:
    """Return the texts of a page that a person can read."""
    body = document.body or 0
    return [
        run
        for run in document.texts
        if run.parent >= body and document.tags[run.parent] not in NO_PAGE_TEXT_WITHOUT_SCRIPTS
    ]


def _kept_words(page_words: Sequence[str], kept: KeptText) -> list[bool]:
    given = [(word, keep) for text, keep in kept.pieces for word in words(text)]
    keeps = [False] * len(page_words)
    matcher = SequenceMatcher(None, page_words, [word for word, _ in given], autojunk=False)
    for at, given_at, size in matcher.get_matching_blocks():
        keeps[at : at + size] = [keep for _, keep in given[given_at : given_at + size]]
    return keeps


def _spans(document: Document, runs: Sequence[tuple[TextRun, list[str]]]) -> tuple[list[int], list[int]]:
    """Return, per element, the number of words before it, and the number inside it."""
    before = [0] * (len(document) + 1)
    counts = [0] * len(document)
    for run, own in runs:
        next_element = run.parent + 1 if run.after < 0 else document.ends[run.after]
        before[next_element] += len(own)
        counts[run.parent] += len(own)
    for element in range(len(document) - 1, 0, -1):
        counts[document.parents[element]] += counts[element]
    return list(accumulate(before[:-1])), counts
