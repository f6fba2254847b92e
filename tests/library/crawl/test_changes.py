"""A crawl against an earlier one says which templates changed, and which pages changed in their content alone."""

import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.support.crawls import article, listing, response, write_warc

from sitestencil.cli import main
from sitestencil.crawl.changes import write_changes
from sitestencil.crawl.engine import run_locally
from sitestencil.crawl.job import finished_report, open_job
from sitestencil.crawl.known_templates import KnownTemplates
from sitestencil.crawl.regions import Change, PageKind, template_changes
from sitestencil.crawl.work import Options
from sitestencil.errors import UnusableInput

Pages = dict[str, bytes]


def pages_of(site: str, count: int = 10) -> Pages:
    return {
        f"https://{site}/page{number}": listing(site, number) if number % 3 == 2 else article(site, number)
        for number in range(count)
    }


def crawl(pages: Pages, folder: Path, against: Path | None = None, processes: int = 1) -> list[dict[str, Any]]:
    file = folder.with_suffix(".warc.gz")
    write_warc(file, [response(url, html) for url, html in pages.items()])
    # Small partitions: the later crawl has more of them than the earlier one.
    options = Options(against=against, templates_out=True, partition_bytes=3_000)
    run_locally(open_job([file], folder, options), lambda _: None, processes)
    changes = folder / "changes.parquet"
    return pq.read_table(changes).to_pylist() if changes.exists() else []


def with_footer_in_front(html: bytes) -> bytes:
    footer = html[html.index(b"<footer") : html.index(b"</body>")]
    return html.replace(footer, b"").replace(b"<header", footer + b"<header")


def tuesday() -> Pages:
    """The four sites a day later: each changed in a way of its own, and the last not at all."""
    menu = {
        url: html.replace(b"<ul class='menu'>", b"<ul class='menu'><li><a href='/shop'>Shop</a></li>")
        for url, html in pages_of("menu.example").items()
    }
    footer = {url: with_footer_in_front(html) for url, html in pages_of("footer.example").items()}
    texts = pages_of("texts.example")
    del texts["https://texts.example/page9"]
    for number in (0, 3):
        url = f"https://texts.example/page{number}"
        texts[url] = texts[url].replace(b"<p>", b"<p>Corrected: ", 1)
    texts["https://texts.example/page20"] = article("texts.example", 20)
    return {**menu, **footer, **texts, **pages_of("still.example")}


