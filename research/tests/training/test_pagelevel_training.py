"""Training the page-level classifier on sites without labels."""

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from sitestencil.cli import main
from sitestencil.detectors.pagelevel.features import FEATURES
from sitestencil.detectors.pagelevel.model import read_model
from sitestencil.errors import UnusableInput, UnusableSite
from sitestencil.page.document import Box
from sitestencil.page.parsing import parse
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.benchmark.rendering import rendered_boxes
from sitestencil_research.training.pagelevel_card import cross_validate_pagelevel
from sitestencil_research.training.pagelevel_examples import (
    TrainingParameters,
    pagelevel_site_examples,
    site_folders,
)
from sitestencil_research.training.pagelevel_training import BOUNDS, fit_pagelevel

STORY = "<p>Something that is told on this page alone, number {0}, {0} times, and of some length. {1}</p>"


def _site(folder: Path, menu: str) -> Path:
    folder.mkdir(parents=True)
    for number in range(12):
        story = "".join(STORY.format(f"{number}-{line}", "It goes on and on. " * 12) for line in range(4))
        picture = f'<img src="{number}.png" width="40" height="60">'
        (folder / f"{number}.html").write_text(
            f"<!doctype html><title>Page {number}</title><body><div><ul>{menu}</ul></div>"
            f"<div>{story}</div><p>{picture}<a href='{number}.pdf'>The whole of number {number} to read</a></p>"
            f"<div><p>{'All rights are reserved by us. ' * 9}</p></div>"
        )
    return folder


@pytest.fixture
def sites(tmp_path: Path) -> Path:
    for name in ("harbour", "museum", "school", "theatre"):
        menu = "".join(f'<li><a href="/{name}/{n}">{name} menu entry {n}</a></li>' for n in range(14))
        _site(tmp_path / "sites" / name, menu)
    return tmp_path / "sites"


def test_what_recurs_on_a_site_s_pages_is_an_example_of_template(sites: Path) -> None:
    site_examples = pagelevel_site_examples(sites / "harbour")
    assert site_examples.pages == 12
    anchor_text, links = FEATURES.index("anchor_text"), FEATURES.index("links")
    large = [example for example in site_examples.source if example.area > 100_000]
    menus = [example for example in large if example.features[anchor_text] == 1 and example.features[links] > 2]
    stories = [example for example in large if example.features[anchor_text] == 0]
    assert menus
    assert stories
    assert all(example.template for example in menus)
    assert not any(example.template for example in stories)


def test_a_model_has_a_regression_for_each_of_four_areas(sites: Path) -> None:
    model = fit_pagelevel([pagelevel_site_examples(folder) for folder in site_folders([sites])])
    assert [band.area_from for band in model.source] == [0, *BOUNDS]


def test_no_more_elements_than_asked_for_are_taken(sites: Path) -> None:
    site_examples = pagelevel_site_examples(
        sites / "harbour", TrainingParameters(pages_per_site=2, elements_per_site=7)
    )
    assert len(site_examples.source) == 7


def test_train_writes_the_same_model_bit_for_bit(sites: Path, tmp_path: Path) -> None:
    files = [tmp_path / "a.json", tmp_path / "b.json"]
    for file, jobs, seed in zip(files, ("1", "2"), ("1", "2"), strict=True):
        subprocess.run(
            [sys.executable, "-m", "sitestencil", "train", sites, "-o", file, "--folds", "2", "--jobs", jobs],
            check=True,
            env={"PYTHONHASHSEED": seed, "OMP_NUM_THREADS": jobs},
        )
    assert files[0].read_bytes() == files[1].read_bytes()


def test_train_writes_a_card_that_says_what_was_learned_from(sites: Path, tmp_path: Path) -> None:
    model, card = tmp_path / "model.json", tmp_path / "card.md"
    assert main(["train", str(sites), "-o", str(model), "--card", str(card), "--jobs", "1"]) == 0
    written = read_model(model).card
    assert written["cross_validation"]["folds"] == 4
    assert set(written["sites"]) == {"harbour", "museum", "school", "theatre"}
    assert written["cross_validation"]["source"]["f1"] > 0.8
    assert re.search(r"elements of 4 sites", card.read_text())
    assert "sitestencil train sites" in card.read_text()


