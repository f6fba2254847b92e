"""Two versions of a page: what changed in its content, and whether its frame did; and the command that tells it."""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path
from random import Random
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.crawls import article, page, response, write_warc
from tests.support.server import Server
from tests.support.tables import table

from sitestencil import WrongArgument, compare
from sitestencil.cli import main
from sitestencil.versions import _changes

SITE, PAGE = "ropes.example", "https://ropes.example/story1"
OLD = article(SITE, 1)
PAGES = {f"https://{SITE}/story{number}": article(SITE, number) for number in range(2, 8)}
_START, _END = "<h1>Story 1 of ropes.example</h1>", "<footer class='foot'><p>All rights reserved by ropes.example"
PARAGRAPHS = OLD.decode().split("<p>")[1:5]

Edit = tuple[str, str, list[str], bool]
NEW = "The harbour master closed the quay for a week because of the storm"
EDITS: Iterable[Edit] = (
    ("", "", [], False),
    (_START, f"{_START}<p>{NEW}</p>", ["added"], False),
    (f"<p>{PARAGRAPHS[1]}", "", ["removed"], False),
    (f"<p>{PARAGRAPHS[0]}<p>{PARAGRAPHS[1]}", f"<p>{PARAGRAPHS[1]}<p>{PARAGRAPHS[0]}", ["moved"], False),
    (f"{SITE}1</p>", f"{SITE}2</p>", ["changed"] * 4, False),
    ("Story 1 of", "<a href='/new'>Story</a> 1 of", ["added"], False),
    (_START, f"{_START}<img src='/knot.png'>", ["added"], False),
    (_END, f"{_END} and the port", [], True),
    ('<a href="/story0">Menu entry 0', '<a href="/first">The first entry', [], True),
    (_END, f"<div class=wide>{_END}", [], True),
    (_END, f"{_END}, 2026", [], True),
)


@table(["old", "new", "content", "frame"], EDITS)
def test_each_change_is_one_of_the_content_or_of_the_frame(
    old: str, new: str, content: list[str], frame: bool
) -> None:
    edited = OLD.decode().replace(old, new)
    found = compare(OLD, edited, url=PAGE, pages=PAGES)
    assert [one.kind for one in found.content] == content
    assert bool(found.frame) is frame
    back = compare(edited, OLD, url=PAGE, pages=PAGES)
    assert (len(back.content), bool(back.frame)) == (len(content), frame)


def test_a_visitor_counter_changes_nothing() -> None:
    old, new = (OLD.decode().replace(_END, f"{_END}<p>Visitors: {count}</p>") for count in (104, 205))
    found = compare(old, new, url=PAGE, pages=PAGES)
    assert not found.content
    assert not found.frame


def test_a_price_is_the_same_unit_with_another_number() -> None:
    old, new = (page(SITE, f"<h1>Rope</h1><p>Ten metres of hemp<p>{price} euros") for price in (12, 49))
    assert [(one.kind, one.old, one.new) for one in compare(old, new).content] == [
        ("changed", "12 euros", "49 euros")
    ]


def test_a_redesign_changes_no_content() -> None:
    new = OLD.replace(b"<main id='main'>", b"<section class='wide'><div class=inner>").replace(b"article", b"div")
    found = compare(OLD, new, url=PAGE, pages=PAGES)
    assert not found.content
    assert found.frame


def test_the_answer_is_text_json_and_html_without_markup_of_the_page() -> None:
    old, new = (page(SITE, f"<h1>Rope</h1><p>{word} &lt;b&gt;tied&lt;/b&gt; it well") for word in ("He", "She"))
    found = compare(old, new)
    assert found.to_text().startswith(
        "The content changed: 1 changed.\n- He <b>tied</b> it well\n+ She <b>tied</b> it well\n"
    )
    assert json.loads(found.to_json())["content"][0]["new"] == "She <b>tied</b> it well"
    assert f"<del>He</del><ins>She</ins> {escape('<b>tied</b> it well')}" in found.to_html()


@table("bad", [b"%PDF-1.7 \0\1\2", b"words alone", 7, None])
def test_what_is_no_page_is_a_wrong_argument(bad: object) -> None:
    with pytest.raises(WrongArgument):
        compare(OLD, bad, url=PAGE)  # type: ignore[arg-type]


@given(st.lists(st.sampled_from("abcdef"), max_size=12), st.lists(st.sampled_from("abcdef"), max_size=12))
def test_the_changes_turn_the_old_units_into_the_new_ones(old: list[str], new: list[str]) -> None:
    found = compare(*("<body>" + "".join(f"<p>{word * 3}</p>" for word in words) for words in (old, new))).content
    lost = [one.old for one in found if one.kind in {"removed", "changed"}]
    gained = [one.new for one in found if one.kind in {"added", "changed"}]
    words = [word * 3 for word in old]
    for word in lost:
        words.remove(word)
    assert sorted([*words, *gained]) == sorted(word * 3 for word in new)


