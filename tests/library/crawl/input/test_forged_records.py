"""A server's answer may hold the bytes of whole WARC records: none of them may pass as a record of the file."""

import gzip
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import process_time

from tests.library.crawl.input.test_crawl_input import read, reasons
from tests.support.crawls import article, forging_answer, pages_of, response, warcinfo, write_warc

from sitestencil.crawl.input.crawled import CrawlPage

PACKED = ["a.warc.gz", "a.warc.zst"]
NAMES = ["a.warc", *PACKED]
HONEST = pages_of("site.example", 12)


def sites(file: Path, unit_bytes: int = 1 << 25) -> list[str]:
    return [record.site for record in read(file, unit_bytes=unit_bytes) if isinstance(record, CrawlPage)]


def test_a_unit_begins_with_no_record_that_lies_in_a_body(tmp_path: Path) -> None:
    honest = [response(url, html) for url, html in HONEST]
    found: dict[tuple[str, int], list[str]] = {}
    for name in PACKED:
        write_warc(tmp_path / name, [*honest[:6], forging_answer(name), *honest[6:]])
        size = (tmp_path / name).stat().st_size
        found |= {(name, units): sites(tmp_path / name, size // units) for units in (3, 7, 40)}
    right = ["site.example"] * 6 + ["evil.example"] + ["site.example"] * 6
    assert {case: given for case, given in found.items() if given != right} == {}


def test_behind_damage_no_record_is_taken_from_a_body(tmp_path: Path) -> None:
    honest, wrong = [response(url, html) for url, html in HONEST], {}
    for name in NAMES:
        file = tmp_path / name
        offsets = write_warc(file, [*honest[:6], forging_answer(name), *honest[6:]])
        whole, start, end = file.read_bytes(), offsets[6], offsets[7]
        for hit, ranges in {
            "start": [(start, start + 8)],
            "head": [(start + 30, start + 300)],
            "body": [(start + 3000, start + 3040)],
            "end": [(end - 6, end)],
            "over the end": [(end - 200, end + 100)],
            "all but the body": [(start, start + 1000), (end - 200, end + 100)],
        }.items():
            data = bytearray(whole)
            for first, last in ranges:
                data[first:last] = bytes(last - first)
            file.write_bytes(data)
            least = 12 if name == "a.warc.gz" and hit in {"start", "head", "body"} else 6
            for units in (1, 5):
                found = sites(file, len(data) // units)
                if "bank.example" in found or found[:least] != ["site.example"] * least:
                    wrong[name, hit, units] = found
    assert not wrong


def test_a_file_that_was_cut_in_a_body_and_written_on_gives_no_record_of_the_body(tmp_path: Path) -> None:
    behind, wrong = pages_of("site.example", 700), {}
    (tmp_path / "cut").mkdir()
    for name in NAMES:
        file = tmp_path / name
        write_warc(tmp_path / "cut" / name, [response(*HONEST[0]), forging_answer(name)])
        write_warc(file, [response(url, html) for url, html in behind])
        cut, whole = (tmp_path / "cut" / name).read_bytes(), file.read_bytes()
        for share in (0.3, 0.7, 0.95):
            file.write_bytes(cut[: int(len(cut) * share)] + whole)
            found = sites(file)
            is_whole = name != "a.warc.gz" or found == ["site.example"] * (1 + len(behind))
            if "bank.example" in found or not is_whole:
                wrong[name, share] = Counter(found)
    assert not wrong


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


def test_records_that_name_their_files_own_first_record_are_found_behind_damage(tmp_path: Path) -> None:
    honest, found = [response(url, html, of=warcinfo()) for url, html in HONEST], {}
    for name in NAMES:
        file = tmp_path / name
        offsets = write_warc(file, [warcinfo(), *honest[:6], forging_answer(name), *honest[6:]])
        data = bytearray(file.read_bytes())
        for number in (2, 7):
            data[offsets[number] : offsets[number] + 30] = bytes(30)
        file.write_bytes(data)
        found[name] = sites(file)
    assert found == {name: ["site.example"] * 11 for name in NAMES}


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


def test_bytes_that_look_like_the_begin_of_members_hold_up_no_reader(tmp_path: Path) -> None:
    for name, magic in (("a.warc.gz", b"\x1f\x8b\x08"), ("a.warc.zst", b"\x28\xb5\x2f\xfd")):
        file = tmp_path / name
        offsets = write_warc(file, [response(*HONEST[0]), forging_answer(name)])
        begin = file.read_bytes()[: offsets[1] + 500]
        for between in (b"", b"\0" * 7, b"\0\x58\x01\0\0"):
            data = begin + (magic + between) * 700_000
            file.write_bytes(data)
            started = process_time()
            assert sites(file, len(data) // 3) == ["site.example"]
            assert process_time() - started < 30


def test_a_long_head_costs_neither_its_record_nor_the_one_before(tmp_path: Path) -> None:
    long_heads = []
    for length in (32_700, 200_000):
        line = f"X-Long: {'x' * length}\r\n"
        long_heads += [
            response(*HONEST[1], headers=line),
            response(*HONEST[1]).replace(b"WARC-Date", f"{line}WARC-Date".encode(), 1),
        ]
    found = {}
    for name in NAMES:
        write_warc(tmp_path / name, [response(*HONEST[0]), *long_heads, response(*HONEST[2])])
        found[name] = [record.url for record in read(tmp_path / name) if isinstance(record, CrawlPage)]
    right = [HONEST[number][0] for number in (0, 1, 1, 1, 1, 2)]
    assert found == dict.fromkeys(NAMES, right)


def test_time_grows_with_a_records_size_and_no_faster(tmp_path: Path) -> None:
    member = gzip.compress(b"<p>a", mtime=0)
    bodies: dict[str, tuple[Callable[[int], bytes], int, str]] = dict.fromkeys(NAMES, (bytes, 1 << 24, "too large"))
    bodies["b.warc"] = (lambda size: member * (size // len(member)), 1 << 20, "page")

    def seconds(name: str, times: int) -> float:
        body, size, reason = bodies[name]
        write_warc(tmp_path / name, [response("https://site.example/", body(times * size)), response(*HONEST[0])])
        started = process_time()
        assert reasons(read(tmp_path / name)) == [reason, "page"]
        return process_time() - started

    for name in bodies:
        assert min(seconds(name, 4) for _ in range(2)) < 10 * min(seconds(name, 1) for _ in range(2)) + 0.1, name
