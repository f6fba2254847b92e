"""Build the archive with Python inside, ``dist/sitestencil-VERSION-SYSTEM-MACHINE.*``, for this system.

The Python that runs this goes into the archive. docs/packaging.md says why PyInstaller packs it.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "packaging/deb"))

from documents import copyright_text  # noqa: E402 - a script of the other package

Command: TypeAlias = list[str | Path]
_SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows"}
_FORMATS = {"linux": "xztar", "macos": "gztar", "windows": "zip"}
_ENTRIES = {"sitestencil": "sitestencil.cli", "sitestencil-host": "sitestencil_host.main"}
# Each runs what is beside it, wherever it was unpacked.
_FOR_SHELL = """\
#!/bin/sh
# Installs Sitestencil for you alone. You can delete this folder afterwards.
cd "$(dirname "$0")" || exit
program/sitestencil install "$@" && program/sitestencil extension
"""
_FOR_WINDOWS = """\
@echo off\r
rem Installs Sitestencil for you alone. You can delete this folder afterwards.\r
"%~dp0program\\sitestencil.exe" install %* && "%~dp0program\\sitestencil.exe" extension\r
pause\r
"""
INSTALLERS = {
    "linux": ("install.sh", _FOR_SHELL),
    "macos": ("install.command", _FOR_SHELL),
    "windows": ("install.cmd", _FOR_WINDOWS),
}


class NotBuiltError(Exception):
    """The archive cannot be built here; the message says why."""


def run(command: Command, variables: Mapping[str, str] | None = None, folder: Path = ROOT) -> None:
    """Run a command.

    Raises:
        NotBuiltError: it failed.
    """
    done = subprocess.run(  # noqa: S603 - commands of this file
        command, cwd=folder, env=os.environ | dict(variables or {}), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NotBuiltError(f"{' '.join(map(str, command))} failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


def archive_name() -> str:
    """Return the archive's name, which is also that of the folder inside."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return f"sitestencil-{project['version']}-{_SYSTEMS[sys.platform]}-{platform.machine().lower()}"


def build(output: Path) -> Path:
    """Build the archive into a folder, and return it.

    Raises:
        NotBuiltError: a step failed.
    """
    system = _SYSTEMS[sys.platform]
    with TemporaryDirectory(prefix="sitestencil-archive-") as folder:
        scratch = Path(folder)
        _say("Installing PyInstaller and what Sitestencil needs (requirements/archive.txt) ...")
        python = make_environment(scratch)
        _say("Packing them with Python ...")
        tree = scratch / archive_name()
        pack_program(python, scratch, tree)
        add_documents(tree, python, system)
        output.mkdir(parents=True, exist_ok=True)
        _say("Compressing the archive ...")
        return Path(shutil.make_archive(str(output / tree.name), _FORMATS[system], scratch, tree.name))


def make_environment(scratch: Path) -> Path:
    """Install the program and PyInstaller; return the environment's Python."""
    run([sys.executable, "-m", "venv", scratch / "venv"])
    python = scratch / "venv" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    pip: Command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    run([*pip, "--require-hashes", "--only-binary", ":all:", "--requirement", ROOT / "requirements/archive.txt"])
    run([*pip, "--no-build-isolation", ROOT])
    return python


def pack_program(python: Path, scratch: Path, tree: Path) -> None:
    """Write the folder ``program``: the command and the helper program, with their Python."""
    entries = scratch / "entries"
    entries.mkdir()
    for name, module in _ENTRIES.items():
        # Processes that the program starts are this program again.
        text = f"import multiprocessing\n\nfrom {module} import main\n\nmultiprocessing.freeze_support()\n"
        (entries / f"start-{name}.py").write_text(f"{text}raise SystemExit(main())\n", encoding="utf-8")
    spec = Path(__file__).with_name("program.spec")
    options: Command = ["--log-level", "ERROR", "--distpath", tree, "--workpath", scratch / "work"]
    same_bytes = {"PYTHONHASHSEED": "0", "SITESTENCIL_ENTRIES": str(entries)}
    run([python, "-m", "PyInstaller", *options, spec], same_bytes, scratch)


def add_documents(tree: Path, python: Path, system: str) -> None:
    """Add what installs the program, and the licences of all that is inside."""
    name, text = INSTALLERS[system]
    (tree / name).write_bytes(text.encode())
    (tree / name).chmod(0o755)
    pattern = "Lib/site-packages" if system == "windows" else "lib/python*/site-packages"
    (packages,) = python.parent.parent.glob(pattern)
    licences = copyright_text(ROOT, packages, on_debian=False)
    of_python = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    if of_python.is_file():
        licences += f"\n{'=' * 79}\nPython {platform.python_version()}\n\n{of_python.read_text(encoding='utf-8')}"
    (tree / "LICENCES.txt").write_text(licences, encoding="utf-8")


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def main() -> int:
    """Build the archive and print its path."""
    parser = argparse.ArgumentParser(description="Build the archive with Python inside.")
    parser.add_argument("--output", type=Path, default=ROOT / "dist", help="the folder to write to (default: dist)")
    options = parser.parse_args()
    try:
        archive = build(options.output.absolute())
    except NotBuiltError as error:
        _say(str(error))
        return 1
    sys.stdout.write(f"{archive}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
