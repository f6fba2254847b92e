"""The compiled modules: that they are used here, and look through a page's text as plain Python does."""

import os
import re
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import version
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from manifest.native import sources
from packaging.version import Version
from supply.distributions import requirements
from tests.support.hostile_documents import is_read_alike
from tests.support.hostile_pages import HOSTILE_MARKUP

from sitestencil.errors import PageUnavailable
from sitestencil.page import limits, native
from sitestencil.page.html_names import NUMBERED_ATTRIBUTES, NUMBERED_ELEMENTS
from sitestencil.page.native import MODULES, PLAIN, why_plain
from sitestencil.page.native_limits import has_tag, has_word, look_through, may_be_deep_without
from sitestencil.page.native_tree import check_layout
from sitestencil.page.shadow_trees import MODE, with_shadow_trees

SMALL_PARTS = st.sampled_from([1, 2, 7, 64, 4096])


def test_the_compiled_modules_are_built_and_used_where_the_tests_run() -> None:
    assert why_plain() is None


def test_all_modules_are_known_that_are_built() -> None:
    built = [source.removesuffix(".pyx").removeprefix("sitestencil/") for source in sources()]
    assert sorted(MODULES) == sorted(built)


def test_where_a_module_is_not_built_yet_none_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "MODULES", (*MODULES, "page/native_tomorrow"))
    assert "native_tomorrow" in (why_plain() or "")


@pytest.mark.parametrize("changed", ["native_example.pyx", "native_shared.pxd"])
def test_a_module_that_is_older_than_its_sources_is_not_used(
    changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "_ROOT", tmp_path)
    monkeypatch.setattr(native, "MODULES", ("page/native_example",))
    folder = tmp_path / "page"
    folder.mkdir()
    names = ("native_example.pyx", "native_shared.pxd", f"native_example{EXTENSION_SUFFIXES[0]}")
    for name in names:
        (folder / name).touch()
        os.utime(folder / name, (1, 1))
    assert why_plain() is None
    os.utime(folder / changed, (2, 2))
    assert "native_example is not built, or older than its source" in (why_plain() or "")


def test_a_module_that_this_python_does_not_load_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sitestencil.page.native_tree", None)
    assert "not for this Python" in (why_plain() or "")


def test_the_parsers_nodes_lie_in_memory_as_they_are_taken_to() -> None:
    assert check_layout()


def test_only_the_version_of_the_parser_is_allowed_whose_layout_is_tested_here() -> None:
    tested = Version(version("selectolax"))
    (asked,) = [asked for asked in requirements("run") if asked.name == "selectolax"]
    following = f"{tested.major}.{tested.minor}.{tested.micro + 1}"
    assert {str(bound) for bound in asked.specifier} == {f">={tested}", f"<{following}"}


def test_the_names_that_the_parser_numbers_are_all_known() -> None:
    """Else a page with one of the others would be read by plain Python, which takes three times as long."""
    html = "".join(f"<{name} {' '.join(NUMBERED_ATTRIBUTES)}></{name}>" for name in NUMBERED_ELEMENTS)
    assert is_read_alike(f"<svg>{html}</svg>{html}<frameset><frame>")
    assert is_read_alike("<frameset><frame src=x>")


def test_plain_python_is_used_where_it_is_asked_for(tmp_path: Path) -> None:
    program = (
        "from sitestencil.page import native; from sitestencil.crawl.walking import page_nodes\n"
        "from sitestencil.page.parsing import lexbor_root\n"
        "print(native.why_plain(), type(page_nodes(lexbor_root(b'<p>x', scripting=False, charset=None))).__name__)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, PLAIN: "1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == f"{PLAIN} is set. PageNodes\n"


def test_where_the_modules_were_not_built_plain_python_is_used_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "_ROOT", tmp_path)
    reason = why_plain()
    assert reason is not None
    assert "a C compiler" in reason


@given(HOSTILE_MARKUP, SMALL_PARTS, st.integers(0, 3))
@example("<" * 50 + "</" * 60 + "<a" * 9, 7, 1)
@example("<BODY><body><\u212aody><bod", 4096, 0)
@example("<b><B/><i\n><s\f><u\x0b><tt ><EM>< b><font><code<strong><stri\u212ae><big></b><small", 4096, 0)
def test_a_text_is_looked_through_as_by_plain_python(text: str, part: int, most_levels: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "_SLICE", part)
        patch.setattr(limits, "MOST_LEVELS", most_levels)
        patch.setattr(limits, "_FEW_TAGS", -1)
        expected = limits._look_through(text)
    found = look_through(text, limits.MOST_TAGS, part, most_levels, limits.MOST_ATTRIBUTES)
    assert found[:5] == expected


