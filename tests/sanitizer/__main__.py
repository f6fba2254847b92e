"""Runs the compiled module under AddressSanitizer and UBSan: ``python -m tests.sanitizer [--rows N]``.

The module is built once more, into a folder of its own. Then one process scores rows by chance, and compares each
sum with that of plain Python. A wrong access to memory ends that process.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from manifest.native import PACKAGES, ROOT, build

SANITIZED = ["-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
PROGRAM = """
import sys
from tests.support.scored_rows import is_scored_alike
from sitestencil.detectors.stencil import native_scorer
assert native_scorer.__file__.startswith(sys.argv[1]), native_scorer.__file__
for rows in {0, 1, 63, 64, 65, int(sys.argv[2])}:
    assert is_scored_alike(rows), rows
"""


def main() -> int:
    """Build, run, and return the run's exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1000, metavar="N", help="so many rows (default: 1000)")
    options = parser.parse_args()
    libraries = [found for name in ("libasan.so", "libubsan.so") if (found := _library(name))]
    if len(libraries) != 2:
        sys.stderr.write("gcc has no AddressSanitizer here: on Debian, apt-get install gcc libc6-dev.\n")
        return 1
    with TemporaryDirectory() as scratch:
        folder = Path(scratch).resolve()
        shutil.copytree(PACKAGES, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.so", "*.pyx"))
        build(folder, SANITIZED)
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, (folder, ROOT, ROOT / "host"))),
            "PYTHONMALLOC": "malloc",  # each object on its own, so that its bounds are watched
            "LD_PRELOAD": " ".join(libraries),
            "ASAN_OPTIONS": "detect_leaks=0",
        }
        command = [sys.executable, "-c", PROGRAM, str(folder), str(options.rows)]
        return subprocess.run(command, env=environment, cwd=ROOT, check=False).returncode


def _library(name: str) -> str | None:
    """Return where gcc has one of its libraries; None where it has none of that name."""
    gcc = shutil.which("gcc")
    if gcc is None:
        return None
    found = subprocess.run([gcc, f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout
    return found.strip() if Path(found.strip()).is_absolute() else None


if __name__ == "__main__":
    sys.exit(main())
