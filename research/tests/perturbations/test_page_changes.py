"""The changes that may happen to one page."""

from sitestencil.page.document import Document
from sitestencil.page.parsing import parse
from sitestencil.page.serialization import to_html
from sitestencil_research.perturbations import page_changes as changes
from sitestencil_research.perturbations.editable_tree import INSERTED

URL = "https://www.site.test/a/b.html"
HTML = (
    "<!doctype html><title>T</title><body class='a b c d'><h1 id=h class=x title=y>Head</h1>Text"
    "<p><a href='/c'>C</a><a href='https://www.site.test/d'>D</a><a href='//site.test?q'>Q</a>"
    "<a href='https://notsite.test/e'>E</a></p>"
)
PAGE = parse(HTML, URL)


def references(page: Document) -> list[str]:
    return [reference for _, reference in page.hyperlinks()]


def test_a_wrapper_holds_all_of_the_body_its_texts_too() -> None:
    wrapped = changes.wrapped(PAGE)
    body = wrapped.document.body
    assert body is not None
    assert [wrapped.document.tags[child] for child in wrapped.document.children[body]] == ["div"]
    assert body not in wrapped.document.own_texts
    assert list(wrapped.origins).count(INSERTED) == 1


def test_an_empty_first_child_comes_before_everything() -> None:
    edited = changes.with_empty_first_child(PAGE).document
    body = edited.body
    assert body is not None
    first = edited.children[body][0]
    assert edited.tags[first] == "div" and edited.ends[first] == first + 1


def test_a_parser_reads_the_changed_page_as_it_is() -> None:
    for change in (
        changes.wrapped,
        changes.with_empty_first_child,
        changes.with_consent_banner,
        changes.with_leftovers_of_scripts,
    ):
        edited = change(PAGE).document
        again = parse(to_html(edited), URL)
        assert (again.tags, again.parents) == (edited.tags, edited.parents)


def test_leftovers_of_scripts_keep_every_element_and_class_of_the_page() -> None:
    edited = changes.with_leftovers_of_scripts(PAGE)
    assert [origin for origin in edited.origins if origin != INSERTED] == list(range(len(PAGE)))
    body = edited.document.body
    assert body is not None
    assert {"a", "b", "c", "d", "loaded"} <= edited.document.classes[body]


def test_shuffled_attributes_are_the_same_in_another_order() -> None:
    shuffled = changes.with_shuffled_attributes(PAGE).document
    assert list(shuffled.attributes) == list(PAGE.attributes)
    orders = [list(of_element) for of_element in shuffled.attributes]
    assert orders != [list(of_element) for of_element in PAGE.attributes]


def test_shuffled_classes_are_the_same_set_in_another_order() -> None:
    shuffled = changes.with_shuffled_classes(PAGE).document
    body = PAGE.body
    assert body is not None
    assert shuffled.classes == PAGE.classes
    assert shuffled.attributes[body]["class"] != PAGE.attributes[body]["class"]
    assert changes.with_shuffled_classes(PAGE).document.attributes == shuffled.attributes


def test_a_move_renames_the_site_s_own_host_only_and_keeps_its_www() -> None:
    moved = changes.on_host(PAGE, changes.HostMove("site.test", "new.example:81"))
    assert moved.url == moved.base == "https://www.new.example:81/a/b.html"
    assert references(moved) == [
        "/c",
        "https://www.new.example:81/d",
        "//new.example:81?q",
        "https://notsite.test/e",
    ]


def test_a_move_back_is_where_it_began() -> None:
    move = changes.HostMove("site.test", "new.example:81")
    assert changes.on_host(changes.on_host(PAGE, move), move.back()).attributes == PAGE.attributes


def test_links_to_a_page_that_never_was_lead_to_another_site() -> None:
    page = changes.without_links_to(PAGE, "https://site.test/d", URL)
    elsewhere = references(page)[1]
    assert "site.test" not in elsewhere
    assert references(page) == ["/c", elsewhere, "//site.test?q", "https://notsite.test/e"]
