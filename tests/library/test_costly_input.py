"""Input that once took minutes or gigabytes costs seconds: found by an adversary, one test for each cause."""

import gzip
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import process_time

import pyarrow as pa
import pytest

from sitestencil import PageUnavailable, Template, parse
from sitestencil.detectors.detection import Detection
from sitestencil.page.encoding import decode
from sitestencil.page.markup import tags
from sitestencil.site.sources.warc import read_warc

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
    ("name", "bomb"), [("bomb.warc.zst", zstd_bomb(3000, 400_000)), ("bomb.warc.gz", gzip_bomb(3000, 4_000_000))]
)
def test_the_search_for_the_next_record_keeps_to_its_budget(name: str, bomb: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(bomb)
    with within(20):
        assert list(read_warc(tmp_path / name, name))
