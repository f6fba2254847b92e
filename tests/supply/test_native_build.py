"""The wheel where no compiler is: built all the same, of plain Python, and it is said."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from supply.distributions import ROOT
from supply.reproducible import source_files


def test_without_a_compiler_the_wheel_is_of_plain_python_and_it_is_said(tmp_path: Path) -> None:
    source = tmp_path / "source"
    for name in source_files():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, source / name)
    build = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "built")],
        cwd=source,
        env={**os.environ, "CC": str(tmp_path / "no-compiler"), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    (wheel,) = (tmp_path / "built").iterdir()
    assert wheel.name.endswith("-py3-none-any.whl")
    assert "The compiled modules are left out" in build.stdout + build.stderr
