"""``sitestencil memory`` tells what is remembered, and forgets it."""

from pathlib import Path

import pytest

from sitestencil import parse
from sitestencil.cli import main
from sitestencil.memory.store import FOLDER_VARIABLE, PageStore, memory_file
from sitestencil.page.key_sketch import KeySketch
from sitestencil.site.loading import KnownPages

MENU = "<nav><a href='/a'>A</a></nav>"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PageStore:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "data"))
    store = PageStore(memory_file())
    for url in ("https://one.example/", "https://two.example/", "https://two.example/b/"):
        store.remember(url, KnownPages(seen=[KeySketch(parse(MENU, url))]))
    return store


def test_it_tells_the_sites_and_the_file(store: PageStore, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("one.example\t1 page\t")
    assert lines[1].startswith("two.example\t2 pages\t")
    assert lines[2] == f"It is kept in {store.file}"


def test_it_forgets_a_site_and_then_all(store: PageStore, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "--clear", "two.example"]) == 0
    assert capsys.readouterr().out == "2 pages forgotten.\n"
    assert [site.site for site in store.sites()] == ["one.example"]
    assert main(["memory", "--clear"]) == 0
    assert capsys.readouterr().out == "1 page forgotten.\n"
    assert store.sites() == []


def test_it_tells_of_a_file_that_was_set_aside(store: PageStore, capsys: pytest.CaptureFixture[str]) -> None:
    store.file.write_bytes(b"no database")
    assert main(["memory"]) == 0
    output = capsys.readouterr().out
    assert "the file is damaged" in output
    assert f"Set aside, as it could not be used: {store.file}.damaged" in output


def test_without_an_environment_it_is_kept_among_the_persons_own_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    assert memory_file().parent.name == "sitestencil"
    assert memory_file().is_absolute()
