"""docs/first-change.md, followed to the letter in a copy of the repository, works."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import ROOT, benchmark_folder

DOCUMENT = (ROOT / "docs" / "first-change.md").read_text()
# Where the document says to put a block: the file, how the block begins, the line that it comes before.
EDITS = (
    (
        "src/sitestencil/detectors/__init__.py",
        '    DetectorInfo("landmarks"',
        '    DetectorInfo(\n        "stencil"',
    ),
    ("pyproject.toml", '    "sitestencil.detectors.landmarks"', '    "sitestencil.detectors.stencil",\n]'),
    (
        "src/sitestencil/template.py",
        "from sitestencil.outputs.outline",
        "from sitestencil.page.document import Document, Range",
    ),
    ("src/sitestencil/template.py", "    def to_outline", "    def to_dict"),
    ("src/sitestencil/cli/extracting.py", '    "outline": Format(', '    "why": Format('),
)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository with both changes made."""
    made = [name for name in re.findall(r"`([\w/.]+\.py)`:\n\n```python", DOCUMENT) if (ROOT / name).exists()]
    if made:
        pytest.skip(f"the document's changes are in place: {made[0]}")
    folder = tmp_path_factory.mktemp("copy") / "sitestencil"
    for name in ("src", "host", "tests", "demo", "research"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    make_files(folder)
    for name, beginning, before in EDITS:
        insert(folder / name, block_that_begins(beginning), before)
    return folder


def make_files(folder: Path) -> None:
    for name, content in re.findall(r"`([\w/.]+\.py)`:\n\n```python\n(.*?)```", DOCUMENT, re.DOTALL):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("x") as new:
            new.write(content)


def block_that_begins(beginning: str) -> str:
    (block,) = re.findall(rf"```\w+\n({re.escape(beginning)}.*?)```", DOCUMENT, re.DOTALL)
    return str(block)


def insert(file: Path, block: str, before: str) -> None:
    gap = "\n" if block.startswith("    def ") else ""
    replace(file, before, f"{block}{gap}{before}")


def replace(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert text.count(old) == 1, (file.name, old)
    file.write_text(text.replace(old, new))


def run(copy: Path, *command: str) -> str:
    """Run a program of this environment in the copy and return what it printed; fail where it fails."""
    path = os.pathsep.join(str(copy / name) for name in ("src", "host"))
    environment = {**os.environ, "PYTHONPATH": path, "SITESTENCIL_BENCHMARK": str(benchmark_folder())}
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_tests_that_the_document_says_to_write_pass(copy: Path) -> None:
    tests = (
        "tests/library/detectors/landmarks",
        "tests/library/outputs",
        "tests/library/cli/test_extract_pages.py",
    )
    assert " passed" in run(copy, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)


def test_style_and_walls_have_nothing_to_say(copy: Path) -> None:
    made = ("src/sitestencil/detectors/landmarks", "src/sitestencil/outputs", "tests/library")
    changed = {file for file, _, _ in EDITS if file.endswith(".py")}
    run(copy, sys.executable, "-m", "ruff", "check", "--no-cache", *made, *changed)
    run(copy, sys.executable, "-m", "ruff", "format", "--no-cache", "--check", *made, *changed)
    assert "0 broken" in run(copy, str(Path(sys.executable).with_name("lint-imports")), "--no-cache")


def test_the_command_lists_the_new_detector_and_the_new_format(copy: Path) -> None:
    said = run(copy, sys.executable, "-m", "sitestencil", "extract", "--help")
    assert "landmarks: Landmarks" in said
    assert "outline: the names" in " ".join(said.split())
