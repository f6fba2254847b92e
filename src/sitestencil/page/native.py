"""Whether the compiled modules, ``native_*``, are used: they do what plain Python does, and are much faster.

They are used where they are built and the parser's tree lies in memory as they take it, unless plain Python is
asked for. Both give the same answers: plain Python is the reference that the tests compare with.
"""

import os
from importlib import import_module

PLAIN = "SITESTENCIL_PLAIN"


class NotReadable(Exception):
    """A page that the compiled modules do not read; plain Python does."""


def why_plain() -> str | None:
    """Return why plain Python is used, as a sentence; None where the compiled modules are."""
    if os.environ.get(PLAIN):
        return f"{PLAIN} is set."
    try:
        tree = import_module("sitestencil.page.native_tree")
    except ImportError as error:
        return (
            f"The compiled modules are not there ({error}). They are built at the installation, where a C compiler "
            "and Python's headers are: on Debian, apt-get install gcc python3-dev, and install again."
        )
    if not tree.check_layout():
        return "This selectolax keeps a page's tree otherwise than the compiled modules take it."
    return None


NATIVE = why_plain() is None
