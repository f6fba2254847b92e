"""Registration with browsers, and its undoing."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sitestencil.errors import SitestencilError
from sitestencil_host.setup.browsers import BY_NAME, Machine, System
from sitestencil_host.setup.install import install, uninstall, without_package
from sitestencil_host.setup.manifests import (
    FILE_NAME,
    InstallError,
    Launcher,
    Registry,
    as_text,
    host_launcher,
    host_manifest,
    interpreter_fault,
)
from sitestencil_host.setup.targets import Target, browser_targets, user_data_target
from sitestencil_host.worker.start import COMMAND

HOST = Path(sys.executable).with_name("sitestencil-host")
CHROMIUM_FILE = ".config/chromium/NativeMessagingHosts/org.sitestencil.host.json"
LAUNCHER = ".local/share/sitestencil/sitestencil-host"
FIELDS = ("name", "description", "path", "type")
FIREFOX_FILE = ".mozilla/native-messaging-hosts/org.sitestencil.host.json"

Run = Callable[..., "subprocess.CompletedProcess[str]"]


class MemoryRegistry(dict[str, str], Registry):
    def read(self, key: str) -> str | None:
        return self.get(key)

    def write(self, key: str, value: str) -> None:
        self[key] = value

    def delete(self, key: str) -> None:
        self.pop(key, None)


def user(home: Path, system: System = "linux") -> Machine:
    return Machine(system, home, {}, which=lambda _: None, snaps=home / "snap", flatpaks=home / "flatpaks")


def targets(machine: Machine, *names: str) -> list[Target]:
    return browser_targets(machine, [BY_NAME[name] for name in names])


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run ``sitestencil`` for a user with Chromium on PATH, a Firefox profile, and an empty home otherwise."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "chromium").write_text("#!/bin/sh\n")
    (programs / "chromium").chmod(0o755)
    home = tmp_path / "home"
    (home / ".mozilla" / "firefox").mkdir(parents=True)

    def sitestencil(*arguments: str) -> "subprocess.CompletedProcess[str]":
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "SITE"))}
        return subprocess.run(
            [HOST.with_name("sitestencil"), *arguments],
            env={**kept, "HOME": str(home), "PATH": str(programs)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return sitestencil


def files(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.skipif(sys.platform != "linux", reason="the folders of Linux")
def test_install_writes_a_manifest_for_each_browser_found_and_says_so(run: Run, tmp_path: Path) -> None:
    ended = run("install")
    assert ended.returncode == 0, ended.stderr
    home = tmp_path / "home"
    assert all(str(home / file) in ended.stdout for file in (CHROMIUM_FILE, FIREFOX_FILE))
    assert "sitestencil doctor" in ended.stdout
    firefox = json.loads((home / FIREFOX_FILE).read_text())
    assert set(firefox) == {*FIELDS, "allowed_extensions"}
    assert set(files(home)) == {CHROMIUM_FILE, FIREFOX_FILE, LAUNCHER}
    assert firefox["path"] == str(home / LAUNCHER)
    chromium = json.loads((home / CHROMIUM_FILE).read_text())
    assert set(chromium) == {*FIELDS, "allowed_origins"}
    assert all(origin.endswith("/") for origin in chromium["allowed_origins"])


@pytest.mark.skipif(sys.platform != "linux", reason="the folders of Linux")
def test_install_again_changes_nothing_and_uninstall_leaves_the_home_as_it_was(run: Run, tmp_path: Path) -> None:
    home = tmp_path / "home"
    before = {file.relative_to(home) for file in home.rglob("*")}
    run("install")
    times = {file: file.stat().st_mtime_ns for file in home.rglob("*")}
    again = run("install")
    assert again.returncode == 0
    assert "wrote" not in again.stdout
    assert {file: file.stat().st_mtime_ns for file in home.rglob("*")} == times
    assert f"choose the folder {home}/Sitestencil/chromium" in run("extension", "--no-open").stdout
    assert run("uninstall").returncode == 0
    assert {file.relative_to(home) for file in home.rglob("*")} - {
        Path(".config"),
        Path(".local"),
        Path(".local/share"),
    } == before
    assert "nothing to remove" in run("uninstall").stdout


def test_what_a_package_has_registered_for_all_users_needs_no_installing(tmp_path: Path) -> None:
    machine = replace(user(tmp_path), root=tmp_path / "root")
    chromium, firefox = targets(machine, "chromium", "firefox")
    (for_all,) = chromium.for_all
    for_all.parent.mkdir(parents=True)
    for_all.write_text(as_text(host_manifest("chromium", "/package/host")))
    said: list[str] = []
    assert without_package([chromium, firefox], Launcher(Path("/package/host")), said.append) == [firefox]
    assert said == [f"Chromium: in place {for_all}, so nothing is needed"]
    assert without_package([chromium], Launcher(Path("/pipx/host")), said.append) == [chromium]

    install([chromium], Launcher(Path("/pipx/host")), MemoryRegistry(), lambda _: None)
    said.clear()
    assert without_package([chromium], Launcher(Path("/package/host")), said.append) == []
    assert f"{chromium.file} comes first, and starts /pipx/host" in said[0]
    assert "sitestencil uninstall --browser chromium" in said[1]


@pytest.mark.skipif(sys.platform != "linux", reason="the folders of Linux")
@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_a_dry_run_names_files_and_touches_none(run: Run, tmp_path: Path, command: str) -> None:
    if command == "uninstall":
        run("install")
    before = files(tmp_path)
    ended = run(command, "--dry-run")
    assert ended.returncode == 0
    assert str(tmp_path / "home" / CHROMIUM_FILE) in ended.stdout
    assert "would" in ended.stdout
    assert files(tmp_path) == before


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such folder")
def test_a_user_data_folder_gets_its_own_manifest_and_nothing_else_is_written(run: Run, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch profile"
    assert run("install", "--user-data-dir", str(scratch)).returncode == 0
    assert set(files(scratch)) == {f"NativeMessagingHosts/{FILE_NAME}"}
    assert set(files(tmp_path / "home")) == {LAUNCHER}
    assert run("uninstall", "--user-data-dir", str(scratch)).returncode == 0
    assert not scratch.exists()
    # It may be that of a named Chromium, but not of Firefox.
    assert run("install", "--browser", "brave", "--user-data-dir", str(scratch)).returncode == 0
    assert set(files(scratch)) == {f"NativeMessagingHosts/{FILE_NAME}"}
    refused = run("install", "--browser", "firefox", "--user-data-dir", str(scratch))
    assert refused.returncode == 2
    assert "Firefox has no --user-data-dir" in refused.stderr


def test_an_unknown_browser_is_wrong_usage(run: Run) -> None:
    ended = run("install", "--browser", "mosaic")
    assert ended.returncode == 2
    assert "vivaldi" in ended.stderr


def test_a_manifest_that_cannot_be_written_is_said_without_a_traceback(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ended = run("install", "--user-data-dir", str(tmp_path / "file"))
    assert ended.returncode == 1
    assert "cannot be written" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_manifest_of_an_earlier_installation_is_replaced(tmp_path: Path) -> None:
    machine = user(tmp_path)
    (target,) = targets(machine, "vivaldi")
    said: list[str] = []
    install([target], Launcher(Path("/old/sitestencil-host")), MemoryRegistry(), said.append)
    install([target], Launcher(Path("/new/sitestencil-host")), MemoryRegistry(), said.append)
    assert json.loads(target.file.read_text())["path"] == "/new/sitestencil-host"
    assert [line.split()[1] for line in said] == ["wrote", "wrote"]


def test_a_key_that_cannot_be_written_is_said_and_nobody_says_wrote(tmp_path: Path) -> None:
    class Locked(MemoryRegistry):
        def write(self, key: str, value: str) -> None:
            raise PermissionError(13, "Access is denied")

    (target,) = targets(user(tmp_path, "windows"), "chrome")
    said: list[str] = []
    with pytest.raises(InstallError, match="cannot be written: Access is denied"):
        install([target], Launcher(Path("C:/x.exe")), Locked(), said.append)
    assert not any("Software" in line for line in said)


def test_on_windows_each_key_names_the_manifest_of_its_family(tmp_path: Path) -> None:
    machine = user(tmp_path, "windows")
    registry = MemoryRegistry()
    said: list[str] = []
    chosen = targets(machine, "chrome", "brave", "edge", "firefox")
    launcher = Launcher(Path("C:/venv/Scripts/sitestencil-host.exe"))
    install(chosen, launcher, registry, said.append)
    folder = tmp_path / "AppData/Local/sitestencil"
    assert registry == {
        rf"Software\{vendor}\NativeMessagingHosts\org.sitestencil.host": str(folder / family / FILE_NAME)
        for vendor, family in (
            (r"Google\Chrome", "chromium"),
            (r"Microsoft\Edge", "chromium"),
            ("Mozilla", "firefox"),
        )
    }
    assert set(json.loads((folder / "firefox" / FILE_NAME).read_text())) == {*FIELDS, "allowed_extensions"}
    said.clear()
    install(chosen, launcher, registry, said.append)
    assert not any("wrote" in line for line in said)
    uninstall(chosen, [], machine, registry, said.append)
    assert registry == {}
    assert files(tmp_path) == {}


def test_a_key_that_another_browser_reads_stays(tmp_path: Path) -> None:
    machine = user(tmp_path, "windows")
    registry = MemoryRegistry()
    said: list[str] = []
    install(targets(machine, "chrome", "edge"), Launcher(Path("C:/x.exe")), registry, said.append)
    uninstall(targets(machine, "brave"), targets(machine, "chrome"), machine, registry, said.append)
    assert len(registry) == 2
    uninstall(targets(machine, "edge"), targets(machine, "chrome"), machine, registry, said.append)
    assert [key.split("\\")[1] for key in registry] == ["Google"]
    assert len(files(tmp_path)) == 1


def test_a_file_of_somebody_else_in_the_same_folder_stays(tmp_path: Path) -> None:
    machine = user(tmp_path)
    chosen = targets(machine, "chromium")
    install(chosen, Launcher(Path("/x")), MemoryRegistry(), lambda _: None)
    other = chosen[0].file.with_name("org.other.json")
    other.write_text("{}")
    uninstall(chosen, [], machine, MemoryRegistry(), lambda _: None)
    assert list(files(tmp_path)) == [str(other.relative_to(tmp_path))]


@pytest.mark.parametrize("foreign", ['{"name": "org.other"}', "no JSON", "[]"])
def test_a_manifest_at_our_place_that_is_not_ours_stays(tmp_path: Path, foreign: str) -> None:
    machine, said = user(tmp_path), list[str]()
    chosen = targets(machine, "chromium")
    chosen[0].file.parent.mkdir(parents=True)
    chosen[0].file.write_text(foreign)
    with pytest.raises(InstallError, match=r"org\.sitestencil\.host\.json is no host manifest of Sitestencil"):
        install(chosen, Launcher(Path("/x")), MemoryRegistry(), said.append)
    assert uninstall(chosen, [], machine, MemoryRegistry(), said.append) == 0
    assert f"kept {chosen[0].file}" in said[0]
    assert chosen[0].file.read_text() == foreign


@pytest.mark.skipif(sys.platform == "win32", reason="HOME is the user's profile")
@pytest.mark.parametrize("home", ["", "/", "a/relative/one"])
def test_without_a_home_nothing_is_written(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", home)
    with pytest.raises(SitestencilError, match="HOME is not set"):
        Machine()


@pytest.mark.parametrize(
    "arguments",
    [
        ("extension", "-o", ""),
        ("install", "--user-data-dir", ""),
        ("site", "https://site.example/", "-o", ""),
        ("rules", "https://site.example/", "-o", ""),
    ],
)
def test_an_empty_name_of_a_folder_is_wrong_usage(run: Run, arguments: tuple[str, ...]) -> None:
    ended = run(*arguments)
    assert ended.returncode == 2
    assert "names no folder" in ended.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="shell scripts")
def test_a_script_is_what_browsers_start_if_its_interpreter_heeds_no_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitestencil_host.setup.manifests._script_folders", lambda: [tmp_path])
    script = tmp_path / "sitestencil-host"
    for first, is_started in {f"#!{sys.executable} -I": True, f"#!{sys.executable}": False}.items():
        script.write_text(f"{first}\n")
        script.chmod(0o755)
        assert (host_launcher(user(tmp_path)) == Launcher(script)) is is_started


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_without_a_script_a_launcher_of_our_own_starts_the_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "it's a home"
    machine = user(home)
    monkeypatch.setattr("sitestencil_host.setup.manifests._script_folders", lambda: [tmp_path / "nowhere"])
    launcher = host_launcher(machine)
    chosen = [user_data_target(machine, tmp_path / "profile")]
    install(chosen, launcher, MemoryRegistry(), lambda _: None)
    assert stat.S_IMODE(launcher.path.stat().st_mode) == 0o755
    assert launcher.is_at(str(launcher.path))
    (tmp_path / "json.py").write_text("raise SystemExit(1)")
    broken = {"PYTHONHOME": "/nowhere", "PYTHONPATH": str(tmp_path)}
    ended = subprocess.run([launcher.path, "--version"], capture_output=True, text=True, check=True, env=broken)
    assert "sitestencil-host" in ended.stderr
    subprocess.run([*COMMAND[:2], "-c", "import json"], check=True, env=broken)
    (tmp_path / "json.py").unlink()
    uninstall(chosen, [], machine, MemoryRegistry(), lambda _: None)
    assert files(tmp_path) == {}


def test_on_windows_the_launcher_of_our_own_is_a_batch_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitestencil_host.setup.manifests._script_folders", lambda: [tmp_path / "nowhere"])
    launcher = host_launcher(user(tmp_path, "windows"))
    assert launcher.path.name == "sitestencil-host.bat"
    assert launcher.text == f'@echo off\r\n"{sys.executable}" -EP -m sitestencil_host %*\r\n'


@pytest.mark.parametrize(
    ("first_line", "fault"),
    [
        (f"#!{sys.executable}", None),
        ("#!/bin/sh", None),
        ("\x7fELF", None),
        ("#!/usr/bin/env python3", "PATH"),
        ("#!python3", "no absolute interpreter"),
        ("#!/gone/venv/bin/python", "is gone"),
    ],
)
def test_a_scripts_interpreter_has_to_be_absolute_and_there(
    tmp_path: Path, first_line: str, fault: str | None
) -> None:
    script = tmp_path / "script"
    script.write_text(f"{first_line}\nimport this\n")
    told = interpreter_fault(script)
    assert (told is None) if fault is None else (told is not None and fault in told)


def test_nothing_is_installed_from_a_package_without_its_manifests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "a" / "b" / "setup" / "manifests.py"
    monkeypatch.setattr("sitestencil_host.setup.manifests.__file__", str(elsewhere))
    with pytest.raises(InstallError, match="Install sitestencil again"):
        install(targets(user(tmp_path), "edge"), Launcher(Path("/x")), MemoryRegistry(), lambda _: None)
