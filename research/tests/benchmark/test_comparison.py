"""Several entrants on the same sites."""

import json
from pathlib import Path

import pytest
from tests.support.stored_site import store_small_site

from sitestencil.cli import main
from sitestencil.detectors import DETECTORS
from sitestencil.errors import UnknownDetector
from sitestencil_research.benchmark.comparison import Comparison, compare, entrants
from sitestencil_research.labels import labelled_sites

SITES = ("040code", "danisancas", "pycon-2024")


@pytest.fixture(scope="module")
def folders(benchmark_sites: Path) -> list[Path]:
    return [benchmark_sites / site for site in SITES]


@pytest.fixture(scope="module")
def comparison(folders: list[Path]) -> Comparison:
    return compare(folders, entrants("temex,conex"), processes=1)


def figures(comparison: Comparison) -> list[object]:
    return [
        (row.entrant, [(site.site, site.scores, site.visibility, site.pages_loaded) for site in row.result.sites])
        for row in comparison.rows
    ]


def test_two_processes_give_the_answers_of_one(folders: list[Path], comparison: Comparison) -> None:
    assert figures(compare(folders, entrants("temex,conex"), processes=2)) == figures(comparison)


def test_all_is_every_detector_and_a_name_counts_once() -> None:
    assert [entrant.name for entrant in entrants("all")] == list(DETECTORS)
    assert [entrant.name for entrant in entrants("conex, temex,conex")] == ["conex", "temex"]
    with pytest.raises(UnknownDetector, match="'magic'"):
        entrants("temex,magic")


def test_the_best_comes_first(comparison: Comparison) -> None:
    means = [row.mean_of("elements", "f1").mean for row in comparison.rows]
    assert means == sorted(means, reverse=True)
    assert comparison.lead(comparison.rows[0]).mean == 0
    assert comparison.lead(comparison.rows[1]).mean == pytest.approx(means[1] - means[0])


def test_a_program_is_shown_in_its_best_way(folders: list[Path]) -> None:
    with_peers = compare(
        folders[1:2], [e for e in entrants("temex", peers=True) if "deboiler" not in e.name], processes=1
    )
    programs = [row.entrant.program for row in with_peers.best_ways()]
    assert len(programs) == len(set(programs)) == 8
    best = next(row for row in with_peers.best_ways() if row.entrant.program == "trafilatura")
    ways = [row for row in with_peers.rows if row.entrant.program == "trafilatura"]
    assert best.result.sites[0].score.f1 == max(row.result.sites[0].score.f1 for row in ways)


def test_the_data_of_a_comparison_holds_every_figure(comparison: Comparison) -> None:
    data = json.loads(json.dumps(comparison.to_dict()))
    assert data["sites"] == len(SITES)
    result = data["results"][0]
    assert set(result["measures"]) == {"elements", "words", "content_words", "anchor_words", "links"}
    assert set(result["measures"]["words"]["f1"]) == {"mean", "low", "high"}
    assert [site["site"] for site in result["sites"]] == list(SITES)
    assert result["measures"]["elements"]["f1"]["mean"] == pytest.approx(result["summary"]["f1"]["mean"])


def test_a_part_of_a_comparison_has_the_figures_of_its_sites(comparison: Comparison, folders: list[Path]) -> None:
    part = comparison.part([1, 2])
    assert part.sites == comparison.sites[1:]
    alone = compare(folders[1:], entrants("temex,conex"), processes=1)
    assert figures(part) == figures(alone)


def test_a_measure_that_no_site_has_is_left_out(tmp_path: Path) -> None:
    without_content = compare([store_small_site(tmp_path / "small")], entrants("temex"), processes=1)
    assert "content_words" not in [measure.name for measure in without_content.measures]
    assert "content_words" not in without_content.to_dict()["results"][0]["measures"]


def test_several_folders_are_printed_apart_and_together(
    folders: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["benchmark", str(folders[0]), str(folders[1]), "--detector", "temex", "--markdown"]) == 0
    out, _ = capsys.readouterr()
    assert f"Means over 1 sites ({folders[0].name})" in out
    assert f"Means over 1 sites ({folders[1].name})" in out
    assert "Means over 2 sites (all)" in out
    assert out.count("| temex |") == 3


def test_the_command_prints_a_line_for_each_and_writes_json(
    folders: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in folders[:2]:
        (tmp_path / folder.name).symlink_to(folder)
    data = tmp_path / "figures.json"
    arguments = ["benchmark", str(tmp_path), "--detector", "temex,conex", "--jobs", "1"]
    assert main([*arguments, "--json", str(data)]) == 0
    out, _ = capsys.readouterr()
    assert "Means over 2 sites" in out
    assert "temex" in out and "conex" in out
    assert len(json.loads(data.read_text())["results"]) == 2


def test_the_markdown_table_has_the_printed_figures(
    benchmark_sites: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = benchmark_sites / "danisancas"
    assert main(["benchmark", str(site), "--detector", "temex", "--markdown"]) == 0
    out, _ = capsys.readouterr()
    *_, heads, rule, line = out.strip().splitlines()
    assert heads.count("|") == rule.count("|") == line.count("|")
    mean = compare(labelled_sites(site), entrants("temex"), processes=1).rows[0].mean_of("elements", "f1").mean
    assert f"| temex | {mean:.3f} |" in line
