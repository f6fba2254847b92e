"""The doctor names every fault in words and says what to run."""

import argparse
import json
import platform
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sitestencil import __version__
from sitestencil_host.setup.browsers import BY_NAME, Machine
from sitestencil_host.setup.commands import doctor as command
from sitestencil_host.setup.doctor import Doctor, Fault, registered_executable
from sitestencil_host.setup.install import install
from sitestencil_host.setup.manifests import Launcher, Registry, as_text, host_manifest
from sitestencil_host.setup.targets import Target, browser_targets, user_data_target

HOST = Path(sys.executable).with_name("sitestencil-host")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="shell scripts as hosts")


@pytest.fixture(autouse=True)
def log_in_scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the logs of the hosts that are started out of the user's home."""
    monkeypatch.setenv("SITESTENCIL_LOG_DIR", str(tmp_path / "log"))


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(
        "linux",
        tmp_path,
        {},
        which=lambda _: None,
        snaps=tmp_path / "snap",
        flatpaks=tmp_path / "flatpaks",
        root=tmp_path / "root",
    )


def target_of(machine: Machine, name: str) -> Target:
    return browser_targets(machine, [BY_NAME[name]])[0]


def examine(machine: Machine, name: str, launcher: Path = HOST) -> tuple[int, str]:
    """Return how many faults the doctor finds at one browser, and what it says."""
    said: list[str] = []
    doctor = Doctor(machine, Registry(), Launcher(launcher), said.append)
    doctor.check_sandboxes([BY_NAME[name]])
    doctor.check(target_of(machine, name))
    return doctor.wrong, "\n".join(said)


def register(machine: Machine, name: str, executable: Path = HOST) -> Target:
    target = target_of(machine, name)
    install([target], Launcher(executable), Registry(), lambda _: None)
    return target


def script(folder: Path, text: str, mode: int = 0o755) -> Path:
    file = folder / "host-script"
    file.write_text(text)
    file.chmod(mode)
    return file


@pytest.mark.parametrize("name", ["chromium", "firefox"])
def test_a_right_registration_is_followed_to_a_real_handshake(machine: Machine, name: str) -> None:
    register(machine, name)
    wrong, said = examine(machine, name)
    assert wrong == 0
    assert f"the helper program answers: version {__version__}" in said


def test_a_missing_manifest_is_named_with_the_command_to_run(machine: Machine) -> None:
    wrong, said = examine(machine, "firefox")
    assert wrong == 1
    assert str(machine.home / ".mozilla/native-messaging-hosts/org.sitestencil.host.json") in said
    assert "Run: sitestencil install --browser firefox" in said


Change = Callable[[dict[str, Any]], object]
WRONG_MANIFESTS: dict[str, tuple[str, Change, str]] = {
    "another name": ("chromium", lambda m: m.update(name="org.other"), "'org.other'"),
    "another type": ("chromium", lambda m: m.update(type="socket"), "'socket'"),
    "no type": ("chromium", lambda m: m.pop("type"), "lacks type"),
    "no path": ("chromium", lambda m: m.pop("path"), "lacks path"),
    "an empty path": ("chromium", lambda m: m.update(path=""), "names no program"),
    "a path that is a number": ("chromium", lambda m: m.update(path=5), "names no program"),
    "a relative path": ("chromium", lambda m: m.update(path="bin/sitestencil-host"), "not absolute"),
    "a path to nothing": ("chromium", lambda m: m.update(path="/gone/sitestencil-host"), "is gone"),
    "a path to a folder": ("chromium", lambda m: m.update(path="/"), "is gone"),
    "another extension": (
        "chromium",
        lambda m: m.update(allowed_origins=["chrome-extension://abcdefghijklmnopabcdefghijklmnop/"]),
        "allowed_origins lacks the extension's chrome-extension://",
    ),
    "an origin without its slash": (
        "chromium",
        lambda m: m.update(allowed_origins=[origin.rstrip("/") for origin in m["allowed_origins"]]),
        "allowed_origins lacks",
    ),
    "no extension at all": ("firefox", lambda m: m.update(allowed_extensions=None), "sitestencil@"),
    "Chromium's field in Firefox": ("firefox", lambda m: m.update(allowed_origins=[]), "Firefox rejects it"),
}


@pytest.mark.parametrize("fault", WRONG_MANIFESTS)
def test_a_wrong_manifest_is_explained(machine: Machine, fault: str) -> None:
    name, change, words = WRONG_MANIFESTS[fault]
    file = register(machine, name).file
    manifest = json.loads(file.read_text())
    change(manifest)
    file.write_text(json.dumps(manifest))
    wrong, said = examine(machine, name)
    assert wrong == 1
    assert words in said
    assert f"Run: sitestencil install --browser {name}" in said


@pytest.mark.parametrize("text", ["", "{", '{"name": "org.sitestencil.host",}', "[" * 100_000, "[]", "\udcff"])
def test_a_manifest_that_is_no_json_object_is_explained(machine: Machine, text: str) -> None:
    file = register(machine, "chromium").file
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    wrong, said = examine(machine, "chromium")
    assert wrong == 1
    assert "the browser ignores it" in said


