"""The program of an archive: install gives it a place of its own in the home, and uninstall removes it."""

import sys
from pathlib import Path

import pytest

from sitestencil.errors import SitestencilError
from sitestencil_host.setup import launcher
from sitestencil_host.setup.archive import put_in_place, remove_program
from sitestencil_host.setup.browsers import Machine, System
from sitestencil_host.setup.launcher import host_launcher

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links")


@pytest.fixture
def unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the running program, as if it came out of an archive."""
    folder = tmp_path / "Downloads/sitestencil-9/program"
    folder.mkdir(parents=True)
    for name in ("sitestencil", "sitestencil-host"):
        (folder / name).write_text("new")
        (folder / name).chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(folder / "sitestencil"))
    monkeypatch.setattr(launcher, "FROM_ARCHIVE", True)
    return folder


def machine(home: Path, system: System = "linux") -> Machine:
    return Machine(system, home, {}, which=lambda _: None)


def test_it_is_copied_and_the_browsers_start_the_copy(tmp_path: Path, unpacked: Path) -> None:
    user = machine(tmp_path)
    said: list[str] = []
    put_in_place(user, said.append)
    copy = tmp_path / ".local/share/sitestencil/program"
    assert said == [f"Program: wrote {copy}", f"Command: wrote {tmp_path / '.local/bin/sitestencil'}"]
    assert host_launcher(user).path == copy / "sitestencil-host"
    assert (copy / "sitestencil-host").stat().st_mode & 0o111
    assert (tmp_path / ".local/bin/sitestencil").read_text() == "new"
    assert [file.name for file in copy.parent.iterdir()] == ["program"]


def test_an_older_one_is_replaced_whole(tmp_path: Path, unpacked: Path) -> None:
    user = machine(tmp_path)
    put_in_place(user, lambda _: None)
    (user.program_folder / "gone-since").write_text("old")
    put_in_place(user, lambda _: None)
    assert sorted(file.name for file in user.program_folder.iterdir()) == ["sitestencil", "sitestencil-host"]


def test_what_a_stopped_installation_left_is_removed(tmp_path: Path, unpacked: Path) -> None:
    user = machine(tmp_path)
    left = user.program_folder.parent / ".program.abcd1234"
    for step in (put_in_place, remove_program):
        (left / "old").mkdir(parents=True)
        step(user, lambda _: None)
        assert not left.exists()


def test_a_link_in_the_programs_place_is_replaced_and_removed_itself(tmp_path: Path, unpacked: Path) -> None:
    user = machine(tmp_path)
    (tmp_path / "mine").mkdir()
    user.program_folder.parent.mkdir(parents=True)
    user.program_folder.symlink_to(tmp_path / "mine")
    assert remove_program(user, lambda _: None) == 1
    user.program_folder.parent.mkdir(parents=True)
    user.program_folder.symlink_to(tmp_path / "missing")
    put_in_place(user, lambda _: None)
    assert (user.program_folder / "sitestencil").is_file()
    assert (tmp_path / "mine").is_dir()


def test_the_command_of_another_installation_stays(tmp_path: Path, unpacked: Path) -> None:
    other = tmp_path / ".local/bin/sitestencil"
    other.parent.mkdir(parents=True)
    other.symlink_to("/of/pipx/sitestencil")
    user = machine(tmp_path)
    said: list[str] = []
    put_in_place(user, said.append)
    assert other.readlink() == Path("/of/pipx/sitestencil")
    assert said[-1].startswith(f"Command: left {other} as it is")
    assert remove_program(user, said.append) == 1
    assert other.is_symlink()


def test_a_dry_run_writes_and_removes_nothing(tmp_path: Path, unpacked: Path) -> None:
    user = machine(tmp_path / "home")
    said: list[str] = []
    put_in_place(user, said.append, dry_run=True)
    assert all("would write" in line for line in said)
    assert not (tmp_path / "home").exists()
    put_in_place(user, lambda _: None)
    assert remove_program(user, said.append, dry_run=True) == 2
    assert (user.program_folder / "sitestencil").is_file()


def test_nothing_is_left_after_it_is_removed(tmp_path: Path, unpacked: Path) -> None:
    user = machine(tmp_path / "home")
    said: list[str] = []
    put_in_place(user, lambda _: None)
    assert remove_program(user, said.append) == 2
    assert [file for file in (tmp_path / "home").rglob("*") if not file.is_dir()] == []
    assert not user.own_folder.exists()
    assert remove_program(user, said.append) == 0


def test_windows_has_no_link_and_keeps_a_running_program(tmp_path: Path, unpacked: Path) -> None:
    user = machine(tmp_path, "windows")
    said: list[str] = []
    put_in_place(user, said.append)
    assert said == [f"Program: wrote {tmp_path / 'AppData/Local/sitestencil/program'}"]
    assert host_launcher(user).path == user.program_folder / "sitestencil-host.exe"
    assert remove_program(user, said.append) == 1
    assert said[-1] == f"Program: to remove it, delete the folder {user.program_folder}"


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path, unpacked: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SitestencilError, match="cannot be written"):
        put_in_place(machine(tmp_path / "file"), lambda _: None)
