"""Gold texts: the three published forms are read, and texts are scored by their words."""

import gzip
import json
import lzma
from pathlib import Path
from types import SimpleNamespace

import pytest

from sitestencil.cli import main
from sitestencil.errors import SitestencilError
from sitestencil_research.commands import gold_texts
from sitestencil_research.gold_texts.measure import (
    ALONE,
    CRAWLED,
    UNREPEATED,
    WITH_SIBLINGS,
    measure_texts,
    score_text,
    text_rows,
)
from sitestencil_research.gold_texts.sets import gold_sets

MENU = "<ul class=menu><li><a href=/a>Harbour</a><li><a href=/b>Ropes</a><li><a href=/c>Knots</a></ul>"
STORIES = {
    "a": "The harbour was rebuilt after the great storm of the year before last.",
    "b": "A rope is made of three strands, which are laid against their own twist.",
    "c": "Whoever ties a knot badly will have to cut it in the end, says the old sailor.",
}


def html(name: str) -> str:
    return f"<!doctype html><title>{name}</title>{MENU}<main><p>{STORIES[name]}</p></main><p class=end>Imprint"


def pages_of(folder: Path, suffix: str = ".html", prefix: str = "") -> Path:
    (folder / "html").mkdir(parents=True)
    for name in STORIES:
        (folder / "html" / f"{prefix}{name}{suffix}").write_text(html(name), "utf-8")
    return folder


@pytest.fixture
def one_file(tmp_path: Path) -> Path:
    folder = pages_of(tmp_path / "sets" / "one-file")
    gold = {name: {"articleBody": text, "url": f"www.site.test/{name}"} for name, text in STORIES.items()}
    (folder / "ground-truth.json").write_text(json.dumps(gold), "utf-8")
    return folder


@pytest.fixture
def file_each(tmp_path: Path) -> Path:
    folder = pages_of(tmp_path / "sets" / "file-each")
    (folder / "ground-truth").mkdir()
    for name, text in STORIES.items():
        known = {
            "url": f"https://site.test/{name}",
            "ground_truth": {
                "main_content": text if name != "c" else None,
            },
            "_internal": {"page_type": {"primary": "article" if name == "a" else "forum"}},
        }
        (folder / "ground-truth" / f"{name}.json").write_text(json.dumps(known), "utf-8")
    return folder


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    folder = pages_of(tmp_path / "sets" / "lines", "", "2011_site.test_")
    (folder / "reference").mkdir()
    for name, text in STORIES.items():
        (folder / "reference" / f"2011_site.test_{name}").write_text(f"<p>{text}</p>\n", "utf-8")
    (folder / "doc_lg.json").write_text(json.dumps({"2011_site.test_a": "English"}), "utf-8")
    return folder


def test_each_published_form_is_read(one_file: Path, file_each: Path, lines: Path) -> None:
    sets = gold_sets(one_file.parent)
    assert [page.gold.strip() for page in sets["one-file"]] == list(STORIES.values())
    assert sets["one-file"][0].host == sets["lines"][0].host == "site.test"
    assert [page.gold.strip() for page in sets["lines"]] == list(STORIES.values())
    assert [page.kind for page in sets["lines"]] == ["English", "", ""]
    assert [(page.name, page.kind) for page in sets["file-each"]] == [("a", "article"), ("b", "forum")]
    assert gold_sets(lines) == {"lines": sets["lines"]}


def test_what_is_no_set_or_is_damaged_is_said(tmp_path: Path, one_file: Path) -> None:
    with pytest.raises(SitestencilError, match="holds no pages with gold texts"):
        gold_sets(tmp_path / "nowhere")
    (one_file / "ground-truth.json").write_text("[1]")
    with pytest.raises(SitestencilError, match="cannot be read as a set"):
        gold_sets(one_file)


def test_the_error_and_the_help_say_where_the_sets_are_published(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SitestencilError, match="Fetch a set yourself") as error:
        gold_sets(tmp_path)
    with pytest.raises(SystemExit):
        main(["benchmark", "--help"])
    printed = capsys.readouterr().out
    for words in (
        "https://github.com/scrapinghub/article-extraction-benchmark",
        "https://github.com/Murrough-Foley/web-content-extraction-benchmark",
        "https://github.com/rundimeco/waddle",
        "ground-truth/ID.json",
    ):
        assert words in str(error.value)
        assert words in printed


def test_packed_pages_are_read_as_published(one_file: Path) -> None:
    page = one_file / "html" / "a.html"
    (one_file / "html" / "a.html.gz").write_bytes(gzip.compress(page.read_bytes()))
    page.unlink()
    assert [page.html() for page in gold_sets(one_file)["one-file"]] == [html(name) for name in STORIES]


