"""Decide whether to use the compiled modules ``native_*``, the fast twins of plain Python.

They are used if they are built and match the parser's memory layout, unless plain Python is requested. Both give
the same answers: plain Python is the reference that the tests compare with.
"""

import os
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

PLAIN = "SITESTENCIL_PLAIN"
_ROOT = Path(__file__).parent.parent
# Use all or none: after an update some may not be built yet.
MODULES = (
    "page/native_tree",
    "page/native_limits",
    "page/native_reading",
    "page/native_facts",
    "page/native_document",
    "detectors/stencil/native_scorer",
    "content/native_blocks",
    "content/native_features",
    "crawl/native_children",
    "crawl/native_lines",
    "crawl/native_walking",
    "crawl/native_answer",
)


def why_plain() -> str | None:
    """Return the reason for plain Python, as a sentence; None if the compiled modules are used."""
    if os.environ.get(PLAIN):
        return f"{PLAIN} is set."
    missing = next(filter(_is_missing, MODULES), None)
    if missing is not None:
        return (
            f"{missing} is not built, or older than its source. It is built at the installation, where a C "
            "compiler and Python's headers are: on Debian, apt-get install gcc python3-dev, and install again."
        )
    try:
        tree = import_module("sitestencil.page.native_tree")
    except ImportError as error:
        return f"The compiled modules are not for this Python or selectolax: {error}."
    if not tree.check_layout():
        return "This selectolax keeps a page's tree otherwise than the compiled modules take it."
    return None


def _is_missing(module: str) -> bool:
    """Return whether a module is not built, or older than its source in a checkout."""
    built = next(filter(Path.exists, (_ROOT / f"{module}{suffix}" for suffix in EXTENSION_SUFFIXES)), None)
    sources = [_ROOT / f"{module}.pyx", *(_ROOT.glob("*/native_*.pxd"))]
    return built is None or any(
        source.exists() and source.stat().st_mtime > built.stat().st_mtime for source in sources
    )


NATIVE = why_plain() is None
