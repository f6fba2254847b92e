"""Keep sentences and code whole: in a line of content, no word is template because other pages have it, too."""

from collections.abc import Iterator

from sitestencil.page.document import Document
from sitestencil.page.html_names import BLOCKS, CELLS, NO_TEXT

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
