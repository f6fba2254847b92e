"""Answers in which all that a person sees is template, or nothing is."""

from dataclasses import replace

from tests.support.tables import table

from sitestencil import Doubt, parse
from sitestencil.detectors.detection import Detection
from sitestencil.detectors.stencil.doubts import doubt_of_one_sided
from sitestencil.page.document import Box, Document

PAGE = "<title>T</title><header>Menu</header><main><p>A story<img src='boat.png'></main><script>let a;</script>"


def page(*, hidden: str = "") -> Document:
    document = parse(PAGE, "https://site.example/")
    boxes = [Box(0, 0, 0, 0) if tag == hidden else Box(0, 0, 80, 20) for tag in document.tags]
    return replace(document, boxes=boxes)


def answer(document: Document, *template: str) -> Detection:
    """Return the answer that only these elements and their texts are template."""
    elements = [tag in template for tag in document.tags]
    return Detection(elements, [elements[run.parent] for run in document.texts], ("https://site.example/b",))


@table(
    ("template", "doubt"),
    [
        (("header",), None),
        (("header", "p"), None),
        (("header", "p", "img"), Doubt.ALL_TEMPLATE),
        (("html", "head", "title", "body", "script"), Doubt.ALL_CONTENT),
    ],
)
def test_an_answer_is_one_sided_if_all_texts_and_pictures_are_the_same(
    template: tuple[str, ...], doubt: Doubt | None
) -> None:
    document = page()
    assert doubt_of_one_sided(document, answer(document, *template)) is doubt


def test_only_that_counts_which_shows() -> None:
    document = page(hidden="header")
    assert doubt_of_one_sided(document, answer(document, "header")) is Doubt.ALL_CONTENT
