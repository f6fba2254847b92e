"""The program of an archive, which brings its own Python: ``install`` gives it a place in the user's home."""

import os
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from sitestencil_host.setup.browsers import Machine
from sitestencil_host.setup.file_replacement import swap
from sitestencil_host.setup.install import Say
from sitestencil_host.setup.manifests import InstallError

_COMMAND = ".local/bin/sitestencil"
_SCRATCH = ".program."


def put_in_place(machine: Machine, say: Say, *, dry_run: bool = False) -> None:
    """Copy the running program into its folder, in place of an older one, and give it its name as a command.

    Raises:
        InstallError: a file cannot be written; the older program stays.
    """
    source, target = Path(sys.executable).parent, machine.program_folder
    if source != target:
        if not dry_run:
            _replace(source, target)
        say(f"Program: {'would write' if dry_run else 'wrote'} {target}")
    if machine.system != "windows":
        _link(machine.home / _COMMAND, target / "sitestencil", say, dry_run=dry_run)


def remove_program(machine: Machine, say: Say, *, dry_run: bool = False) -> int:
    """Remove the program and its command; return how much there was.

    Raises:
        InstallError: a file cannot be removed.
    """
    folder, command = machine.program_folder, machine.home / _COMMAND
    removed, count = "would remove" if dry_run else "removed", 0
    try:
        if _leads_to(command, folder):
            if not dry_run:
                command.unlink()
            count += 1
            say(f"Program: {removed} {command}")
        if not dry_run:
            _clean(folder.parent)
        if folder.is_dir():
            count += 1
            if machine.system == "windows":  # it keeps the files of a program that runs
                say(f"Program: to remove it, delete the folder {folder}")
                return count
            if not dry_run:
                if folder.is_symlink():
                    folder.unlink()
                else:
                    shutil.rmtree(folder)
                with suppress(OSError):
                    folder.parent.rmdir()
            say(f"Program: {removed} {folder}")
    except OSError as error:
        raise InstallError(f"{error.filename} cannot be removed: {error.strerror}.") from None
    return count


def _replace(source: Path, target: Path) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _clean(target.parent)
        scratch = Path(tempfile.mkdtemp(prefix=_SCRATCH, dir=target.parent))
        try:
            shutil.copytree(source, scratch / "new", symlinks=True)
            swap(scratch, target)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    except shutil.Error as error:
        raise InstallError(f"{target} cannot be written: {error.args[0][0][2]}.") from None
    except OSError as error:
        advice = " Close the browsers, then try again." if isinstance(error, PermissionError) else ""
        raise InstallError(f"{target} cannot be written: {error.strerror}.{advice}") from None


def _clean(above: Path) -> None:
    """Remove what a stopped installation left."""
    for scratch in above.glob(f"{_SCRATCH}*"):
        shutil.rmtree(scratch, ignore_errors=True)


def _link(command: Path, program: Path, say: Say, *, dry_run: bool) -> None:
    if os.path.lexists(command) and not _leads_to(command, program.parent):
        say(f"Command: left {command} as it is, which is of another installation; this one is {program}")
        return
    if not dry_run:
        try:
            command.parent.mkdir(parents=True, exist_ok=True)
            command.unlink(missing_ok=True)
            command.symlink_to(program)
        except OSError as error:
            raise InstallError(f"{command} cannot be written: {error.strerror}.") from None
    say(f"Command: {'would write' if dry_run else 'wrote'} {command}")


def _leads_to(command: Path, folder: Path) -> bool:
    return command.is_symlink() and command.readlink().parent == folder
