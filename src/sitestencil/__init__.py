"""Sitestencil shows the frame of a website without the picture in it.

    >>> import sitestencil
    >>> template = sitestencil.extract("https://example.org/")  # doctest: +SKIP
    >>> template.to_html()  # doctest: +SKIP

Names are imported when they are first used, so that a program that needs one pays for one.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sitestencil.errors import SitestencilError
    from sitestencil.extraction import extract, extract_document, extract_site, extract_stored, extract_url
    from sitestencil.page.document import Document, TextRun
    from sitestencil.page.parsing import parse
    from sitestencil.progress import Progress
    from sitestencil.template import Template

from sitestencil.version import VERSION

__version__ = VERSION

__all__ = [
    "Document",
    "Progress",
    "SitestencilError",
    "Template",
    "TextRun",
    "extract",
    "extract_document",
    "extract_site",
    "extract_stored",
    "extract_url",
    "parse",
]

_HOMES = {
    "Document": "page.document",
    "TextRun": "page.document",
    "SitestencilError": "errors",
    "extract": "extraction",
    "extract_document": "extraction",
    "extract_site": "extraction",
    "extract_stored": "extraction",
    "extract_url": "extraction",
    "parse": "page.parsing",
    "Progress": "progress",
    "Template": "template",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the name stands for
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
