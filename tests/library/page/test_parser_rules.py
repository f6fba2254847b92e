"""Rendering modes by doctype (HTML Standard, 13.2.6.4.1), and namespaces as Chromium and Firefox give them."""

from tests.support.namespaces import NAMESPACES
from tests.support.tables import table

from sitestencil.page.document import Document
from sitestencil.page.parser_rules import DOCTYPES, RenderingMode, rendering_mode, written_mode
from sitestencil.page.parsing import parse

XHTML = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">'
CASES: list[tuple[str, RenderingMode]] = [
    ("", "quirks"),
    ("<!doctype html>", "no-quirks"),
    ("<!-- x --> <!DOCTYPE HTML>", "no-quirks"),
    ("<!doctype html SYSTEM 'about:legacy-compat'>", "no-quirks"),
    (XHTML, "limited-quirks"),
    (
        '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">',
        "limited-quirks",
    ),
    ('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">', "quirks"),
    ('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">', "no-quirks"),
    ('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">', "quirks"),
    ("<!DOCTYPE html PUBLIC 'html'>", "quirks"),
    ("<!DOCTYPE xhtml>", "quirks"),
]


@table(("doctype", "mode"), CASES)
def test_a_page_has_the_mode_that_its_doctype_asks_for(doctype: str, mode: RenderingMode) -> None:
    assert parse(f"{doctype}<p>x", "https://example.org/").rendering_mode == mode


@table("mode", DOCTYPES)
def test_what_is_written_for_a_mode_asks_for_it(mode: RenderingMode) -> None:
    if DOCTYPES[mode]:
        assert written_mode(DOCTYPES[mode]) == mode
    else:
        assert rendering_mode(None) == mode


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