def test_pages_without_a_file_or_a_gold_text_are_left_out_and_counted(
    one_file: Path, file_each: Path, lines: Path
) -> None:
    told: list[str] = []
    (one_file / "html" / "a.html").unlink()
    (lines / "html" / "2011_site.test_b").unlink()
    sets = gold_sets(one_file.parent, left_out=told.append)
    assert {name: [page.name[-1] for page in pages] for name, pages in sets.items()} == {
        "file-each": ["a", "b"],  # "c" has no gold text
        "lines": ["a", "c"],
        "one-file": ["b", "c"],
    }
    assert told == [f"{name}: 1 of 3 pages have no file or no gold text." for name in sets]
    assert file_each.name in sets
    for file in (one_file / "html").iterdir():
        file.unlink()
    with pytest.raises(SitestencilError, match="no page with one"):
        gold_sets(one_file)


def test_a_missing_file_of_the_whole_set_is_named(lines: Path) -> None:
    (lines / "doc_lg.json").unlink()
    with pytest.raises(SitestencilError, match=r"doc_lg\.json"):
        gold_sets(lines)


def test_words_count_as_often_as_they_occur() -> None:
    score = score_text("rope rope knot", "Rope, knot; splice")
    assert (score.precision, score.recall) == (2 / 3, 2 / 3)
    assert score_text("", "rope").f1 == score_text("rope", "").f1 == 0.0


def test_pages_are_measured_alone_and_beside_those_of_their_host(one_file: Path) -> None:
    pages = gold_sets(one_file)["one-file"]
    rows = {
        row.name: row for row in text_rows(measure_texts(pages, peers=["readability-lxml (defaults)"], processes=1))
    }
    assert set(rows) == {ALONE, WITH_SIBLINGS, CRAWLED, UNREPEATED, "readability-lxml (defaults)"}
    assert rows[CRAWLED].f1.mean == 1.0
    assert rows[WITH_SIBLINGS].pages == 3
    assert rows[WITH_SIBLINGS].f1.mean == rows[WITH_SIBLINGS].recall == 1.0
    assert rows[WITH_SIBLINGS].f1.mean >= rows[ALONE].f1.mean


def test_a_suite_tells_the_blocks_that_are_missing(tmp_path: Path) -> None:
    gold = f"<p>{STORIES['a']}</p><ul><li>Hemp and sisal</ul><table><tr><td>Seven fathoms</table>"
    menu = "```json\n{}\n```\nKnots\n=====\n\nText"
    rows = [
        {"set": "one", "name": "a", "url": "https://a.test/", "html": html("a"), "gold_html": gold},
        {"set": "two", "name": "b", "url": "https://b.test/", "html": html("b"), "gold_md": menu},
    ]
    file = tmp_path / "suites.jsonl.xz"
    file.write_bytes(lzma.compress("".join(f"{json.dumps(row)}\n" for row in rows).encode()))
    sets = gold_sets(file)
    assert [page.gold for page in sets["two"]] == ["Knots\nText"]
    (row,) = text_rows(measure_texts(sets["one"], processes=1))
    assert row.missing == {"items": 1.0, "cells": 1.0, "paragraphs": 0.0}
    file.write_bytes(b"{}")
    with pytest.raises(SitestencilError, match="cannot be read as a set"):
        gold_sets(file)


def test_the_command_prints_a_table_for_each_set_and_kind(
    file_each: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = tmp_path / "figures.json"
    assert main(["benchmark", "--texts", str(file_each), "--markdown", "--jobs", "1", "--json", str(figures)]) == 0
    printed = capsys.readouterr().out
    assert "file-each, with siblings" in printed
    assert f"| {WITH_SIBLINGS} | 2 | 1.000 | 1.000 to 1.000 | 1.000 | 1.000 |" in printed
    titles = [part["pages"] for part in json.loads(figures.read_text())["results"]]
    assert titles == ["file-each", "file-each, with siblings", "file-each, article", "file-each, forum"]


def test_texts_of_held_out_models_replace_ours_in_every_column(
    one_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The models that were held out keep the first of two blocks, which is all, and know no siblings."""
    judged = [
        SimpleNamespace(example=SimpleNamespace(page=page, texts=[page.gold, MENU]), kept={ALONE: [True, False]})
        for page in gold_sets(one_file)["one-file"]
    ]
    monkeypatch.setattr(gold_texts, "_judged", lambda *_: judged)
    assert main(["benchmark", "--texts", str(one_file), "--held-out", "--markdown", "--jobs", "1"]) == 0
    row = " | 3 | 1.000 | 1.000 to 1.000 |" + " 1.000 |" * 2
    printed = capsys.readouterr().out
    assert f"| {ALONE}{row}" in printed
    assert f"| {WITH_SIBLINGS}{row}" in printed


@pytest.mark.parametrize("arguments", [[], ["--texts", "sets", "--perturbed"], ["sites", "--texts", "sets"]])
def test_a_folder_of_one_kind_is_asked_for(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["benchmark", *arguments]) == 2
    assert "--texts" in capsys.readouterr().err
