"""Bytecode of what a host imports: pip writes it, other installers leave that to the first start, which is slow."""

import py_compile
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from sitestencil_host.worker.readiness import MODULES

_HOST_MODULES = ("sitestencil_host.serving", "sitestencil_host.worker.loop", "sitestencil.detectors", *MODULES)


def compile_missing() -> int:
    """Write the bytecode that is missing of the modules that a host and its workers import; return of how many.

    Where their folder cannot be written to, as in an installation for all users, they stay as they are.
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
