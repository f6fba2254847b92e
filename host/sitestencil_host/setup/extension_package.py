"""Reads the extension inside this package, and unpacks it for a browser."""

import importlib.util
import io
import json
import shutil
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sitestencil.kept_files import restore_folder, written_folder
from sitestencil_host.setup.browsers import Family, Machine
from sitestencil_host.setup.extension_steps import PAGE_NAME, is_steps_page
from sitestencil_host.setup.install import Say
from sitestencil_host.setup.manifests import InstallError

_LEAST_VERSION: dict[Family, tuple[str, ...]] = {
    "chromium": ("minimum_chrome_version",),
    "firefox": ("browser_specific_settings", "gecko", "strict_min_version"),
}
_FIREFOX_EXTENSIONS = "usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}"
# Where Debian's Chromium and Firefox ESR look for the extensions of all users.
_FOR_ALL: dict[str, str] = {
    "chromium": "usr/share/chromium/extensions/sitestencil/manifest.json",
    "firefox": f"{_FIREFOX_EXTENSIONS}/sitestencil@sitestencil.org/manifest.json",
}


def packed_extension(family: Family) -> bytes:
    """Return the extension's package for a family of browsers; a checkout builds it.

    Raises:
        InstallError: this installation lacks it.
    """
    host = Path(__file__).parent.parent
    package = host / "extensions" / f"{family}.zip"
    if package.is_file():
        return package.read_bytes()
    checkout = host.parent.parent
    script = checkout / "manifest" / "build.py"
    if not script.is_file():
        raise InstallError(f"This installation lacks its file extensions/{family}.zip. Install sitestencil again.")
    return _built(script, checkout / "extension", family)


def has_extension_of_package(machine: Machine, browser: str) -> bool:
    """Return whether a Debian package has put the extension into this browser, for all users."""
    return browser in _FOR_ALL and (machine.root / _FOR_ALL[browser]).is_file()


def extension_manifest(family: Family) -> dict[str, Any]:
    """Return the manifest of the extension inside this installation.

    Raises:
        InstallError: this installation lacks the extension.
    """
    with zipfile.ZipFile(io.BytesIO(packed_extension(family))) as package:
        manifest: dict[str, Any] = json.loads(package.read("manifest.json"))
    return manifest


def least_version(family: Family) -> str:
    """Return the extension's minimum browser version."""
    value: Any = extension_manifest(family)
    for name in _LEAST_VERSION[family]:
        value = value[name]
    return str(value)


def unpack_extension(family: Family, folder: Path) -> None:
    """Unpack the extension into a folder, and replace an older one of ours.

    Raises:
        InstallError: the folder holds something else, or cannot be written.
    """
    if folder.is_symlink():
        raise InstallError(f"{folder} is a link. Remove it, or name another folder with -o.")
    data = packed_extension(family)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        restore_folder(folder)
        if folder.exists() and not _is_ours(folder, data) and not _is_empty(folder):
            raise InstallError(f"{folder} holds something else than this extension. Name another folder with -o.")
        with written_folder(folder) as new, zipfile.ZipFile(io.BytesIO(data)) as package:
            package.extractall(new)
            new.chmod(0o755)
            for kept_file in _of_the_person(folder, _names(data)):
                _copy(kept_file, new / kept_file.name)
    except OSError as error:
        raise InstallError(f"{folder} cannot be written: {error.strerror}.") from None


def remove_extension(above: Path, families: Iterable[Family], say: Say, *, dry_run: bool = False) -> int:
    """Remove the extension's unpacked folders and, after the last, the page beside them; return how many.

    Raises:
        InstallError: a folder cannot be removed.
    """
    packed = {above / family: packed_extension(family) for family in families}
    count = 0
    try:
        for folder, data in packed.items():
            if not dry_run:
                restore_folder(folder)
            if _is_ours(folder, data):
                if not dry_run:
                    _remove(folder, _names(data))
                say(f"Extension: {'would remove' if dry_run else 'removed'} {folder}")
                count += 1
        is_last = not any((above / family / "manifest.json").is_file() for family in _LEAST_VERSION)
        if not dry_run and is_last and is_steps_page(above / PAGE_NAME):
            (above / PAGE_NAME).unlink()
        if not dry_run and _is_empty(above):
            above.rmdir()
    except OSError as error:
        raise InstallError(f"{error.filename} cannot be removed: {error.strerror}.") from None
    return count


def _names(data: bytes) -> frozenset[str]:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return frozenset(package.namelist())


def _is_ours(folder: Path, data: bytes) -> bool:
    """Return whether a folder's manifest has the name and the key or id of this extension.

    Nothing else is proof: a person's folder may be empty, and its files may have any name.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            ours = json.loads(package.read("manifest.json"))
        found = json.loads((folder / "manifest.json").read_bytes())
        return not folder.is_symlink() and _mark(found) == _mark(ours)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return False


def _mark(manifest: Any) -> tuple[str, str]:  # noqa: ANN401 - JSON of any file
    key = manifest.get("key") or manifest["browser_specific_settings"]["gecko"]["id"]
    return manifest["name"], key


def _is_empty(folder: Path) -> bool:
    return folder.is_dir() and not any(folder.iterdir())


def _of_the_person(folder: Path, names: frozenset[str]) -> list[Path]:
    """Return what lies in the extension's folder and has no name of the extension's."""
    ours = {name.partition("/")[0] for name in names}
    return [file for file in folder.iterdir() if file.name not in ours] if folder.is_dir() else []


def _copy(source: Path, target: Path) -> None:
    if source.is_dir() and not source.is_symlink():
        shutil.copytree(source, target, symlinks=True)
    else:
        shutil.copy2(source, target, follow_symlinks=False)


def _remove(folder: Path, names: frozenset[str]) -> None:
    """Remove all that is ours, and the manifest last: a removal that is stopped goes on by it."""
    kept = {file.name for file in _of_the_person(folder, names)}
    for file in sorted(folder.iterdir(), key=lambda file: file.name == "manifest.json"):
        if file.name not in kept:
            if file.is_dir() and not file.is_symlink():
                shutil.rmtree(file)
            else:
                file.unlink()
    if not kept:
        folder.rmdir()


def _built(script: Path, source: Path, family: Family) -> bytes:
    spec = importlib.util.spec_from_file_location("sitestencil_extension_build", script)
    assert spec is not None
    assert spec.loader is not None
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / f"{family}.zip"
        build.write_package(family, source, package)
        return package.read_bytes()
