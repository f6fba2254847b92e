"""Documents from a browser's snapshot."""

from typing import Any

import pytest
from tests.support.judged_pages import all_content
from tests.support.snapshots import example_snapshot
from tests.support.tables import table

from sitestencil.errors import InvalidAddress, MalformedSnapshot
from sitestencil.extraction import extract
from sitestencil.outputs.plain_text import document_text
from sitestencil.page.document import Box, TextRun
from sitestencil.page.snapshot import document_from_snapshot, read_snapshot

FIELDS = example_snapshot()


def test_the_protocols_example_is_a_document() -> None:
    page = document_from_snapshot(read_snapshot(FIELDS))
    assert page.tags == ["html", "head", "title", "body", "a"]
    assert page.classes[3] == {"home", "wide"}
    assert page.texts[1] == TextRun(4, -1, "Next")
    assert page.scripting


def test_the_browsers_boxes_are_the_documents_and_may_be_missing() -> None:
    boxes = [[0, 0, 1280, 900], [0, 0, 0, 0], [0, 0, 0, 0], [8, 8, 1264, 18], [8, 8.5, 32, 18]]
    page = document_from_snapshot(read_snapshot({**FIELDS, "boxes": boxes}))
    assert page.boxes is not None
    assert page.boxes[4] == Box(8, 8.5, 32, 18)
    assert document_from_snapshot(read_snapshot({**FIELDS, "boxes": None})).boxes is None
    assert document_from_snapshot(read_snapshot(FIELDS)).boxes is None


def test_fields_that_are_not_known_yet_are_ignored() -> None:
    assert read_snapshot({**FIELDS, "weather": "fine"}).url == FIELDS["url"]


def test_line_ends_are_those_that_the_browser_shows_whatever_the_pages_rules_say() -> None:
    fields = {**FIELDS, "attributes": [[], [], [], [], ["style", "white-space: pre"]]}
    fields["texts"] = [[4, -1, "Low water.\nHigh water."], [3, 4, "At six.\nAt noon."]]
    for lines, text in (
        ([[3, 4]], "Low water. High water.At six.\nAt noon."),
        (None, "Low water.\nHigh water.At six. At noon."),
    ):
        page = document_from_snapshot(read_snapshot({**fields, "lines": lines}))
        assert document_text(page, all_content(page)) == f"{text}\n"


@table(
    "change",
    [
        {"parents": [-1, 0, 1, 0]},
        {"parents": [0, 0, 1, 0, 3]},
        {"parents": [-1, -1, 1, 0, 3]},
        {"parents": [-1, 0, 1, 3, 3]},
        {"parents": [-1, 0, 1, 0, 2]},
        {"parents": [-1, 0, 1, 0, 10**30]},
        {"tags": [0, 1, 2, 3, 5]},
        {"tags": [0, 1, 2, 3, -1]},
        {"tags": [], "parents": [], "attributes": [], "texts": []},
        {"attributes": [["lang"], [], [], [], []]},
        {"attributes": [["lang", 5], [], [], [], []]},
        {"texts": [[5, -1, "x"]]},
        {"texts": [[3, 1, "x"]]},
        {"texts": [[3, -1]]},
        {"url": None},
        {"names": "html"},
        {"boxes": [[0, 0, 1280, 900]]},
        {"lines": [[3, 6]]},
        {"lines": [[2, 4], [3, 5]]},
        {"boxes": [[0, 0, 1280]] * 5},
        {"boxes": [[0, 0, 1280, 900]] * 4 + [[0, -1e308, 1280, 900]]},
        {"boxes": [[0, 0, 1280, 900]] * 4 + [[0, 0, float("nan"), 900]]},
    ],
)
def test_columns_that_make_no_tree_are_refused_in_words(change: dict[str, Any]) -> None:
    with pytest.raises(MalformedSnapshot, match="snapshot"):
        document_from_snapshot(read_snapshot({**FIELDS, **change}))


