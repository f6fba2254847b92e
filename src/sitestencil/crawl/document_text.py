"""Write the text of a fully parsed page in the same form as a walked page."""

from collections.abc import Sequence
from contextlib import suppress

from sitestencil.crawl.native_answer import NativeAnswer
from sitestencil.crawl.native_children import NativeNodes
from sitestencil.detectors.detection import Detection
from sitestencil.errors import NotReadable
from sitestencil.outputs.formulas import formula_texts, text_instead
from sitestencil.outputs.plain_text import SILENT, Lines
from sitestencil.page.document import Document
from sitestencil.page.hidden import without_text


def document_text(document: Document, detection: Detection) -> str:
    """Return the text of a page's content, one line for each block."""
    return document_lines(document, detection).text()


def text_and_links(page: NativeNodes, document: Document, detection: Detection) -> tuple[str, int]:
    """Return the text of a page's content, and the number of its links.

    Args:
        page: the nodes that the document was read from.
        document: the page.
        detection: the template.
    """
    with suppress(NotReadable):
        template, texts = list(detection.template), list(detection.template_texts)
        formulas = _contents_formulas(document, detection)
        answer = NativeAnswer(page, template, texts, document.body or 0, formulas)
        return answer.text(), answer.links
    lines = document_lines(document, detection)
    return lines.text(), lines.links


def header_and_footer(page: NativeNodes, document: Document, detection: Detection) -> tuple[str, str]:
    """Return the template's text before the first and after the last text of the content.

    The arguments are those of `text_and_links`.
    """
    tags, body, runs = document.tags, document.body or 0, document.texts
    of_content = [
        number
        for number, (run, own) in enumerate(zip(runs, detection.template_texts, strict=True))
        if not (own and detection.template[run.parent]) and run.parent >= body and tags[run.parent] not in SILENT
        if not run.text.isspace()
    ]
    first, last = (of_content[0], of_content[-1]) if of_content else (len(runs), len(runs))
    everything = [True] * len(document)
    header = Detection(everything, [number >= first for number in range(len(runs))], ())
    footer = Detection(everything, [number <= last for number in range(len(runs))], ())
    return text_and_links(page, document, header)[0], text_and_links(page, document, footer)[0]


def document_lines(document: Document, detection: Detection) -> Lines:
    """Return the lines of a page's content."""
    tags, ends, lines = document.tags, document.ends, Lines()
    first_texts, texts_after = _contents_texts(document, detection)
    hidden, formulas = without_text(document), _contents_formulas(document, detection)
    opened: list[tuple[int, bool]] = []
    element, count = document.body or 0, len(document)

    def add(texts: Sequence[str]) -> None:
        for text in texts:
            lines.add(text, in_pre=bool(opened) and opened[-1][1])

    while element < count or opened:
        while opened and ends[opened[-1][0]] <= element:
            left, _ = opened.pop()
            lines.close(tags[left])
            add(texts_after.get(left, ()))
        if element >= count:
            break
        tag = tags[element]
        if element in formulas or hidden[element]:
            lines.add(text_instead(formulas, element, ends[element]))
            add(texts_after.get(element, ()))
            element = ends[element]
            continue
        if tag == "br":
            lines.end()
        if tag in SILENT:
            add(texts_after.get(element, ()))
            element = ends[element]
            continue
        opened.append((element, tag == "pre" or (bool(opened) and opened[-1][1])))
        lines.begin(tag, in_pre=opened[-1][1])
        if tag == "img" and not detection.template[element]:
            lines.add_picture(document.attributes[element])
        add(first_texts.get(element, ()))
        element += 1
    return lines


def _contents_formulas(document: Document, detection: Detection) -> dict[int, str]:
    """Return the text to write for each formula: an empty one if all of the formula is template."""
    formulas = formula_texts(document)
    if not formulas:
        return formulas
    shown = {run.parent for run, own in zip(document.texts, detection.template_texts, strict=True) if not own}
    for element in formulas:
        if all(detection.template[part] and part not in shown for part in range(element, document.ends[element])):
            formulas[element] = ""
    return formulas


def _contents_texts(document: Document, detection: Detection) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """Return the content's texts: by the element whose start tag they follow, and by the one whose end tag."""
    first: dict[int, list[str]] = {}
    after: dict[int, list[str]] = {}
    template = detection.template
    for run, is_template in zip(document.texts, detection.template_texts, strict=True):
        # A template's text leaves a space, so that the words on both sides stay apart.
        text = " " if template[run.parent] and is_template else run.text
        if run.after >= 0:
            after.setdefault(run.after, []).append(text)
        else:
            first.setdefault(run.parent, []).append(text)
    return first, after
