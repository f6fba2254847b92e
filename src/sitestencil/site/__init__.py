"""Find, load and crawl the other pages of a page's site, from several sources.

Callers know this name as the function `sitestencil.whole_site.pages.site`, too: a package has one name for both.

Example:
    >>> import sitestencil
    >>> sitestencil.site("https://docs.example.org/")
    <SitePages of https://docs.example.org/>
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from sitestencil.errors import PackageMissing


class _Callable(ModuleType):
    def __call__(self, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - those of the function
        """Return the pages of a whole site.

        Raises:
            PackageMissing: a package of the extra ``crawl`` is not installed.
        """
        try:
            pages = import_module("sitestencil.whole_site.pages")
        except ImportError:
            raise PackageMissing("Whole sites need pyarrow and fastwarc.", "crawl") from None
        return pages.site(*arguments, **named)


site = sys.modules[__name__]
site.__class__ = _Callable
