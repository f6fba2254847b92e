"""Compiles the host's imports to bytecode, which some installers leave to a slow first start."""

import py_compile
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from sitestencil_host.worker.readiness import MODULES

_HOST_MODULES = ("sitestencil_host.serving", "sitestencil_host.worker.loop", "sitestencil.detectors", *MODULES)


def compile_missing() -> int:
    """Write missing bytecode of the host's and its workers' modules; return how many.

    Modules in a read-only folder, as of an installation for all users, stay unchanged.
    """
    for module in _HOST_MODULES:
        import_module(module)
    return sum(map(_is_compiled_now, _without_bytecode()))


def _without_bytecode() -> Iterator[Path]:
    for module in list(sys.modules.values()):
        source, cached = getattr(module, "__file__", None), getattr(module, "__cached__", None)
        if source and cached and source.endswith(".py") and not Path(cached).exists():
            yield Path(source)


def _is_compiled_now(source: Path) -> bool:
    with suppress(OSError, py_compile.PyCompileError):
        return py_compile.compile(str(source), doraise=True, quiet=1) is not None
    return False
