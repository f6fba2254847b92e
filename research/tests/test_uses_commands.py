"""The commands that measure what removing templates is worth."""

import json
from pathlib import Path

import pytest

from sitestencil.cli import main


@pytest.fixture
def few_sites(benchmark_sites: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "sites"
    folder.mkdir()
    for name in ("agfirst", "ikiwiki", "libtiff", "nyu-library", "linux-gazette"):
        (folder / name).symlink_to(benchmark_sites / name)
    return folder


def test_removing_templates_tells_more_pairs_right(
    few_sites: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "rows.json"
    arguments = ["duplicates", str(few_sites), "--generated", "--articles", "8", "--detector", "sitelevel"]
    assert main([*arguments, "--jobs", "1", "--json", str(data)]) == 0
    rows = json.loads(data.read_text())["rows"]
    full, site_level, perfect = (row["duplicates_right"] + row["others_right"] for row in rows)
    assert full < site_level < perfect == rows[0]["duplicates"] + rows[0]["others"]
    assert "full text" in capsys.readouterr().out


def test_duplicates_of_stored_pages_are_counted(few_sites: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["duplicates", str(few_sites), "--detector", "conex", "--pages-per-site", "4"]
    assert main([*arguments, "--jobs", "1"]) == 0
    assert "Pairs that count as duplicates among" in capsys.readouterr().out


def test_sections_are_clustered(few_sites: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["cluster", str(few_sites), "--detector", "temex", "--pages-per-site", "30", "--jobs", "1"]
    assert main(arguments) == 0
    assert "nyu-library" in capsys.readouterr().out


def test_planted_topics_are_classified(few_sites: Path, tmp_path: Path) -> None:
    data = tmp_path / "rows.json"
    arguments = ["classify", str(few_sites), "--detector", "temex", "--topics", "2", "--hosts", "2", "--pages", "5"]
    assert main([*arguments, "--jobs", "1", "--json", str(data)]) == 0
    rows = json.loads(data.read_text())["rows"]
    assert [row["detector"] for row in rows] == ["full text", "temex", "content alone"]
    assert rows[0]["accuracy"] < rows[2]["accuracy"]
