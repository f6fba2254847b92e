"""Whether the compiled modules, ``native_*``, are used: they do what plain Python does, and are much faster.

They are used where they are built and the parser's tree lies in memory as they take it, unless plain Python is
asked for. Both give the same answers: plain Python is the reference that the tests compare with.
"""

import os
import sys
from importlib import import_module
from importlib.util import find_spec

PLAIN = "SITESTENCIL_PLAIN"
# All or none are used: after an update some may not be built yet.
MODULES = (
    "sitestencil.page.native_tree",
    "sitestencil.page.native_limits",
    "sitestencil.page.native_reading",
    "sitestencil.page.native_document",
    "sitestencil.detectors.native_pairs",
    "sitestencil.crawl.native_children",
    "sitestencil.crawl.native_lines",
    "sitestencil.crawl.native_walking",
)


class NotReadable(Exception):
    """A page that the compiled modules do not read; plain Python does."""


def why_plain() -> str | None:
    """Return why plain Python is used, as a sentence; None where the compiled modules are."""
    if os.environ.get(PLAIN):
        return f"{PLAIN} is set."
    tree, missing = None, [name for name in MODULES if name not in sys.modules and find_spec(name) is None]
    try:
        tree = import_module(MODULES[0])
    except ImportError as error:
        missing = [*missing, str(error)]
    if missing or tree is None:
        return (
            f"Compiled modules are missing ({missing[0]}). They are built at the installation, where a "
            "C compiler and Python's headers are: on Debian, apt-get install gcc python3-dev, and install again."
        )
    if not tree.check_layout():
        return "This selectolax keeps a page's tree otherwise than the compiled modules take it."
    return None


NATIVE = why_plain() is None
