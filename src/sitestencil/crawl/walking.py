"""Apply a compiled template to the parser's tree: write the content's text and number the template.

First measure how well each template of the site fits; then write the content by the best one. Template subtrees are
counted but not read, so most time goes to the content.
"""

from dataclasses import dataclass
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from sitestencil.crawl.compiled_template import CompiledTemplate
from sitestencil.crawl.native_children import NativeNodes
from sitestencil.crawl.native_walking import NativeEntered, NativeMeasuring, NativeWriting
from sitestencil.outputs.formulas import formula_texts
from sitestencil.page.document import Document
from sitestencil.page.parsing import columns
from sitestencil.page.ranges import Range


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
    """

    fit: Fit
    template: tuple[Range, ...]
    elements: int
    text: str
    links: int


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


def page_nodes(root: LexborNode) -> NativeNodes:
    """Return the nodes of a page for templates to read.

    Args:
        root: the page's root element, as `page.parsing.lexbor_root` returns it.
    """
    nodes = NativeNodes(root)
    if nodes.may_have_formulas():
        tags, parents, attributes, texts = columns(root)
        nodes.formulas = formula_texts(Document("", "", tags, parents, attributes, texts))
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
    return Walked(measured.fit, writing.ranges(), writing.elements, writing.text(), writing.links)


def _fit(compiled: CompiledTemplate, paths: set[int], known: int, looked_at: int) -> Fit:
    template, content = len(compiled.template_paths & paths), len(compiled.content_paths & paths)
    shares = (
        template / len(compiled.template_paths) if compiled.template_paths else 1.0,
        content / len(compiled.content_paths) if compiled.content_paths else 1.0,
        known / max(1, looked_at),
    )
    return Fit(sum(shares) / 3, template + content)
