"""Whatever stands in an input, its readers end: all pages come, or what is lost is named with its file."""

import gzip
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fastwarc.stream_io import ZstdWriter, zstd_train_dictionary_from_samples
from tests.library.crawl.input.test_crawl_input import read
from tests.support.crawls import pages_of, response, warcinfo

from sitestencil.crawl.input.crawled import CrawlPage, Skipped
from sitestencil.crawl.input.units import units_of

PAGES = pages_of("site.example", 5)
_EXAMPLES = 24  # of each format
_MOST_HOLE = 60


def _records() -> list[bytes]:
    chunked = [
        response(url, b"%x\r\n%s\r\n0\r\n\r\n" % (len(html), html), headers="Transfer-Encoding: chunked\r\n")
        for url, html in PAGES[:2]
    ]
    packed = response(PAGES[2][0], gzip.compress(PAGES[2][1], mtime=0), headers="Content-Encoding: gzip\r\n")
    return [warcinfo(), *chunked, packed, *(response(*page) for page in PAGES[3:])]


def _arc() -> list[bytes]:
    records = [b"filedesc://a.arc 0.0.0.0 20060501000000 text/plain 9\n1 0 none\n\n"]
    for url, html in PAGES:
        answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html
        records.append(f"{url} 1.2.3.4 20060501100203 text/html {len(answer)}\n".encode() + answer + b"\n")
    return records


def _zip(method: int, name: str, data: bytes) -> bytes:
    file = io.BytesIO()
    with ZipFile(file, "w", method) as files:
        files.writestr("datapackage.json", "{}")
        files.writestr(f"archive/{name}", data)
    return file.getvalue()


def _with_dictionary() -> bytes:
    file, records = io.BytesIO(), _records()
    dictionary = zstd_train_dictionary_from_samples(records * 20, 2048)
    writer = ZstdWriter(file, dictionary=dictionary, compress_dictionary_frame=True)
    for record in records:
        writer.write(record)
        writer.finish()
    writer.flush()
    return file.getvalue()


def _parquet(compression: str, *, texts_again: bool) -> bytes:
    columns = {
        "url": [url for url, _ in PAGES],
        "html": [html.decode() for _, html in PAGES],
        "tags": [[number, None] for number in range(len(PAGES))],
        "site": ["site.example"] * len(PAGES),
    }
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file, 2, compression=compression, use_dictionary=texts_again)
    return file.getvalue()


@cache
def inputs() -> dict[str, bytes]:
    """Return a small file of each kind that is read; all hold the same pages."""
    rows = [json.dumps({"url": url, "html": html.decode(), "n": 7}).encode() for url, html in PAGES]
    lines, zstd = b"\n".join(rows), pa.Codec("zstd")
    whole, each = b"".join(_records()), [gzip.compress(record, mtime=0) for record in _records()]
    return {
        "plain.warc": whole,
        "members.warc.gz": b"".join(each),
        "one-member.warc.gz": gzip.compress(whole, mtime=0),
        "frames.warc.zst": b"".join(zstd.compress(record, asbytes=True) for record in _records()),
        "dictionary.warc.zst": _with_dictionary(),
        "plain.arc": b"".join(_arc()),
        "members.arc.gz": b"".join(gzip.compress(record, mtime=0) for record in _arc()),
        "stored.wacz": _zip(ZIP_STORED, "a.warc.gz", b"".join(each)),
        "plain.wacz": _zip(ZIP_STORED, "a.warc", whole),
        "packed.wacz": _zip(ZIP_DEFLATED, "a.warc", whole),
        "packed-twice.wacz": _zip(ZIP_DEFLATED, "a.warc.gz", b"".join(each)),
        "a.parquet": _parquet("zstd", texts_again=True),
        "plain.parquet": _parquet("none", texts_again=False),
        "a.jsonl": lines,
        "a.jsonl.gz": gzip.compress(lines, mtime=0),
        "a.ndjson.zst": zstd.compress(lines, asbytes=True),
    }


def _hole(random: Random, data: bytes) -> bytes:
    at = random.randrange(len(data))
    size = min(random.randint(1, _MOST_HOLE), len(data) - at)
    return data[:at] + bytes(size) + data[at + size :]


