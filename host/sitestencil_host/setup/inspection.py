"""Finds faults of a registration without starting anything."""

import json
import os
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from sitestencil_host.setup.browsers import Family, System
from sitestencil_host.setup.launcher import interpreter_fault
from sitestencil_host.setup.manifests import ALLOWED, HOST_NAME, allowed_extensions
from sitestencil_host.setup.registry import USER_ROOT, Registry
from sitestencil_host.setup.targets import Target

_GUARDED = ("Documents", "Desktop", "Downloads")
_COMMON_FIELDS = frozenset({"name", "description", "path", "type"})


class Fault(Exception):
    """Something wrong, in words."""


def registered_executable(target: Target, system: System, registry: Registry) -> str:
    """Return the executable that a browser would start for this registration.

    Raises:
        Fault: the browser would not get so far.
    """
    file = _registered_file(target, registry)
    manifest = _read(file)
    _check_fields(manifest, target.family)
    executable = manifest["path"]
    _check_executable(executable, system)
    if system == "macos":
        _check_folder(Path(executable))
    return str(executable)


def _check_folder(executable: Path) -> None:
    """MacOS does not let a browser start a program, or read its Python, in the folders that it guards."""
    for name in _GUARDED:
        if executable.is_relative_to(Path.home() / name):
            raise Fault(
                f"{executable} is in the folder {name}, out of which macOS lets no browser start a program. Move "
                "the folder of Sitestencil to another place"
            )


def _registered_file(target: Target, registry: Registry) -> Path:
    if target.key is None:
        return target.file
    value = registry.read(target.key)
    if value is None:
        raise Fault(f"the registry has no key {USER_ROOT}\\{target.key}")
    return Path(value)


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
