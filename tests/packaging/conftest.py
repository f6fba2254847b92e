"""The Debian package, built once, and clean roots to install it in."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests.conftest import ROOT
from tests.packaging.clean_root import CleanRoot, NoCleanRootError, check

PYTHON = os.environ.get("DEB_PYTHON", "/usr/bin/python3")


def require(reason: str) -> None:
    """Say what this machine lacks for a test, which is left out; CI, which has it all, fails."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, built from the sources as they stand; with SITESTENCIL_DEB the one that it names."""
    ready = os.environ.get("SITESTENCIL_DEB")
    return Path(ready).absolute() if ready else build(tmp_path_factory.mktemp("deb"))


def build(folder: Path, variables: Mapping[str, str] | None = None, mask: int = -1) -> Path:
    """Build the package, in another environment where one is given."""
    if shutil.which("dpkg-deb") is None or not Path(PYTHON).exists():
        require(f"the Debian package is built on Debian, by {PYTHON}")
    command: list[str | Path] = [PYTHON, ROOT / "packaging/deb/build.py", "--output", folder]
    done = subprocess.run(
        command, env=os.environ | dict(variables or {}), umask=mask, capture_output=True, text=True, check=False
    )
    if "apt install" in done.stderr or "is not Debian's Python" in done.stderr:
        require(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


@pytest.fixture(scope="session")
def older(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same package with a lower version, and with a module that the newer one does not have."""
    folder = tmp_path_factory.mktemp("older")
    subprocess.run(["dpkg-deb", "--raw-extract", package, folder / "tree"], check=True)
    control = folder / "tree/DEBIAN/control"
    version = package.name.split("_")[1]
    control.write_text(control.read_text().replace(f"Version: {version}\n", "Version: 0.0.1\n"))
    (folder / "tree/usr/lib/sitestencil/gone_since.py").write_text("")
    file = folder / f"sitestencil_0.0.1_{package.name.split('_')[2]}"
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", folder / "tree", file], check=True
    )
    return file


def clean_root(*packages: Path, size: str = "1500m") -> CleanRoot:
    """A clean root with the packages' files in /srv, and the users anna and bert."""
    try:
        check()
        root = CleanRoot(size)
    except NoCleanRootError as error:
        require(str(error))
        raise
    for file in packages:
        root.copy(file, "/srv")
    for user in ("anna", "bert"):
        root.done("useradd", "--create-home", user)
    return root


@pytest.fixture(scope="module")
def installed(package: Path) -> Iterator[CleanRoot]:
    """A clean root, the package installed by the README's line, without anybody who answers a question."""
    with clean_root(package) as root:
        root.copy(ROOT / "tests", "/srv")
        assert root.run("test", "-e", "/usr/lib/sitestencil").returncode != 0
        root.done("sh", "-c", f"cd /srv && apt install ./{package.name}")
        yield root


def apt(root: CleanRoot, *packages: str, options: tuple[str, ...] = ()) -> str:
    return root.done("apt-get", "install", "--yes", *options, *packages)
