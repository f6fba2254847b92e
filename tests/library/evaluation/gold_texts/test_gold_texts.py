"""Gold texts: the three published forms are read, and texts are scored by their words."""

import json
from pathlib import Path

import pytest

from sitestencil.cli import main
from sitestencil.errors import SitestencilError
from sitestencil.evaluation.gold_texts.measure import ALONE, WITH_SIBLINGS, measure_texts, score_text, text_rows
from sitestencil.evaluation.gold_texts.sets import gold_sets

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
            "ground_truth": {"main_content": text if name != "c" else None},
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


def test_words_count_as_often_as_they_occur() -> None:
    score = score_text("rope rope knot", "Rope, knot; splice")
    assert (score.precision, score.recall) == (2 / 3, 2 / 3)
    assert score_text("", "rope").f1 == score_text("rope", "").f1 == 0.0


def test_pages_are_measured_alone_and_beside_those_of_their_host(one_file: Path) -> None:
    pages = gold_sets(one_file)["one-file"]
    rows = {
        row.name: row for row in text_rows(measure_texts(pages, peers=["readability-lxml (defaults)"], processes=1))
    }
    assert set(rows) == {ALONE, WITH_SIBLINGS, "readability-lxml (defaults)"}
    assert rows[WITH_SIBLINGS].pages == 3
    assert rows[WITH_SIBLINGS].f1.mean == rows[WITH_SIBLINGS].recall == 1.0
    assert rows[WITH_SIBLINGS].f1.mean >= rows[ALONE].f1.mean


def test_the_command_prints_a_table_for_each_set_and_kind(
    file_each: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = tmp_path / "figures.json"
    assert main(["benchmark", "--texts", str(file_each), "--markdown", "--jobs", "1", "--json", str(figures)]) == 0
    printed = capsys.readouterr().out
    assert "file-each, with siblings" in printed
    assert f"| {WITH_SIBLINGS} | 2 | 1.000 |" in printed
    titles = [part["pages"] for part in json.loads(figures.read_text())["results"]]
    assert titles == ["file-each", "file-each, with siblings", "file-each, article", "file-each, forum"]


@pytest.mark.parametrize("arguments", [[], ["--texts", "sets", "--perturbed"], ["sites", "--texts", "sets"]])
def test_a_folder_of_one_kind_is_asked_for(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["benchmark", *arguments]) == 2
    assert "--texts" in capsys.readouterr().err
