"""Browsers read saved pages back as the trees that were meant, and give elements the namespaces we think."""

from unittest.mock import patch

from hypothesis import HealthCheck, Phase, given, settings
from tests.browsers.conftest import Serve
from tests.support.browsers import Browser
from tests.support.judged_pages import all_content
from tests.support.namespaces import NAMESPACES
from tests.support.server import Answer
from tests.support.trees import live_documents

from sitestencil.outputs import page_tree
from sitestencil.outputs.safe_writing import events, written
from sitestencil.outputs.tree import Element
from sitestencil.page.document import Document
from sitestencil.page.parser_rules import RenderingMode
from sitestencil.saving.standalone_html import annotated_html

PAGES = 300
READ = """pages => {
    const spaces = {
        "http://www.w3.org/1999/xhtml": "html",
        "http://www.w3.org/2000/svg": "svg",
        "http://www.w3.org/1998/Math/MathML": "math",
    };
    const sorted = element => [...element.attributes].map(({name, value}) => [name, value])
        .sort(([a], [b]) => a < b ? -1 : 1);
    const walk = (node, out) => {
        if (node.nodeType === 3) out.push(["text", node.data]);
        if (node.nodeType !== 1) return;
        out.push(["start", spaces[node.namespaceURI], node.localName, sorted(node)]);
        if (node.shadowRoot) {
            out.push(["start", "html", "object", [["shadowrootmode", "open"]]]);
            node.shadowRoot.childNodes.forEach(child => walk(child, out));
            out.push(["end"]);
        }
        node.childNodes.forEach(child => walk(child, out));
        out.push(["end"]);
    };
    return pages.map(html => {
        const out = [], page = Document.parseHTMLUnsafe(html);
        walk(page.documentElement, out);
        return [page.compatMode, out];
    });
}"""


def written_pages() -> list[tuple[str, Element, RenderingMode]]:
    """Return texts, the trees that they are to give, and their rendering modes."""
    pages: list[tuple[str, Element, RenderingMode]] = []
    trees: list[Element] = []

    def remembered(html: Element, body: Element, mode: RenderingMode) -> str:
        trees.append(html)
        return written(html, body, mode)

    @settings(
        max_examples=PAGES, derandomize=True, database=None, phases=[Phase.generate], deadline=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(live_documents())
    def write(document: Document) -> None:
        text = annotated_html(all_content(document), "marked")
        pages.append((text, trees[-1], document.rendering_mode))

    with patch.object(page_tree, "written", remembered):
        write()
    return pages


def test_what_is_written_is_read_back_by_the_browser_as_the_tree_that_was_meant(
    browser: Browser, serve: Serve
) -> None:
    pages = written_pages()
    browser.open(serve({"/": Answer(b"<!doctype html><title>Reader</title>")}).base + "/")
    read = browser.run(READ, [text for text, _, _ in pages])
    assert len(read) >= PAGES
    for (text, tree, mode), (compat_mode, found) in zip(pages, read, strict=True):
        meant = [
            [list(map(list, part)) if isinstance(part, tuple) else part for part in one] for one in events(tree)
        ]
        assert found == meant, text
        assert (compat_mode == "BackCompat") == (mode == "quirks"), text


def test_browsers_give_the_namespaces_that_the_library_gives(browser: Browser, serve: Serve) -> None:
    browser.open(serve({"/": Answer(b"<!doctype html><title>Reader</title>")}).base + "/")
    read = browser.run(READ, [f"<!doctype html><body>{html}" for html, _ in NAMESPACES])
    for (html, expected), (_, found) in zip(NAMESPACES, read, strict=True):
        elements = [f"{one[1]}:{one[2]}" for one in found if one[0] == "start"]
        assert " ".join(elements[3:]) == expected, html
