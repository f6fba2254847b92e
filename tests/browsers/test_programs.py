"""The browsers are found, refused or missed with words that say what to do; keys are read as people write them."""

from pathlib import Path
from string import Template

import pytest
from demo.site import assemble, load_site
from tests.support.browsers import programs
from tests.support.browsers.keys import parse_shortcut
from tests.support.browsers.programs import NoBrowserError, browser_program, ensure_browser


@pytest.fixture
def only_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is all of PATH, on a system where nothing can be installed."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(programs, "_can_install", lambda: False)
    return tmp_path


def put(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)
    (folder / name).chmod(0o755)


@pytest.mark.parametrize("name", ["chromium", "firefox"])
def test_a_missing_browser_is_an_error_that_says_how_to_get_it(name: str, only_on_path: Path) -> None:
    with pytest.raises(NoBrowserError, match=r"none was found(.|\n)*apt-get install(.|\n)*https://"):
        ensure_browser(name)


def test_a_browser_that_is_too_old_is_refused_with_its_version(only_on_path: Path) -> None:
    put(only_on_path, "chromium", "#!/bin/sh\necho Chromium 120.0.1\n")
    with pytest.raises(NoBrowserError, match="is version 120"):
        browser_program("chromium")


def test_a_snap_is_refused_as_it_cannot_use_a_scratch_profile(only_on_path: Path) -> None:
    put(only_on_path, "firefox", "#!/bin/sh\nexec /snap/bin/firefox\n")
    with pytest.raises(NoBrowserError, match="is a snap"):
        browser_program("firefox")


def test_the_first_browser_that_is_new_enough_is_taken(only_on_path: Path) -> None:
    put(only_on_path, "chromium", "#!/bin/sh\necho Chromium 120.0.1\n")
    put(only_on_path, "google-chrome", "#!/bin/sh\necho Google Chrome 156.0.1\n")
    assert browser_program("chromium") == only_on_path / "google-chrome"


def test_a_key_combination_is_modifiers_and_one_letter_or_digit() -> None:
    keys = parse_shortcut("Ctrl+Shift+9")
    assert (keys.code, keys.key, keys.virtual_code) == ("Digit9", "(", 57)
    assert keys.bits(alt=1, ctrl=2, meta=4, shift=8) == 10
    for wrong in ("Ctrl+Shift", "Hyper+A", "Ctrl+ä", ""):
        with pytest.raises(ValueError, match="not a key combination"):
            parse_shortcut(wrong)


def test_every_page_of_the_demo_site_links_only_to_what_the_site_has() -> None:
    answers = load_site()
    pages = [answer.body.decode() for answer in answers.values() if answer.kind.startswith("text/html")]
    assert len(pages) >= 12
    for page in pages:
        for piece in page.replace("src=", "href=").split('href="')[1:]:
            address = piece.partition('"')[0]
            assert address.startswith("#") or f"/{address}" in answers, address


def test_a_page_file_without_its_head_is_refused() -> None:
    with pytest.raises(ValueError, match="begins with"):
        assemble(Template("$body"), "<p>No head</p>")
    with pytest.raises(ValueError, match="gives no 'title'"):
        assemble(Template("$title $body"), "kind: story\n\n<p>Text</p>")
