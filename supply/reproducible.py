"""Build everything twice, in two folders, and compare: ``python -m supply.reproducible``.

This builds the wheel, the source distribution, the wheel of research, and the extension's package for each browser.
The second build runs in another place, with another clock, time zone, language, mask and hash order.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from supply.distributions import ROOT

_FIRST = {"TZ": "UTC", "LC_ALL": "C", "PYTHONHASHSEED": "1"}
_SECOND = {"TZ": "Asia/Kathmandu", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "2"}
# The folder and the command of each build; the folder for its files comes last.
BUILDS = {
    "product": (".", ("hatchling", "build", "-d")),
    "research": ("research", ("hatchling", "build", "-t", "wheel", "-d")),
    "extension": (".", ("manifest.build", "--output")),
}


def source_files() -> list[str]:
    """Return the files of the repository, uncommitted ones included."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True)
    return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def commit_time() -> str:
    """Return the time of the last commit, used as the time of the build."""
    asked = ["git", "log", "-1", "--format=%ct"]
    return subprocess.run(asked, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def build(
    folder: Path, environment: dict[str, str], mask: int, parts: Iterable[str] = tuple(BUILDS)
) -> dict[str, str]:
    """Build parts of `BUILDS` in a copy of the source, and return the SHA-256 of the built files, by name."""
    source, built = folder / "source", folder / "built"
    for name in source_files():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, source / name)
    whole = {**os.environ, **environment, "SOURCE_DATE_EPOCH": commit_time()}
    for place, command in (BUILDS[part] for part in parts):
        run = [sys.executable, "-m", *command, str(built)]
        subprocess.run(run, cwd=source / place, env=whole, umask=mask, check=True, capture_output=True)
    return {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(built.iterdir())
        if file.is_file()
    }


def main() -> int:
    """Print the digests of all built files, and whether both builds agree."""
    with TemporaryDirectory() as first_folder, TemporaryDirectory(prefix="another place ") as second_folder:
        first = build(Path(first_folder), _FIRST, 0o022)
        second = build(Path(second_folder), _SECOND, 0o077)
    for name in sorted({*first, *second}):
        same = first.get(name) == second.get(name)
        sys.stdout.write(f"{first.get(name, 'missing')}  {name}  {'same bytes' if same else 'DIFFERS'}\n")
    return int(first != second)


if __name__ == "__main__":
    sys.exit(main())