def test_a_trained_model_can_be_used_for_segments(
    sites: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    model, stored = tmp_path / "model.json", _stored(tmp_path / "stored")
    assert main(["train", str(sites), "-o", str(model), "--folds", "0", "--jobs", "1"]) == 0
    capfdbinary.readouterr()
    assert main(["segments", "--site", str(stored), "--model", str(model)]) == 0
    assert b'"templateness"' in capfdbinary.readouterr().out


def test_more_folds_than_sites_are_refused_in_words(sites: Path) -> None:
    examples = [pagelevel_site_examples(folder) for folder in site_folders([sites])]
    with pytest.raises(UnusableInput, match="4 sites cannot be divided into 5 folds"):
        cross_validate_pagelevel(examples, TrainingParameters(), 5)


def test_sites_without_anything_to_tell_apart_are_refused_in_words(tmp_path: Path) -> None:
    folder = tmp_path / "sites" / "one"
    folder.mkdir(parents=True)
    (folder / "a.html").write_text("<p>Nothing recurs on a site of one page.")
    with pytest.raises(UnusableInput, match="nothing to learn"):
        fit_pagelevel([pagelevel_site_examples(folder)])
    with pytest.raises(UnusableInput, match="nothing to learn"):
        fit_pagelevel([])


def test_a_folder_without_sites_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(UnusableSite, match="holds no sites"):
        site_folders([tmp_path])
    with pytest.raises(UnusableSite, match="is not a folder"):
        site_folders([tmp_path / "missing"])


def _stored(folder: Path) -> Path:
    menu = "".join(f"<li><a href='/{n}'>stored menu entry {n}</a>" for n in range(14))
    _site(folder / "pages", menu)
    (folder / "site.json").write_text('{"base_url": "http://stored.example/", "key_page": "0.html"}')
    return folder


def test_the_browser_s_geometry_is_learned_from_separately(tmp_path: Path) -> None:
    def render(site: StoredSite, addresses: Sequence[str]) -> Iterator[list[Box]]:
        for number, address in enumerate(addresses):
            page = parse((site.pages / address.removeprefix(site.base_url)).read_bytes(), address)
            yield [Box(0, 0, 100, 100)] * (len(page) + (number == 0))

    site_examples = pagelevel_site_examples(
        _stored(tmp_path / "stored"), TrainingParameters(pages_per_site=3), render
    )
    assert {example.area for example in site_examples.browser} == {10_000.0}
    assert 10_000.0 not in {example.area for example in site_examples.source}
    model = fit_pagelevel([site_examples])
    assert sum(band.elements for band in model.browser) == len(site_examples.browser)


def test_a_page_that_the_browser_has_otherwise_is_left_out(tmp_path: Path) -> None:
    folder = _stored(tmp_path / "stored")

    def render(_: StoredSite, addresses: Sequence[str]) -> Iterator[list[Box]]:
        return ([Box(0, 0, 100, 100)] for _ in addresses)

    assert not pagelevel_site_examples(folder, render=render).browser


def test_chromium_gives_the_boxes_of_stored_pages(tmp_path: Path) -> None:
    site = StoredSite(_stored(tmp_path / "stored"))
    (site.pages / "0.html").write_text(
        "<!doctype html><style>body{margin:0}div{position:absolute;left:30px;top:40px;width:500px}</style>"
        "<script>document.body.remove()</script><div style=height:70px></div><p style=margin:0;height:3000px>"
    )
    (boxes,) = rendered_boxes(site, [site.key_url])
    page = parse((site.pages / "0.html").read_bytes(), site.key_url)
    assert len(boxes) == len(page)
    assert boxes[0] == Box(0, 0, 1280, 3000)
    assert boxes[page.tags.index("div")] == Box(30, 40, 500, 70)
    assert boxes[page.tags.index("script")][2:] == (0, 0)
