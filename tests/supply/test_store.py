"""What the stores show fits their limits, in each language, and what they are told is what the extension does."""

import json
import tomllib
from typing import Any

import pytest
from manifest.build import BROWSERS, manifest
from PIL import Image
from supply.recipes import review
from tests.conftest import ROOT

STORE = ROOT / "store"
LANGUAGES = sorted(folder.name for folder in (ROOT / "extension" / "_locales").iterdir())
# The smallest limit of the three stores: Edge's for the name and Chrome's for the summary.
NAME, SUMMARY = 45, 132
DESCRIPTION = range(250, 10_001)  # Edge's; Chrome takes 16,000
ANSWER = 1_000  # Chrome's, for the purpose and for each permission
NOTES = 2_000  # Edge's; Mozilla takes 3,000
TERMS, TERM, TERM_WORDS = 7, 30, 21  # Edge's
CAPTION = 250
SCREEN, TILE, LOGO = (1280, 800), (440, 280), (300, 300)
MOST_SCREENS = 5  # Chrome's
KILOBYTES = 150


def read(name: str) -> dict[str, Any]:
    return tomllib.loads((STORE / f"{name}.toml").read_text(encoding="utf-8"))


def message(language: str, name: str) -> str:
    file = ROOT / "extension" / "_locales" / language / "messages.json"
    return str(json.loads(file.read_text(encoding="utf-8"))[name]["message"])


def screens() -> list[str]:
    return sorted(file.stem for file in (STORE / "images").glob("[0-9]-*.png"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_listing_of_each_language_fits(language: str) -> None:
    listing = read(language)
    assert len(message(language, "name")) <= NAME
    assert len(message(language, "description")) <= SUMMARY
    assert len(listing["description"].strip()) in DESCRIPTION
    terms = listing["search_terms"]
    assert len(terms) <= TERMS
    assert max(map(len, terms)) <= TERM
    assert sum(len(term.split()) for term in terms) <= TERM_WORDS
    assert all(len(caption) <= CAPTION for caption in listing["captions"].values())
    assert [name.partition("-")[2] for name in screens()] == list(listing["captions"])


@pytest.mark.parametrize("browser", BROWSERS)
def test_each_permission_that_the_package_asks_for_is_explained_and_no_other(browser: str) -> None:
    asked = manifest(browser, store=True)
    assert "host_permissions" not in asked
    names = {*asked["permissions"], *(["host_permissions"] if asked["optional_host_permissions"] else [])}
    assert set(read("answers")["permissions"]) == names


def test_the_notes_for_reviewers_fit() -> None:
    assert 0 < len(review()["version"]["approval_notes"]) <= NOTES


@pytest.mark.parametrize(("name", "size", "mode"), [("tile", TILE, "RGB"), ("logo", LOGO, "RGBA")])
def test_a_picture_has_its_size(name: str, size: tuple[int, int], mode: str) -> None:
    with Image.open(STORE / "images" / f"{name}.png") as picture:
        assert (picture.size, picture.mode) == (size, mode)


def test_the_screenshots_have_24_bits_and_are_small_files() -> None:
    assert 1 <= len(screens()) <= MOST_SCREENS
    for name in screens():
        file = STORE / "images" / f"{name}.png"
        with Image.open(file) as picture:
            assert (picture.size, picture.mode) == (SCREEN, "RGB")
        assert file.stat().st_size <= KILOBYTES * 1_000
