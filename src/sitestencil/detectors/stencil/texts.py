"""Decide which texts of template elements are template: those in whose place the similar pages have a text too.

Sentences and code stay whole: in a line of content, no word is template because other pages have it, too.
"""

from collections.abc import Iterator, Mapping, Sequence

from sitestencil.detectors.stencil.similarity import ComparedPage, ComparedPages
from sitestencil.page.document import Document
from sitestencil.page.html_names import BLOCKS, CELLS, NO_TEXT
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.sketch import TEXT_SEPARATOR

_MOST_HAVE_ONE = 0.5


def judge_texts(
    key_sketch: KeySketch, shares: Mapping[int, float], template: Sequence[bool], scores: Sequence[float]
) -> tuple[list[bool], list[float]]:
    """Return, per text node, whether it is template, and its score; a text inside content never is.

    A text's score is its element's, or the share of similar pages with a text there, whichever is less.

    Args:
        key_sketch: the page.
        shares: by text node, the share of similar pages with a text there; see `text_shares`.
        template: whether each element of the document is template.
        scores: the score per element of the document.
    """
    # The last entries are for texts outside the root, whose parent is -1.
    of_element, score_of = [*template, False], [*scores, 0.0]
    texts = [(parent, shares.get(run, 1.0)) for run, (parent, _, _) in enumerate(key_sketch.document.texts)]
    return (
        [of_element[parent] and share >= _MOST_HAVE_ONE for parent, share in texts],
        [min(score_of[parent], share) for parent, share in texts],
    )


def text_shares(key_sketch: KeySketch, compared: ComparedPages) -> dict[int, float]:
    """Return, by text node, the share of similar pages with a text there; nodes that all have are left out.

    The words of the text do not matter. The pages that count have a partner for the text's element. The k-th text
    has a place there if the partner has k texts (definitions.md, 2.3). A text goes with its element if the element
    has no partner, or is below an equal one.
    """
    shares: dict[int, float] = {}
    similar = [page for page, is_similar in zip(compared.pages, compared.similar, strict=True) if is_similar]
    for element in set().union(*(page.mapping for page in similar)):
        if not key_sketch.own_texts[element]:
            continue
        counts = [count for page in similar if (count := _texts_of_partner(page, element)) is not None]
        least = min(counts)
        for nth, run in enumerate(key_sketch.document.own_texts[key_sketch.document_elements[element]]):
            if nth >= least:
                shares[run] = sum(count > nth for count in counts) / len(counts)
    return shares


def _texts_of_partner(page: ComparedPage, element: int) -> int | None:
    """Return the number of the partner's own texts; None without a partner, or if the whole subtree is equal."""
    partner = page.mapping.get(element)
    if partner is None:
        return None
    own_text = page.sketch.own_texts[partner]
    return own_text.count(TEXT_SEPARATOR) + 1 if own_text else 0


# The least share of content among the letters. Chosen among .5 and .8 on the labelled sites: at .8 their mean F1 is
# as without this rule. Most words of code are those of its language.
_LEAST_CONTENT = 0.8
_LEAST_IN_CODE = 0.2
_NO_PART_OF_A_LINE = BLOCKS | CELLS | NO_TEXT | {"img", "slot", "svg", "template"}


def keep_lines_whole(
    document: Document, template: list[bool], texts: list[bool], scores: list[float], text_scores: list[float]
) -> None:
    """Call all of a line content if most of its letters are; the arguments are changed in place.

    Args:
        document: the page.
        template: whether each element is template.
        texts: whether each text node is template.
        scores: per element, the probability that it is template.
        text_scores: the same per text node.
    """
    for line in _lines(document):
        runs = document.runs(line)
        if not any(texts[run] for run in runs) and not any(template[line + 1 : document.ends[line]]):
            continue
        letters = [(run, len(document.texts[run].text.strip())) for run in runs]
        content, total = sum(size for run, size in letters if not texts[run]), sum(size for _, size in letters)
        least = _LEAST_IN_CODE if document.tags[line] == "pre" else _LEAST_CONTENT
        if not content or content < least * total:
            continue
        most = 1 - content / total
        for element in range(line + 1, document.ends[line]):
            template[element], scores[element] = False, min(scores[element], most)
        for run in runs:
            texts[run], text_scores[run] = False, min(text_scores[run], most)


def _lines(document: Document) -> Iterator[int]:
    """Give the elements that hold one line, such as a paragraph, and blocks of code."""
    tags = document.tags
    has_parts = [False] * len(tags)
    for element in range(len(tags) - 1, 0, -1):
        if has_parts[element] or tags[element] in _NO_PART_OF_A_LINE:
            has_parts[document.parents[element]] = True
    end = 0
    for element, tag in enumerate(tags):
        is_line = tag == "pre" or ((tag in BLOCKS or tag in CELLS) and not has_parts[element])
        if element >= end and is_line:
            end = document.ends[element]
            yield element
