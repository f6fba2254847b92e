"""Documents that are edited and stay documents."""

from pathlib import Path

import pytest

from sitestencil.page.document import Document, TextRun
from sitestencil.page.parsing import parse
from sitestencil_research.labels import read_labelled_key_page
from sitestencil_research.perturbations.editable_tree import (
    INSERTED,
    EditableElement,
    EditedDocument,
    edit_body,
    edit_element,
)

PAGE = parse("<body>First<p>One</p>between<!-- --> two<p class=x>Two <b>bold</b> end</p>", "http://x.test/")


def columns(document: Document) -> tuple[list[str], list[int], list[dict[str, str]], list[TextRun]]:
    attributes = [dict(of_element) for of_element in document.attributes]
    return list(document.tags), list(document.parents), attributes, list(document.texts)


def test_a_document_that_is_not_changed_comes_back_as_it_was() -> None:
    edited = edit_body(PAGE, lambda _: None)
    assert columns(edited.document) == columns(PAGE)
    assert list(edited.origins) == list(range(len(PAGE)))


@pytest.mark.parametrize("site", ["kitty", "pandas", "danisancas"])
def test_real_key_pages_come_back_as_they_were(benchmark_sites: Path, site: str) -> None:
    page = read_labelled_key_page(benchmark_sites / site).page.document
    assert columns(edit_body(page, lambda _: None).document) == columns(page)


def test_an_inserted_element_has_no_origin_and_the_others_keep_theirs() -> None:
    edited = edit_body(PAGE, lambda body: body.children.insert(2, EditableElement("hr")))
    assert edited.document.tags == ["html", "head", "body", "p", "hr", "p", "b"]
    assert list(edited.origins) == [0, 1, 2, 3, INSERTED, 4, 5]
    assert edited.labels("EETTCC", "E") == "EETTECC"


def test_texts_stay_beside_their_elements() -> None:
    edited = edit_body(PAGE, lambda body: body.children.insert(2, EditableElement("hr")))
    assert [(run.parent, run.after, run.text) for run in edited.document.texts] == [
        (2, -1, "First"),
        (3, -1, "One"),
        (2, 4, "between"),
        (2, 4, " two"),
        (5, -1, "Two "),
        (6, -1, "bold"),
        (5, 6, " end"),
    ]


def test_the_page_before_stays_as_it_was() -> None:
    before = columns(PAGE)
    edit_element(PAGE, 0, lambda root: root.children.clear())
    assert columns(PAGE) == before


def test_without_an_element_to_edit_nothing_changes() -> None:
    edited = edit_element(PAGE, None, lambda element: element.children.clear())
    assert edited.document is PAGE
    assert edited.labels("TTTTTT", "E") == EditedDocument.unchanged(PAGE).labels("TTTTTT", "E") == "TTTTTT"
