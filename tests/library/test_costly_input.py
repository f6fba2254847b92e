"""Input that once took minutes or gigabytes costs seconds: found by an adversary, one test for each cause."""

import gzip
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import process_time
from unittest.mock import Mock

import pyarrow as pa
import pytest

from sitestencil import PageUnavailable, Template, parse
from sitestencil.crawl.content import Formats
from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.crawl.input.warc import read_warc
from sitestencil.crawl.learning import learn_site
from sitestencil.crawl.limits import TimeIsUp
from sitestencil.crawl.rows import template_batch, template_row
from sitestencil.detectors.detection import Detection
from sitestencil.errors import CannotBeSaved
from sitestencil.outputs.files import File
from sitestencil.outputs.safe_addresses import Base, Growth
from sitestencil.page.encoding import decode
from sitestencil.page.markup import tags
from sitestencil.page.snapshot import document_from_snapshot, read_snapshot
from sitestencil.saving.style_sheets import joined_css
from sitestencil.selectors import element_selectors
from sitestencil.site.followable import address_acts
from sitestencil.urls import resolve

URL = "https://site.example/"
SHADOW = "</svg><template shadowrootmode=open>"


@contextmanager
def within(seconds: float) -> Iterator[None]:
    start = process_time()
    yield
    assert process_time() - start < seconds


def all_content(html: str) -> Template:
    document = parse(html, URL)
    return Template(document, Detection([False] * len(document), [False] * len(document.texts), ()))


@pytest.mark.parametrize("start", [b"<a", b'<a"', b"<meta ", b"<meta/", b"<!--", b"<meta a", b"<meta charset"])
def test_the_scan_for_an_encoding_tries_nothing_twice(start: bytes) -> None:
    with within(3):
        decode((start * 8192)[:8192] + b"\xff")


@pytest.mark.parametrize(
    "html",
    [
        f"<svg>{'<script/>' * 10_000}{SHADOW}",
        f"<svg>{'<script/>' * 40_000}",
        f"<svg>{'<title>' * 100}{'<script/>' * 10_000}{'<p>' * 10_002}",
        f"<svg>{'<![CDATA[' * 100_000}{SHADOW}",
    ],
)
def test_the_end_of_a_script_in_svg_is_not_searched_for_again(html: str) -> None:
    with within(5):
        assert sum(1 for _ in tags(html)) >= 10_000
    with within(5), pytest.raises(PageUnavailable):
        parse(html, URL)


def test_a_long_style_around_many_shadow_trees_is_read_once() -> None:
    trees = "<p><template shadowrootmode=open><b>Text</b></template></p>" * 15_000
    page = all_content(f"<body style='{'display:block;' * 40_000}'>{trees}")
    with within(5):
        assert len(page.main.texts) >= 15_000


@pytest.mark.parametrize("write", [Template.content_text, Template.content_html, Template.to_html])
def test_a_long_value_is_searched_for_tokens_once(write: Callable[[Template], str]) -> None:
    page = all_content(f"<p>Words<input name=a value='{'eyJ_' * 60_000}'>")
    with within(5):
        assert write(page)


def test_the_end_of_a_formula_is_not_searched_for_in_the_whole_page() -> None:
    page = all_content(f"<p>{'&#92;( ' * 80_000}&#92;)</p>")
    with within(5):
        assert page.content_markdown()


def test_many_pictures_are_not_searched_for_in_a_long_line_beside_them() -> None:
    pictures = "".join(f"<img alt='e {number}'>" for number in range(20_000))
    page = all_content(f"<p>{pictures}</p><p>{'e ' * 1_000_000}</p>")
    with within(5):
        assert page.content_text()


def test_a_long_name_does_not_stand_in_each_selector() -> None:
    paragraphs = "".join(f"<p>Same {number}</p><i>Own</i>" for number in range(1000))
    page = all_content(f"<div id={'h' * 100_000}><{'x' * 5000}>{paragraphs}</div>")
    assert len(page.to_json_lines()) < 2_000_000


def test_templates_in_svg_leave_the_children_of_a_page_at_once() -> None:
    page = all_content(f"<svg>{'<g/>' * 40_000}{'<template><g/></template>' * 40_000}</svg>")
    with within(5):
        assert len(page.document.children) == len(page.document)


RECORD = b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n"


def zstd_bomb(heads: int, blocks: int) -> bytes:
    """Return a broken frame, and heads of frames that share one endless chain of empty blocks."""
    magic, whole = b"\x28\xb5\x2f\xfd\x20\x00", pa.compress(RECORD, codec="zstd", asbytes=True)
    jumps = (((heads - number) * 9 - 9) << 3 for number in range(heads))
    chain = b"".join(magic + jump.to_bytes(3, "little") for jump in jumps) + b"\0\0\0" * blocks
    return bytes(whole) + magic + b"\x07\0\0" + chain


def gzip_bomb(heads: int, blocks: int) -> bytes:
    """Return a broken member, and heads of members whose names run through each other to empty blocks."""
    head, broken = b"\x1f\x8b\x08\x08\x01\x01\x01\x01\x02\x03", b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x07"
    return gzip.compress(RECORD) + broken + head * heads + b"n\0" + b"\0\0\0\xff\xff" * blocks


