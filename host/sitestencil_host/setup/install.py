"""``sitestencil install`` and ``uninstall``: the host's registration with the browsers of this user."""

import os
import py_compile
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path

from sitestencil.kept_files import write_file
from sitestencil_host.setup.browsers import Machine
from sitestencil_host.setup.manifests import (
    USER_ROOT,
    InstallError,
    Launcher,
    Registry,
    as_text,
    host_manifest,
    own_launcher,
)
from sitestencil_host.setup.targets import Target, executable_of, is_foreign, names
from sitestencil_host.worker.readiness import MODULES

_HOST_MODULES = ("sitestencil_host.serving", "sitestencil_host.worker.loop", "sitestencil.detectors", *MODULES)


def compile_missing() -> int:
    """Write missing bytecode of the host's and its workers' modules; return how many.

    Modules in a read-only folder, as of an installation for all users, stay unchanged.
    """
    for module in _HOST_MODULES:
        import_module(module)
    return sum(map(_is_compiled_now, _without_bytecode()))


def _without_bytecode() -> Iterator[Path]:
    for module in list(sys.modules.values()):
        source, cached = getattr(module, "__file__", None), getattr(module, "__cached__", None)
        if source and cached and source.endswith(".py") and not Path(cached).exists():
            yield Path(source)


def _is_compiled_now(source: Path) -> bool:
    with suppress(OSError, py_compile.PyCompileError):
        return py_compile.compile(str(source), doraise=True, quiet=1) is not None
    return False


Say = Callable[[str], None]


def install(
    targets: Iterable[Target], launcher: Launcher, registry: Registry, say: Say, *, dry_run: bool = False
) -> None:
    """Register the launcher at every target; correct registrations stay untouched.

    Raises:
        InstallError: a file or key cannot be written, or is not ours; the old content stays.
    """
    if launcher.text is not None:
        _put(launcher.path, launcher.text, "Launcher", say, mode=0o755, dry_run=dry_run)
    for target in targets:
        if is_foreign(target.file):
            raise InstallError(f"{target.file} is no host manifest of Sitestencil. Delete it, and run this again.")
        text = as_text(host_manifest(target.family, str(launcher.path)))
        _put(target.file, text, target.title, say, dry_run=dry_run)
        if target.key is None or registry.read(target.key) == str(target.file):
            continue
        if not dry_run:
            try:
                registry.write(target.key, str(target.file))
            except OSError as error:
                raise InstallError(f"{USER_ROOT}\\{target.key} cannot be written: {error.strerror}.") from None
        say(f"{target.title}: {'would write' if dry_run else 'wrote'} {USER_ROOT}\\{target.key}")


def without_package(targets: Iterable[Target], launcher: Launcher, say: Say) -> list[Target]:
    """Return the targets at which the launcher is not registered for all users, and tell of the others."""
    left = []
    for target in targets:
        if not names(target.for_all, launcher):
            left.append(target)
        elif target.read == target.file and executable_of(target.file) != str(launcher.path):
            say(f"{target.title}: {target.file} comes first, and starts {executable_of(target.file)}")
            say(f"  To have the package's helper program started, run: sitestencil uninstall {target.option}")
        else:
            say(f"{target.title}: in place {target.read}, so nothing is needed")
    return left


def uninstall(
    targets: Iterable[Target],
    kept: Iterable[Target],
    machine: Machine,
    registry: Registry,
    say: Say,
    *,
    dry_run: bool = False,
) -> int:
    """Remove the host from the targets, and our own launcher once no manifest is left; return how much was there.

    The files and keys of the `kept` targets, of other browsers, stay.

    Raises:
        InstallError: a file cannot be removed.
    """
    removed = "would remove" if dry_run else "removed"
    others = list(kept)
    places = {target.place for target in others}
    files = {target.file for target in others if target.file.exists()}
    count = 0

    def take(title: str, what: str | Path, remove: Callable[[], None]) -> None:
        nonlocal count
        if not dry_run:
            remove()
        count += 1
        say(f"{title}: {removed} {what}")

    for target in targets:
        if target.place in places:
            say(f"{target.title}: kept {target.place}, which another browser reads too")
            continue
        if target.key is not None and registry.read(target.key) is not None:
            take(target.title, f"{USER_ROOT}\\{target.key}", partial(registry.delete, target.key))
        if is_foreign(target.file):
            say(f"{target.title}: kept {target.file}, which is no host manifest of Sitestencil: delete it yourself")
        elif target.file not in files and _present(target.file):
            take(target.title, target.file, partial(_remove, target.file))
    launcher = own_launcher(machine)
    if not files and _present(launcher):
        take("Launcher", launcher, partial(_remove, launcher))
    return count


def _put(file: Path, text: str, title: str, say: Say, *, dry_run: bool, mode: int = 0o644) -> None:
    data = text.encode()
    try:
        if file.is_file() and file.read_bytes() == data and _executable_if(mode, file):
            say(f"{title}: in place {file}")
            return
        if not dry_run:
            write_file(file, data, mode, sync=True)
    except OSError as error:
        raise InstallError(f"{file} cannot be written: {error.strerror}.") from None
    say(f"{title}: {'would write' if dry_run else 'wrote'} {file}")


def _executable_if(mode: int, file: Path) -> bool:
    return not mode & 0o100 or os.name == "nt" or os.access(file, os.X_OK)


def _present(file: Path) -> bool:
    return file.is_file() or file.is_symlink()


def _remove(file: Path) -> None:
    """Remove a file, and its folders if they are empty."""
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise InstallError(f"{file} cannot be removed: {error.strerror}.") from None
    with suppress(OSError):
        file.parent.rmdir()
        file.parent.parent.rmdir()
