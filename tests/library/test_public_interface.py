"""The package as its caller meets it: its names, its help, and the small cost of an import."""

import asyncio
import io
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.tables import table

import sitestencil


def test_every_public_name_can_be_had_and_is_listed() -> None:
    listed = dir(sitestencil)
    for name in sitestencil.__all__:
        assert getattr(sitestencil, name) is not None
        assert name in listed
    assert len(set(sitestencil.__all__)) == len(sitestencil.__all__)


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing_of_the_kind'"):
        _ = sitestencil.nothing_of_the_kind


IMPORTED = """
import sys
import traceback
before = set(sys.modules)
import sitestencil
dir(sitestencil)
print(*sorted(name for name in set(sys.modules) - before if name.startswith("sitestencil")))
"""
HEAVY = {"selectolax", "lxml", "h11", "msgspec", "ada_url", "xxhash", "rich", "asyncio", "numpy", "sklearn"}


def test_importing_the_package_imports_only_its_version_and_the_package_site() -> None:
    command = [sys.executable, "-c", IMPORTED]
    imported = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert imported == ["sitestencil", "sitestencil.site", "sitestencil.version"]


@table("first_use", ["", "; sitestencil.SitestencilError; sitestencil.Progress"])
def test_importing_the_package_and_its_plain_values_imports_no_library(first_use: str) -> None:
    code = f"import sys, sitestencil{first_use}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    imported = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "sitestencil" in imported
    assert HEAVY.isdisjoint(imported)


def test_extracting_from_pages_in_hand_needs_no_http() -> None:
    code = "import sys, sitestencil; sitestencil.extract('<p>A', url='https://site.example/', pages={})"
    command = [sys.executable, "-c", f"{code}; print('h11' in sys.modules)"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "False\n"


MENU = "<nav><a href='/a'>A</a><a href='/b'>B</a></nav>"
SITE = {f"https://site.example/{name}": f"{MENU}<p>About {name}" for name in "ab"}


def test_every_value_that_a_caller_gets_is_shown_in_a_line() -> None:
    template = sitestencil.extract("https://site.example/a", pages=SITE)
    rules = sitestencil.Rules({"site.example": [sitestencil.Rule("nav", "content")] * 50})
    assert template.reasons is not None
    values = [
        template,
        template.detection,
        template.document,
        template.main,
        template.tree(),
        template.judged_page(),
        template.reasons[0],
        sitestencil.learn("https://site.example/a", pages=SITE),
        sitestencil.File("https://site.example/a.css", b"x" * 1000, None),
        sitestencil.LoadedPage("https://site.example/", b"x" * 1000),
        rules,
    ]
    for value in values:
        shown = repr(value)
        assert "\n" not in shown
        assert len(shown) < 200, shown
        assert " at 0x" not in shown
    assert repr(template).startswith(
        "<Template https://site.example/a: 6 of 7 elements, compared with 1 page, sure"
    )


@table("address", ["http://127.0.0.1:9999/", "http://nowhere.invalid/", "https://127.0.0.1:9999/"])
def test_a_host_that_is_not_reached_is_told_without_its_causes(address: str) -> None:
    for function in (sitestencil.extract, sitestencil.learn):
        with pytest.raises(sitestencil.PageUnavailable) as raised:
            function(address)
        lines = "".join(traceback.format_exception(raised.value)).splitlines()
        assert len(lines) < 20
        assert lines[-1].startswith("sitestencil.errors.PageUnavailable: http")


def test_in_a_coroutine_too_no_cause_is_shown() -> None:
    with pytest.raises(sitestencil.PageUnavailable) as raised:
        asyncio.run(sitestencil.extract_async("http://127.0.0.1:9999/"))
    told = "".join(traceback.format_exception(raised.value))
    assert "During handling" not in told
    assert "direct cause" not in told
    assert len(told.splitlines()) < 60


library: Any = sitestencil  # whose types forbid what follows


@table(
    ("call", "sentence"),
    [
        (lambda t: library.extract(Path(__file__)), "is a file. Give its HTML"),
        (lambda t: library.extract(io.StringIO("<p>"), url=t.url), "a tree of lxml or BeautifulSoup"),
        (lambda t: library.extract(t.url, pages=SITE, early=3), "early= takes a function"),
        (lambda t: library.extract(t.url, pages=SITE, timeout=-1), "at least 0, not -1"),
        (lambda t: library.learn("<p>", url=""), "give the address of the HTML"),
        (lambda t: library.parse("<p>", None), "url= takes the page's address"),
        (lambda t: library.parse(3, t.url), "HTML is bytes, str, or a tree of lxml or BeautifulSoup, not 3"),
        (lambda t: t.content_text(without="title"), "without= takes title, byline"),
        (lambda t: t.content_markdown(without=["titel"]), "not 'titel'"),
        (lambda t: t.to_html(policy=5), r"policy= takes a str or None, not 5 \(int\)"),
        (lambda t: t.to_html(saved="2024"), "saved= takes a date or None, not '2024'"),
        (lambda t: library.load_files(t.to_html()), "Files are loaded for a Template"),
        (lambda t: library.load_files(library.extract("<p>", url="")), "give the page's own with url="),
        (lambda t: library.HttpSource(headers=["Accept: x"]), "headers= takes a dictionary"),
    ],
)
def test_a_wrong_argument_is_told_with_what_is_taken(call: Callable[[Any], object], sentence: str) -> None:
    template = sitestencil.extract("https://site.example/a", pages=SITE)
    with pytest.raises(sitestencil.WrongArgument, match=sentence):
        call(template)