@pytest.mark.parametrize(
    ("name", "bomb"),
    [
        ("bomb.warc.zst", zstd_bomb(3000, 400_000)),
        ("bomb.warc.gz", gzip_bomb(3000, 4_000_000)),
        ("bomb.warc", RECORD.replace(b"0", b"9") + b"\nWARC/1.0 x" * 2_000_000),
        ("bomb.arc", b"http://a.example/ 1 20060501100000 a 9\n" + b"\na:1 20060501100000 a" * 1_000_000),
    ],
)
def test_the_search_for_the_next_record_keeps_to_its_budget(name: str, bomb: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(bomb)
    with within(20):
        assert list(read_warc(tmp_path / name, name))


LONG_NAME = f"x-{'a' * 97}"


def test_the_selectors_of_deep_elements_do_not_repeat_long_paths() -> None:
    page = all_content(f"<{LONG_NAME}>" * 480 + "<p>a</p><i>b</i>" * 2000)
    assert len(page.to_json_lines()) < 2_000_000
    names = page.selectors(around=True)
    assert sum(map(len, (*names.template, *names.content, *names.content_texts))) < 1_000_000


def test_all_selectors_of_a_page_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(element_selectors, "_MOST_CHARACTERS", 5_000)
    page = parse("<ul>" + "<li>a" * 1000, URL)
    names = element_selectors.ElementSelectors(page)
    written = [names[element] for element in range(len(page))]
    assert written[2] == "body"
    assert 4_500 < sum(len(name) for name in written if name is not None) <= 5_000


def site_page(k: int) -> CrawlPage:
    menu = "".join(f"<li><a href=/{n}>Part {n}</a>" for n in range(20))
    html = f"<title>Page {k}</title><ul>{menu}</ul><p>{f'Words {k} that only this page has. ' * 20}"
    return CrawlPage(f"{URL}{k}", html.encode(), offset=k)


@pytest.mark.parametrize("error", [MemoryError, TimeIsUp, CannotBeSaved("no")])
def test_a_template_without_selectors_ends_no_crawl(
    error: type[BaseException] | Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    groups = [(group, 9) for group in learn_site("site.example", map(site_page, range(9))).groups]
    whole = [template_row(*group) for group in groups]
    assert whole[0]["template_selectors"]
    monkeypatch.setattr("sitestencil.crawl.rows.selectors", Mock(side_effect=error))
    rows = template_batch([template_row(*group, None, Formats(template_html=True)) for group in groups]).to_pylist()
    missing = dict.fromkeys(("regions", "header", "footer", "html", "template_selectors", "content_selectors"))
    assert rows == [{**row, **missing} for row in template_batch(whole).to_pylist()]
    assert "is written without selectors" in caplog.text


RELATIVE: dict[str, Callable[[int], str]] = {
    "srcset": lambda n: f"<img alt=x srcset='{'a, ' * n}'>",
    "images": lambda n: "<img src=a>" * n,
    "links": lambda n: "<a href=a>x</a> " * n,
    "rules": lambda n: f"<p style='{'b:url(a);' * n}'>x",
    "frames": lambda n: "<iframe src=a></iframe>" * n,
}


@pytest.mark.parametrize("kind", RELATIVE)
def test_a_long_base_does_not_stand_in_each_address(kind: str) -> None:
    page = all_content(f"<base href='/{'b' * 8100}/'>{RELATIVE[kind](2_000)}<p>Words")
    assert len(page.content_html()) < 200_000
    assert len(page.content_markdown()) < 200_000
    page = all_content(f"<base href='/{'b' * 2000}/'>{RELATIVE[kind](9_000)}<p>Words")
    with within(5), pytest.raises(CannotBeSaved):
        page.content_html()


def test_a_style_sheet_of_a_long_address_does_not_repeat_it() -> None:
    sheet = f"{URL}{'b' * 8000}/a.css"
    files = {sheet: File(sheet, b"a{b:url(a)}" * 3_000)}
    page = parse(f"<link rel=stylesheet href='{sheet}'><nav>Menu</nav>", URL)
    with within(5), pytest.raises(CannotBeSaved):
        Template(page, Detection([True] * len(page), [True] * len(page.texts), ())).to_html(files=files)


def test_the_base_of_a_snapshot_has_a_bound() -> None:
    fields = {"url": URL, "base": f"{URL}{'b' * 3000}/", "names": ["html"], "tags": [0], "parents": [-1]}
    page = document_from_snapshot(read_snapshot({**fields, "attributes": [[]], "texts": []}))
    assert page.base == URL


def test_slots_beside_each_other_are_filled_in_one_pass() -> None:
    page = parse("<p></p><i>x</i>" * 40_000, URL)
    template = Template(page, Detection([tag != "i" for tag in page.tags], [False] * len(page.texts), ()))
    with within(20):
        template.to_html()


def test_shadow_trees_in_shadow_trees_are_walked_once() -> None:
    depth = 200
    inside = "<section><template shadowrootmode=open>" * depth + "<wbr>" * 120_000 + "</template></section>" * depth
    page = parse(f"<i>Own</i>{inside}", URL)
    template = Template(page, Detection([tag != "i" for tag in page.tags], [True] * len(page.texts), ()))
    with within(12):
        template.to_html()


def test_the_condition_of_an_import_is_read_once() -> None:
    css = f'@import "{URL}a.css" x{"/**/" * 80_000}y;'
    files = {f"{URL}a.css": File(f"{URL}a.css", b"p{}")}
    with within(5):
        assert joined_css(css, Base(URL, Growth()), files.get) == "@media x/**/y {\np{}\n}\n"


def test_caches_keep_no_long_addresses() -> None:
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for number in range(3_000):
            url = resolve(f"l{number}", f"{URL}{'b' * 2000}{number}/")
            assert url is not None
            address_acts(url)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 8_000_000


def test_the_lines_of_reasons_do_not_grow_with_the_depth() -> None:
    page = all_content(f"<body>{'<div>' * 200}{'<p>w<b>x</b>' * 5_000}")
    assert len(page.to_reasons()) < 2_000_000
