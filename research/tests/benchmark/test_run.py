"""Labels and scores; TemEx as published on the labelled sites."""

from pathlib import Path

import msgspec
import pytest

from sitestencil.errors import UnusableSite
from sitestencil_research.benchmark.comparison import compare, entrants
from sitestencil_research.benchmark.run import run_site
from sitestencil_research.labels import labelled_sites, read_labels
from sitestencil_research.scoring import score


def test_a_score_counts_right_wrong_and_missed_and_leaves_out_what_is_not_scored() -> None:
    counted = score([True, True, False, False, True], "TCTCE")
    assert (counted.right, counted.wrong, counted.missed) == (1, 1, 1)
    assert (counted.precision, counted.recall, counted.f1) == (0.5, 0.5, 0.5)


def test_an_empty_answer_scores_nothing() -> None:
    assert score([False, False], "TC").f1 == 0


def test_labels_that_do_not_fit_the_elements_are_refused(tmp_path: Path) -> None:
    site = {"id": "x", "elements": 4, "labels": "T2C1"}
    (tmp_path / "site.json").write_bytes(msgspec.json.encode(site))
    with pytest.raises(UnusableSite, match="3 labels for 4 elements"):
        read_labels(tmp_path)


def test_a_folder_without_sites_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableSite, match="holds no sites"):
        labelled_sites(tmp_path)


def test_temex_reaches_its_recorded_figures_on_the_labelled_sites(benchmark_sites: Path) -> None:
    result = compare(labelled_sites(benchmark_sites), entrants("temex")).rows[0].result
    assert len(result.sites) >= 46
    assert result.mean(lambda site: site.score.f1) > 0.85
    assert result.median(lambda site: site.score.f1) > 0.94
    assert result.mean(lambda site: site.pages_loaded) < 6


def test_a_detector_that_gives_up_gets_nothing_and_says_why(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "index.html").write_text("<p>alone")
    site = {"id": "x", "base_url": "http://x.test/", "key_page": "index.html", "elements": 4, "labels": "T4"}
    (tmp_path / "site.json").write_bytes(msgspec.json.encode(site))
    result = run_site(tmp_path, "temex")
    assert result.score.f1 == result.scores["content_words"].f1 == 0
    assert result.visibility.template_hidden == 1
    assert result.error
    assert "no other page" in result.error