@pytest.fixture(scope="module")
def monday(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("monday") / "out"
    sites = ("menu.example", "footer.example", "texts.example", "still.example", "gone.example")
    assert crawl({url: html for site in sites for url, html in pages_of(site).items()}, folder) == []
    return folder


def test_changes_of_templates_and_of_content_are_told_apart(monday: Path, tmp_path: Path) -> None:
    rows = crawl(tuesday(), tmp_path / "out", monday)
    told = {
        (row["site"], row["change"], row["region"] or row["url"]) for row in rows if row["site"] != "gone.example"
    }
    assert told == {
        ("menu.example", "region added", "body > header.top > ul.menu > li"),
        ("footer.example", "region moved", "body > footer.foot"),
        ("texts.example", "content changed", "https://texts.example/page0"),
        ("texts.example", "content changed", "https://texts.example/page3"),
        ("texts.example", "page added", "https://texts.example/page20"),
        ("texts.example", "page removed", "https://texts.example/page9"),
    }
    gone = [row for row in rows if row["site"] == "gone.example"]
    assert len(gone) == 10
    assert {row["change"] for row in gone} == {"page removed"}
    of_menu = next(row for row in rows if row["site"] == "menu.example")
    assert (of_menu["kinds"], of_menu["elements"]) == (["menu.example/0", "menu.example/1"], 2)


def test_a_removed_region_and_a_changed_text_are_named(monday: Path, tmp_path: Path) -> None:
    pages = {
        url: html.replace(b'<li><a href="/story2">Menu entry 2</a></li>', b"").replace(b"Welcome to", b"Ahoy from")
        for url, html in pages_of("menu.example").items()
    }
    rows = [row for row in crawl(pages, tmp_path / "out", monday) if row["site"] == "menu.example"]
    assert {(row["change"], row["region"]) for row in rows} == {
        ("region removed", "body > header.top > ul.menu > li"),
        ("text changed", "body > header.top > h2"),
    }


def test_a_template_has_its_regions_with_their_pages_and_its_header_and_footer(monday: Path) -> None:
    rows = [row for file in (monday / "templates").iterdir() for row in pq.read_table(file).to_pylist()]
    row = next(row for row in rows if row["site"] == "still.example")
    header = "Welcome to still.example\n" + "".join(f"Menu entry {number}\n" for number in range(6))
    assert (row["header"], row["footer"]) == (header, "All rights reserved by still.example\n")
    regions = {region["path"]: region for region in row["regions"]}
    assert set(regions) == {"body > header.top", "body > footer.foot"}
    assert regions["body > footer.foot"]["text"] == "All rights reserved by still.example"
    assert regions["body > footer.foot"]["pages"] == row["pages"]
    assert row["key_page"] == row["pages"][0]


def test_two_processes_and_a_resumed_run_give_the_same_bytes(monday: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    crawl(tuesday(), folder, monday, processes=2)
    expected, report = (folder / "changes.parquet").read_bytes(), finished_report(folder)
    # A kill before the report leaves the works, and no table of changes.
    for name in ("changes.parquet", "report.json", ".work/done/00000.json"):
        (folder / name).unlink(missing_ok=True)
    options = Options(against=monday, partition_bytes=3_000)
    job = open_job([tmp_path / "out.warc.gz"], folder, options)
    assert run_locally(job, lambda _: None, 1) == report
    assert (folder / "changes.parquet").read_bytes() == expected


def test_the_command_says_in_sentences_what_changed(
    monday: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tuesday.warc.gz"
    write_warc(file, [response(url, html) for url, html in tuesday().items()])
    assert main(["crawl", str(file), "-o", str(tmp_path / "out"), "--against", str(monday), "--jobs", "1"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "templates of 2 of 5 sites changed: regions added 1, removed 0, moved 1, texts changed 0." in said
    assert "Pages changed in their content alone: 2, perhaps with the template: 0. New pages: 1, gone: 11." in said


def test_an_earlier_crawl_without_a_column_is_refused_in_words(tmp_path: Path) -> None:
    pages = pages_of("menu.example")
    crawl(pages, tmp_path / "earlier")
    for file in (tmp_path / "earlier" / "pages").iterdir():
        pq.write_table(pq.read_table(file).drop_columns(["text"]), file)
    with pytest.raises(UnusableInput):
        crawl(pages, tmp_path / "later", tmp_path / "earlier")


def test_a_site_whose_templates_take_too_long_to_compare_costs_itself(
    monday: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compared(before: Sequence[PageKind], after: Sequence[PageKind]) -> list[Change]:
        while before[0].id.startswith("menu.example"):
            pass
        return template_changes(before, after)

    monkeypatch.setattr("sitestencil.crawl.changes.template_changes", compared)
    monkeypatch.setattr("sitestencil.crawl.changes.MOST_SECONDS", 0.2)
    rows = crawl(tuesday(), tmp_path / "out", monday)
    assert {row["site"] for row in rows if row["change"] == "not compared"} == {"menu.example"}
    assert {row["site"] for row in rows if row["change"].startswith("region")} == {"footer.example"}


def test_the_texts_of_compared_pages_are_not_in_memory_together(tmp_path: Path) -> None:
    def peak(pages: int) -> int:
        crawls = [KnownTemplates(tmp_path / f"{pages} {day}", 1) for day in ("earlier", "later")]
        for one in crawls:
            folder = Path(str(one.folder), "pages")
            text = pa.DictionaryArray.from_arrays(pa.array([0] * pages, pa.int32()), pa.array(["word " * 20_000]))
            names = pa.array([f"https://a.example/{number}" for number in range(pages)])
            same = {name: ["a.example"] * pages for name in ("site", "way", "kind")}
            folder.mkdir(parents=True)
            pq.write_table(
                pa.table({"normalized_url": names, "text": text, **same}), one.folder / "pages/00000.parquet"
            )
        tracemalloc.start()
        try:
            write_changes(crawls[1], crawls[0], lambda _: None)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(800) < 2 * peak(200)