def _flipped(random: Random, data: bytes) -> bytes:
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]


def _noise(random: Random, data: bytes) -> bytes:
    at = random.randrange(len(data))
    return data[:at] + random.randbytes(8) + data[at + 8 :]


def _cut(random: Random, data: bytes) -> bytes:
    return data[: random.randrange(1, len(data))]


def _largest_number(random: Random, data: bytes) -> bytes:
    at, size = random.randrange(len(data)), random.choice((2, 4, 8))
    return data[:at] + random.choice((b"\xff" * size, b"\xff" * (size - 1) + b"\x7f")) + data[at + size :]


def _long_digits(random: Random, data: bytes) -> bytes:
    numbers = list(re.finditer(rb"(?<![\w.-])[0-9a-f]+(?=[\s}])", data))
    if not numbers:
        return _flipped(random, data)
    number = random.choice(numbers)
    digits = random.choice((b"f" * 16, b"9" * 18, b"9" * 40, b"9" * 5000, b"-1", b"0", b"1e999"))
    return data[: number.start()] + digits + data[number.end() :]


MUTATIONS: tuple[Callable[[Random, bytes], bytes], ...] = (
    *(_hole, _flipped, _noise, _cut, _largest_number, _long_digits),
)


def check(folder: Path, damaged: Path) -> str | None:
    """Return what is wrong with reading a folder with a damaged file and a sound one."""
    found = read(folder)
    pages = [one for one in found if isinstance(one, CrawlPage)]
    sound = [page for page in pages if Path(page.source).name == "sound.jsonl"]
    others = [page for page in pages if page not in sound]
    named = [one for one in found if isinstance(one, Skipped) and one.source.startswith(str(damaged))]
    if [(page.url, page.html) for page in sound] != PAGES:
        return "a sound file has lost pages"
    if any(not one.reason or not one.detail.endswith(".") or len(one.detail) > 500 for one in named):
        return f"no reason: {named}"
    return None if len(others) >= len(PAGES) or named else f"{len(PAGES) - len(others)} pages are lost unnamed"


@pytest.mark.parametrize("name", inputs())
def test_damage_ends_no_reader_and_what_it_costs_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "sound.jsonl").write_bytes(inputs()["a.jsonl"])
    file, wrong = tmp_path / name, dict[int, str]()
    for seed in range(_EXAMPLES):
        random = Random(f"{name} {seed}")
        file.write_bytes(MUTATIONS[seed % len(MUTATIONS)](random, inputs()[name]))
        try:
            problem = check(tmp_path, file)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        if problem is not None:
            wrong[seed] = problem
    assert not wrong


def test_a_chunk_that_is_longer_than_any_memory_costs_its_record(tmp_path: Path) -> None:
    url, html = PAGES[0]
    chunks = b"ffffffffffffffff\r\n%s\r\n0\r\n\r\n" % html
    broken = response(url, chunks, headers="Transfer-Encoding: chunked\r\n")
    (tmp_path / "a.warc").write_bytes(b"".join([broken, response(*PAGES[1])]))
    assert [getattr(record, "reason", "page") for record in read(tmp_path / "a.warc")] == ["truncated", "page"]


def test_an_error_that_no_reader_expects_costs_its_record_or_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Unexpected(Exception):
        pass

    def fail(*_: object) -> None:
        raise Unexpected("It is odd.")

    for name in ("plain.warc", "a.jsonl"):
        (tmp_path / name).write_bytes(inputs()[name])
    monkeypatch.setattr("sitestencil.crawl.input.warc_pages._check_page", fail)
    monkeypatch.setattr("sitestencil.crawl.input.tables._json_rows", fail)
    found = [record for record in read(tmp_path) if isinstance(record, Skipped)]
    assert [(Path(one.source).name, one.reason) for one in found] == [
        *[("a.jsonl", "broken record")],
        *[("plain.warc", "broken record")] * len(PAGES),
    ]
    assert all("It is odd." in one.detail for one in found)
    assert len({(one.source, one.offset) for one in found}) == 1 + len(PAGES)


