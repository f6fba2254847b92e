"""Prove a project: build its pages, and compare each with the page that it came from."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from posixpath import dirname, join, normpath
from urllib.parse import unquote
from zlib import crc32

from sitestencil.page.document import Document
from sitestencil.page.html_names import BLOCKS
from sitestencil.page.page_title import page_title
from sitestencil.page.parsing import parse
from sitestencil.page.words import words
from sitestencil.rebuild.nodes import HOLE, ROOT, html_of
from sitestencil.rebuild.pages import Page, shown_texts

_SPACE = re.compile(r"\s+")
_HELD_OUT = 10  # one of so many pages of a kind
_LEAST_OF_KIND = 5
_LINKS = ("href", "src", "poster")
_EDGES = BLOCKS - {"pre"}


@dataclass(frozen=True, slots=True)
class PageProof:
    """How a built page compares with its original.

    Attributes:
        path: its path.
        kind: its kind.
        is_markdown: whether its content file is Markdown.
        is_new: whether the layouts had never seen it, and it had only its fields and its main content.
        is_equal: whether it is the same tree as the original's safe form.
        has_title: whether the title is the same.
        words: the F1 of its words, those of the original as it came.
        broken: its links within the project that lead nowhere.
        links: the number of its links within the project.
    """

    path: str
    kind: str
    is_markdown: bool
    is_new: bool
    is_equal: bool
    has_title: bool
    words: float
    broken: Sequence[str]
    links: int


def held_out(pages: Sequence[Page]) -> set[int]:
    """Return the numbers of pages to keep from learning: a tenth of each kind, at least one of five."""
    chosen = set[int]()
    for kind in {page.kind for page in pages}:
        ranked = sorted((crc32(page.path.encode()), page.number) for page in pages if page.kind == kind)
        share = max(1, len(ranked) // _HELD_OUT) if len(ranked) >= _LEAST_OF_KIND else 0
        chosen.update(number for _, number in ranked[:share])
    return chosen


def original_html(page: Page, root: str | None = None) -> str:
    """Return a page's safe form as it came, with links within the project from its root or another one."""
    (_, doctype), *_ = page.root.attributes
    html = html_of(page.root.children)
    if page.main is not None:
        html = html.replace(HOLE, html_of(page.main))
    return f"{doctype}\n{html}".replace(ROOT, root or "../" * page.path.count("/") or "./")


def proved(page: Page, html: str, files: Mapping[str, object], *, is_new: bool = False) -> PageProof:
    """Return how a built page compares with its original; `files` are those of the built site."""
    original, made = parse(original_html(page), page.url, scripting=True), parse(html, page.url, scripting=True)
    found = words(" ".join(shown_texts(made)))
    links = [*_links(made)]
    broken = [link for link in links if normpath(join(dirname(page.path), link)) not in files]
    return PageProof(
        page.path,
        page.kind,
        bool(page.markdown),
        is_new,
        shape(original, edges=not page.markdown) == shape(made, edges=not page.markdown),
        page_title(original) == page_title(made),
        round(f1(page.words, found), 4),
        broken,
        len(links),
    )


def f1(one: Sequence[str], other: Sequence[str]) -> float:
    """Return the F1 of the words of two texts, each as often as it stands there."""
    if not one and not other:
        return 1.0
    shared = (Counter(one) & Counter(other)).total()
    return 2 * shared / (len(one) + len(other))


def shape(document: Document, *, edges: bool = True) -> list[object]:
    """Return a page's tree for comparison: elements with attributes, and texts with white space as one space.

    Args:
        document: the page.
        edges: whether white space counts that stands beside the edge of a block, where no browser shows it.
    """
    steps: list[object] = [document.doctype]
    steps += [
        (tag, parent, sorted((name, " ".join(value.split())) for name, value in attributes.items()))
        for tag, parent, attributes in zip(document.tags, document.parents, document.attributes, strict=True)
    ]
    texts: dict[tuple[int, int], str] = {}
    for parent, after, text in document.texts:
        if document.tags[parent] != "style":
            texts[parent, after] = texts.get((parent, after), "") + text
    shown = {place: _SPACE.sub(" ", text) for place, text in texts.items()}
    if not edges:
        shown = {place: one for place, text in shown.items() if (one := _without_edges(document, place, text))}
    return [*steps, *shown.items()]


def _without_edges(document: Document, place: tuple[int, int], text: str) -> str:
    parent, after = place
    beside = document.children[parent]
    at = bisect_right(beside, after)
    before, behind = after if after >= 0 else parent, beside[at] if at < len(beside) else parent
    text = text.lstrip() if document.tags[before] in _EDGES else text
    return text.rstrip() if document.tags[behind] in _EDGES else text


def _links(document: Document) -> Iterator[str]:
    for attributes in document.attributes:
        for name in _LINKS:
            address = attributes.get(name, "").strip()
            if address and not re.match(r"[a-z][a-z0-9+.-]*:|//|#", address, re.IGNORECASE):
                yield unquote(re.split("[?#]", address, maxsplit=1)[0]) or "."
