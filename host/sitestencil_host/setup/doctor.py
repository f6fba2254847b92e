"""``sitestencil doctor``: checks that each browser finds the host, and gives advice."""

import json
import os
import platform
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from sitestencil.version import VERSION
from sitestencil_host.setup.browsers import Browser, Family, Machine, System, browser_version, is_older
from sitestencil_host.setup.extension_package import extension_manifest, least_version
from sitestencil_host.setup.handshake import Handshake, shake_hands
from sitestencil_host.setup.install import Say
from sitestencil_host.setup.manifests import (
    ALLOWED,
    HOST_NAME,
    USER_ROOT,
    InstallError,
    Launcher,
    Registry,
    allowed_extensions,
    interpreter_fault,
    script_of,
)
from sitestencil_host.setup.targets import Target, executable_of, is_for_all_users, names

INSTALL_AGAIN = "pipx install --force . (in the folder of Sitestencil's source), then: sitestencil install"
PACKAGE_AGAIN = "sudo apt install --reinstall ./sitestencil_VERSION_ARCHITECTURE.deb (the file that you have)"
_GUARDED = ("Documents", "Desktop", "Downloads")
_COMMON_FIELDS = frozenset({"name", "description", "path", "type"})


@dataclass(slots=True)
class Doctor:
    """Checks registrations, prints the results and counts the faults.

    Args:
        machine: the user's.
        registry: of Windows.
        launcher: the one that this installation would register.
        say: prints a line.
    """

    machine: Machine
    registry: Registry
    launcher: Launcher
    say: Say
    wrong: int = 0

    def tell_versions(self, browsers: Iterable[Browser]) -> None:
        """Print the versions of program, Python, system, extension and browsers."""
        self.say("Versions")
        self.say(f"         sitestencil {VERSION}, Python {platform.python_version()} ({sys.executable})")
        self.say(f"         {platform.platform()}")
        try:
            versions = {family: least_version(family) for family in ("chromium", "firefox")}
            self.say(f"         extension {extension_manifest('chromium')['version']}, in this installation")
        except InstallError as error:
            versions = {}
            self._fault(str(error), self._install_again())
        for browser in browsers:
            self._tell_version(browser, versions.get(browser.family, "0"))

    def _tell_version(self, browser: Browser, least: str) -> None:
        version = browser_version(self.machine, browser)
        if version is not None and is_older(version, least):
            self._fault(f"{browser.title} {version} is too old for the extension, which needs {least}: update it.")
        else:
            self.say(f"         {browser.title} {version or '(of which no version was found)'}")

    def check_sandboxes(self, browsers: Iterable[Browser]) -> None:
        """Report browsers that cannot, or may not yet, start programs."""
        for browser in browsers:
            for sandbox in self.machine.sandboxes(browser):
                if sandbox.in_the_way:
                    self._fault(sandbox.words)
                else:
                    self.say(f"  note   {sandbox.words}")

    def check(self, target: Target) -> bool:
        """Follow one registration to the host's answer; return whether one came."""
        self.say(target.title)
        again = self._remedy(target)
        self._tell_order(target)
        target = replace(target, file=target.read)
        try:
            executable = registered_executable(target, self.machine.system, self.registry)
        except Fault as fault:
            self._fault(f"{fault}.", again)
            return False
        self._good(f"host manifest: {target.file}")
        if not self.launcher.is_at(executable):
            self.say(f"  note   it starts {executable}, the helper program of another installation.")
            self.say(f"         This installation's is {self.launcher.path}; to have it started, run: {again}")
        return self._hello(shake_hands(executable, target.family, target.file), executable, again)

    def check_own_host(self) -> None:
        """Start this installation's host without a browser."""
        self.say("This installation")
        path = self.launcher.path
        if not path.is_file():  # `sitestencil install` may have to write it
            path = script_of(self.machine) or path
        if not path.is_file():
            self._fault(f"there is no program {path}.", "sitestencil install")
            return
        self._hello(shake_hands(str(path), "chromium"), str(path), self._install_again())

    def _tell_order(self, target: Target) -> None:
        for file in target.for_all if target.file.is_file() else ():
            if file.is_file():
                self.say(f"  note   {target.file} of this user comes before {file},")
                self.say(
                    f"         which registers a helper program for all users: it starts {executable_of(file)}"
                )

    def _remedy(self, target: Target) -> str:
        """Return the command that has the browser start this installation's helper program."""
        if not names(target.for_all, self.launcher):
            return f"sitestencil install {target.option}"
        return f"sitestencil uninstall {target.option}" if target.file.is_file() else PACKAGE_AGAIN

    def _install_again(self) -> str:
        return PACKAGE_AGAIN if is_for_all_users(self.machine, self.launcher) else INSTALL_AGAIN

    def _hello(self, handshake: Handshake, executable: str, remedy: str) -> bool:
        if handshake.fault is not None:
            self._fault(f"{executable}: {handshake.fault}.", remedy)
            return False
        self._good(f"the helper program answers: version {handshake.version}, {handshake.milliseconds:.0f} ms")
        if handshake.version != VERSION:
            self.say(f"  note   {executable} is version {handshake.version}, this installation is {VERSION}.")
            self.say(f"         To have this one started, run: {remedy}")
        return True

    def _good(self, words: str) -> None:
        self.say(f"  ok     {words}")

    def _fault(self, words: str, remedy: str | None = None) -> None:
        self.wrong += 1
        self.say(f"  wrong  {words[0].upper()}{words[1:]}")
        if remedy:
            self.say(f"         Run: {remedy}")