def test_a_number_in_a_wacz_that_reaches_beyond_it_is_not_believed(tmp_path: Path) -> None:
    """An endless file would be searched without end, and counted as the size of the crawl."""
    wacz = bytearray(inputs()["plain.wacz"])
    entry = wacz.rindex(b"PK\x01\x02")
    wacz[entry + 20 : entry + 28] = b"\xf0\xff\xff\x7f" * 2
    (tmp_path / "a.wacz").write_bytes(wacz)
    (tmp_path / "b.warc").write_bytes(inputs()["plain.warc"])
    unit, _ = units_of([tmp_path])
    assert (unit.format, unit.size) == ("other", 0)


def test_a_file_that_grows_shorter_while_it_is_read_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.warc").write_bytes(inputs()["plain.warc"])
    monkeypatch.setattr("sitestencil.crawl.input.warc_file.Member.read", lambda *_: b"")
    (skipped,) = read(tmp_path / "a.warc")
    assert isinstance(skipped, Skipped)
    assert "shorter" in skipped.detail


_PEAK = """
import resource, sys
from pathlib import Path
import pyarrow as pa
from sitestencil.crawl.input.reading import read_unit
from sitestencil.crawl.input.units import units_of
import pyarrow.parquet
pa.set_cpu_count(1)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = [getattr(one, "reason", "page") for unit in units_of([Path(sys.argv[1])]) for one in read_unit(unit)]
print(*found, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024, sep="\\n")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the unit of the peak differs")
def test_a_cell_of_a_hundred_megabytes_is_skipped_and_decoded_by_nobody(tmp_path: Path) -> None:
    html = ["<p>a", "x" * 100_000_000, "<p>b"]
    pq.write_table(pa.table({"url": ["https://a.example/"] * 3, "html": html}), tmp_path / "a.parquet")
    command = [sys.executable, "-c", _PEAK, str(tmp_path / "a.parquet")]
    *reasons, peak = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
    assert reasons == ["page", "too large", "page"]
    assert int(peak) < 450


def test_a_long_text_for_each_row_is_read_only_up_to_a_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One text of a dictionary that is too large for a page, or that is no address, for 2,000 rows."""
    monkeypatch.setattr("sitestencil.crawl.input.tables._MOST_UNPACKED", 1 << 22)
    decoded = []

    def counted(cell: Any) -> Any:
        decoded.append(cell)
        return cell.as_py()

    monkeypatch.setattr("sitestencil.crawl.input.tables.python_value", counted)
    long, short = pa.array(["<p>" + "ab" * 100_000] * 2000), pa.array(["https://a.example/"] * 2000)
    told = []
    for url, html in ((long, short), (short, long.dictionary_encode()), (short, long)):
        table = pa.table({"url": url, "html": html})
        pq.write_table(table, tmp_path / "a.parquet", dictionary_pagesize_limit=1 << 30)
        found = read(tmp_path / "a.parquet")
        told.append((len(found), getattr(found[-1], "reason", "page"), max(map(len, map(repr, found)))))
    assert [(count, reason) for count, reason, _ in told] == [(21, "too large")] * 3
    assert told[0][2] < 40_000
    assert len(decoded) == 3 * 20 * 2


@pytest.mark.parametrize("kind", [pa.string_view(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())])
def test_texts_that_share_their_bytes_count_once_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: pa.DataType
) -> None:
    monkeypatch.setattr("sitestencil.crawl.input.tables._MOST_UNPACKED", 1 << 21)
    html = [f"<p>{number}" + "x" * 20_000 for number in range(100)]
    columns = {"url": [f"https://a.example/{number}" for number in range(100)], "html": pa.array(html).cast(kind)}
    lists = pa.array([[text[:9]] for text in html], pa.list_(pa.string_view()))
    others = {"nothing": pa.nulls(100, pa.list_(pa.int8())), "lists": lists}
    pq.write_table(pa.table({**columns, **others}), tmp_path / "a.parquet")
    assert [isinstance(record, CrawlPage) for record in read(tmp_path / "a.parquet")] == [True] * 100
