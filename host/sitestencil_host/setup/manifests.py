"""Host manifests, one shape for each family of browsers, and the program that they name.

The program has an absolute interpreter: a browser's PATH may be bare. On Windows, the registry names the manifests.
"""

import json
import os
import sys
import sysconfig
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from sitestencil.errors import SitestencilError
from sitestencil_host.setup.browsers import Family, Machine

HOST_NAME = "org.sitestencil.host"
FILE_NAME = f"{HOST_NAME}.json"
ALLOWED: dict[Family, str] = {"chromium": "allowed_origins", "firefox": "allowed_extensions"}
"""The field that lists the extensions a browser may connect; Firefox rejects a manifest that has the other's."""
_NAMES = {"linux": "sitestencil-host", "macos": "sitestencil-host", "windows": "sitestencil-host.exe"}
_OWN_NAMES = {"linux": "sitestencil-host", "macos": "sitestencil-host", "windows": "sitestencil-host.bat"}


class InstallError(SitestencilError):
    """The host cannot be registered or unregistered."""


def host_manifest(family: Family, executable: str) -> dict[str, Any]:
    """Return the manifest that lets a browser of the family start the executable."""
    return {**_template(family), "path": executable}


def as_text(manifest: dict[str, Any]) -> str:
    """Return a manifest as the text of its file."""
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"


def allowed_extensions(family: Family) -> list[str]:
    """Return the value of the field `ALLOWED`: the extension's origins (Chromium) or ids (Firefox)."""
    allowed: list[str] = _template(family)[ALLOWED[family]]
    return allowed


def _template(family: Family) -> dict[str, Any]:
    package = Path(__file__).parent.parent
    in_checkout = package.parent.parent / "manifest" / "host"
    for folder in (package / "manifests", in_checkout):
        file = folder / f"{family}.json"
        if file.is_file():
            template: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
            return template
    raise InstallError(f"This installation lacks its file manifests/{family}.json. Install sitestencil again.")


@dataclass(frozen=True, slots=True)
class Launcher:
    """An executable that starts the host.

    Attributes:
        path: absolute.
        text: its content, if it is ours; None for the package's own script.
    """

    path: Path
    text: str | None = None

    def is_at(self, executable: str) -> bool:
        """Return whether an executable is this launcher: another installation may have written its own there."""
        return executable == str(self.path) and self.text in {None, _text_of(self.path)}


def host_launcher(machine: Machine) -> Launcher:
    """Return the script beside this interpreter, or a launcher in our own folder.

    A browser may have PYTHONHOME in its environment, which ends an interpreter that heeds it before its first
    line. Only the Debian package's script has an interpreter that does not.
    """
    script = script_of(machine)
    if script is not None and _ignores_environment(script):
        return Launcher(script.absolute())
    return Launcher(own_launcher(machine), _launcher_text(machine, sys.executable))


def script_of(machine: Machine) -> Path | None:
    """Return the script beside this interpreter that starts the host; None if there is none that can."""
    scripts = [folder / _NAMES[machine.system] for folder in _script_folders()]
    usable = [script for script in scripts if script.is_file() and os.access(script, os.X_OK)]
    return next((script for script in usable if not interpreter_fault(script)), None)


def own_launcher(machine: Machine) -> Path:
    """Return the path of our own launcher."""
    return machine.own_folder / _OWN_NAMES[machine.system]


def interpreter_fault(script: Path) -> str | None:
    """Return in words the fault of the interpreter in a script's first line."""
    first = _first_line(script)
    if not first.startswith(b"#!"):
        return None
    words = first[2:].decode("utf-8", "replace").split()
    if not words or not words[0].startswith("/"):
        return "its first line names no absolute interpreter"
    if Path(words[0]).name == "env":
        return "it looks for its interpreter on PATH, which a browser started from the desktop may not have"
    if not Path(words[0]).exists():
        return f"its interpreter {words[0]} is gone"
    return None


def _first_line(script: Path) -> bytes:
    with script.open("rb") as file:
        return file.readline(1024)


def _ignores_environment(script: Path) -> bool:
    first = _first_line(script)
    return not first.startswith(b"#!") or first.rstrip().endswith(b" -I")


def _text_of(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""


def _script_folders() -> list[Path]:
    beside = Path(sys.executable).parent
    return list(dict.fromkeys([beside, Path(sysconfig.get_path("scripts"))]))


def _launcher_text(machine: Machine, interpreter: str) -> str:
    if machine.system == "windows":
        return f'@echo off\r\n"{interpreter}" -EP -m sitestencil_host %*\r\n'
    quoted = interpreter.replace("'", "'\\''")
    return f"#!/bin/sh\nexec '{quoted}' -EP -m sitestencil_host \"$@\"\n"


USER_ROOT = "HKEY_CURRENT_USER"


class Registry:
    """``HKEY_CURRENT_USER`` of the running Windows: keys, each with its default value."""

    def read(self, key: str) -> str | None:
        """Return a key's value; None where there is no such key."""
        winreg = import_module("winreg")
        with suppress(FileNotFoundError):
            value: str = winreg.QueryValue(winreg.HKEY_CURRENT_USER, key)
            return value
        return None

    def write(self, key: str, value: str) -> None:
        """Make a key with this value."""
        winreg = import_module("winreg")
        winreg.SetValue(winreg.HKEY_CURRENT_USER, key, winreg.REG_SZ, value)

    def delete(self, key: str) -> None:
        """Delete a key if it is there."""
        winreg = import_module("winreg")
        with suppress(FileNotFoundError):
            winreg.DeleteKey(winreg.HKEY_CURRENT_USER, key)