@pytest.mark.parametrize(
    ("text", "mode", "words"),
    [
        ("#!/bin/sh\n", 0o644, "is not executable"),
        ("#!/gone/python\n", 0o755, "its interpreter /gone/python is gone"),
        ("#!/usr/bin/env python3\n", 0o755, "looks for its interpreter on PATH"),
        ("neither script nor program", 0o755, "it cannot be started"),
        ("#!/bin/sh\necho sorry >&2\nexit 3\n", 0o755, "ended with status 3 instead of answering: sorry"),
        ("#!/bin/sh\nhead -c 20 >/dev/null\n", 0o755, "ended with status 0"),
        ("#!/bin/sh\necho 'Hello, browser'; cat\n", 0o755, "something else than messages"),
    ],
)
def test_a_program_that_does_not_answer_is_explained(
    machine: Machine, tmp_path: Path, text: str, mode: int, words: str
) -> None:
    register(machine, "chromium", script(tmp_path, text, mode))
    wrong, said = examine(machine, "chromium")
    assert wrong == 1
    assert words in said
    assert "Run: sitestencil install --browser chromium" in said


def test_a_host_that_never_answers_is_given_up(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitestencil_host.setup.handshake.SECONDS", 0.3)
    register(machine, "chromium", script(tmp_path, "#!/bin/sh\nwhile read line; do :; done\n"))
    wrong, said = examine(machine, "chromium")
    assert wrong == 1
    assert "gave no answer" in said


def test_an_older_host_of_another_installation_is_named_and_is_no_fault(machine: Machine, tmp_path: Path) -> None:
    answer = '{"type":"hello","id":1,"protocol":1,"version":"0.0.1"}'
    old = script(tmp_path, f"#!/bin/sh\nprintf '\\{len(answer):o}\\0\\0\\0%s' '{answer}'\ncat >/dev/null\n")
    register(machine, "chromium", old)
    wrong, said = examine(machine, "chromium")
    assert wrong == 0
    assert f"is version 0.0.1, this installation is {__version__}" in said
    assert f"it starts {old}, the helper program of another installation" in said
    assert f"This installation's is {HOST}; to have it started, run: sitestencil install --browser chromium" in said


def test_a_host_is_started_as_from_a_desktop_with_a_bare_path(machine: Machine, tmp_path: Path) -> None:
    told = tmp_path / "told"
    register(machine, "firefox", script(tmp_path, f'#!/bin/sh\necho "$PATH" "$@" >{told}\n'))
    examine(machine, "firefox")
    manifest = target_of(machine, "firefox").file
    assert told.read_text() == f"/usr/bin:/bin {manifest} sitestencil@sitestencil.org\n"


def test_a_snap_that_cannot_reach_the_host_is_a_fault_and_one_that_asks_is_a_note(machine: Machine) -> None:
    for name in ("chromium", "firefox"):
        (machine.snaps / name).mkdir(parents=True)
        register(machine, name)
    wrong, said = examine(machine, "chromium")
    assert wrong == 1
    assert "Chromium is installed as a snap" in said
    assert "as a package of your system instead" in said
    (machine.root / "var/lib/snapd/snap").mkdir(parents=True)
    (machine.snaps / "chromium").rename(machine.root / "var/lib/snapd/snap/chromium")  # another distribution's
    (machine.flatpaks / "com.google.Chrome").mkdir(parents=True)
    register(machine, "chrome")
    assert [examine(machine, name)[0] for name in ("chromium", "chrome")] == [1, 1]
    wrong, said = examine(machine, "firefox")
    assert wrong == 0
    assert "allow it" in said
    assert "flatpak permission-set webextensions org.sitestencil.host snap.firefox yes" in said


@pytest.mark.parametrize("folder", ["Documents", "Desktop", "Downloads"])
def test_on_macos_a_program_in_a_guarded_folder_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    mac = Machine("macos", tmp_path, {}, which=lambda _: None)
    (tmp_path / folder / "sitestencil").mkdir(parents=True)
    program = script(tmp_path / folder / "sitestencil", "#!/bin/sh\n")
    target = register(mac, "chrome", program)
    with pytest.raises(Fault, match=f"in the folder {folder}, out of which macOS lets no browser start"):
        registered_executable(target, "macos", Registry())
    elsewhere = register(mac, "chrome", script(tmp_path, "#!/bin/sh\n"))
    assert registered_executable(elsewhere, "macos", Registry()) == str(tmp_path / "host-script")


def test_on_windows_a_missing_key_and_a_script_are_faults(tmp_path: Path) -> None:
    class Keys(Registry):
        value: str | None = None

        def read(self, key: str) -> str | None:
            return self.value

    windows = Machine("windows", tmp_path, {}, which=lambda _: None)
    target, keys = target_of(windows, "firefox"), Keys()
    with pytest.raises(Fault, match="no key HKEY_CURRENT_USER"):
        registered_executable(target, "windows", keys)
    keys.value = str(target.file)
    with pytest.raises(Fault, match="there is no host manifest"):
        registered_executable(target, "windows", keys)
    install([target], Launcher(Path("host")), keys, lambda _: None)
    with pytest.raises(Fault, match="not absolute"):
        registered_executable(target, "windows", keys)


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    command.configure(parser)
    return command.run(parser.parse_args(arguments))


def test_the_command_ends_with_0_when_all_is_well_and_1_when_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert run("--user-data-dir", str(tmp_path / "profile")) == 1
    said = capsys.readouterr().out
    assert "One thing is wrong." in said
    assert "This installation\n  ok     the helper program answers" in said
    assert str(tmp_path / "log") in said
    install([user_data_target(Machine(), tmp_path / "profile")], Launcher(HOST), Registry(), lambda _: None)
    assert run("--user-data-dir", str(tmp_path / "profile")) == 0
    assert "All is well." in capsys.readouterr().out


def versions_told(machine: Machine, *names: str) -> tuple[int, str]:
    said: list[str] = []
    doctor = Doctor(machine, Registry(), Launcher(HOST), said.append)
    doctor.tell_versions([BY_NAME[name] for name in names])
    return doctor.wrong, "\n".join(said)


def test_the_versions_of_all_parts_are_told(machine: Machine, tmp_path: Path) -> None:
    program = script(tmp_path, "#!/bin/sh\necho 'Chromium 156.0.8078.79 built on Debian'\n")
    with_chromium = replace(machine, which={"chromium": str(program)}.get)
    profile = machine.home / ".mozilla/firefox/abc.default"
    profile.mkdir(parents=True)
    (profile / "compatibility.ini").write_text("[Compatibility]\nLastVersion=153.7.0_20261101/20261101\n")
    wrong, said = versions_told(with_chromium, "chromium", "firefox", "edge")
    assert wrong == 0
    assert f"sitestencil {__version__}, Python {platform.python_version()}" in said
    assert f"extension {__version__}, in this installation" in said
    assert "Chromium 156.0.8078.79" in said
    assert "Firefox 153.7.0" in said
    assert "Microsoft Edge (of which no version was found)" in said


def test_a_browser_that_is_too_old_is_a_fault(machine: Machine) -> None:
    profile = machine.home / ".config/chromium"
    profile.mkdir(parents=True)
    (profile / "Last Version").write_text("99.0.4844.51")
    wrong, said = versions_told(machine, "chromium")
    assert wrong == 1
    assert "Chromium 99.0.4844.51 is too old for the extension, which needs 148" in said


def register_for_all(machine: Machine, executable: Path = HOST) -> Path:
    """Register a program for all users of Chromium and Brave, as a package does."""
    file = machine.root / "etc/chromium/native-messaging-hosts/org.sitestencil.host.json"
    file.parent.mkdir(parents=True)
    file.write_text(as_text(host_manifest("chromium", str(executable))))
    return file


@pytest.mark.parametrize("name", ["chromium", "brave"])
def test_a_package_registers_its_helper_program_for_all_users(machine: Machine, name: str) -> None:
    file = register_for_all(machine)
    wrong, said = examine(machine, name)
    assert wrong == 0
    assert f"ok     host manifest: {file}" in said
    assert "another installation" not in said


def test_the_programs_of_package_and_user_are_told_apart_from_both_sides(machine: Machine, tmp_path: Path) -> None:
    own = script(tmp_path, f"#!/bin/sh\nexec {HOST}\n")
    file = register_for_all(machine)
    register(machine, "chromium", own)
    _, of_package = examine(machine, "chromium")
    assert f"{target_of(machine, 'chromium').file} of this user comes before {file}" in of_package
    assert f"registers a helper program for all users: it starts {HOST}" in of_package
    assert f"it starts {own}, the helper program of another installation" in of_package
    assert "run: sitestencil uninstall --browser chromium" in of_package
    _, of_user = examine(machine, "chromium", own)
    assert f"comes before {file}" in of_user
    assert "another installation" not in of_user


def test_a_broken_package_is_installed_again_and_an_absent_program_of_the_user_makes_way(machine: Machine) -> None:
    file = register_for_all(machine)
    file.write_text(file.read_text().replace("stdio", "socket"))
    wrong, said = examine(machine, "chromium")
    assert wrong == 1
    assert "Run: sudo apt install --reinstall" in said
    register(machine, "chromium", Path("/gone/sitestencil-host"))
    _, said = examine(machine, "chromium")
    assert "Run: sitestencil uninstall --browser chromium" in said


def test_a_report_is_fenced_and_does_not_tell_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    run("--report", "--user-data-dir", str(tmp_path / "profile"))
    said = capsys.readouterr().out
    assert said.startswith("```\nVersions\n")
    assert said.endswith("\n```\n")
    assert str(tmp_path) not in said
    assert "~/profile/NativeMessagingHosts" in said
