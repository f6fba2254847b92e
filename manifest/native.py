"""Build the compiled modules, ``native_*.pyx``: ``python -m manifest.native`` puts them beside their sources.

They save time. All works without them, and without Cython, a C compiler and Python's headers.
"""

import shutil
import sys
from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ROOT / "src"
# Omits names and paths of this machine, so that the same source gives the same bytes.
_OPTIONS = ["/O2"] if sys.platform == "win32" else ["-O3", "-g0"]


class NotBuiltError(Exception):
    """The modules cannot be built here; the message says why."""


def sources() -> list[str]:
    """Return the sources as paths relative to the folder of all packages."""
    return sorted(file.relative_to(PACKAGES).as_posix() for file in PACKAGES.rglob("native_*.pyx"))


def build(folder: Path, options: Sequence[str] = _OPTIONS) -> list[str]:
    """Build the modules into a folder of packages, and return the files as paths relative to it.

    Args:
        folder: of the packages.
        options: for compiler and linker.

    Raises:
        NotBuiltError: Cython, a C compiler or Python's headers are missing.
    """
    try:
        from Cython.Build import cythonize
        from setuptools import Distribution, Extension
        from setuptools.command.build_ext import build_ext
    except ImportError as error:
        raise NotBuiltError(f"{error.name} is not installed") from error
    to_c: Any = cythonize  # Cython has no types
    names = {source: source.removesuffix(".pyx").replace("/", ".") for source in sources()}
    modules = [
        Extension(
            name,
            [source],
            extra_compile_args=[*options],
            extra_link_args=[option for option in options if "sanitize" in option],
        )
        for source, name in names.items()
    ]
    with TemporaryDirectory() as scratch, chdir(PACKAGES):
        try:
            written = to_c(modules, build_dir=scratch, quiet=True)
            command = build_ext(Distribution({"name": "sitestencil", "ext_modules": written}))
            command.build_lib, command.build_temp = str(folder), scratch
            command.parallel = True
            command.ensure_finalized()
            command.run()
        except Exception as error:
            raise NotBuiltError(f"{type(error).__name__}: {error}".rstrip(".")) from error
        return [Path(file).relative_to(folder).as_posix() for file in command.get_outputs()]


def build_beside_sources() -> list[str]:
    """Build the modules into this checkout; return the files as paths relative to the folder of all packages.

    Raises:
        NotBuiltError: see `build`.
    """
    with TemporaryDirectory() as folder:
        files = build(Path(folder).resolve())
        for file in files:
            # A running process may use the old file, which it keeps after this.
            (PACKAGES / file).unlink(missing_ok=True)
            shutil.copyfile(Path(folder) / file, PACKAGES / file)
    return files


def main() -> int:
    """Build the modules beside their sources, and print them."""
    try:
        files = build_beside_sources()
    except NotBuiltError as error:
        sys.stderr.write(f"The compiled modules were not built: {error}.\n")
        return 1
    sys.stdout.write("".join(f"src/{file}\n" for file in files))
    return 0


if __name__ == "__main__":
    sys.exit(main())
