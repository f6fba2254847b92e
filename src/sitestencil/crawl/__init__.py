"""Extract the content of whole crawls: all pages of many sites, by a template for each kind of page.

A crawl reads millions of pages, so compiled modules read the tree of the parser in place.
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
        import_module("sitestencil.crawl.native_walking")
    except ImportError as error:
        raise CompiledModulesMissing(f"A crawl needs the compiled modules ({error}). {_HOW}") from None
    if not tree.check_layout():
        raise CompiledModulesMissing(
            "The compiled modules are for another version of selectolax. Install Sitestencil again."
        )


check_compiled()  # before the imports that need the compiled modules

from sitestencil.crawl.content import Formats  # noqa: E402
from sitestencil.crawl.in_memory import SiteContents, contents  # noqa: E402
from sitestencil.crawl.input.crawled import CrawlPage, Skipped, crawl_page  # noqa: E402
from sitestencil.crawl.pages import PageContent  # noqa: E402

__all__ = ["CrawlPage", "Formats", "PageContent", "SiteContents", "Skipped", "contents", "crawl_page"]
