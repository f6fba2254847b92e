"""The extension inside the program is unpacked for a browser to load, with the steps to click."""

import argparse
import base64
import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import ROOT

from sitestencil import __version__
from sitestencil.errors import SitestencilError
from sitestencil_host.setup import BROWSER_NAMES
from sitestencil_host.setup.browsers import BY_NAME, Family, Machine
from sitestencil_host.setup.commands import extension as command
from sitestencil_host.setup.extension_package import least_version, remove_extension, unpack_extension
from sitestencil_host.setup.extension_steps import open_steps

FAMILIES: tuple[Family, ...] = ("chromium", "firefox")


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    command.configure(parser)
    return command.run(parser.parse_args([*arguments, "--no-open"]))


@pytest.mark.parametrize("name", BROWSER_NAMES)
def test_each_browser_gets_its_extension_and_its_steps(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--browser", name, "-o", str(tmp_path)) == 0
    family: Family = "firefox" if name == "firefox" else "chromium"
    said = capsys.readouterr().out
    assert sorted(file.name for file in tmp_path.iterdir()) == [family, "steps.html"]
    assert json.loads((tmp_path / family / "manifest.json").read_text())["version"] == __version__
    assert str(tmp_path / family) in said
    assert f"{least_version(family)} or newer" in said
    words = "Load Temporary Add-on" if name == "firefox" else "Load unpacked"
    assert words in said
    assert ("signed" in said) == (name == "firefox")
    page = (tmp_path / "steps.html").read_text()
    assert f"<code>{tmp_path / family}" in page
    assert words in page
    picture = re.findall(r'src="data:image/png;base64,([^"]+)" alt="([^"]+)"', page)
    assert [base64.b64decode(data)[1:4] for data, _ in picture] == [b"PNG"]
    assert words in picture[0][1]


def a_browser(folder: Path, status: str, name: str = "chromium") -> tuple[Machine, Path]:
    """Return a machine with a program for a browser, and the file into which the program writes its arguments."""
    program, told = folder / name, folder / "told"
    program.write_text(f'#!/bin/sh\necho "$@" > {told}.new && mv {told}.new {told}\n{status}\n')
    program.chmod(0o755)
    return Machine("linux", folder, {"DISPLAY": ":0"}, which={name: str(program)}.get), told


@pytest.mark.skipif(sys.platform == "win32", reason="shell scripts as browsers")
@pytest.mark.parametrize(
    ("name", "opened"),
    [("chromium", "file:///steps.html"), ("firefox", "file:///steps.html about:debugging#/runtime/this-firefox")],
)
def test_the_steps_open_in_the_browser_and_firefox_opens_its_own_page_too(
    tmp_path: Path, name: str, opened: str
) -> None:
    machine, told = a_browser(tmp_path, "exit 0", name)
    assert open_steps(machine, BY_NAME[name], "file:///steps.html")
    assert told.read_text() == f"{opened}\n"
    assert not open_steps(replace(machine, environment={}), BY_NAME[name], "file:///steps.html")  # no display
    assert not open_steps(machine, BY_NAME["vivaldi"], "file:///steps.html")


@pytest.mark.skipif(sys.platform == "win32", reason="shell scripts as browsers")
def test_a_browser_that_refuses_to_start_is_not_said_to_show_the_steps(tmp_path: Path) -> None:
    machine, _ = a_browser(tmp_path, "exit 1")
    assert not open_steps(machine, BY_NAME["chromium"], "file:///steps.html")
    (tmp_path / "chromium").unlink()
    assert not open_steps(machine, BY_NAME["chromium"], "file:///steps.html")


def test_what_is_unpacked_is_removed_and_what_a_person_put_beside_it_stays(tmp_path: Path) -> None:
    above = tmp_path / "Sitestencil"
    said: list[str] = []
    assert run("--browser", "chrome", "-o", str(above)) == 0
    assert run("--browser", "firefox", "-o", str(above)) == 0
    assert remove_extension(above, FAMILIES, said.append, dry_run=True) == 2
    assert remove_extension(above, ["firefox"], said.append) == 1
    assert (above / "chromium/manifest.json").is_file()
    (above / "chromium-notes").mkdir()
    assert remove_extension(above, FAMILIES, said.append) == 1
    assert [file.name for file in above.iterdir()] == ["chromium-notes"]
    (above / "steps.html").write_text("My own steps.")
    (above / "chromium-notes").rename(above / "firefox")
    (above / "firefox/manifest.json").write_text('{"name": "Mine"}')
    assert remove_extension(above, FAMILIES, said.append) == 0
    (above / "firefox/manifest.json").rename(above / "firefox/mine.json")
    assert remove_extension(above, FAMILIES, said.append) == 0
    assert sorted(file.name for file in above.iterdir()) == ["firefox", "steps.html"]
    assert said[-1] == f"Extension: removed {above / 'chromium'}"


def test_what_is_unpacked_is_what_the_build_makes(tmp_path: Path) -> None:
    build = [sys.executable, str(ROOT / "manifest" / "build.py"), "--output", str(tmp_path / "dist")]
    subprocess.run(build, check=True, capture_output=True)
    for family in FAMILIES:
        unpack_extension(family, tmp_path / family)
        assert files_in(tmp_path / "dist" / family) == files_in(tmp_path / family)


def test_an_older_one_of_ours_is_replaced_whole_and_anything_else_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "chromium"
    unpack_extension("chromium", folder)
    (folder / "background/gone.js").write_text("of an older version")
    (folder / "notes.txt").write_text("the person's")
    unpack_extension("chromium", folder)
    assert not (folder / "background/gone.js").exists()
    assert remove_extension(tmp_path, ["chromium"], lambda _: None) == 1
    assert files_in(folder) == {"notes.txt": b"the person's"}
    other = tmp_path / "other"
    other.mkdir()
    (other / "manifest.json").write_text('{"name": "Mine"}')
    with pytest.raises(SitestencilError, match="holds something else"):
        unpack_extension("chromium", other)
    assert [file.name for file in other.iterdir()] == ["manifest.json"]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["chromium", "other"]


@pytest.mark.parametrize("moved", [False, True])
def test_what_a_stopped_unpacking_left_is_replaced_and_removed(tmp_path: Path, moved: bool) -> None:
    folder = tmp_path / "chromium"

    def stop() -> None:
        (folder / "notes.txt").write_text("the person's")
        scratch = tmp_path / ".sitestencil-chromium.abcd1234/new"
        scratch.mkdir(parents=True)
        (scratch / "part.js").write_text("")
        if moved:
            folder.rename(scratch.parent / "old")

    unpack_extension("chromium", folder)
    whole = files_in(tmp_path)
    stop()
    unpack_extension("chromium", folder)
    assert files_in(tmp_path) == whole | {str(Path("chromium/notes.txt")): b"the person's"}
    stop()
    assert remove_extension(tmp_path, FAMILIES, lambda _: None) == 1
    assert files_in(tmp_path) == {str(Path("chromium/notes.txt")): b"the person's"}


def test_a_stopped_removal_goes_on_by_the_manifest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unpack_extension("chromium", tmp_path / "chromium")
    remove = shutil.rmtree

    def refuse(path: Path, **rest: Any) -> None:
        if Path(path).parent == tmp_path / "chromium":
            raise PermissionError(13, "Permission denied", str(path))
        remove(path, **rest)

    with monkeypatch.context() as stopped, pytest.raises(SitestencilError, match="cannot be removed"):
        stopped.setattr(shutil, "rmtree", refuse)
        remove_extension(tmp_path, FAMILIES, lambda _: None)
    assert remove_extension(tmp_path, FAMILIES, lambda _: None) == 1
    assert not tmp_path.exists()


OTHERS: dict[str, dict[str, bytes]] = {
    "a file": {"": b"#!/bin/sh"},
    "files of our names": {"background/main.js": b"mine", "icons/idle-16.png": b"mine"},
    "an extension of our name": {"manifest.json": b'{"name": "__MSG_name__"}', "background/main.js": b"mine"},
    "an extension of another key": {"manifest.json": b'{"name": "__MSG_name__", "key": "MIIB"}'},
    "no manifest": {"manifest.json": b"[" * 100_000},
}


@pytest.mark.parametrize("files", OTHERS.values(), ids=OTHERS)
def test_nothing_of_a_person_is_replaced_or_removed(tmp_path: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        file = tmp_path / "chromium" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    (tmp_path / ".sitestencil-chromium.mine").mkdir()
    (tmp_path / ".sitestencil-chromium.mine/words.txt").write_text("mine")
    before = files_in(tmp_path)
    with pytest.raises(SitestencilError, match="something else"):
        run("--browser", "chromium", "-o", str(tmp_path))
    assert remove_extension(tmp_path, FAMILIES, lambda _: None) == 0
    assert files_in(tmp_path) == before


def test_an_empty_folder_is_no_proof_and_no_loss(tmp_path: Path) -> None:
    (tmp_path / "chromium").mkdir()
    assert remove_extension(tmp_path, FAMILIES, lambda _: None) == 0
    assert (tmp_path / "chromium").is_dir()
    unpack_extension("chromium", tmp_path / "chromium")
    assert remove_extension(tmp_path, FAMILIES, lambda _: None) == 1


def test_a_persons_page_of_steps_stays_and_ours_goes(tmp_path: Path) -> None:
    page = tmp_path / "steps.html"
    page.write_text("<title>Steps of a dance</title>")
    with pytest.raises(SitestencilError, match=r"steps\.html is not a page of this program"):
        run("--browser", "chromium", "-o", str(tmp_path))
    assert remove_extension(tmp_path, FAMILIES, lambda _: None) == 0
    assert [file.name for file in tmp_path.iterdir()] == ["steps.html"]
    page.unlink()
    assert [run("--browser", "chromium", "-o", str(tmp_path)) for _ in range(2)] == [0, 0]
    assert remove_extension(tmp_path, FAMILIES, lambda _: None) == 1
    assert not tmp_path.exists()


def test_the_build_replaces_nothing_of_a_person(tmp_path: Path) -> None:
    (tmp_path / "chromium").mkdir()
    (tmp_path / "chromium/notes.txt").write_text("mine")
    build = [sys.executable, str(ROOT / "manifest" / "build.py"), "chromium", "--output", str(tmp_path)]
    ended = subprocess.run(build, check=False, capture_output=True, text=True)
    assert ended.returncode == 1
    assert "something else" in ended.stderr
    assert files_in(tmp_path) == {str(Path("chromium/notes.txt")): b"mine"}


@pytest.mark.skipif(sys.platform == "win32", reason="links")
@pytest.mark.parametrize("exists", [True, False])
def test_a_link_in_the_folders_place_stays_and_is_named(tmp_path: Path, exists: bool) -> None:
    if exists:
        unpack_extension("chromium", tmp_path / "elsewhere")
    (tmp_path / "chromium").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SitestencilError, match="is a link"):
        unpack_extension("chromium", tmp_path / "chromium")
    assert remove_extension(tmp_path, FAMILIES, lambda _: None) == 0
    assert (tmp_path / "chromium").is_symlink()
    assert (tmp_path / "elsewhere/manifest.json").is_file() == exists


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SitestencilError, match="cannot be"):
        unpack_extension("chromium", tmp_path / "file" / "chromium")
