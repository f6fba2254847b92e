"""Namespaces of parsed pages, as browsers give them (compared with Chromium and Firefox in tests/browsers)."""

from tests.support.namespaces import NAMESPACES
from tests.support.tables import table

from sitestencil.page.document import Document
from sitestencil.page.parsing import parse


@table(("html", "expected"), NAMESPACES)
def test_elements_have_the_namespace_that_browsers_give_them(html: str, expected: str) -> None:
    page = parse(f"<!doctype html><body>{html}", "https://example.org/")
    found = [
        f"{page.namespaces.get(element, 'html')}:{page.tags[element]}"
        for element in range((page.body or 0) + 1, len(page))
    ]
    assert " ".join(found) == expected


def test_a_live_page_says_its_namespaces_itself() -> None:
    page = Document("", "", ["html", "svg"], [-1, 0], [{}, {}], [], known_namespaces={})
    assert page.namespaces == {}
