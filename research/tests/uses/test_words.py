"""The words and the size that are left of a page, worked out by hand."""

from sitestencil.detectors.detection import Detection
from sitestencil.page.parsing import parse
from sitestencil_research.uses.corpus import alphanumeric_words, page_size, page_text

_PAGE = "<title>T</title><body><nav>Menu <a href=/>Home</a></nav><script>x()</script><p>Body, text!</p>"


def _template_of_page() -> Detection:
    # html, head, title, body, nav, a, script, p; texts: T, Menu, Home, x(), Body
    return Detection(
        template=[True, True, True, True, True, True, False, False],
        template_texts=[False, True, True, False, False],
        candidates=(),
    )


def test_words_are_lower_case_and_alphanumeric() -> None:
    assert alphanumeric_words("Don't PANIC — it's 42_x é!") == ["don", "t", "panic", "it", "s", "42", "x", "é"]


def test_the_text_of_a_page_is_its_bodys_without_scripts() -> None:
    document = parse(_PAGE, "http://a.test/")
    assert alphanumeric_words(page_text(document)) == ["menu", "home", "body", "text"]
    assert alphanumeric_words(page_text(document, _template_of_page())) == ["body", "text"]


def test_text_that_is_content_inside_a_template_element_stays() -> None:
    document = parse(_PAGE, "http://a.test/")
    detection = _template_of_page()
    changed = Detection(detection.template, [False, False, True, False, False], ())
    assert alphanumeric_words(page_text(document, changed)) == ["menu", "body", "text"]


def test_the_size_is_that_of_the_tags_and_texts_left() -> None:
    document = parse(_PAGE, "http://a.test/")
    assert page_size(document, _template_of_page()) == len("<script>x()</script><p>Body, text!</p>")
    whole = '<html><head><title>T</title></head><body><nav>Menu <a href="/">Home</a></nav></body></html>'
    assert page_size(document) == len(whole) + len("<script>x()</script><p>Body, text!</p>")