PIECES = st.sampled_from(
    "< </ <p> </p> <LI class=a> <br/> <b\u0131> <l\u0130nk> <tr\u00e9> <\u017fource\x85 <trac\u212a/ <optgroup\n "
    "<optgroups> <div> </div> <i> </i> text <<br/> <<p><p/ <p <td".split(" ")
)


@given(st.lists(PIECES, max_size=40).map("".join), SMALL_PARTS, st.integers(0, 3))
@example("<<br/>" * 20, 7, 1)
@example("<div>" * 9 + "</p>" * 9, 4096, 8)
def test_tags_that_do_not_nest_are_left_out_as_by_plain_python(text: str, part: int, most_levels: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "_SLICE", part)
        patch.setattr(limits, "MOST_LEVELS", most_levels)
        expected = limits._may_be_deep(limits._NOT_NESTING.sub("", text))
    assert may_be_deep_without(text, part, most_levels, limits._NOT_NESTING_BYTES) == expected


NESTING = st.sampled_from(
    "<div> </div> <DIV\ta='>'> <b> </B> <p> </p> <html> <br/> <title> </title> </TITLE\n> <style\t <script> "
    "</script> </scripty> <!-- --> --!> <!--> <!---> \r\r> <\r-- <! <? </ </\t > <div ' \" <l\u0130 <\u212a> "
    "</\u212a> <x\u00c9> </x\u00e9> <svg> </svg> <div/> <![CDATA[ ]]> <noscript> \t = \U0001f600".split(" ")
)


@given(st.lists(NESTING, max_size=40).map("".join), st.integers(0, 3), st.integers(0, 6), st.booleans())
@example("<div><script><!--<script></script></div></script><div>", 1, 9, False)
@example("<div><!--></div>--><div>", 1, 9, False)
@example("<style></style <div>", 0, 9, False)
def test_a_page_that_nests_little_passes_the_close_check(
    text: str, most_levels: int, most_repeated: int, scripting: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "MOST_LEVELS", most_levels)
        patch.setattr(limits, "MOST_REPEATED", most_repeated)
        patch.setattr(limits, "_MOST_BODIES", 1)
        if limits._nests_little(text, scripting=scripting):
            limits._check_tags(text, scripting=scripting)
        elif not any(sign in text.lower() for sign in ("svg", "<script>")):
            with pytest.raises(PageUnavailable):
                limits._check_tags(text, scripting=scripting)


def test_pages_with_svg_or_with_very_many_names_are_checked_closely() -> None:
    names = "".join(f"<x{number}></x{number}>" for number in range(200))
    assert limits._nests_little(names, scripting=False)
    assert not limits._nests_little(names + names.replace("x", "y"), scripting=False)
    assert not limits._nests_little("<p><SVG>", scripting=False)


@given(HOSTILE_MARKUP)
@example("<TemplatE shadowrootmode=open>")
@example("<div><template shadowrootmode=open>x</template><select><selectedContent></select>")
def test_a_text_without_these_tags_needs_no_second_look(text: str) -> None:
    if not limits.check_markup(text):
        assert with_shadow_trees(text) is text
        assert not limits.copies_options(text)
    assert limits.check_markup(f"{text}<SELECTEDCONTENT>")


ATTRIBUTES = st.sampled_from(
    " a |/b|=|='x>y'|=\"<i c>\"|=d|'|\"|>|<|</p |\x0b|\u00a0e|\n= f|=/|<\u017f |< |/>|\u20ac |\U0001f600 ".split(
        "|"
    )
)


@given(st.lists(ATTRIBUTES, max_size=40).map("".join), st.integers(1, 5))
@example("<p a='>' b='>' c>", 2)
@example("<p a <b c", 3)
@example('</p a="', 1)
def test_attributes_are_counted_as_by_plain_python(text: str, most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        pattern = limits._TAG_OF_MANY_ATTRIBUTES.pattern.replace(
            f"{{{limits.MOST_ATTRIBUTES + 1}}}", f"{{{most + 1}}}"
        )
        patch.setattr(limits, "_TAG_OF_MANY_ATTRIBUTES", re.compile(pattern))
        expected = limits._look_through(f"<p {text}")[4]
    assert look_through(f"<p {text}", limits.MOST_TAGS, 4096, 512, most)[4] == expected


@given(st.text(alphabet="<sSelectdcon\u017f\u00e9shadowrootmode\U0001f600", max_size=60))
@example("<SelectedContent")
@example("<selectedc")
@example("<selected")
@example("shadowrootmode")
@example("shadowshadowrootmode")
@example("rootmode w")
def test_names_are_looked_for_as_by_plain_python(text: str) -> None:
    assert has_tag(text, b"selectedc") == bool(limits._SELECTED_CONTENT.search(text))
    assert has_word(text, MODE.encode(), MODE.index("w")) == (MODE in text)