def test_many_equal_lines_in_another_order_take_no_quadratic_time() -> None:
    lines = [str(number % 3000) for number in range(100_000)]
    shuffled = Random(1).sample(lines, len(lines))
    start = perf_counter()
    assert list(_changes(lines, shuffled, Counter(lines), Counter(shuffled)))
    assert perf_counter() - start < 10


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    def command(*arguments: str | Path) -> tuple[int, str, str]:
        status = main(["changes", *map(str, arguments)])
        told = capfd.readouterr()
        return status, told.out, told.err

    return command


def test_two_files(run: Run, tmp_path: Path) -> None:
    old, new = tmp_path / "old.html", tmp_path / "new.html"
    old.write_bytes(OLD)
    new.write_bytes(OLD.replace(_START.encode(), f"{_START}<p>{NEW}".encode()))
    write_warc(tmp_path / "site.warc.gz", [response(url, html) for url, html in {**PAGES, PAGE: OLD}.items()])
    site = "--url", PAGE, "--pages", tmp_path / "site.warc.gz"
    assert run(old, new, *site)[:2] == (0, f"The content changed: 1 added.\n+ {NEW}\nThe frame did not change.\n")
    assert json.loads(run(old, new, "--format", "json", *site)[1])["content_changed"] is True
    assert run(old, old)[1] == "The content did not change.\nThe frame did not change.\n"


def test_a_capture_of_an_archive_is_loaded_as_it_was(run: Run, server: Server) -> None:
    for date, html in (("20240101000000", OLD), ("20250101000000", OLD.replace(b"/story0", b"/story9"))):
        server.add(f"/web/{date}id_/{PAGE}", html)
    old, new = (f"{server.base}/web/{date}/{PAGE}" for date in ("20240101000000", "20250101000000mp_"))
    status, told, _ = run(old, new)
    assert status == 0
    assert f"+ https://{SITE}/story9\n" in told


def test_all_captures_of_an_address(run: Run, tmp_path: Path) -> None:
    new = OLD.replace(_START.encode(), f"{_START}<p>{NEW}".encode())
    redesigned = new.replace(_END.encode(), f"<div class=wide>{_END}".encode())
    captures = [("2026-03", new), ("2025-01", OLD), ("2026-04", redesigned)]
    records = [
        response(PAGE.replace("https", "http"), html).replace(b"2026-01-01T", f"{month}-01T".encode())
        for month, html in captures
    ]
    others = [response(url, html) for url, html in PAGES.items()]
    write_warc(tmp_path / "a.warc.gz", [*others, *records, response(PAGE, b"Gone", status="404 Not Found")])
    status, told, _ = run(tmp_path / "a.warc.gz", "--of", PAGE)
    assert status == 0
    dates, numbers, content = zip(*(line.split(None, 2) for line in told.splitlines()[1:-1]), strict=True)
    assert dates == ("2025-01-01T00:00:00Z", "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z")
    assert [text.split("  ")[0] for text in content] == ["first", "1 added", "-"]
    assert told.endswith("-  error page: The server answered with status 404.\n")
    assert int(numbers[1]) == int(numbers[0]) + len(NEW.split())
    lines = [
        json.loads(line) for line in run(tmp_path / "a.warc.gz", "--of", PAGE, "--format", "json")[1].splitlines()
    ]
    assert [one.get("frame_changed") for one in lines] == [False, False, True, None]


def test_captures_beyond_the_bound_of_memory_are_named(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitestencil.crawl.captures._MOST_BYTES", 1)
    write_warc(tmp_path / "a.warc", [response(PAGE, OLD)] * 3)
    _, told, _ = run(tmp_path / "a.warc", "--of", PAGE)
    assert told.count("first\n") == 1
    assert told.count("too many captures: ") == 2


@table(
    ["arguments", "status", "told"],
    [
        (["old.html"], 2, "Name two versions of a page"),
        (["old.html", "missing.html"], 1, "missing.html: no such file"),
        (["old.html", "picture.png"], 3, "picture.png is not HTML"),
        (["old.html", "old.html", "--pages", "a.warc"], 2, "--pages needs --url"),
        (["a.warc", "--of", "https://other.example/"], 3, "no capture of https://other.example/ is in there"),
        (["missing.warc", "--of", PAGE], 1, "missing.warc does not exist"),
        (["a.warc", "--of", "nothing"], 2, "nothing"),
        (["a.warc", "--of", PAGE, "--format", "html"], 2, "--of goes with --format text or json"),
    ],
)
def test_wrong_use_is_told(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], status: int, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old.html").write_bytes(OLD)
    Path("picture.png").write_bytes(b"\x89PNG\r\n\0")
    write_warc(Path("a.warc"), [response(PAGE, OLD)])
    found = run(*arguments)
    assert found[0] == status
    assert told in found[2]
