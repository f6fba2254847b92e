"""No format takes the square of a page's size: each shape is written at two sizes, one four times the other."""

from collections.abc import Callable, Mapping
from sys import getrefcount
from time import process_time

import pytest

from sitestencil.detectors.detection import Detection
from sitestencil.outputs.allowed_markup import Value, kind_of_value
from sitestencil.page.gc_pause import collector_paused
from sitestencil.page.parsing import parse
from sitestencil.template import Template

N = 250
MOST_GROWTH = 5.0
# Below this many seconds a clock tells little.
FLOOR = 0.02
TRIES = 24  # of which a quiet machine needs one

Shape = Callable[[int], str]
# Each repeats a piece within one element, beside it, or in elements that hold each other (at most 400 deep).
SHAPES: Mapping[str, Shape] = {
    "paragraphs": lambda n: "<p>Some words of a text.</p>" * n,
    "words in one paragraph": lambda n: "<p>" + "word and " * n,
    "breaks": lambda n: "<p>" + "a<br>" * n,
    "emphasis side by side": lambda n: "<p>" + "<b><i><s>x</s></i></b>" * n,
    "emphasis with words between": lambda n: "<p>" + "<b>x</b>, y <i>z</i>. " * n,
    "unclosed emphasis": lambda n: "<p>" + "<b>x <i>y " * min(n // 4, 100) + "z " * n,
    "spans": lambda n: "<p>" + "<span>Word</span>" * n,
    "empty spans": lambda n: "<p>" + "<span></span>" * n + "x",
    "nested spans": lambda n: ("<div>" + "<span>" * 100 + "x" + "</span>" * 100 + "</div>") * (n // 25),
    "links": lambda n: "<p>" + "<a href=/x>word</a>" * n,
    "links to one place": lambda n: "<p id=a>" + "<a href=#a>1</a> " * n,
    "pictures": lambda n: "<p>" + "<img src=a.png alt='A boat'>" * n,
    "pictures on lines of their own": lambda n: "<p><img src=a.png alt='A boat'></p>" * n,
    "pictures without words": lambda n: "<p>" + "<img src=a.png alt=''>" * n + "x",
    "headings": lambda n: "<h2>Title</h2><p>Text" * n,
    "items": lambda n: "<ul>" + "<li>Item" * n,
    "items without a list": lambda n: "<li>Item" * n,
    "numbered items": lambda n: "<ol start=7>" + "<li value=3>Item" * n,
    "lists beside items": lambda n: "<ul>" + "<li>Item</li><ul><li>Inner</ul>" * n,
    "lists in lists": lambda n: ("<ul><li>Item" * 30 + "</ul>" * 30) * (n // 25),
    "definitions": lambda n: "<dl>" + "<dt>Term<dd>Sense" * n,
    "quotations in each other": lambda n: ("<blockquote>x" * 30 + "</blockquote>" * 30) * (n // 25),
    "rows": lambda n: "<table>" + "<tr><th>Name<td>1<td>2" * n,
    "rows that cover": lambda n: "<table>" + "<tr><td colspan=99 rowspan=99>x" * n,
    "columns that cover": lambda n: "<table><tr>" + "<td rowspan=800>x" * n + "<tr><td>y" * n,
    "one long row": lambda n: "<table><tr>" + "<td>x" * n + "<tr><td>y" * 40,
    "tables": lambda n: "<table><tr><td>a<td>b</table>" * n,
    "tables of wide cells": lambda n: "<table><tr><td colspan=99>a<tr><td>b</table>" * n,
    "tables in tables": lambda n: ("<table><tr><td>x" * 20 + "</table>" * 20) * (n // 25),
    "captions": lambda n: "<table><caption>Of it</caption><tr><th>a<td>b</table>" * n,
    "code blocks below many classes": lambda n: f"<div class='{'lang: x ' * n}'>" + "<pre>x</pre>" * n,
    "code blocks in blocks with classes": lambda n: "<div class='lang: x y'><pre>a</pre></div>" * n,
    "lines of code": lambda n: "<pre>" + "<code class=line>x = 1</code>\n" * n,
    "numbered lines of code": lambda n: "<pre>" + "<span class=lineno>1</span>x\n" * n,
    "code with breaks": lambda n: "<p>" + "<code>x<br>y</code> " * n,
    "blocks of code that are lines": lambda n: "<div>" + "<pre class=line>x</pre>" * n + "<p>y",
    "buttons in a heading": lambda n: "<h2>" + "<button>a b</button> c " * n,
    "buttons in a line": lambda n: "<div>" + "<span>x <button>a</button></span> c " * n,
    "boxes in a line": lambda n: "<div>" + "a <p style=display:inline>b</p>" * n,
    "parts that a control opens": lambda n: (
        "<p id=a hidden>x</p><button aria-expanded=false aria-controls=a>y</button>" * n
    ),
    "visible parts": lambda n: "<div style=visibility:hidden>" + "<i style=visibility:visible>a</i>" * n,
    "code in a line": lambda n: "<p>" + "<code>x</code>" * n,
    "backticks": lambda n: "<p><code>" + "` `` " * n + "</code>",
    "footnotes": lambda n: (
        "".join(f"<p>x<a href=#n{k}>{k}</a>" for k in range(n))
        + "<ol>"
        + "".join(f"<li id=n{k}>Note" for k in range(n))
    ),
    "a footnote with many links back": lambda n: (
        "<p><a href=#n id=r>1</a><ol><li id=n>x<span>" + "<a href=#r>1</a>" * n + "<i></i></span></ol>"
    ),
    "a footnote with many empty links": lambda n: (
        "<p><a href=#n id=r>1</a><ol><li id=n>x<sup>" + "<a href=#r></a>" * n + "<img alt=''></sup></ol>"
    ),
    "a footnote with many pictures": lambda n: (
        "<p><a href=#n id=r>1</a><ol><li id=n>x<sup><a href=#r>" + "<img alt=''>" * n + "</a></sup></ol>"
    ),
    "references to one footnote": lambda n: "<p>" + "<a href=#n>1</a> " * n + "<ol><li id=n>Note</ol>",
    "formulas": lambda n: "<p>" + "<math><mi>x</mi></math> " * n,
    "formulas in hidden parts": lambda n: "<p>" + "<span hidden><math><mi>x</mi></math></span>" * n + "x",
    "dollars": lambda n: "<p>" + "$x " * n,
    "brackets": lambda n: "<p>" + "[" * n + "x" + "](y" * n,
    "stars": lambda n: "<p>" + "*a _b " * n,
    "raised": lambda n: "<p>" + "x<sup>2</sup>" * n,
    "hidden parts": lambda n: "<p hidden>no</p><p>yes</p>" * n,
    "forms": lambda n: "<form><input name=a value=b><button>Go</button></form>" * n,
    "choices": lambda n: "<select>" + "<option>x" * n,
    "frames": lambda n: "<iframe src=/a></iframe>" * n,
    "shadow trees": lambda n: "<x-y><template shadowrootmode=open><slot></slot></template>x</x-y>" * n,
    "names": lambda n: "".join(f"<p id=a{k} class='b{k} c'>x" for k in range(n)),
    "elements of distinct names": lambda n: "".join(f"<x-{k}>x</x-{k}>" for k in range(n)),
    "styles": lambda n: "<style>p { color: red }</style><p>x" * n,
    "sectioned articles": lambda n: "<article><header><h1>x</h1></header><section><p>y</section></article>" * n,
}
# Their steps are so short that a square shows only in large pages.
LARGE_N = 2000
LARGE: Mapping[str, Shape] = {
    "empty links back in one span": lambda n: (
        "<p><a href=#n id=r>1</a><ol><li id=n>x<span>" + "<a href=#r></a>" * (4 * n) + "<i></i></span></ol>"
    ),
    "long space before links": lambda n: "<p>" + "\xa0" * (10 * n) + "<a href=#a></a>" * n,
    "long class around links": lambda n: f"<div class='{'foot ' * n}'>" + "<a href=#a>1</a>" * n,
}
# Style sheets, each of n rules for n elements, or with one long part.
STYLED: Mapping[str, Shape] = {
    "rules inside rules": lambda n: f"<style>{'p{display:inline;a{}}' * n}</style>" + "<p>x" * n,
    "rules that nobody reads": lambda n: f"<style>{'p:is(!){display:inline}' * n}</style>" + "<p>x" * n,
    "properties that name each other": lambda n: (
        f"<style>{''.join(f'p{{--a{k}:var(--a{k + 1})}}' for k in range(4 * n))}p{{color:var(--a0)}}</style><p>x"
    ),
    "a long name of a property": lambda n: f"<style>p{{--{'a' * 40 * n}:b;c{'--d' * 20 * n}:e}}</style><p>x",
    "a long name of white space": lambda n: f"<style>p{{a:{'white-space' * 20 * n}}}</style><p>x",
    "a long space": lambda n: f"<style>p{{a:b{' ' * 40 * n}c}}</style><p>x{' ' * 40 * n}y",
    "marks of trackers": lambda n: (
        f"<style>{'p{a:b}' * 20 * n}</style>" + "".join(f"<p data-track-{k}=1 class=page-{k}>x" for k in range(n))
    ),
    "a long value for many rules": lambda n: (
        f"<style>{''.join(f'[title*=a{k}]{{b:c}}' for k in range(n))}</style><p title={'x' * 20 * n}>x"
    ),
}
QUICK = ("markdown", "text", "content html")
FORMATS: Mapping[str, Callable[[Template], object]] = {
    "markdown": lambda template: template.content_markdown(around=True),
    "text": lambda template: template.content_text(around=True),
    "content html": lambda template: template.content_html(around=True),
    "html": lambda template: template.to_html(),
    "folder": lambda template: template.to_folder(),
    "jinja": lambda template: template.to_jinja(),
    "annotated": lambda template: template.to_annotated_html(),
    "selectors": lambda template: template.selectors(around=True),
    "json lines": lambda template: template.to_json_lines(),
    "main content": lambda template: template.content_text(),
}


def seconds(shape: Shape, size: int, write: Callable[[Template], object]) -> float:
    """Return the processor time that writing a page of a shape takes; every third element of it is template."""
    document = parse(f"<nav>Menu</nav>{shape(size)}", "https://site.example/a")
    template = [number % 3 == 0 for number in range(len(document))]
    page = Template(document, Detection(template, [template[run.parent] for run in document.texts], ()))
    with collector_paused():  # else the time would grow with what other tests have left in memory
        start = process_time()
        write(page)
        return process_time() - start


def grows(shape: Shape, write: Callable[[Template], object], size: int = N) -> float:
    """Return the growth of the time from one size to four times it, each the least of a few tries."""
    small = large = float("inf")
    for _ in range(TRIES):
        small = min(small, seconds(shape, size, write))
        large = min(large, seconds(shape, 4 * size, write))
        if large < MOST_GROWTH * max(small, FLOOR):
            break
    return large / max(small, FLOOR)


@pytest.mark.parametrize("name", QUICK)
def test_the_time_of_a_format_grows_with_the_page(name: str) -> None:
    growths = {shape: grows(SHAPES[shape], FORMATS[name]) for shape in SHAPES}
    assert {shape: growth for shape, growth in growths.items() if growth >= MOST_GROWTH} == {}


def test_the_time_of_a_template_grows_with_its_style_sheets() -> None:
    growths = {shape: grows(STYLED[shape], FORMATS["html"]) for shape in STYLED}
    assert {shape: growth for shape, growth in growths.items() if growth >= MOST_GROWTH} == {}


def test_the_time_of_links_in_markdown_grows_with_a_large_page() -> None:
    growths = {name: grows(shape, FORMATS["markdown"], LARGE_N) for name, shape in LARGE.items()}
    assert {name: growth for name, growth in growths.items() if growth >= MOST_GROWTH} == {}


@pytest.mark.endurance
@pytest.mark.parametrize("name", sorted(FORMATS.keys() - set(QUICK)))
def test_the_time_of_the_other_formats_grows_with_the_page(name: str) -> None:
    test_the_time_of_a_format_grows_with_the_page(name)


def test_a_table_that_would_be_mostly_empty_cells_is_written_as_lines() -> None:
    rows = "".join(f"<tr><td colspan=99 rowspan=99>row {number}<td>next" for number in range(200))
    document = parse(f"<table>{rows}</table><table><tr><th>a<th>b<tr><td>c<td>d</table>", "https://site.example/a")
    template = Template(document, Detection([False] * len(document), [False] * len(document.texts), ()))
    lines = template.content_markdown(around=True).split("\n\n")
    assert lines[:200] == [f"row {number} next" for number in range(200)]
    assert lines[200].startswith("| a | b |")


def test_long_names_of_attributes_fill_no_cache() -> None:
    name = f"data-{'x' * 10_000}"
    before = getrefcount(name)
    assert kind_of_value("html", "p", name) is Value.DATA
    assert getrefcount(name) == before
