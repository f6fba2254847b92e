"""Write the text of a page's content and number its template: by a compiled template, or of a fully parsed page.

First measure how well each template of the site fits; then write the content by the best one. Template subtrees are
counted but not read, so most time goes to the content.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from sitestencil.crawl.compiled_template import CompiledTemplate
from sitestencil.crawl.may_read_otherwise import may_read_otherwise
from sitestencil.crawl.native_answer import NativeAnswer
from sitestencil.crawl.native_children import NativeNodes
from sitestencil.crawl.native_walking import NativeEntered, NativeMeasuring, NativeWriting
from sitestencil.detectors.detection import Detection
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.errors import NotReadable
from sitestencil.outputs.plain_text import SILENT, Lines
from sitestencil.outputs.reading import Reading, reading
from sitestencil.page.document import Document, Range
from sitestencil.page.parsing import columns


class Fit(NamedTuple):
    """How well a template fits a page.

    Attributes:
        share: 0 to 1: the mean of three shares: of the template's paths and the content's paths that the page has,
            and of the visited elements that are known.
        paths: the number of the template's and the content's paths that the page has.
    """

    share: float
    paths: int


class Measured(NamedTuple):
    """The measurement of a template on a page.

    Attributes:
        fit: how well the template fits.
        entered: the root's entry; None if the template is empty.
    """

    fit: Fit
    entered: NativeEntered | None


# Of a page whose tree cannot be read in place.
NOT_MEASURED = Measured(Fit(0.0, 0), None)


@dataclass(frozen=True, slots=True)
class Walked:
    """The result of a compiled template for a page.

    Attributes:
        fit: how well the template fits.
        template: the numbers of the template's elements, as ranges.
        elements: the number of the page's elements.
        text: the content's text, one line for each block.
        links: the number of the content's links.
        entered: the number of each element with template and content, and of the learned element that it is like.
        passed: the same of the other elements right below these.
    """

    fit: Fit
    template: tuple[Range, ...]
    elements: int
    text: str
    links: int
    entered: Sequence[tuple[int, int]]
    passed: Sequence[tuple[int, int]]

    def detection(self, document: Document, learned: LearnedTemplate) -> Detection:
        """Return the answer of the learned template for the page.

        Args:
            document: the page that was walked.
            learned: the template that the rules come from.
        """
        if document.url == learned.url or not self.entered or self.elements != len(document):
            return learned.apply(document)
        template = [False] * len(document)
        for first, last in self.template:
            template[first:last] = [True] * (last - first)
        body = document.body or 0
        template[:body] = [True] * body
        texts = [template[run.parent] for run in document.texts]
        scores = [0.0] * len(document)
        for element, known in self.passed:
            size = document.ends[element] - element
            scores[element : element + size] = learned.subtree_scores(known, size)
        for element, known in self.entered:
            scores[element] = learned.subtree_scores(known, 1)[0]
            own = learned.sketch.own_text_answers(known) if template[element] else ()
            if not all(own):
                for run, is_template in zip(document.own_texts.get(element, ()), own, strict=False):
                    texts[run] = is_template
        fit, confidence = self.fit.share, learned.columns.confidence
        return Detection(template, texts, learned.candidates, scores, fit=fit, confidence=confidence)


def walk(root: LexborNode, compiled: CompiledTemplate) -> Walked:
    """Apply a template's rules to a page.

    Args:
        root: the page's root element, as `page.parsing.lexbor_root` returns it.
        compiled: the rules.

    Raises:
        NotReadable: the parser's tree cannot be read in place.
    """
    nodes = page_nodes(root)
    return written(nodes, measure(nodes, compiled))


def page_nodes(root: LexborNode, document_of: Callable[[], Document] | None = None) -> NativeNodes:
    """Return the nodes of a page for templates to read.

    Args:
        root: the page's root element, as `page.parsing.lexbor_root` returns it.
        document_of: gives the page's document, if it is read anyway.
    """
    nodes = NativeNodes(root)
    if may_read_otherwise(root):
        document = document_of() if document_of is not None else Document("", "", *columns(root))
        read = reading(document)
        nodes.read(read, read.texts(document))
    return nodes


def measure(page: NativeNodes, compiled: CompiledTemplate) -> Measured:
    """Measure how well a template fits a page.

    Raises:
        NotReadable: the parser's tree cannot be read in place.
    """
    if not len(compiled.learned.sketch):
        return Measured(_fit(compiled, set(), 0, 0), None)
    found = NativeMeasuring(page, compiled.pairings)
    return Measured(_fit(compiled, found.paths, found.known, found.looked_at), found.entered)


def written(page: NativeNodes, measured: Measured) -> Walked:
    """Apply a template to a page that it was measured on.

    Raises:
        NotReadable: the parser's tree cannot be read in place.
    """
    writing = NativeWriting(page, measured.entered)
    found = writing.ranges(), writing.elements, writing.text(), writing.links, writing.entered, writing.passed
    return Walked(measured.fit, *found)


def _fit(compiled: CompiledTemplate, paths: set[int], known: int, looked_at: int) -> Fit:
    template, content = len(compiled.template_paths & paths), len(compiled.content_paths & paths)
    shares = (
        template / len(compiled.template_paths) if compiled.template_paths else 1.0,
        content / len(compiled.content_paths) if compiled.content_paths else 1.0,
        known / max(1, looked_at),
    )
    return Fit(sum(shares) / 3, template + content)


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
        if page.reading is None:
            read = reading(document)
            page.read(read, read.texts(document))
        assert page.reading is not None
        replaced = _replaced(document, detection, page.reading)
        answer = NativeAnswer(page, template, texts, document.body or 0, replaced)
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
    read = reading(document)
    names, replaced = read.names, _replaced(document, detection, read)
    opened: list[tuple[int, bool]] = []
    element, count = document.body or 0, len(document)

    def add(texts: Sequence[str]) -> None:
        for text in texts:
            lines.add(text, in_pre=bool(opened) and opened[-1][1])

    while element < count or opened:
        while opened and ends[opened[-1][0]] <= element:
            left, _ = opened.pop()
            lines.close(names.get(left) or tags[left])
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
    return lines


def _replaced(document: Document, detection: Detection, read: Reading) -> dict[int, str]:
    """Return the text to write in the place of elements: an empty one if all of the element is template."""
    if not read.replaced:
        return read.texts(document)
    shown = {run.parent for run, own in zip(document.texts, detection.template_texts, strict=True) if not own}
    template, ends = detection.template, document.ends
    dropped = {
        element
        for element in read.replaced
        if all(template[part] and part not in shown for part in range(element, ends[element]))
    }
    return read.texts(document, dropped)


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
