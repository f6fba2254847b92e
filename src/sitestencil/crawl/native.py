"""Check that the compiled modules, which read the parser's tree in place, can be used.

A crawl reads millions of pages, so its readers and writers of text are compiled. They are built at the
installation, where a C compiler and Python's headers are.
"""

from importlib import import_module

from sitestencil.errors import CompiledModulesMissing

_HOW = (
    "They are built at the installation, where a C compiler and Python's headers are. On Debian: apt-get install "
    "gcc python3-dev. Then install Sitestencil again."
)


def check_compiled() -> None:
    """Check that the compiled modules are built, and fit the installed parser.

    Raises:
        CompiledModulesMissing: they are not built, or are for another parser.
    """
    try:
        tree = import_module("sitestencil.crawl.native_tree")
        import_module("sitestencil.crawl.native_answer")
    except ImportError as error:
        raise CompiledModulesMissing(f"A crawl needs the compiled modules ({error}). {_HOW}") from None
    if not tree.check_layout():
        raise CompiledModulesMissing(
            "The compiled modules are for another version of selectolax. Install Sitestencil again."
        )
