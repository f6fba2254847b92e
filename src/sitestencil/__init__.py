"""Sitestencil shows the frame of a website without the picture in it.

`extract` tells which elements of a page belong to its site's template. `learn` returns a template as a value, which
applies to more pages of the site without loading anything. A page is an address, HTML, a tree, or a stored site:

    >>> import sitestencil
    >>> menu = "<nav><a href='/'>Home</a><a href='/a'>A</a><a href='/b'>B</a></nav>"
    >>> site = {f"https://site.example/{name}": f"{menu}<p>All about {name}" for name in ("", "a", "b")}
    >>> template = sitestencil.extract("https://site.example/", pages=site)
    >>> "All about" in template.to_html()
    False

Without ``pages`` the site's pages are loaded: ``sitestencil.extract("https://example.org/")``.

Every intended error is a `SitestencilError`; its message tells the cause and the remedy.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sitestencil.corrections.rules import Rule, Rules
    from sitestencil.detectors import DETECTORS
    from sitestencil.detectors.detection import Detection, Doubt, Reason
    from sitestencil.detectors.learned_template import LearnedTemplate
    from sitestencil.errors import (
        CannotLearn,
        InvalidAddress,
        MalformedSnapshot,
        NoCandidates,
        NothingLoaded,
        NothingToCompare,
        PageUnavailable,
        SitestencilError,
        TimeOut,
        UnknownDetector,
        UnusableLearnedTemplate,
        UnusableRules,
        UnusableSite,
        WrongArgument,
    )
    from sitestencil.extraction import extract, extract_async, learn, learn_async
    from sitestencil.offline import load_files
    from sitestencil.outputs.files import File
    from sitestencil.outputs.selectors import Selectors
    from sitestencil.page.document import Document, TextRun
    from sitestencil.page.metadata import Metadata
    from sitestencil.page.parsing import parse
    from sitestencil.progress import Progress
    from sitestencil.site.links import Link
    from sitestencil.site.loaded_page import LoadedPage
    from sitestencil.site.sources import Source
    from sitestencil.site.sources.http import HttpSource
    from sitestencil.site.sources.rendered import RenderedSource
    from sitestencil.site.sources.stored import StoredSite
    from sitestencil.template import Template
    from sitestencil.versions import Comparison, UnitChange, compare
    from sitestencil.whole_site.pages import site

from sitestencil.version import VERSION

__version__ = VERSION

__all__ = [
    "DETECTORS",
    "CannotLearn",
    "Comparison",
    "Detection",
    "Document",
    "Doubt",
    "File",
    "HttpSource",
    "InvalidAddress",
    "LearnedTemplate",
    "Link",
    "LoadedPage",
    "MalformedSnapshot",
    "Metadata",
    "NoCandidates",
    "NothingLoaded",
    "NothingToCompare",
    "PageUnavailable",
    "Progress",
    "Reason",
    "RenderedSource",
    "Rule",
    "Rules",
    "Selectors",
    "SitestencilError",
    "Source",
    "StoredSite",
    "Template",
    "TextRun",
    "TimeOut",
    "UnitChange",
    "UnknownDetector",
    "UnusableLearnedTemplate",
    "UnusableRules",
    "UnusableSite",
    "WrongArgument",
    "compare",
    "extract",
    "extract_async",
    "learn",
    "learn_async",
    "load_files",
    "parse",
    "site",
]

# Each name is imported at its first use, so that a program pays only for its own imports.
_MODULES = {
    "DETECTORS": "detectors",
    "Comparison": "versions",
    "Detection": "detectors.detection",
    "Document": "page.document",
    "Doubt": "detectors.detection",
    "File": "outputs.files",
    "HttpSource": "site.sources.http",
    "LearnedTemplate": "detectors.learned_template",
    "Link": "site.links",
    "LoadedPage": "site.loaded_page",
    "Metadata": "page.metadata",
    "Progress": "progress",
    "Reason": "detectors.detection",
    "RenderedSource": "site.sources.rendered",
    "Rule": "corrections.rules",
    "Rules": "corrections.rules",
    "Selectors": "outputs.selectors",
    "Source": "site.sources",
    "StoredSite": "site.sources.stored",
    "Template": "template",
    "TextRun": "page.document",
    "UnitChange": "versions",
    "compare": "versions",
    "extract": "extraction",
    "extract_async": "extraction",
    "learn": "extraction",
    "learn_async": "extraction",
    "load_files": "offline",
    "parse": "page.parsing",
}


class _SiteModule(ModuleType):
    """The package `sitestencil.site`, which callers know as the function, too: a package has one name for both."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - those of the function
        """Return the pages of a whole site.

        Raises:
            PackageMissing: a package of the extra ``crawl`` is not installed.
        """
        try:
            from sitestencil.whole_site.pages import site
        except ImportError:
            from sitestencil.errors import PackageMissing

            raise PackageMissing("Whole sites need pyarrow and fastwarc.", "crawl") from None
        return site(*arguments, **named)


import_module(f"{__name__}.site").__class__ = _SiteModule


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the name stands for
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES.get(name, 'errors')}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
