"""Reads the extension inside this package, and unpacks it for a browser."""

import importlib.util
import io
import json
import shutil
import tempfile
import zipfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from sitestencil_host.setup.browsers import Family, Machine
from sitestencil_host.setup.extension_page import PAGE_NAME
from sitestencil_host.setup.install import Say
from sitestencil_host.setup.manifests import InstallError

_LEAST_VERSION: dict[Family, tuple[str, ...]] = {
    "chromium": ("minimum_chrome_version",),
    "firefox": ("browser_specific_settings", "gecko", "strict_min_version"),
}
_NAME = "__MSG_name__"
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
    if folder.exists() and not _is_ours(folder):
        raise InstallError(f"{folder} holds something else than this extension. Name another folder with -o.")
    data = packed_extension(family)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    except OSError as error:
        raise InstallError(f"{folder} cannot be made: {error.strerror}.") from None
    try:
        fresh.chmod(0o755)
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            package.extractall(fresh)
        if folder.exists():
            shutil.rmtree(folder)
        fresh.rename(folder)
    except OSError as error:
        raise InstallError(f"{folder} cannot be written: {error.strerror}.") from None
    finally:
        with suppress(OSError):
            shutil.rmtree(fresh)


def remove_extension(above: Path, families: Iterable[Family], say: Say, *, dry_run: bool = False) -> int:
    """Remove the extension's unpacked folders and, after the last, the page beside them; return how many.

    Raises:
        InstallError: a folder cannot be removed.
    """
    gone = [folder for family in families if (folder := above / family).is_dir() and _is_ours(folder)]
    try:
        for folder in gone:
            if not dry_run:
                shutil.rmtree(folder)
            say(f"Extension: {'would remove' if dry_run else 'removed'} {folder}")
        if not dry_run and above.is_dir() and {file.name for file in above.iterdir()} <= {PAGE_NAME}:
            (above / PAGE_NAME).unlink(missing_ok=True)
            above.rmdir()
    except OSError as error:
        raise InstallError(f"{error.filename} cannot be removed: {error.strerror}.") from None
    return len(gone)


def _is_ours(folder: Path) -> bool:
    """Return whether a folder is empty or holds this extension."""
    try:
        if not any(folder.iterdir()):
            return True
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        return manifest["name"] == _NAME and (folder / "background" / "main.js").is_file()
    except (OSError, ValueError, KeyError, TypeError):
        return False


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
