"""How robust the default detector is: floors on a part of the labelled sites.

All sites: ``sitestencil benchmark DIR... --perturbed`` (research/docs/benchmark.md).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from research.tests.support.home_pages import store_home_page

from sitestencil_research.perturbations.catalogue import PERTURBATIONS
from sitestencil_research.perturbations.robustness import (
    MOST_MEAN_CHANGE,
    SIX_RUNS,
    PerturbationFigures,
    Robustness,
    measure_robustness,
)

# Quick sites, among them all causes of errors that were found, and as many that were right.
SITES = (
    *("040code", "350-arts", "agfirst", "danisancas", "erlang-stdlib", "furyton-blog"),
    *("ikiwiki", "linux-gazette", "parafia-skuly", "pchela-service", "privoxy", "pycon-2015"),
    *("pycon-2024", "sanoh-tw", "worldmall-cn"),
)
OPENED = (
    *("automation-remarks", "cm-hammar", "dostips-forum", "libxml2", "mozilla-mpl", "rcpl-library"),
    *("spectre", "sqlite", "tomcat10"),
)
HOMES = (
    *("acme-lock-key-home", "arts-nthu-home", "climbing-jordan-home", "ejn-vulnerable-world-home"),
    *("mamafulltime-home", "visans-vanner-home"),
)


class Floor(NamedTuple):
    """The allowed changes: the mean change of F1 in either direction, and the sites that move by more than .1."""

    mean_change: float = MOST_MEAN_CHANGE
    sites_moved: int = 0


# The goal is that no line stands here. A line is what the detector reaches today; it may be made stricter only.
INNER_PAGES: Mapping[str, Floor] = {"page_withheld": Floor(0.01, 2)}
HOME_PAGES: Mapping[str, Floor] = {}


@pytest.fixture(scope="module")
def robustness(
    benchmark_sites: Path, opened_sites: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Robustness]:
    homes = tmp_path_factory.mktemp("homes")
    folders = [benchmark_sites / name for name in SITES] + [opened_sites / name for name in OPENED]
    folders += [store_home_page(opened_sites.parent, name, homes / name) for name in HOMES]
    return measure_robustness(folders, lambda _: "stencil", processes=1).by_kind_of_page()


def test_two_sites_keep_the_goal_each_day(benchmark_sites: Path) -> None:
    folders = [benchmark_sites / name for name in ("agfirst", "ikiwiki")]
    measured = measure_robustness(folders, lambda _: "stencil", names=SIX_RUNS, processes=1)
    assert [name for name in SIX_RUNS if not keeps(measured.figures(name), Floor())] == []
    assert measured.mean_f1 > 0.9


def keeps(figures: PerturbationFigures, floor: Floor) -> bool:
    return abs(figures.mean_change) <= floor.mean_change and figures.sites_moved <= floor.sites_moved


@pytest.mark.parametrize("perturbation", PERTURBATIONS)
@pytest.mark.parametrize(("kind", "floors"), [("inner pages", INNER_PAGES), ("home pages", HOME_PAGES)])
def test_the_answers_move_no_further_than_the_floor_allows(
    robustness: dict[str, Robustness], kind: str, floors: Mapping[str, Floor], perturbation: str
) -> None:
    figures = robustness[kind].figures(perturbation)
    assert keeps(figures, floors.get(perturbation, Floor())), figures


@pytest.mark.parametrize(("kind", "floors"), [("inner pages", INNER_PAGES), ("home pages", HOME_PAGES)])
def test_a_perturbation_that_keeps_the_goal_has_no_lower_floor(
    robustness: dict[str, Robustness], kind: str, floors: Mapping[str, Floor]
) -> None:
    assert [name for name in floors if keeps(robustness[kind].figures(name), Floor())] == []
