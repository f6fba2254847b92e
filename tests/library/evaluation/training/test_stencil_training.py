"""The trees of the detector stencil: their JSON, their growing, and the floor below which they may not fall."""

import json
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sitestencil.cli import main
from sitestencil.detectors.stencil.features import FEATURES
from sitestencil.detectors.stencil.model import (
    StencilModelError,
    decode_stencil_model,
    read_stencil_model,
    shipped_stencil_model,
)
from sitestencil.detectors.stencil.quickscorer import LEAF, QuickScorer, Trees
from sitestencil.evaluation.benchmark.comparison import compare
from sitestencil.evaluation.labels import labelled_sites
from sitestencil.evaluation.training import stencil_training as training
from sitestencil.evaluation.training.held_out import held_out_entrant
from sitestencil.evaluation.training.stencil_examples import StencilSiteExamples, stencil_site_examples
from sitestencil.evaluation.training.stencil_training import (
    Growth,
    cross_validate_stencil,
    fit_held_out,
    fit_stencil,
)

RECORD = Path(__file__).with_name("stencil_floor.json")
MAY_FALL_BY = 0.005
# Cheap enough for every run: key pages alone, two draws, one seed. The shipped model's figures are in its card.
CHEAP = Growth(seeds=1)
SITES = ("040code", "aikido-cotiere", "amina-by", "kitty", "pycon-2015", "pandas")


def examples(folder: Path, *names: str) -> list[StencilSiteExamples]:
    return [stencil_site_examples(folder / name, draws=2, siblings=False) for name in names]


def test_a_tree_goes_left_up_to_the_value_of_a_node() -> None:
    trees = Trees(roots=[0, 3], feature=[1, LEAF, LEAF, LEAF], value=[0.5, -2.0, 3.0, 0.25], right=[2, 0, 0, 0])
    assert QuickScorer(trees).log_odds([[9.0, 9.0, 7.0], [0.5, 0.6, 0.5]]) == [-1.75, 3.25, -1.75]


def test_a_tree_of_more_than_eight_leaves_is_refused() -> None:
    comb = [0, LEAF] * 8 + [LEAF]
    right = [place + 2 if feature != LEAF else 0 for place, feature in enumerate(comb)]
    with pytest.raises(ValueError, match="9 leaves"):
        QuickScorer(Trees(roots=[0], feature=comb, value=[float(place) for place in range(17)], right=right))


def test_no_rows_have_no_scores() -> None:
    assert shipped_stencil_model().probabilities([[] for _ in FEATURES]) == []


def test_the_shipped_model_is_for_this_version_s_features_and_says_how_it_came_to_be() -> None:
    model = shipped_stencil_model()
    assert tuple(model.features) == FEATURES
    assert model.card["cross_validation"]["sites"] == len(model.card["sites"])
    assert len(model.trees.roots) == model.card["trees"]


def test_a_model_survives_its_file() -> None:
    model = shipped_stencil_model()
    assert decode_stencil_model(model.to_json()) == model


@pytest.mark.parametrize("change", [{"format": 0}, {"features": ["text"]}, {"trees": {}}])
def test_a_file_that_is_no_model_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    content = json.loads(shipped_stencil_model().to_json())
    file = tmp_path / "model.json"
    file.write_text(json.dumps({**content, **change}))
    with pytest.raises(StencilModelError, match=r"model\.json is no model"):
        read_stencil_model(file)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StencilModelError, match=r"absent\.json cannot be read"):
        read_stencil_model(tmp_path / "absent.json")


def test_the_trees_say_what_lightgbm_s_own_say() -> None:
    lightgbm = import_module("lightgbm")
    numpy = import_module("numpy")
    random = Random(7)
    rows = [[round(random.random(), 3) for _ in FEATURES] for _ in range(900)]
    labels = [float(row[0] + row[5] * row[9] > 0.8) for row in rows]
    settings = {"objective": "binary", "num_leaves": 8, "verbose": -1, "num_threads": 1, "use_missing": False}
    booster = lightgbm.train(settings, lightgbm.Dataset(numpy.array(rows), numpy.array(labels)), 40)
    scorer = QuickScorer(training._trees([booster.dump_model()]))
    expected = booster.predict(numpy.array(rows), raw_score=True)
    assert scorer.log_odds(list(zip(*rows, strict=True))) == pytest.approx(list(expected), abs=1e-4)


def test_the_same_sites_give_the_same_model_bit_for_bit(benchmark_sites: Path) -> None:
    first, again = (fit_stencil(examples(benchmark_sites, *SITES), Growth(rounds=20)).to_json() for _ in range(2))
    assert first == again


def test_sites_of_one_host_are_in_one_part(benchmark_sites: Path) -> None:
    found = examples(benchmark_sites, "pycon-2011", "pycon-2015", "kitty")
    assert found[0].organisation == found[1].organisation != found[2].organisation


def test_no_site_is_judged_by_a_model_that_has_seen_its_organisation(benchmark_sites: Path) -> None:
    found = examples(benchmark_sites, "pycon-2011", "kitty", "pycon-2015", "040code")
    growth = Growth(rounds=5, folds=3)
    pycon, kitty, same, code = fit_held_out(found, growth)
    assert pycon == same == fit_stencil([found[1], found[3]], growth)
    assert kitty == fit_stencil([found[0], found[2], found[3]], growth)
    assert code == fit_stencil([found[0], found[1], found[2]], growth)


def test_the_detector_enters_a_comparison_with_each_site_held_out(benchmark_sites: Path) -> None:
    folders = [benchmark_sites / name for name in ("kitty", "040code", "agfirst")]
    entrant = held_out_entrant(folders, Growth(rounds=5))
    comparison = compare(folders, [entrant], processes=1)
    assert set(entrant.held_out) == set(folders)
    assert comparison.rows[0].entrant.name == "stencil (held out)"
    assert all(site.error is None for site in comparison.rows[0].result.sites)


def test_the_command_writes_a_model_and_its_card(
    benchmark_sites: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "sites"
    folder.mkdir()
    for name in ("kitty", "amina-by", "040code"):
        (folder / name).symlink_to(benchmark_sites / name)
    model, card = tmp_path / "model.json", tmp_path / "card.md"
    assert not main(["train", str(folder), "--detector", "stencil", "-o", str(model), "--card", str(card)])
    assert read_stencil_model(model).card["command"] == "sitestencil train sites --detector stencil"
    assert "| mean F1 |" in card.read_text()
    assert "mean_f1" in capsys.readouterr().out


def test_the_cross_validated_f1_has_not_fallen_below_its_record(benchmark_sites: Path) -> None:
    found = cross_validate_stencil(
        examples(benchmark_sites, *(site.name for site in labelled_sites(benchmark_sites))), CHEAP
    )
    figures, record = found.figures(), json.loads(RECORD.read_text())
    assert figures["sites"] == record["sites"]
    assert figures["mean_f1"] >= record["mean_f1"] - MAY_FALL_BY
