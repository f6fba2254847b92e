"""A detector on sites and their variants: what is run, and what is made of the figures."""

import json
from pathlib import Path

import pytest
from tests.support.stored_site import store_small_site

from sitestencil.cli import main
from sitestencil_research.benchmark.run import run_site
from sitestencil_research.perturbations.catalogue import PERTURBATIONS
from sitestencil_research.perturbations.robustness import (
    SIX_RUNS,
    Robustness,
    SiteRobustness,
    measure_robustness,
    perturbed_answers,
    run_perturbed_site,
)

SITES = ("040code", "danisancas")


def site(name: str, f1: float, *perturbed: float, home: bool = False) -> SiteRobustness:
    return SiteRobustness(name, home, f1, 4, dict.fromkeys(SIX_RUNS, perturbed))


def test_a_site_counts_with_the_mean_of_its_variants_and_with_its_worst_where_it_moved() -> None:
    figures = Robustness((site("a", 0.9, 0.9, 0.7), site("b", 0.8, 0.85), site("c", 0.7))).figures("dead_link")
    assert figures.mean_f1 == pytest.approx((0.8 + 0.85 + 0.7) / 3)
    assert figures.mean_change == pytest.approx((-0.1 + 0.05) / 3)
    assert figures.mean_absolute_change == pytest.approx(0.05)
    assert (figures.largest_change_site, figures.sites_moved) == ("a", 1)
    assert figures.largest_change == pytest.approx(-0.2)
    assert not figures.holds


def test_changes_within_the_bounds_hold() -> None:
    assert Robustness((site("a", 0.9, 0.91), site("b", 0.8, 0.8))).figures("dead_link").holds
    assert not Robustness((site("a", 0.9, 0.92),)).figures("dead_link").holds


def test_the_six_runs_are_one_figure() -> None:
    runs = Robustness((site("a", 0.9, 1.0, 0.0), site("b", 0.8, 0.8), site("c", 0.6))).runs_figures()
    assert runs is not None
    assert runs.mean_f1 == pytest.approx(0.8)
    assert (runs.least_f1, runs.least_f1_site, runs.sites_below_085) == (0.6, "c", 2)


def test_home_pages_and_inner_pages_are_told_apart() -> None:
    parts = Robustness((site("a", 0.9), site("b", 0.8, home=True))).by_kind_of_page()
    assert {kind: part.mean_f1 for kind, part in parts.items()} == {"inner pages": 0.9, "home pages": 0.8}
    assert list(Robustness((site("a", 0.9),)).by_kind_of_page()) == ["inner pages"]


def test_a_site_as_it_is_scores_as_in_the_plain_benchmark(benchmark_sites: Path) -> None:
    for name in SITES:
        plain = run_site(benchmark_sites / name, "temex")
        again = run_perturbed_site(benchmark_sites / name, "temex", ["dead_link"])
        assert (again.f1, again.pages_loaded) == (plain.score.f1, plain.pages_loaded)


def test_every_perturbation_happens_to_a_site_that_pages_were_loaded_of(benchmark_sites: Path) -> None:
    result = run_perturbed_site(benchmark_sites / "040code", "temex")
    assert set(result.perturbed) == set(PERTURBATIONS)
    assert all(result.perturbed.values())
    assert len(result.perturbed["page_withheld"]) > 1


def test_a_baseline_that_looks_at_no_other_page_is_moved_by_no_other_page(benchmark_sites: Path) -> None:
    result = run_perturbed_site(
        benchmark_sites / "040code", "conex", ["consent_banner", "dead_link", "host_renamed"]
    )
    assert {*result.perturbed["consent_banner"], *result.perturbed["host_renamed"]} == {result.f1}
    assert result.perturbed["dead_link"] == []


def test_a_detector_that_gives_up_gets_nothing(tmp_path: Path) -> None:
    folder = store_small_site(tmp_path / "alone")
    for page in ("a", "b", "c"):
        (folder / "pages" / f"{page}.html").unlink()
    plain, *variants = perturbed_answers(folder, "temex", ["empty_first_child"])
    assert [answer.f1 for answer in (plain, *variants)] == [0.0, 0.0]
    assert plain.is_home_page


def test_two_processes_give_the_figures_of_one(benchmark_sites: Path) -> None:
    folders = [benchmark_sites / name for name in SITES]
    names = ("classes_shuffled", "host_renamed", "consent_banner")
    one, two = (
        measure_robustness(folders, lambda _: "stencil", names=names, processes=count).to_dict() for count in (1, 2)
    )
    assert one == two


def test_the_command_prints_a_line_for_each_perturbation_and_writes_the_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store_small_site(tmp_path / "small")
    data = tmp_path / "figures.json"
    arguments = ["benchmark", str(tmp_path), "--detector", "temex", "--perturbed", "--markdown", "--jobs", "1"]
    assert main([*arguments, "--json", str(data)]) == 0
    out, _ = capsys.readouterr()
    assert "temex on 1 home pages" in out
    assert all(f"| {perturbation.title} |" in out for perturbation in PERTURBATIONS.values())
    assert "Six perturbed runs" in out
    figures = json.loads(data.read_text())["results"][0]["home pages"]
    assert set(figures["perturbations"]) == set(PERTURBATIONS)
    assert figures["by_site"]["small"]["pages_loaded"] > 0
