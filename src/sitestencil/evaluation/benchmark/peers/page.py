"""What a peer is given: the key page as bytes, as text, and with every element marked."""

import re
from collections.abc import Mapping
from functools import cached_property

from sitestencil.page.document import Document
from sitestencil.page.serialization import to_html
from sitestencil.site.sources.stored import StoredSite

MARK = "data-element"
_MARKED = re.compile(rf'{MARK}="(\d+)"')


def marks(html: str) -> frozenset[int]:
    """Return the numbers of the marked elements that are left in what a peer returns."""
    return frozenset(int(number) for number in _MARKED.findall(html))


class PeerPage:
    """The key page of a stored site.

    Attributes:
        site: the stored site, for peers that look at other pages too.
        document: the key page as a browser has it.
        raw: its bytes as stored.
    """

    def __init__(self, site: StoredSite, document: Document, raw: bytes) -> None:
        self.site = site
        self.document = document
        self.raw = raw
        self.pages_loaded = 0

    @cached_property
    def html(self) -> str:
        """The page as text, from the browser's tree: well-formed, in the right encoding."""
        return to_html(self.document)

    @cached_property
    def marked(self) -> str:
        """The page as text, with each element's number in an attribute that no peer gives a meaning to."""

        def attributes(element: int) -> Mapping[str, str]:
            return {**self.document.attributes[element], MARK: str(element)}

        return to_html(self.document, attributes=attributes)
