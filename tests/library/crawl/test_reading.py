import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.support.crawls import pages_of, response, write_warc

from sitestencil.crawl.pages import CrawlPage, Skipped
from sitestencil.crawl.reading import read_unit, units_of
from sitestencil.errors import UnusableInput

PAGES = pages_of("site.example", 5)


def read(*inputs: Path, unit_bytes: int = 1 << 25) -> list[CrawlPage | Skipped]:
    return [record for unit in units_of(inputs, unit_bytes) for record in read_unit(unit)]


def reasons(records: list[CrawlPage | Skipped]) -> list[str]:
    return [record.reason if isinstance(record, Skipped) else "page" for record in records]


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz", "a.warc.zst"])
def test_a_warcs_pages_come_with_address_bytes_and_offset(tmp_path: Path, name: str) -> None:
    offsets = write_warc(tmp_path / name, [response(url, html) for url, html in PAGES])
    records = read(tmp_path / name)
    assert [(record.url, record.html, record.offset) for record in records if isinstance(record, CrawlPage)] == [
        (url, html, offset) for (url, html), offset in zip(PAGES, offsets, strict=True)
    ]


def test_a_large_gzipped_warc_in_units_gives_each_page_once(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    write_warc(file, [response(url, html) for url, html in pages_of("site.example", 60)])
    units = units_of([file], unit_bytes=file.stat().st_size // 7)
    assert len(units) > 3
    assert [record for unit in units for record in read_unit(unit)] == read(file)


def test_what_is_no_page_is_named_with_its_reason(tmp_path: Path) -> None:
    url, html = PAGES[0]
    records = [
        response(url, html),
        response(f"{url}/moved", b"", status="301 Moved Permanently"),
        response(f"{url}/gone", html, status="404 Not Found"),
        response(f"{url}/denied", html, status="403 Forbidden"),
        response(f"{url}/picture", b"GIF89a", content_type="image/gif"),
        response(f"{url}/nothing", b"  \n"),
        response("dns:site.example", html),
        response(f"{url}/huge", b"<p>" + b"x" * (9 << 20)),
        response(f"{url}/last", html),
    ]
    offsets = write_warc(tmp_path / "a.warc.gz", records)
    found = read(tmp_path / "a.warc.gz")
    expected = ["page", "redirect", "error page", "error page", "not HTML", "empty", "no web address", "too large"]
    assert reasons(found) == [*expected, "page"]
    assert [record.offset for record in found] == offsets


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz", "a.warc.zst"])
@pytest.mark.parametrize("length", [40, 20_000], ids=["too short", "too long"])
def test_a_record_whose_length_is_not_true_costs_itself_alone(tmp_path: Path, name: str, length: int) -> None:
    liar = response(PAGES[1][0], PAGES[1][1], length=length)
    records = [response(*PAGES[0]), liar, *(response(url, html) for url, html in PAGES[2:])]
    offsets = write_warc(tmp_path / name, records)
    found = read(tmp_path / name)
    pages = [record.url for record in found if isinstance(record, CrawlPage)]
    assert pages == [PAGES[number][0] for number in (0, 2, 3, 4)]
    assert {record.offset for record in found if isinstance(record, Skipped)} == {offsets[1]}


@pytest.mark.parametrize(
    ("tag", "reason"),
    [
        ("noindex, nofollow", "robots denied"),
        ("NONE", "robots denied"),
        ("otherbot: noindex", "page"),
        ("all", "page"),
    ],
)
def test_a_page_that_its_server_denies_to_robots_is_left_out(tmp_path: Path, tag: str, reason: str) -> None:
    write_warc(tmp_path / "a.warc.gz", [response(*PAGES[0], headers=f"X-Robots-Tag: {tag}\r\n")])
    assert reasons(read(tmp_path / "a.warc.gz")) == [reason]


def test_a_broken_gzip_member_costs_itself_alone(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    offsets = write_warc(file, [response(url, html) for url, html in PAGES])
    data = bytearray(file.read_bytes())
    data[offsets[2] + 40 : offsets[2] + 80] = bytes(40)
    file.write_bytes(data)
    found = read(file)
    pages = [record.url for record in found if isinstance(record, CrawlPage)]
    assert pages == [PAGES[number][0] for number in (0, 1, 3, 4)]
    assert {record.offset for record in found if isinstance(record, Skipped)} == {offsets[2]}


def test_a_truncated_file_gives_all_before_the_cut(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    offsets = write_warc(file, [response(url, html) for url, html in PAGES])
    file.write_bytes(file.read_bytes()[: offsets[4] + 150])
    found = read(file)
    assert reasons(found)[:4] == ["page"] * 4
    assert [(type(record), record.offset) for record in found[4:]] == [(Skipped, offsets[4])]


def test_the_charset_of_the_header_is_kept(tmp_path: Path) -> None:
    record = response(PAGES[0][0], "<p>Übung".encode("latin-1"), content_type="text/html; charset=iso-8859-1")
    write_warc(tmp_path / "a.warc.gz", [record])
    (page,) = read(tmp_path / "a.warc.gz")
    assert isinstance(page, CrawlPage)
    assert page.charset in {"iso-8859-1", "windows-1252"}


def test_parquet_and_json_lines_give_the_same_pages(tmp_path: Path) -> None:
    rows = [{"url": url, "html": html.decode()} for url, html in PAGES]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "a.parquet")
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress((tmp_path / "a.jsonl").read_bytes()))
    read_pages = [
        [(page.url, page.html, page.offset) for page in read(tmp_path / name) if isinstance(page, CrawlPage)]
        for name in ("a.parquet", "a.jsonl", "b.jsonl.gz")
    ]
    assert read_pages == [[(url, html, number) for number, (url, html) in enumerate(PAGES)]] * 3


def test_lines_that_are_no_rows_are_named(tmp_path: Path) -> None:
    lines = [
        '{"url": "https://a.example/", "html": "<p>A"}',
        "{",
        "[]",
        '{"url": "ftp://a/", "html": "x"}',
        '{"url": 1}',
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    found = read(tmp_path / "a.jsonl")
    assert reasons(found) == ["page", "broken record", "broken record", "no web address", "broken record"]
    assert [record.offset for record in found] == [0, 1, 2, 3, 4]


def test_what_holds_no_crawl_is_refused_with_what_to_give(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no crawl", encoding="utf-8")
    with pytest.raises(UnusableInput, match=r"\.warc\.gz"):
        units_of([tmp_path])
    with pytest.raises(UnusableInput, match="does not exist"):
        units_of([tmp_path / "missing.warc.gz"])