SHADOW: dict[str, Any] = {
    **FIELDS,
    "names": ["html", "head", "body", "my-menu", "template", "a", "iframe", "p"],
    #         0 html 1 head 2 body 3 my-menu 4 #shadow 5 a 6 iframe 7 html 8 body 9 p
    "tags": [0, 1, 2, 3, 4, 5, 6, 0, 2, 7],
    "parents": [-1, 0, 0, 2, 3, 4, 2, 6, 7, 8],
    "attributes": [[], [], [], ["id", "m"], ["shadowrootmode", "open"], ["href", "/b"], [], [], [], []],
    "texts": [[5, -1, "B"], [9, -1, "framed"]],
}


def test_shadow_roots_and_frames_are_embedded_trees_beside_the_pages_own() -> None:
    page = document_from_snapshot(read_snapshot(SHADOW))
    assert page.embedded == [4, 7]
    assert page.children[2] == [3, 6]
    assert page.children[3] == page.children[6] == []
    assert page.body == 2


def test_a_link_in_a_shadow_root_counts_and_the_tree_goes_with_its_host() -> None:
    page = document_from_snapshot(read_snapshot(SHADOW))
    other = '<body><my-menu id="m"></my-menu><a href="/c">More</a>'
    elements = extract(page, pages={"https://example.org/b": other}).elements
    assert elements[3:6] == [True, True, True]
    assert elements[6:] == [False] * 4


def live(**fields: Any) -> dict[str, Any]:
    return {
        "url": "https://example.org/",
        "base": "https://example.org/",
        "names": ["html", "body", "svg", "SCRIPT"],
        "tags": [0, 1, 2, 3],
        "parents": [-1, 0, 1, 1],
        "attributes": [[], [], [], []],
        "texts": [],
        **fields,
    }


def test_namespaces_and_exact_names_of_a_live_page_are_kept() -> None:
    page = document_from_snapshot(read_snapshot(live(namespaces=[[2, 3, "svg"]])))
    assert page.namespaces == {2: "svg"}
    assert page.tags[3] == "SCRIPT"


def test_a_snapshot_without_namespaces_has_those_that_a_parser_gives() -> None:
    assert document_from_snapshot(read_snapshot(live())).namespaces == {2: "svg"}


@table("namespaces", [[[3, 9, "svg"]], [[3, 2, "svg"]], [[1, 3, "svg"], [2, 4, "math"]], [[0, 1, "x"]]])
def test_namespaces_of_other_elements_are_refused(namespaces: list[Any]) -> None:
    with pytest.raises(MalformedSnapshot, match="malformed"):
        document_from_snapshot(read_snapshot(live(namespaces=namespaces)))


@table(
    ("fields", "mode"),
    [
        ({}, "quirks"),
        ({"doctype": "html"}, "no-quirks"),
        ({"compat_mode": "BackCompat", "doctype": "html"}, "quirks"),
        ({"compat_mode": "CSS1Compat"}, "no-quirks"),
        ({"compat_mode": "CSS1Compat", "public_id": "-//W3C//DTD XHTML 1.0 Transitional//EN"}, "limited-quirks"),
    ],
)
def test_a_live_page_keeps_its_rendering_mode(fields: dict[str, str], mode: str) -> None:
    assert document_from_snapshot(read_snapshot(live(**fields))).rendering_mode == mode


@table("url", ["", "about:blank", "https://", "http:///", "file:///etc/passwd", "example.org"])
def test_a_snapshot_of_no_web_page_is_refused(url: str) -> None:
    with pytest.raises(InvalidAddress):
        document_from_snapshot(read_snapshot(example_snapshot() | {"url": url}))


def test_the_pages_address_is_in_its_normal_form_without_user_and_password() -> None:
    document = document_from_snapshot(read_snapshot(example_snapshot() | {"url": "HTTPS://me:pw@Example.org"}))
    assert document.url == "https://example.org/"
