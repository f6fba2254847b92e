"""The archive with Python inside: a person unpacks it, runs install, and clicks; no Python of the system helps."""

import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.browsers.pages import PATH, site
from tests.conftest import ROOT
from tests.support.browsers import BROWSERS
from tests.support.browsers.programs import browser_program
from tests.support.server import SiteServer

from sitestencil_host.setup.handshake import shake_hands

pytestmark = [
    pytest.mark.archive,
    pytest.mark.skipif(sys.platform != "linux", reason="the release workflow builds those of other systems"),
    pytest.mark.timeout(900),
]
MEGABYTES = 20
PROGRAM = ".local/share/sitestencil/program"


@dataclass(frozen=True)
class Person:
    """Somebody who has unpacked the archive, and has both browsers and nothing else."""

    unpacked: Path
    home: Path

    def run(self, *command: str | Path) -> str:
        done = subprocess.run(
            command,
            env={"HOME": str(self.home), "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, str(ROOT / "packaging/archive/make_archive.py"), "--output", str(folder)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (made,) = folder.iterdir()
    return made


@pytest.fixture
def person(archive: Path, tmp_path: Path) -> Iterator[Person]:
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path / "Downloads", filter="data")
    (unpacked,) = (tmp_path / "Downloads").iterdir()
    home = tmp_path / "home"
    for profile in (".config/chromium", ".mozilla/firefox"):
        (home / profile).mkdir(parents=True)
    yield Person(unpacked, home)


def test_the_archive_is_small_and_its_layout_is_plain(archive: Path, person: Person) -> None:
    assert archive.stat().st_size <= MEGABYTES * 1_000_000
    assert sorted(file.name for file in person.unpacked.iterdir()) == ["LICENCES.txt", "install.sh", "program"]
    programs = [file.name for file in (person.unpacked / "program").iterdir() if os.access(file, os.X_OK)]
    assert sorted(programs) == ["_internal", "sitestencil", "sitestencil-host"]
    inside = {file.name for file in person.unpacked.rglob("*")}
    assert {"setuptools", "pip", "Cython", "rich", "lxml"} & inside == set()
    assert any(name.startswith("native_") and name.endswith(".so") for name in inside)
    licences = (person.unpacked / "LICENCES.txt").read_text()
    assert "\nselectolax 1" in licences
    assert "\nPython 3." in licences


def test_it_is_installed_for_one_person_and_removed_without_a_trace(person: Person) -> None:
    before = {file.relative_to(person.home) for file in person.home.rglob("*")}
    said = person.run("sh", person.unpacked / "install.sh")
    assert f"choose the folder {person.home}/Sitestencil/chromium" in said
    person.unpacked.rename(person.unpacked.with_name("gone"))

    answer = shake_hands(str(person.home / PROGRAM / "sitestencil-host"), "chromium")
    assert answer.fault is None
    command = person.home / ".local/bin/sitestencil"
    said = person.run(command, "doctor")
    assert said.count("ok     the helper program answers") == 2
    assert "All is well." in said

    person.run(command, "uninstall")
    left = {file.relative_to(person.home) for file in person.home.rglob("*") if not file.is_dir()}
    assert {file for file in left - before if file.suffix != ".log"} == set()
    assert not (person.home / PROGRAM).exists()


@pytest.mark.parametrize("name", ["chromium", "firefox"])
def test_the_button_shows_a_template(person: Person, name: str) -> None:
    pages = site('<h1>Ships</h1><p id="story">The schooner came home in May with a cargo of tea.</p>')
    with (
        SiteServer(pages) as server,
        BROWSERS[name](
            ROOT / "dist" / name, browser_program(name), commands=person.unpacked / "program"
        ) as browser,
    ):
        browser.register_host()
        browser.open(server.base + PATH)
        browser.click_button()
        assert browser.wait_for_state("template", "error", "impossible", "doubtful").state == "template"
        hosts = [Path(f"/proc/{pid}/exe").readlink() for pid in browser.scratch.processes()]
        assert any(host.name == "sitestencil-host" for host in hosts)
