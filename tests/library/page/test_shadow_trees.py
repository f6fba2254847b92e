"""Declarative shadow trees: in a document as a browser builds them, and nothing else by their name."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.snapshots import example_snapshot
from tests.support.tables import table

from sitestencil.page.candidate_sketch import CandidateSketch
from sitestencil.page.document import TextRun
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.parsing import parse
from sitestencil.page.shadow_trees import keep_around
from sitestencil.page.snapshot import document_from_snapshot, read_snapshot

URL = "http://site.test/a/"
CARD = '<x-card><template shadowrootmode="open"><p>In the <b>shadow</b></p></template>slotted</x-card>'


def test_an_open_shadow_tree_stands_below_its_host_as_in_a_snapshot() -> None:
    page = parse(f"<!doctype html><body>{CARD}", URL)
    assert page.tags == ["html", "head", "body", "x-card", "template", "p", "b"]
    assert page.parents == [-1, 0, 0, 2, 3, 4, 5]
    assert page.attributes[4] == {"shadowrootmode": "open"}
    assert page.embedded == [4]
    assert page.shadow_hosts == {"x-card"}
    assert page.texts == [TextRun(5, -1, "In the "), TextRun(6, -1, "shadow"), TextRun(3, 4, "slotted")]


def test_shadow_trees_stand_in_shadow_trees_and_keep_what_blocks_would_end() -> None:
    inner = '<y-menu><template shadowrootmode="open"><div>Menu</div></template></y-menu>'
    page = parse(f"<p><x-card><template shadowrootmode=open shadowrootclonable>{inner}</template></x-card>", URL)
    assert page.tags[3:] == ["p", "x-card", "template", "y-menu", "template", "div"]
    assert page.attributes[5] == {"shadowrootmode": "open", "shadowrootclonable": ""}
    assert page.parents[3:] == [2, 3, 4, 5, 6, 7]


@table(
    "html",
    [
        "<x-card><template><p>inert</p></template></x-card>",
        '<x-card><template shadowrootmode="closed"><p>closed</p></template></x-card>',
        '<table><template shadowrootmode="open"><p>no host</p></template></table>',
        '<x-card><b>first</b><template shadowrootmode="open"><p>second</p></template></x-card>',
        '<x-card><template title=" shadowrootmode=open "><p>said in a title</p></template></x-card>',
        '<template><x-card><template shadowrootmode="open"><p>inert</p></template></x-card></template>',
        '<script>"<x-card><template shadowrootmode=open><p>text</p></template>"</script>',
        '<!-- <x-card><template shadowrootmode="open"><p>comment</p></template> -->',
    ],
)
def test_other_templates_hold_nothing(html: str) -> None:
    page = parse(f"<body>{html}", URL)
    assert "p" not in page.tags
    assert page.embedded == []


def test_the_slots_of_a_page_whose_root_is_no_html_element_are_kept() -> None:
    names = ["x-root", "x-card", "template", "slot"]
    fields = {
        "tags": [0, 1, 2, 3],
        "parents": [-1, 0, 1, 2],
        "attributes": [[], [], [], []],
        "texts": [[1, 2, "a"]],
    }
    page = document_from_snapshot(read_snapshot({**example_snapshot(), **fields, "names": names}))
    keep = [False] * len(page.tags)
    keep_around(page, keep, [True] * len(page.texts))
    assert keep[page.tags.index("slot")]


def test_an_applet_of_the_page_is_no_shadow_root() -> None:
    applet = "<applet shadowrootmode=open><p>old</p></applet>"
    assert parse(f"<body>{applet}{CARD}", URL).tags[3:] == ["applet", "p", "x-card", "template"]


PLAIN = """
<template> </template> <x-card> </x-card> <div> </div> <p> </p> <table> <tr> </table> <applet> </applet> <svg>
</svg> <!--a--> <style>p{}</style> <select> <form> <b> </b> text <object>
"""
PIECES = st.sampled_from([*PLAIN.split(), '<template shadowrootmode="open">', "<template shadowrootmode=closed>"])


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=30).map("".join), st.sets(st.sampled_from(["x-card", "div", "p"])))
def test_whatever_the_markup_bytes_and_tree_are_numbered_alike(html: str, hosts: set[str]) -> None:
    document = parse(html, URL)
    key, candidate = KeySketch(document, hosts), CandidateSketch(html, URL, scripting=False, shadow_hosts=hosts)
    for column in ("tags", "parents", "own_texts", "hashes", "goes_with", "document_elements"):
        assert list(getattr(key, column)) == list(getattr(candidate, column))
    assert not any("made-" in name for attributes in document.attributes for name in attributes)
