"""``sitestencil benchmark``, as a person calls it."""

import json
from pathlib import Path

import pytest
from tests.support.stored_site import store_small_site

from sitestencil.cli import main


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return store_small_site(tmp_path / "shop")


def test_benchmark_prints_a_line_per_site_and_writes_json(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "figures.json"
    assert main(["benchmark", str(site.parent), "--detector", "temex", "--json", str(file)]) == 0
    out = capsys.readouterr().out
    assert "shop" in out
    assert "median" in out
    figures = json.loads(file.read_text())
    (result,) = figures["results"]
    assert result["sites"][0]["recall"] < 1
    assert result["summary"]["f1"]["mean"] == result["sites"][0]["f1"]


def test_benchmark_judges_sites_by_models_without_them_where_that_is_wanted(
    benchmark_sites: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("agfirst", "worldmall-cn", "040code"):
        (tmp_path / name).symlink_to(benchmark_sites / name)
    arguments = ["benchmark", str(tmp_path), "--detector", "conex", "--held-out", "--markdown"]
    assert main(arguments) == 0
    rows = [line.split("|")[1].strip() for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    assert set(rows) >= {"stencil (held out)", "conex"}


def test_benchmark_says_of_a_trained_detector_what_its_model_has_seen(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["benchmark", str(site.parent), "--detector", "stencil"]) == 0
    assert "the shipped model of stencil has seen the labels of the open sites" in capsys.readouterr().err
