"""The compiled reading of a page gives what plain Python gives: on real pages, and on pages made to confuse it."""

from pathlib import Path
from time import process_time

import pytest
from hypothesis import example, given
from selectolax.lexbor import LexborNode
from tests.support.hostile_pages import HOSTILE_MARKUP
from tests.support.random_pages import BODIES

from sitestencil.errors import NotReadable
from sitestencil.evaluation.labels import labelled_sites
from sitestencil.page.candidate_sketch import CandidateSketch
from sitestencil.page.native_reading import read_elements
from sitestencil.page.parsing import columns, lexbor_root
from sitestencil.site.sources.stored import StoredSite

URL = "https://site.example/a/"
COLUMNS = ("tags", "parents", "own_texts", "goes_with", "ends", "hashes", "base")


def read_both(html: str | bytes, monkeypatch: pytest.MonkeyPatch) -> tuple[CandidateSketch, CandidateSketch]:
    """Return the page's sketch by the compiled module, and by plain Python; its document is compared here."""
    root = lexbor_root(html, scripting=False, charset=None)
    assert root is None or columns(root) == columns(root, plain=True)
    native = CandidateSketch(html, URL, scripting=False, parsed=root)
    with monkeypatch.context() as patch:
        patch.setattr("sitestencil.page.candidate_sketch.NATIVE", False)
        return native, CandidateSketch(html, URL, scripting=False, parsed=root)


def what_is_read(sketch: CandidateSketch) -> list[object]:
    elements = range(len(sketch))
    return [
        *(list(getattr(sketch, name)) for name in COLUMNS),
        [sketch.kinds[element] for element in elements],
        [list(sketch.attributes(element).items()) for element in elements],
        [sketch.ids[element] or None for element in elements],
    ]


def root_of(html: str) -> LexborNode:
    root = lexbor_root(html, scripting=False, charset=None)
    assert root is not None
    return root


@given(HOSTILE_MARKUP)
@example("<img alt><img alt=''><img alt=a><input value=b placeholder=c><input type=x value>")
@example("<base><svg><base href=x></base></svg><base href=/b/><base href=/c/><a href=d data-x=1 DATA-Y='2'>")
@example("<html class=a><body class=b id=c><html class=d><frameset><frame src=x></frameset>")
@example("<svg><html><p viewBox=1 xlink:href=x>in</svg><script>no</script><head>x</head>")
@example("<template><p>not read<img alt=x></template><applet><p>read</applet>")
@example("<ul>" + "<li data-a-long-name-of-an-attribute=x data-b class='a1 b'>text" * 40)
@example("")
def test_hostile_pages_are_read_as_by_plain_python(html: str) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        native, plain = read_both(html, monkeypatch)
    assert what_is_read(native) == what_is_read(plain)


@given(BODIES)
def test_common_pages_are_read_as_by_plain_python(html: str) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        native, plain = read_both(html, monkeypatch)
    assert what_is_read(native) == what_is_read(plain)


def test_stored_pages_are_read_as_by_plain_python(benchmark_sites: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = labelled_sites(benchmark_sites)
    assert folders
    for folder in folders:
        native, plain = read_both(StoredSite(folder).key_page_bytes(), monkeypatch)
        assert what_is_read(native) == what_is_read(plain), folder.name


def test_a_shadow_tree_is_read_by_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    html = "<div><template shadowrootmode=open><p>in the shadow</p></template>light</div>"
    with pytest.raises(NotReadable):
        read_elements(root_of(html))
    native, plain = read_both(html, monkeypatch)
    assert native.own_texts == plain.own_texts


@pytest.mark.parametrize("piece", ["<base>", "<template></template>", "<svg><base href=x></base></svg>"])
def test_no_element_costs_a_way_through_the_page(piece: str) -> None:
    """The elements before it are not counted again for each: 30,000 took minutes."""
    root = root_of("<i></i>" * 9_000 + piece * 30_000)
    start = process_time()
    read_elements(root)
    assert process_time() - start < 1


def test_an_element_that_is_not_there_is_an_error() -> None:
    *_, elements = read_elements(root_of("<p>one"))
    for number in (-1, 3, 10**6):
        with pytest.raises(IndexError):
            elements.attributes(number)
