import gzip
import json
import os
import re
import zlib
from base64 import b64decode
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from random import Random

import brotli
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fastwarc.stream_io import ZstdWriter, zstd_train_dictionary_from_samples
from tests.support.crawls import pages_of, response, warcinfo, write_warc

from sitestencil.crawl.input.crawled import CrawlPage, Skipped
from sitestencil.crawl.input.reading import proven_again, read_unit
from sitestencil.crawl.input.units import Unit, parts_of, units_of
from sitestencil.crawl.input.warc import Bounds
from sitestencil.errors import UnusableInput

PAGES = pages_of("site.example", 5)


def read(*inputs: Path, unit_bytes: int = 1 << 25) -> list[CrawlPage | Skipped]:
    return read_units(parts_of(units_of(inputs), unit_bytes))


def read_units(units: list[Unit]) -> list[CrawlPage | Skipped]:
    """Read units as an engine does: each from a guess, and again where the guess proves wrong."""
    bounds = [Bounds() for _ in units]
    records = [list(read_unit(unit, own)) for unit, own in zip(units, bounds, strict=True)]
    for number, unit in proven_again(units, bounds.__getitem__):
        bounds[number] = Bounds()
        records[number] = list(read_unit(unit, bounds[number]))
    return [record for of_unit in records for record in of_unit]


def reasons(records: list[CrawlPage | Skipped]) -> list[str]:
    return [record.reason if isinstance(record, Skipped) else "page" for record in records]


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz", "a.warc.zst"])
def test_a_warcs_pages_come_with_address_bytes_and_offset(tmp_path: Path, name: str) -> None:
    offsets = write_warc(tmp_path / name, [response(url, html) for url, html in PAGES])
    records = read(tmp_path / name)
    assert [(record.url, record.html, record.offset) for record in records if isinstance(record, CrawlPage)] == [
        (url, html, offset) for (url, html), offset in zip(PAGES, offsets, strict=True)
    ]


