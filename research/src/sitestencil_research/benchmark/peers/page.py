"""The input of a peer: the key page as bytes, as text, and with every element marked."""

import re
from collections.abc import Mapping
from functools import cached_property

from sitestencil.page.document import Document
from sitestencil.page.serialization import to_html
from sitestencil.site.sources.stored import StoredSite

MARK = "data-element"
_MARKED = re.compile(rf'{MARK}="(\d+)"')


def marks(html: str) -> frozenset[int]:
    """Return the numbers of the marked elements in a peer's output."""
    return frozenset(int(number) for number in _MARKED.findall(html))


class PeerPage:
    """A page, or the key page of a stored site, for peers that also read other pages.

    Attributes:
        document: the key page as the browser has it.
        raw: the stored bytes.
    """

    def __init__(self, site: StoredSite | None, document: Document, raw: bytes) -> None:
        self._site = site
        self.document = document
        self.raw = raw
        self.pages_loaded = 0

    @property
    def site(self) -> StoredSite:
        """The stored site; only a page of one has it."""
        assert self._site is not None
        return self._site

    @cached_property
    def html(self) -> str:
        """The page as text, serialized from the browser's tree: well-formed and correctly decoded."""
        return to_html(self.document)

    @cached_property
    def marked(self) -> str:
        """The page as text, with each element's number in an attribute that no peer interprets."""

        def attributes(element: int) -> Mapping[str, str]:
            return {**self.document.attributes[element], MARK: str(element)}

        return to_html(self.document, attributes=attributes)
