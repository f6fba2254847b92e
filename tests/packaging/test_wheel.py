"""The wheels, with compiled modules and plain: each installs into an empty environment and works."""

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from tests.conftest import ROOT

from sitestencil_host.setup.browsers import Family
from sitestencil_host.setup.extension_package import packed_extension

FAMILIES: tuple[Family, ...] = ("chromium", "firefox")
KINDS = {"compiled": {}, "plain": {"CC": "false"}}
PARTS = """
from importlib.util import find_spec
import sitestencil, sitestencil_host
print(sitestencil.__file__)
print(find_spec("sitestencil.detectors.stencil.native_scorer") is not None)
"""


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def wheel(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp(kind)
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, env=os.environ | KINDS[kind], check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def scripts(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the scripts of an environment with the wheel, which finds its dependencies here."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    place = folder / ("Scripts" if sys.platform == "win32" else "bin")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--python", str(place / "python")]
    subprocess.run([*pip, "install", "--no-deps", "--no-index", str(wheel)], check=True, capture_output=True)
    (packages,) = {path.parent for path in folder.rglob("sitestencil") if path.is_dir()}
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return place


def said(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(sys.prefix)).stdout


def test_it_is_for_this_python_if_compiled_and_else_for_all(wheel: Path, kind: str) -> None:
    assert wheel.name.endswith("-py3-none-any.whl") == (kind == "plain")
    assert (f"-cp3{sys.version_info.minor}-" in wheel.name) == (kind == "compiled")


def test_it_holds_the_extensions_that_a_checkout_builds(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as package:
        for family in FAMILIES:
            assert package.read(f"sitestencil_host/extensions/{family}.zip") == packed_extension(family)


def test_it_works_in_an_empty_environment(scripts: Path, kind: str, tmp_path: Path) -> None:
    file, is_compiled = said(scripts / "python", "-c", PARTS).splitlines()
    assert Path(file).is_relative_to(scripts.parent)
    assert is_compiled == str(kind == "compiled")
    page = ROOT / "demo/site/pages/index.html"
    assert "<html" in said(scripts / "sitestencil", "extract", page)
    said(scripts / "sitestencil", "extension", "--browser", "firefox", "--no-open", "-o", tmp_path)
    assert (tmp_path / "firefox/manifest.json").is_file()
    assert "data:image/png" in (tmp_path / "steps.html").read_text()
