"""Build the Debian package, ``dist/sitestencil_VERSION_ARCHITECTURE.deb``: ``python3 packaging/deb/build.py``.

The Python that runs this is the one that the package needs and compiles for, so it has to be the system's. The
package has no maintainer scripts: it is files alone, which dpkg installs whole or not at all, and removes.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import time
import tomllib
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from contents import ENVIRONMENT, EXECUTABLES, LINKS, LINTIAN, NAME, SITE, add_extensions, add_manifests
from documents import MAINTAINER, changelog, control, copyright_text, gzipped

ROOT = Path(__file__).resolve().parent.parent.parent
Command: TypeAlias = list[str | Path]

_TOOLS = {"dpkg-deb": "dpkg", "dpkg-shlibdeps": "dpkg-dev", "gcc": "gcc", "strip": "binutils", "git": "git"}
_SHELLS = {
    "bash": "usr/share/bash-completion/completions/sitestencil",
    "zsh": "usr/share/zsh/vendor-completions/_sitestencil",
    "fish": "usr/share/fish/vendor_completions.d/sitestencil.fish",
}


class NotBuiltError(Exception):
    """The package cannot be built here; the message says why."""


def run(command: Command, variables: Mapping[str, str] | None = None, folder: Path = ROOT) -> str:
    """Run a command without the user's Python settings; return its output.

    Raises:
        NotBuiltError: it failed.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(  # noqa: S603 - commands of this file
        command, cwd=folder, env=kept | dict(variables or {}), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NotBuiltError(f"{' '.join(map(str, command))} failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def check_tools() -> None:
    """Check that all programs are there; as root, install them.

    Raises:
        NotBuiltError: some are missing; it says which packages have them.
    """
    if Path(sys.base_prefix) != Path("/usr"):
        raise NotBuiltError(f"{sys.executable} is not Debian's Python. Run: make deb DEB_PYTHON=/usr/bin/python3")
    packages = [package for tool, package in _TOOLS.items() if shutil.which(tool) is None]
    python = f"python3.{sys.version_info.minor}"
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        packages.append(f"{python}-dev")
    if find_spec("ensurepip") is None:
        packages.append(f"{python}-venv")
    if packages and os.geteuid() != 0:
        raise NotBuiltError(f"Building the package needs more of Debian: apt install {' '.join(packages)}")
    if packages:
        _say(f"Installing {' '.join(packages)} (apt-get) ...")
        run(["apt-get", "-qq", "update"])
        quiet: Command = ["apt-get", "-qq", "install", "--yes", "--no-install-recommends"]
        run([*quiet, *packages], {"DEBIAN_FRONTEND": "noninteractive"})


def package_version() -> str:
    """Return the project's version and the release that it is built for, so that apt upgrades with the system."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    system = platform.freedesktop_os_release()
    name = {"debian": "deb"}.get(system["ID"], system["ID"])
    return f"{project['version']}+{name}{system.get('VERSION_ID', '')}"


def build(output: Path, version: str) -> Path:
    """Build the package into a folder, and return it.

    Raises:
        NotBuiltError: something is missing, or a step failed.
    """
    check_tools()
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH") or run(["git", "log", "-1", "--format=%ct"]))
    with TemporaryDirectory(prefix="sitestencil-deb-") as scratch:
        tree = Path(scratch) / "tree"
        add_environment(tree, Path(scratch), str(epoch))
        add_extensions(tree, ROOT, Path(scratch))
        add_manifests(tree, ROOT)
        _say("5 of 6: writing the manual page, completions and copyright ...")
        add_documents(tree, version, epoch)
        compile_modules(tree)
        add_links(tree)
        add_control(tree, Path(scratch), version)
        freeze(tree, epoch)
        _say("6 of 6: packing ...")
        return pack(tree, output, version, epoch)


def add_environment(tree: Path, scratch: Path, epoch: str) -> None:
    """Install the program and all that it needs to run, as the lock has them, below `ENVIRONMENT`."""
    _say("1 of 6: downloading the build tools ...")
    run([sys.executable, "-m", "venv", scratch / "venv"])
    python = scratch / "venv/bin/python"
    pip: Command = [python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    locked: Command = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "--no-compile", "--requirement"]
    run([*pip, "install", *locked, ROOT / "requirements/build.txt"])
    _say("2 of 6: building Sitestencil, and compiling its modules with gcc: the longest step ...")
    built: Command = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", scratch / "wheels", ROOT]
    run([*pip, *built], {"SOURCE_DATE_EPOCH": epoch})
    (wheel,) = (scratch / "wheels").iterdir()
    if wheel.name.endswith("-none-any.whl"):
        raise NotBuiltError("The compiled modules were not built: see make .venv/.installed")
    site = tree / SITE
    _say("3 of 6: downloading the packages that Sitestencil needs ...")
    run([*pip, "install", *locked, ROOT / "requirements/run.txt", "--target", site])
    run([*pip, "install", "--no-deps", "--no-compile", "--no-index", "--target", site, wheel])
    _say("4 of 6: making their files the same on each machine ...")
    shutil.rmtree(site / "bin")
    for name in ("RECORD", "REQUESTED", "INSTALLER", "direct_url.json"):  # pip's, with this machine's paths
        for file in site.glob(f"*.dist-info/{name}"):
            file.unlink()
    for library in site.rglob("*.so"):
        run(["strip", "--strip-unneeded", library])
    _write(tree / ENVIRONMENT / "pyvenv.cfg", "home = /usr/bin\ninclude-system-site-packages = false\n")
    for path, module in EXECUTABLES.items():
        text = f"#!/{ENVIRONMENT}/bin/python3 -I\nimport sys\n\nfrom {module} import main\n\nsys.exit(main())\n"
        _write(tree / path, text)


def add_documents(tree: Path, version: str, epoch: int) -> None:
    """Write what the package says of itself: man page, completions, copyright, changelog."""
    inside = {"PYTHONPATH": str(tree / SITE), "SOURCE_DATE_EPOCH": str(epoch), "COLUMNS": "100"}
    # -P and -S: the package's own environment, and no other.
    python: Command = [sys.executable, "-B", "-P", "-S"]
    manual = run([*python, Path(__file__).with_name("manual.py")], inside)
    _write_bytes(tree / "usr/share/man/man1/sitestencil.1.gz", gzipped(manual))
    for shell, path in _SHELLS.items():
        asked = f"import sys; from sitestencil.cli import main; sys.exit(main(['completion', '{shell}']))"
        _write(tree / path, run([*python, "-c", asked], inside))
    papers = tree / "usr/share/doc" / NAME
    _write(papers / "copyright", copyright_text(ROOT, tree / SITE))
    _write_bytes(papers / "changelog.gz", gzipped(changelog(ROOT, version, epoch)))
    _write(tree / "usr/share/lintian/overrides" / NAME, LINTIAN)


def compile_modules(tree: Path) -> None:
    """Write the bytecode, which users cannot; Python does not compare it with the date of its source."""
    command: Command = [
        "-m",
        "compileall",
        "-q",
        "--invalidation-mode",
        "unchecked-hash",
        "-s",
        str(tree),
        "-p",
        "/",
    ]
    run([sys.executable, *command, str(tree / SITE)], {"PYTHONHASHSEED": "0"})


def add_links(tree: Path) -> None:
    """Make the symbolic links, to the interpreter and from the places where browsers look for manifests."""
    links = LINKS | {f"{ENVIRONMENT}/bin/python3": f"../../../bin/python3.{sys.version_info.minor}"}
    for path, target in links.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).symlink_to(target)


def add_control(tree: Path, scratch: Path, version: str) -> None:
    """Write the package's control files."""
    architecture = run(["dpkg", "--print-architecture"]).strip()
    kilobytes = sum(-(-file.lstat().st_size // 1024) for file in tree.rglob("*") if not file.is_dir())
    depends = f"python3.{sys.version_info.minor}, {_libraries(tree, scratch)}"
    _write(tree / "DEBIAN/control", control(version, architecture, depends, kilobytes))
    sums = run(["sh", "-c", "find usr -type f | LC_ALL=C sort | xargs -d '\\n' md5sum"], folder=tree)
    _write(tree / "DEBIAN/md5sums", sums)


def _libraries(tree: Path, scratch: Path) -> str:
    """Return the packages of the shared libraries that the compiled modules are linked against."""
    _write(
        scratch / "debian/control",
        f"Source: {NAME}\nMaintainer: {MAINTAINER}\n\nPackage: {NAME}\nArchitecture: any\n",
    )
    modules: Command = [file for pattern in ("*.so", "*.so.*") for file in sorted((tree / SITE).rglob(pattern))]
    private = sorted({f"-l{Path(file).parent}" for file in modules})
    found = run(["dpkg-shlibdeps", "-O", "--ignore-missing-info", *private, *modules], folder=scratch)
    return found.strip().removeprefix("shlibs:Depends=")


def freeze(tree: Path, epoch: int) -> None:
    """Give every file the mode and the time that do not depend on this machine."""
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            executable = path.is_dir() or str(path.relative_to(tree)) in EXECUTABLES
            path.chmod(0o755 if executable else 0o644)
        os.utime(path, (epoch, epoch), follow_symlinks=False)


def pack(tree: Path, output: Path, version: str, epoch: int) -> Path:
    """Pack the tree; dpkg-deb sorts it, and one thread packs alike everywhere."""
    output.mkdir(parents=True, exist_ok=True)
    architecture = run(["dpkg", "--print-architecture"]).strip()
    package = output / f"{NAME}_{version}_{architecture}.deb"
    command: Command = ["dpkg-deb", "--root-owner-group", "--threads-max=1", "-Zxz", "--build", tree, package]
    run(command, {"SOURCE_DATE_EPOCH": str(epoch)})
    return package


def _write(file: Path, text: str) -> None:
    _write_bytes(file, text.encode())


def _write_bytes(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


def _say(text: str) -> None:
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {text}\n")


def main() -> int:
    """Build the package and print its path."""
    parser = argparse.ArgumentParser(description="Build the Debian package.")
    parser.add_argument("--output", type=Path, default=ROOT / "dist", help="the folder to write to (default: dist)")
    parser.add_argument("--version", default=package_version(), help="another version, to test upgrades with")
    options = parser.parse_args()
    try:
        package = build(options.output.absolute(), options.version)
    except NotBuiltError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{package}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
