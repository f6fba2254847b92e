"""Tuning gives the figures that TemEx itself would give, at every point of a grid."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from sitestencil.cli import main
from sitestencil.detectors.temex.detector import HYBEX_ADDON, THESIS, TemEx, TemExParameters
from sitestencil.errors import WrongUsage
from sitestencil.site.loading import PageLoader
from sitestencil_research.commands.tune_run import f1_over_votes, one_at_a_time
from sitestencil_research.labels import read_labelled_key_page
from sitestencil_research.scoring import Score, score
from sitestencil_research.tuning import search as search_module
from sitestencil_research.tuning.grid import Grid
from sitestencil_research.tuning.search import PreparedSite, cross_validate_grid, cross_validated_f1, search_grid

_FEW = ("rust-book", "httpx-docs", "winery-dates")


def _by_temex(folder: Path, parameters: TemExParameters) -> Score:
    site = read_labelled_key_page(folder)
    key_page = site.page.document
    detection = asyncio.run(TemEx(parameters).detect(key_page, PageLoader(key_page, site.source)))
    return score(detection.template, site.page.labels)


@pytest.mark.parametrize("base", [THESIS, HYBEX_ADDON], ids=["thesis", "add-on"])
@pytest.mark.parametrize("site", _FEW)
def test_a_prepared_site_scores_as_the_detector_does(
    benchmark_sites: Path, site: str, base: TemExParameters
) -> None:
    points = [(1, 1), (3, 2), (5, 4)]
    prepared = PreparedSite(benchmark_sites / site, [n for n, _ in points])
    scores = prepared.evaluate(base.mapping, points, raise_votes_for_twins=base.raise_votes_for_twins)
    for (n, t), prepared_score in zip(points, scores, strict=True):
        parameters = TemExParameters(n, t, base.mapping, base.raise_votes_for_twins)
        assert prepared_score == _by_temex(benchmark_sites / site, parameters)


def _folders(sites: Path) -> list[Path]:
    return [sites / name for name in _FEW]


_SMALL = Grid(sizes=(1, 3), weights=((0.5, 0.2, 0.2, 0.1),), no_attributes=(0.25,), thresholds=(0.3, 0.9))


def test_two_processes_find_what_one_finds(benchmark_sites: Path) -> None:
    alone = search_grid(_folders(benchmark_sites), _SMALL)
    together = search_grid(_folders(benchmark_sites), _SMALL, processes=2)
    assert together.cores == 2
    assert [(p.mapping, p.n, p.t) for p in alone.points] == [(p.mapping, p.n, p.t) for p in together.points]
    for ours, theirs in zip(alone.points, together.points, strict=True):
        assert dict(zip(alone.sites, ours.f1, strict=True)) == dict(zip(together.sites, theirs.f1, strict=True))


def test_what_is_done_stays_when_the_user_interrupts(
    benchmark_sites: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    def interrupt_at_the_second(done: int, _: int) -> None:
        seen.append(done)
        if done == 2:
            raise KeyboardInterrupt

    search = search_grid(_folders(benchmark_sites), _SMALL, done=interrupt_at_the_second)
    assert search.interrupted
    assert len(search.points) == 2 * len(_SMALL.vote_points())
    assert len(search.points) < len(_SMALL)

    def interrupt_at_once(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(search_module, "_evaluate", interrupt_at_once)
    with pytest.raises(KeyboardInterrupt):
        search_grid(_folders(benchmark_sites), _SMALL)


# A test run in the background ignores interrupts, and so would what it starts.
_HEARS_INTERRUPTS = """
import signal, sys
from contextlib import nullcontext
from sitestencil.cli import main
from sitestencil_research.commands import tune_run
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    tune_run.progress_bar = lambda *_: nullcontext(lambda *_: print("a point on both sites"))
    sys.exit(main())
"""


def test_ctrl_c_ends_the_command_soon_with_the_figures_that_are_done(benchmark_sites: Path, tmp_path: Path) -> None:
    for name in ("danisancas", "winery-dates"):
        (tmp_path / name).symlink_to(benchmark_sites / name)
    command = [sys.executable, "-u", "-c", _HEARS_INTERRUPTS, "tune", str(tmp_path), "--jobs", "2"]
    arguments = ["-n", "1", "--pnc", ",".join(str(number / 100) for number in range(100))]
    with subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert b"points on 2 sites" in process.stdout.readline()
        for line in process.stdout:
            if line == b"a point on both sites\n":
                break
        process.send_signal(signal.SIGINT)
        try:
            _, complaint = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130, complaint
    assert b"figures are those of the" in complaint


def test_cross_validation_chooses_without_the_sites_it_scores(benchmark_sites: Path) -> None:
    search = search_grid(_folders(benchmark_sites), _SMALL)
    folds = cross_validate_grid(search, 3)
    assert sorted(name for fold in folds for name in fold.sites) == sorted(search.sites)
    for fold in folds:
        others = [number for number, name in enumerate(search.sites) if name not in fold.sites]
        best = max(sum(point.f1[number] for number in others) for point in search.points)
        assert fold.f1_on_others * len(others) == pytest.approx(best)
        (site,) = fold.sites
        assert fold.f1 == fold.chosen.f1[search.sites.index(site)]
    assert cross_validated_f1(folds) == pytest.approx(sum(fold.f1 for fold in folds) / 3)
    with pytest.raises(WrongUsage, match="give 2 to 3"):
        cross_validate_grid(search, 4)


def test_the_tables_hold_the_points_they_name(benchmark_sites: Path) -> None:
    search = search_grid(_folders(benchmark_sites), _SMALL)
    assert set(f1_over_votes(search)) == {(1, 1), (3, 1), (3, 2), (3, 3)}
    base = search.base_point
    assert base is not None
    alone = one_at_a_time(search)
    assert set(alone) == {"Pnc", "Pt"}
    assert set(alone["Pt"]) == {"0.3", "0.9"}
    assert alone["Pt"]["0.3"] == alone["Pnc"]["0.9"] == base.mean_f1


@pytest.mark.parametrize(
    "wrong",
    [{"thresholds": (1.5,)}, {"sizes": (2,), "votes": (3,)}, {"sizes": (0,)}],
    ids=["chance", "votes", "size"],
)
def test_a_grid_without_meaning_is_refused(wrong: dict[str, Sequence[object]]) -> None:
    with pytest.raises(WrongUsage):
        Grid(**wrong)  # type: ignore[arg-type]


def test_the_command_prints_tables(
    benchmark_sites: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "sites"
    folder.mkdir()
    for name in _FEW:
        (folder / name).symlink_to(benchmark_sites / name)
    arguments = ["tune", str(folder), "--fixed", "-n", "1,3", "--pt", ".3,.9", "--folds", "3", "--jobs", "1"]
    assert main(arguments) == 0
    printed = capsys.readouterr().out
    assert "8 points on 3 sites: 24 evaluations of a site" in printed
    assert "F1 over n and t" in printed
