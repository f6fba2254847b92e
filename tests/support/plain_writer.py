"""A crawl's writer in plain Python: what the compiled one is compared with."""

from collections.abc import Sequence

from selectolax.lexbor import LexborNode

from sitestencil.crawl.compiled_template import CompiledTemplate
from sitestencil.crawl.page_text import Walked, measure, page_nodes, replaced_texts, text_and_links, walked
from sitestencil.detectors.detection import Detection
from sitestencil.outputs.plain_text import SILENT, Lines
from sitestencil.outputs.reading import reading
from sitestencil.page.document import Document
from sitestencil.page.parsing import document_of


def walk(root: LexborNode, compiled: CompiledTemplate) -> Walked:
    """Apply a template to a page."""
    nodes = page_nodes(root)
    return walked(nodes, measure(nodes, compiled))


def walked_text(root: LexborNode, compiled: CompiledTemplate) -> str:
    """Return the text of a page's content by a template."""
    return crawled(root, document_of(root, "", "https://site.example/", scripting=False), walk(root, compiled))[0]


def crawled(root: LexborNode, document: Document, answer: Detection | Walked) -> tuple[str, int]:
    """Return what a crawl writes of a page, and the number of its links."""
    return text_and_links(page_nodes(root), lambda: document, answer)


def written(document: Document, detection: Detection) -> tuple[str, int]:
    """Return the text of a page's content, one line for each block, and the number of its links."""
    tags, ends, lines, links = document.tags, document.ends, Lines(), 0
    first_texts, texts_after = _contents_texts(document, detection)
    read = reading(document)
    names, replaced = read.names, replaced_texts(document, detection, read)
    opened: list[tuple[int, bool]] = []
    element, count = document.body or 0, len(document)

    def add(texts: Sequence[str]) -> None:
        for text in texts:
            lines.add(text, in_pre=bool(opened) and opened[-1][1])

    while element < count or opened:
        while opened and ends[opened[-1][0]] <= element:
            left, _ = opened.pop()
            lines.close(names.get(left) or tags[left])
            links += (names.get(left) or tags[left]) == "a" and not detection.template[left]
            add(texts_after.get(left, ()))
        if element >= count:
            break
        tag = names.get(element) or tags[element]
        if element in replaced:
            lines.add(replaced[element])
            add(texts_after.get(element, ()))
            element = ends[element]
            continue
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
    return lines.text(), links


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