class Fault(Exception):
    """Something wrong, in words."""


def registered_executable(target: Target, system: System, registry: Registry) -> str:
    """Return the executable that a browser would start for this registration.

    Raises:
        Fault: the browser would not get so far.
    """
    file = target.file
    if target.key is not None:
        value = registry.read(target.key)
        if value is None:
            raise Fault(f"the registry has no key {USER_ROOT}\\{target.key}")
        file = Path(value)
    manifest = _read(file)
    _check_fields(manifest, target.family)
    executable = manifest["path"]
    _check_executable(executable, system)
    # macOS does not let a browser start a program, or read its Python, in the folders that it guards.
    for name in _GUARDED if system == "macos" else ():
        if Path(executable).is_relative_to(Path.home() / name):
            raise Fault(
                f"{executable} is in the folder {name}, out of which macOS lets no browser start a program. Move "
                "the folder of Sitestencil to another place"
            )
    return str(executable)


def _read(file: Path) -> dict[str, Any]:
    try:
        manifest = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Fault(f"there is no host manifest {file}") from None
    except OSError as error:
        raise Fault(f"the host manifest {file} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise Fault(f"the host manifest {file} is no JSON, so the browser ignores it") from None
    if not isinstance(manifest, dict):
        raise Fault(f"the host manifest {file} is no JSON object, so the browser ignores it")
    return manifest


def _check_fields(manifest: dict[str, Any], family: Family) -> None:
    allowed_field = ALLOWED[family]
    expected = _COMMON_FIELDS | {allowed_field}
    if missing := sorted(expected - manifest.keys() - {"description"}):
        raise Fault(f"the host manifest lacks {', '.join(missing)}")
    if manifest["name"] != HOST_NAME:
        raise Fault(f"the host manifest is of {manifest['name']!r}, not of {HOST_NAME}")
    if manifest["type"] != "stdio":
        raise Fault(f"the host manifest's type is {manifest['type']!r}, not 'stdio'")
    if family == "firefox" and (unknown := sorted(manifest.keys() - expected)):
        raise Fault(f"the host manifest has {', '.join(unknown)}, for which Firefox rejects it")
    allowed = manifest[allowed_field]
    absent = [
        extension
        for extension in allowed_extensions(family)
        if not isinstance(allowed, list) or extension not in allowed
    ]
    if absent:
        raise Fault(f"the host manifest's {allowed_field} lacks the extension's {', '.join(absent)}")


def _check_executable(path: Any, system: System) -> None:  # noqa: ANN401 - whatever the manifest holds
    pure = PureWindowsPath if system == "windows" else PurePosixPath
    if not isinstance(path, str) or not path:
        raise Fault("the host manifest names no program")
    if not pure(path).is_absolute():
        raise Fault(f"the host manifest's path {path} is not absolute, so the browser does not follow it")
    executable = Path(path)
    if not executable.is_file():
        raise Fault(f"the program {path}, which the host manifest names, is gone")
    if system == "windows":
        if executable.suffix.lower() not in {".exe", ".bat", ".cmd"}:
            raise Fault(f"{path} is no .exe and no .bat, which is all that Windows starts")
        return
    if not os.access(executable, os.X_OK):
        raise Fault(f"{path} is not executable")
    if fault := interpreter_fault(executable):
        raise Fault(f"{path} cannot start: {fault}")
