"""A server's answer may hold the bytes of whole WARC records: none of them may pass as a record of the file."""

import gzip
from pathlib import Path
from time import process_time

import pytest
from tests.library.crawl.input.test_crawl_input import read, reasons
from tests.support.crawls import article, forging_answer, pages_of, response, warcinfo, write_warc

from sitestencil.crawl.input.crawled import CrawlPage

PACKED = ["a.warc.gz", "a.warc.zst"]
NAMES = ["a.warc", *PACKED]
HONEST = pages_of("site.example", 12)


def sites(file: Path, unit_bytes: int = 1 << 25) -> list[str]:
    return [record.site for record in read(file, unit_bytes=unit_bytes) if isinstance(record, CrawlPage)]


@pytest.mark.parametrize("name", PACKED)
@pytest.mark.parametrize("units", [3, 7, 40])
def test_a_unit_begins_with_no_record_that_lies_in_a_body(tmp_path: Path, name: str, units: int) -> None:
    honest = [response(url, html) for url, html in HONEST]
    write_warc(tmp_path / name, [*honest[:6], forging_answer(name), *honest[6:]])
    found = sites(tmp_path / name, (tmp_path / name).stat().st_size // units)
    assert found == ["site.example"] * 6 + ["evil.example"] + ["site.example"] * 6


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("hit", ["start", "head", "body", "end", "over the end", "all but the body"])
@pytest.mark.parametrize("units", [1, 5])
def test_behind_damage_no_record_is_taken_from_a_body(tmp_path: Path, name: str, hit: str, units: int) -> None:
    file = tmp_path / name
    honest = [response(url, html) for url, html in HONEST]
    offsets = write_warc(file, [*honest[:6], forging_answer(name), *honest[6:]])
    data, start, end = bytearray(file.read_bytes()), offsets[6], offsets[7]
    for first, last in {
        "start": [(start, start + 8)],
        "head": [(start + 30, start + 300)],
        "body": [(start + 3000, start + 3040)],
        "end": [(end - 6, end)],
        "over the end": [(end - 200, end + 100)],
        "all but the body": [(start, start + 1000), (end - 200, end + 100)],
    }[hit]:
        data[first:last] = bytes(last - first)
    file.write_bytes(data)
    found = sites(file, len(data) // units)
    assert "bank.example" not in found
    assert found[:6] == ["site.example"] * 6
    if name == "a.warc.gz" and hit in {"start", "head", "body"}:
        assert found == ["site.example"] * 12


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_was_cut_in_a_body_and_written_on_gives_no_record_of_the_body(
    tmp_path: Path, name: str
) -> None:
    file = tmp_path / name
    (tmp_path / "cut").mkdir()
    evil = forging_answer(name)
    write_warc(tmp_path / "cut" / name, [response(*HONEST[0]), evil])
    behind = pages_of("site.example", 700)
    write_warc(file, [response(url, html) for url, html in behind])
    cut, whole = (tmp_path / "cut" / name).read_bytes(), file.read_bytes()
    for share in (0.3, 0.7, 0.95):
        file.write_bytes(cut[: int(len(cut) * share)] + whole)
        found = sites(file)
        assert "bank.example" not in found
        if name == "a.warc.gz":
            assert found == ["site.example"] * (1 + len(behind))


def test_a_file_of_one_member_that_is_cut_in_a_body_gives_no_record_of_the_body(tmp_path: Path) -> None:
    file, evil = tmp_path / "a.warc.gz", forging_answer("a.warc.gz")
    whole = gzip.compress(response(*HONEST[0]) + evil, 0, mtime=0)
    pages = ((f"https://bank.example/{number}", article("bank.example", number)) for number in range(180))
    forged = (gzip.compress(response(*page), mtime=0) for page in pages)
    ends = [whole.index(member) + len(member) for member in forged if member in whole]
    assert len(ends) > 50
    for end in ends[-20:]:
        file.write_bytes(whole[:end])
        assert sites(file) == ["site.example"]


@pytest.mark.parametrize("name", NAMES)
def test_records_that_name_their_files_own_first_record_are_found_behind_damage(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    honest = [response(url, html, of=warcinfo()) for url, html in HONEST]
    offsets = write_warc(file, [warcinfo(), *honest[:6], forging_answer(name), *honest[6:]])
    data = bytearray(file.read_bytes())
    for number in (2, 7):
        data[offsets[number] : offsets[number] + 30] = bytes(30)
    file.write_bytes(data)
    assert sites(file) == ["site.example"] * 11


def test_what_nothing_proves_to_be_a_record_is_named(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    offsets = write_warc(file, [response(url, html) for url, html in HONEST])
    data = bytearray(file.read_bytes())
    for number in (3, 7):
        data[offsets[number] : offsets[number] + 30] = bytes(30)
    file.write_bytes(data)
    found = read(file)
    assert [record.offset for record in found] == offsets
    lost = ["broken record", *["unproved record"] * 3, "broken record"]
    assert reasons(found) == [*["page"] * 3, *lost, *["page"] * 4]


@pytest.mark.parametrize(("name", "magic"), [("a.warc.gz", b"\x1f\x8b\x08"), ("a.warc.zst", b"\x28\xb5\x2f\xfd")])
@pytest.mark.parametrize("between", [b"", b"\0" * 7, b"\0\x58\x01\0\0"])
def test_bytes_that_look_like_the_begin_of_members_hold_up_no_reader(
    tmp_path: Path, name: str, magic: bytes, between: bytes
) -> None:
    file = tmp_path / name
    offsets = write_warc(file, [response(*HONEST[0]), forging_answer(name)])
    data = file.read_bytes()[: offsets[1] + 500] + (magic + between) * 700_000
    file.write_bytes(data)
    started = process_time()
    assert sites(file, len(data) // 3) == ["site.example"]
    assert process_time() - started < 30


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("length", [32_700, 200_000])
@pytest.mark.parametrize("where", ["http", "warc"])
def test_a_long_head_costs_neither_its_record_nor_the_one_before(
    tmp_path: Path, name: str, length: int, where: str
) -> None:
    long_head = response(*HONEST[1], headers=f"X-Long: {'x' * length}\r\n")
    if where == "warc":
        long_head = response(*HONEST[1]).replace(b"WARC-Date", f"X-Long: {'x' * length}\r\nWARC-Date".encode(), 1)
    write_warc(tmp_path / name, [response(*HONEST[0]), long_head, response(*HONEST[2])])
    assert [record.url for record in read(tmp_path / name) if isinstance(record, CrawlPage)] == [
        url for url, _ in HONEST[:3]
    ]


@pytest.mark.parametrize("name", NAMES)
def test_time_grows_with_a_records_size_and_no_faster(tmp_path: Path, name: str) -> None:
    def seconds(size: int) -> float:
        write_warc(tmp_path / name, [response("https://site.example/", bytes(size)), response(*HONEST[0])])
        started = process_time()
        assert reasons(read(tmp_path / name)) == ["too large", "page"]
        return process_time() - started

    assert min(seconds(1 << 26) for _ in range(2)) < 10 * min(seconds(1 << 24) for _ in range(2)) + 0.1