@pytest.mark.parametrize("is_packed", [False, True])
def test_a_zstandard_warc_with_a_dictionary_is_read_in_units(tmp_path: Path, is_packed: bool) -> None:
    file, pages, first = tmp_path / "a.warc.zst", pages_of("site.example", 60), warcinfo()
    records = [first, *(response(url, html, of=first) for url, html in pages)]
    dictionary = zstd_train_dictionary_from_samples(records, 4096)
    writer = ZstdWriter(str(file), dictionary=dictionary, compress_dictionary_frame=is_packed)
    for record in records:
        writer.write(record)
        writer.finish()
    writer.close()
    units = parts_of(units_of([file]), file.stat().st_size // 4)
    assert len(units) > 1
    found = read_units(units)
    assert [(page.url, page.html) for page in found if isinstance(page, CrawlPage)] == pages
    data = bytearray(file.read_bytes())
    data[found[7].offset + 30] ^= 255
    file.write_bytes(data)
    assert reasons(read(file)) == [*["page"] * 7, "broken record", *["page"] * 52]


def test_a_large_gzipped_warc_in_units_gives_each_page_once(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    write_warc(file, [response(url, html) for url, html in pages_of("site.example", 60)])
    units = parts_of(units_of([file]), file.stat().st_size // 7)
    assert len(units) > 3
    assert read_units(units) == read(file)


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
        response(f"{url}/last".replace("https", "HTTPS"), html),
    ]
    offsets = write_warc(tmp_path / "a.warc.gz", records)
    found = read(tmp_path / "a.warc.gz")
    expected = ["page", "redirect", "error page", "error page", "not HTML", "empty", "no web address", "too large"]
    assert reasons(found) == [*expected, "page"]
    assert [record.offset for record in found] == offsets


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz", "a.warc.zst"])
@pytest.mark.parametrize("length", [45, 20_000], ids=["too short", "too long"])
def test_a_record_whose_length_is_not_true_costs_itself_alone(tmp_path: Path, name: str, length: int) -> None:
    # A plain file has no members whose ends are known: there a record counts that names the file's own first one.
    first = warcinfo()
    liar = response(PAGES[1][0], PAGES[1][1], length=length, of=first)
    records = [first, response(*PAGES[0]), liar, *(response(url, html, of=first) for url, html in PAGES[2:])]
    offsets = write_warc(tmp_path / name, records)[1:]
    found = read(tmp_path / name)
    pages = [record.url for record in found if isinstance(record, CrawlPage)]
    assert pages == [PAGES[number][0] for number in (0, 2, 3, 4)]
    assert {record.offset for record in found if isinstance(record, Skipped)} == {offsets[1]}


def answers() -> dict[str, tuple[bytes, str | bytes]]:
    """Return records of one answer, each with its page's bytes or the reason why it is none."""
    url, html = PAGES[0]
    packed, chunked = gzip.compress(html), b"%x;name=value\r\n%s\r\n" % (len(html), html)
    shown = b"\n<!-- By hand -->" + html

    def of(body: bytes, *headers: str, status: str = "200 OK", kind: str = "text/html") -> bytes:
        lines = "".join(f"{header}\r\n" for header in headers)
        return response(url, body, headers=lines, status=status, content_type=kind)

    def in_lines(record: bytes, end: bytes = b"\n") -> bytes:
        head, mark, answer = record.partition(b"\r\n\r\n")
        http, blank, body = answer.partition(b"\r\n\r\n")
        http = (http + blank).replace(b"\r\n", end)
        head = re.sub(rb"(Content-Length:) \d+", rb"\1 %d" % (len(http) + len(body) - 4), head)
        return (head + mark).replace(b"\r\n", end) + http + body

    gz, br, deflate = (f"Content-Encoding: {name}" for name in ("gzip", "br", "deflate"))
    chunks = "Transfer-Encoding: chunked"
    return {
        "noindex": (of(html, "X-Robots-Tag: noindex, nofollow"), "robots denied"),
        "none": (of(html, "X-Robots-Tag: NONE"), "robots denied"),
        "another robot": (of(html, "X-Robots-Tag: otherbot: noindex"), html),
        "all": (of(html, "X-Robots-Tag: all"), html),
        "joined chunks": (of(shown, chunks), shown),
        "unpacked gzip": (of(shown, gz), shown),
        "unpacked br": (of(shown, br), shown),
        "gzip without its chunks": (of(packed, chunks, gz), html),
        "chunks with extensions": (of(chunked + b"0\r\n\r\n", chunks), html),
        "gzip that no header names": (of(packed), html),
        "gzip with bytes behind it": (of(packed + bytes(8), gz), html),
        "two members": (of(gzip.compress(b"<p>one") + gzip.compress(b"<p>two"), gz), b"<p>one<p>two"),
        "br": (of(brotli.compress(html), br), html),
        "deflate": (of(zlib.compress(html), deflate), html),
        "raw deflate": (of(zlib.compress(html)[2:-4], deflate), html),
        "cut gzip": (of(packed[:-9], gz), "truncated"),
        "cut end of gzip": (of(packed[:-3], gz), "truncated"),
        "a cut second member": (of(packed + packed[:-20], gz), "truncated"),
        "cut deflate": (of(zlib.compress(html)[:-9], deflate), "truncated"),
        "cut br": (of(brotli.compress(html)[:-9], br), "broken record"),
        "cut chunk": (of(chunked[:-9], chunks), "truncated"),
        "no last chunk": (of(chunked, chunks), "truncated"),
        "unknown packing": (of(b"?" + html, "Content-Encoding: x-own"), "broken record"),
        "status 203": (of(html, status="203 Non-Authoritative Information"), html),
        "status 204": (of(html, status="204 No Content"), "no page"),
        "no reason": (of(html, status="200"), html),
        "gzip twice": (of(gzip.compress(packed), gz), html),
        "no gzip, nor a known begin": (of(b"<p>one", gz), b"<p>one"),
        "zstd that no header names": (of(pa.compress(html, codec="zstd", asbytes=True)), html),
        "an answer in a record of no type": (of(html).replace(b"Content-Type: application/http; ", b"", 1), html),
        "a type in capitals": (of(html).replace(b"Type: response", b"Type: RESPONSE", 1), html),
        "no version": (of(html).replace(b"HTTP/1.1", b"HTTP    "), html),
        "two returns a line": (in_lines(of(html), b"\r\r\n"), html),
        "small letters": (of(html).replace(b"HTTP/1.1", b"http/1.1"), html),
        "unknown type": (of(html, kind="unknown/unknown"), html),
        "any type": (of(html, kind="*/*"), html),
        "no type": (of(html, kind="html; charset=utf-8"), html),
        "a type in quotes": (of(html, kind='"text/html"'), html),
        "a first answer": (of(html, status="100 Continue\r\n\r\nHTTP/1.1 200 OK"), html),
        "LF alone": (in_lines(of(html)), html),
        "WARC/0.17": (of(html).replace(b"WARC/1.0", b"WARC/0.17"), html),
        "WARC/0.18, LF alone": (in_lines(of(html)).replace(b"WARC/1.0", b"WARC/0.18"), html),
        "WARC/2.0": (of(html).replace(b"WARC/1.0", b"WARC/2.0"), html),
        "types by comma": (of(html, kind="text/html,application/xhtml+xml"), html),
        "charset by colon": (of(html, kind="text/html: charset=utf-8"), html),
        "another type": (of(html, kind="text/htmlx"), "not HTML"),
        "one line end": (of(html)[:-2], html),
    }


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz", "a.warc.zst"])
def test_answers_of_all_kinds_give_their_pages_or_the_reason(tmp_path: Path, name: str) -> None:
    cases = answers()
    write_warc(tmp_path / name, [record for record, _ in cases.values()])
    found = read(tmp_path / name)
    got = [record.reason if isinstance(record, Skipped) else record.html for record in found]
    wrong = {case: given for (case, (_, wanted)), given in zip(cases.items(), got, strict=True) if given != wanted}
    assert not wrong


def test_the_charset_of_the_header_is_kept(tmp_path: Path) -> None:
    kinds = ["; charset=ISO-8859-1", ';charset="iso-8859-1"; x=y', " charset = iso-8859-1", "; charset=", ""]
    write_warc(tmp_path / "a.warc", [response(*PAGES[0], content_type=f"text/html{kind}") for kind in kinds])
    charsets = [record.charset for record in read(tmp_path / "a.warc") if isinstance(record, CrawlPage)]
    assert charsets == [*["iso-8859-1"] * 3, None, None]


def as_one(name: str, data: bytes) -> bytes:
    return PACKED_AS_ONE.get(name, bytes)(data)


def test_junk_around_records_costs_no_record(tmp_path: Path) -> None:
    records = [response(url, html) for url, html in PAGES]
    all_junk = {
        "mark": b"\xef\xbb\xbf",
        "line": b"[12:03] the reader was restarted\r\n",
        "zeros": bytes(700),
        "log": b"2026-01-01 fetch ok\n" * 200,
        "blank lines": b"\r\nstopped\r\n\r\n",
    }
    wrong = {}
    for (kind, junk), name, whole in product(all_junk.items(), ("a.warc", *PACKED_AS_ONE), (False, True)):
        if kind == "log" and not whole and name != "a.warc":
            continue  # a packed record may be as long
        file = tmp_path / (name if not whole else "plain.warc")
        offsets = write_warc(file, records)
        parts = [file.read_bytes()[start:end] for start, end in pairwise([*offsets, None])]
        joined = junk + junk.join(parts) + junk
        (tmp_path / name).write_bytes(as_one(name, joined) if whole else joined)
        found = reasons(read(tmp_path / name))
        if found != [*["broken record", "page"] * len(PAGES), "broken record"]:
            wrong[name, whole, kind] = found
    assert not wrong


def test_arc_files_of_both_versions_give_their_pages(tmp_path: Path) -> None:
    fields = "text/html", "text/html 200 3a8f 0 https://other.example/a 1234 a.arc.gz"
    for packed in (bytes, gzip.compress):
        for number, other in enumerate(fields, 1):
            info = b"%d 0 A museum\nURL IP-address Archive-date Content-type Archive-length\n\n" % number
            records = [b"filedesc://a.arc 0.0.0.0 20060501000000 text/plain %d\n%s\n" % (len(info), info)]
            pages = [("dns:site.example", b"1.2.3.4"), *PAGES, ("https://site.example/a b", b"<p>one")]
            for url, html in pages:
                answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html
                records.append(f"{url} 1.2.3.4 20060501100203 {other} {len(answer)}\n".encode() + answer + b"\n")
            lying = [*records]
            lying[3] = records[3].replace(b" %d\n" % (len(records[3].split(b"\n", 1)[1]) - 1), b" 99\n")
            name = "a.arc.gz" if packed is gzip.compress else "a.arc"
            for case, lost in ((records, []), (lying, [PAGES[1]])):
                (tmp_path / name).write_bytes(b"".join(map(packed, case)))
                found = read(tmp_path / name)
                sound = [page for page in found if isinstance(page, CrawlPage)]
                assert [(page.record.url, page.html) for page in sound] == [p for p in pages[1:] if p not in lost]
                assert {page.record.date for page in sound} == {"2006-05-01T10:02:03Z"}
                assert set(reasons(found)) == {"page", "no web address", *["untrue length"] * len(lost)}


def test_without_ids_and_members_a_wrong_length_costs_its_record_alone(tmp_path: Path) -> None:
    records = [response(url, html) for url, html in PAGES]
    wrong = {}
    for length, name in product((45, 350, 20_000, 1 << 40), ("a.warc", *PACKED_AS_ONE)):
        for lies_at in range(5):
            lying = [*records]
            lying[lies_at] = response(*PAGES[lies_at], length=length)
            offsets = write_warc(tmp_path / "a.warc", lying)
            (tmp_path / name).write_bytes(as_one(name, (tmp_path / "a.warc").read_bytes()))
            found = read(tmp_path / name)
            pages = [page.url for page in found if isinstance(page, CrawlPage)]
            skipped = [record.offset for record in found if isinstance(record, Skipped)]
            right = [url for url, _ in PAGES[:lies_at] + PAGES[lies_at + 1 :]]
            if (pages, skipped) != (right, [offsets[lies_at]]):
                wrong[length, name, lies_at] = pages, skipped
    assert not wrong


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


def test_damage_anywhere_in_a_gzipped_warc_costs_the_records_it_touches_and_no_other(tmp_path: Path) -> None:
    file, pages = tmp_path / "a.warc.gz", pages_of("site.example", 12)
    offsets = write_warc(file, [response(url, html) for url, html in pages])
    whole, wrong = file.read_bytes(), []
    ends = [*offsets[1:], len(whole)]
    for seed in range(60):
        random = Random(seed)
        first = random.randrange(len(whole))
        last = min(len(whole), first + random.choice([1, 5, 50, 400]))
        damages = [bytes(last - first), random.randbytes(last - first), b"", whole[first:last] * 2]
        file.write_bytes(whole[:first] + random.choice(damages) + whole[last:])
        found = read(file, unit_bytes=random.choice([1 << 25, len(whole) // 4]))
        sound = Counter((page.url, page.html) for page in found if isinstance(page, CrawlPage))
        untouched = [
            page for page, start, end in zip(pages, offsets, ends, strict=True) if end < first or start > last
        ]
        is_each_once = all(sound[page] == 1 for page in untouched) and max(sound.values()) == 1
        if not is_each_once or len(found) <= len(untouched):
            wrong.append(seed)
    assert not wrong


def test_a_truncated_file_gives_all_before_the_cut(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    offsets = write_warc(file, [response(url, html) for url, html in PAGES])
    file.write_bytes(file.read_bytes()[: offsets[4] + 150])
    found = read(file)
    assert reasons(found)[:4] == ["page"] * 4
    assert [(type(record), record.offset) for record in found[4:]] == [(Skipped, offsets[4])]


PACKED_AS_ONE: dict[str, Callable[[bytes], bytes]] = {
    "a.warc.gz": gzip.compress,
    "a.warc.zst": partial(pa.compress, codec="zstd", asbytes=True),
}


@pytest.mark.parametrize("name", PACKED_AS_ONE)
@pytest.mark.parametrize("units", [1, 5])
def test_a_file_that_was_packed_whole_gives_each_page_once_with_its_offset_when_unpacked(
    tmp_path: Path, name: str, units: int
) -> None:
    pages = pages_of("site.example", 30)
    offsets = write_warc(tmp_path / "a.warc", [response(url, html) for url, html in pages])
    (tmp_path / name).write_bytes(PACKED_AS_ONE[name]((tmp_path / "a.warc").read_bytes()))
    found = read(tmp_path / name, unit_bytes=(tmp_path / name).stat().st_size // units)
    assert [(record.url, record.offset) for record in found] == [
        (url, offset) for (url, _), offset in zip(pages, offsets, strict=True)
    ]


def test_files_packed_by_record_and_in_larger_pieces_joined_to_one_give_each_page_once(tmp_path: Path) -> None:
    pages = pages_of("site.example", 60)
    by_record, together = tmp_path / "a.warc.gz", tmp_path / "b.warc"
    write_warc(by_record, [response(url, html) for url, html in pages[:30]])
    write_warc(together, [response(url, html) for url, html in pages[30:]])
    joined = by_record.read_bytes() + gzip.compress(together.read_bytes())
    by_record.write_bytes(joined)
    found = read(by_record, unit_bytes=len(joined) // 7)
    assert [record.url for record in found] == [url for url, _ in pages]
    assert len({record.offset for record in found}) == 60


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_a_file_that_ends_within_the_head_of_a_record_tells_so(tmp_path: Path, name: str) -> None:
    offsets = write_warc(tmp_path / name, [response(url, html) for url, html in PAGES])
    whole = (tmp_path / name).read_bytes()
    for missing in (0, 3):
        for length in (15, 70, 100, 160):
            (tmp_path / name).write_bytes(whole[: offsets[missing] + length])
            found = read(tmp_path / name)
            assert reasons(found)[:-1] == ["page"] * missing
            assert reasons(found)[-1] in {"truncated", "broken record"}
            assert found[-1].offset == offsets[missing]


def test_records_that_are_no_answers_are_passed_over(tmp_path: Path) -> None:
    url, html = PAGES[0]
    answer = response(url, html)
    others = [
        answer.replace(b"WARC-Type: response", b"WARC-Type: " + kind)
        for kind in (b"warcinfo", b"request", b"metadata", b"continuation", b"revisit", b"conversion")
    ]
    converted = others[-1].replace(b"application/http; msgtype=response", b"text/html")
    write_warc(tmp_path / "a.warc.gz", [*others, answer, converted])
    found = read(tmp_path / "a.warc.gz")
    assert reasons(found) == ["no page", "no page", "not HTML", "page", "page"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such pipes")
def test_pipes_and_devices_in_a_folder_are_passed_over(tmp_path: Path) -> None:
    folder = tmp_path / "example.org"
    folder.mkdir()
    (folder / "index.html").write_text("<p>Knots", encoding="utf-8")
    for name in ("a.warc.gz", "b.jsonl", "c.html"):
        os.mkfifo(folder / name)
    (folder / "d.html").symlink_to("/dev/zero")
    assert reasons(read(folder)) == ["page"]


def test_a_file_that_is_given_twice_is_read_once(tmp_path: Path) -> None:
    file = tmp_path / "a.warc"
    write_warc(file, [response(url, html) for url, html in PAGES])
    assert len(read(file, tmp_path, file)) == len(PAGES)


def test_a_line_that_is_too_long_costs_one_record(tmp_path: Path) -> None:
    rows = [{"url": "https://a.example/", "html": text} for text in ("<p>a", "x" * (100 << 20), "<p>b")]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    found = read(tmp_path / "a.jsonl")
    assert [(reason, record.offset) for reason, record in zip(reasons(found), found, strict=True)] == [
        ("page", 0),
        ("too large", 1),
        ("page", 2),
    ]


def test_a_broken_table_costs_what_is_behind_the_break_and_no_other_file(tmp_path: Path) -> None:
    rows = [{"url": url, "html": html.decode()} for url, html in PAGES]
    for name in ("a.parquet", "b.parquet"):
        pq.write_table(pa.Table.from_pylist(rows), tmp_path / name)
    (tmp_path / "a.parquet").write_bytes((tmp_path / "a.parquet").read_bytes()[:-20])
    assert reasons(read(tmp_path)) == ["broken record", *["page"] * len(PAGES)]


def test_a_row_group_that_unpacks_to_too_much_is_skipped_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two groups of a few kB: texts of 5 MB together, and a list of a million times the same number."""
    monkeypatch.setattr("sitestencil.crawl.input.tables._MOST_UNPACKED", 1 << 22)
    texts, numbers = ["x" * 50_000] * 100, pa.list_(pa.int8())
    schema = pa.schema({"url": pa.string(), "html": pa.string(), "numbers": numbers})

    def rows(html: list[str], lists: pa.Array) -> pa.Table:
        return pa.table({"url": ["https://a.example/"] * len(html), "html": html, "numbers": lists}, schema)

    long_list = pa.ListArray.from_arrays([0, 1_000_000], pa.array(bytes(1_000_000), pa.int8()))
    with pq.ParquetWriter(tmp_path / "a.parquet", schema, compression="zstd", use_dictionary=["numbers"]) as file:
        for table in (
            rows(["<p>a"], pa.nulls(1, numbers)),
            rows(texts, pa.nulls(100, numbers)),
            rows(["<p>b"], pa.nulls(1, numbers)),
            rows(["<p>c"], long_list),
            rows(["<p>d"], pa.nulls(1, numbers)),
        ):
            file.write_table(table)
    assert (tmp_path / "a.parquet").stat().st_size < 20_000
    found = read(tmp_path / "a.parquet")
    assert [(reason, record.offset) for reason, record in zip(reasons(found), found, strict=True)] == [
        ("page", 0),
        ("too large", 1),
        ("page", 101),
        ("too large", 102),
        ("page", 103),
    ]


def test_a_table_that_grows_without_end_is_left_out_from_there_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitestencil.crawl.input.tables._MOST_UNPACKED", 1 << 20)
    monkeypatch.setattr("sitestencil.crawl.input.tables._MOST_IN_VAIN", 50)
    row = json.dumps({"url": "https://a.example/", "html": "<p>a"}).encode() + b"\n"
    bodies = {"long line": b'{"html": "' + b"a" * (1 << 23), "empty lines": b"\n" * 500, "broken": b"{}\n" * 500}
    told = {}
    for name, body in bodies.items():
        (tmp_path / f"{name}.jsonl.gz").write_bytes(gzip.compress(row + body + row))
        told[name] = reasons(read(tmp_path / f"{name}.jsonl.gz"))
    again = pa.DictionaryArray.from_arrays(pa.array([0] * 100, pa.int32()), pa.array(["<p>" + "a" * 100_000]))
    pq.write_table(pa.table({"url": ["https://a.example/"] * 100, "html": again}), tmp_path / "b.parquet")
    told["same text"] = reasons(read(tmp_path / "b.parquet"))[-2:]
    nothing = pa.table({"url": pa.nulls(500, pa.string()), "html": pa.nulls(500, pa.string())})
    pq.write_table(nothing, tmp_path / "a.parquet")
    told["nulls"] = reasons(read(tmp_path / "a.parquet"))
    assert told == {
        "same text": ["page", "too large"],
        "long line": ["page", "too large"],
        "empty lines": ["page", "broken record"],
        "broken": ["page", *["broken record"] * 150],
        "nulls": ["broken record"] * 51,
    }


def test_a_file_of_tiny_records_without_end_is_left_out_from_there_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitestencil.crawl.input.warc._FEW_RECORDS", 50)
    tiny = response("https://a.example/", b"", status="404", content_type="x/y") * 500
    random = Random(1)
    honest = b"".join(response(f"https://a.example/{random.randbytes(30).hex()}", b"<p>a") for _ in range(200))
    bodies = {"tiny": tiny, "behind junk": b"junk\r\n\r\n" * 100 + tiny, "honest": honest}
    told = {}
    for name, pack in PACKED_AS_ONE.items():
        for kind, body in bodies.items():
            (tmp_path / name).write_bytes(pack(body))
            told[name, kind] = Counter(reasons(read(tmp_path / name)))
    assert told == {
        (name, kind): expected
        for name in PACKED_AS_ONE
        for kind, expected in {
            "tiny": {"error page": 50, "broken record": 1},
            "behind junk": {"error page": 50, "broken record": 2},
            "honest": {"page": 200},
        }.items()
    }


def test_text_that_is_no_unicode_breaks_nothing(tmp_path: Path) -> None:
    lines = ['{"url": "https://a.example/\\ud800", "html": "<p>\\ud800"}', "[" * 100_000, "", '{"url": "\\ud800"}']
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert reasons(read(tmp_path / "a.jsonl")) == ["page", "broken record", "broken record"]
    ends = pa.py_buffer(b"".join(end.to_bytes(4, "little") for end in (0, 5)))
    html = pa.StringArray.from_buffers(1, ends, pa.py_buffer(b"<p>\xff\xfe"))
    pq.write_table(pa.table({"url": ["https://a.example/"], "html": html}), tmp_path / "a.parquet")
    assert reasons(read(tmp_path / "a.parquet")) == ["page"]


def test_values_that_python_or_json_lacks_keep_their_row(tmp_path: Path) -> None:
    text = pa.StringArray.from_buffers(1, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"a\xff"))
    columns = {
        "url": pa.array([b"https://a.example/"]),
        "html": pa.array(["<p>A"]),
        "number": pa.array([float("nan")]),
        "bytes": pa.array([b"\xff"]),
        "year": pa.array([2**62], pa.timestamp("us")),
        "text": pa.DictionaryArray.from_arrays(pa.array([0], pa.int32()), text),
        "texts": pa.ListArray.from_arrays(pa.array([0, 1], pa.int32()), text),
    }
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    (page,) = read(tmp_path / "a.parquet")
    assert isinstance(page, CrawlPage)
    assert page.record.columns is not None
    others = json.loads(page.record.columns, parse_constant=pytest.fail)
    assert others["number"] is None
    assert b64decode(others["bytes"]) == b"\xff"
    assert others["text"] == "a\ufffd"
    assert "a\ufffd" in others["texts"]
    assert "year" in others


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


def test_names_of_columns_are_read_in_any_case_and_once_each(tmp_path: Path) -> None:
    rows = ['{"URL": "https://a.example/", "Html": "<p>A", "Note": 1}']
    doubled = '{"url": "https://a.example/", "HTML": "<p>A", "html": "<p>B"}'
    twice = [doubled, doubled.replace("HTML", "html")]
    (tmp_path / "a.jsonl").write_text("\n".join(rows + twice), encoding="utf-8")
    page, *others = read(tmp_path / "a.jsonl")
    assert isinstance(page, CrawlPage)
    assert (page.html, page.record.columns) == (b"<p>A", '{"Note":1}')
    assert [record.detail for record in others if isinstance(record, Skipped)] == ["It has 2 columns html."] * 2
    for names in (["Url", "HTML", "Html"], ["URL", "url", "html"]):
        pq.write_table(pa.table([["https://a.example/"], ["<p>A"], ["<p>B"]], names), tmp_path / "a.parquet")
        (skipped,) = read(tmp_path / "a.parquet")
        assert isinstance(skipped, Skipped)
        assert re.search(r"a\.parquet has 2 columns (url|html)\.", skipped.detail)
    pq.write_table(
        pa.table([["https://a.example/"], ["<p>A"]], ["Warc_Target_URI", "Content"]), tmp_path / "a.parquet"
    )
    assert reasons(read(tmp_path / "a.parquet")) == ["page"]


def test_the_list_of_pages_of_an_unpacked_wacz_is_no_crawl(tmp_path: Path) -> None:
    for folder in ("archive", "pages"):
        (tmp_path / folder).mkdir()
    write_warc(tmp_path / "archive" / "a.warc.gz", [response(*PAGES[0])])
    lines = ['{"format": "json-pages-1.0", "id": "pages"}', '{"url": "https://site.example/story0", "title": "x"}']
    (tmp_path / "pages" / "pages.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "datapackage.json").write_text("{}", encoding="utf-8")
    assert reasons(read(tmp_path)) == ["page", "not read", "not read"]


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


def test_a_named_input_that_cannot_be_read_costs_itself_as_in_a_folder(tmp_path: Path) -> None:
    """One cut download does not end ``crawl *.wacz``; what is not there does."""
    (tmp_path / "a.jsonl").write_text('{"url": "https://a.example/", "html": "<p>A"}')
    (tmp_path / "cut.wacz").write_bytes(b"PK\x03\x04")
    (tmp_path / "c.csv").write_text("a,b")
    (tmp_path / "empty").mkdir()
    names = ["cut.wacz", "a.jsonl", "c.csv", "empty"]
    found = [record for unit in units_of([tmp_path / name for name in names]) for record in read_unit(unit)]
    assert [Path(record.source).name for record in found] == names
    assert reasons(found) == ["not read", "page", "not read", "not read"]
    with pytest.raises(UnusableInput, match=r"cut\.wacz is no crawl"):
        units_of([tmp_path / "cut.wacz", tmp_path / "c.csv"])
    with pytest.raises(UnusableInput, match="does not exist"):
        units_of([tmp_path / "a.jsonl", tmp_path / "missing.wacz"])
