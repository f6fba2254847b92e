"""A loaded page of the site: bytes from a server or a file, or a tree from a browser."""

from collections.abc import Container
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Literal

from selectolax.lexbor import LexborNode

from sitestencil.page.candidate_sketch import CandidateSketch
from sitestencil.page.document import Document
from sitestencil.page.gc_pause import collector_paused
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.page_title import page_title, source_title
from sitestencil.page.parsing import document_of, lexbor_root
from sitestencil.page.sketch import Sketch

LoadedBy = Literal["http", "stored", "session", "rendered", "given"]


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class LoadedPage:
    """A page as loaded, before it is parsed.

    Attributes:
        url: its address after redirects.
        content: its HTML as bytes, or its element tree if a browser captured it.
        way: the origin: HTTP, a stored site, the person's own session, a rendering tab, or the caller.
        requested: the requested address; by default `url`.
        status: the HTTP status; 200 without HTTP.
        charset: the encoding that the HTTP header names.
        linked: the addresses that HTTP headers lead to; see `linked_by_headers`.

    Example:
        >>> page = LoadedPage("https://site.example/a", b"<p>A page", requested="http://site.example/a")
        >>> page
        <LoadedPage https://site.example/a (http, 200)>
        >>> page.document().tags
        ['html', 'head', 'body', 'p']
    """

    url: str
    content: bytes | Document
    way: LoadedBy = "http"
    requested: str = ""
    status: int = 200
    charset: str | None = None
    linked: tuple[str, ...] = ()
    _roots: dict[bool, LexborNode | None] = field(default_factory=dict, init=False)
    _documents: dict[bool, Document] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        if not self.requested:
            object.__setattr__(self, "requested", self.url)

    def __repr__(self) -> str:
        """Return the page's address and origin."""
        return f"<LoadedPage {self.url} ({self.way}, {self.status})>"

    def document(self, *, scripting: bool = False) -> Document:
        """Return the page as an element tree, parsed at the first call.

        Args:
            scripting: parse ``noscript`` like a browser with scripting on; a captured tree stays unchanged.
        """
        if isinstance(self.content, Document):
            return self.content
        if scripting not in self._documents:
            root = self._root(self.content, scripting=scripting)
            self._documents[scripting] = document_of(root, self.content, self.url, scripting=scripting)
        return self._documents[scripting]

    def sketch(self, *, scripting: bool = False, shadow_hosts: Container[str] = frozenset()) -> Sketch:
        """Return the page's sketch for comparisons, read in one pass: twice as fast as a document.

        Args:
            scripting: parse ``noscript`` like a browser with scripting on; a captured tree stays unchanged.
            shadow_hosts: as in `KeySketch`.
        """
        if isinstance(self.content, Document):
            return KeySketch(self.content, shadow_hosts)
        return CandidateSketch(
            self.content,
            self.url,
            scripting=scripting,
            charset=self.charset,
            parsed=self._root(self.content, scripting=scripting),
            shadow_hosts=shadow_hosts,
        )

    def _root(self, content: bytes, *, scripting: bool) -> LexborNode | None:
        """Return the parser's root element; the page is parsed once."""
        if scripting not in self._roots:
            with collector_paused():
                self._roots[scripting] = lexbor_root(content, scripting=scripting, charset=self.charset)
        return self._roots[scripting]

    def title(self) -> str:
        """Return the text of the page's ``title``."""
        if isinstance(self.content, Document):
            return page_title(self.content)
        return source_title(self.content, self.charset)

    def fingerprint(self) -> bytes:
        """Return a hash of the content: 8 bytes, the same on every machine."""
        content = self.content
        if isinstance(content, bytes):
            return blake2b(content, digest_size=8).digest()
        texts = "\0".join(run.text for run in content.texts)
        return blake2b(f"{content.tags}{content.parents}{texts}".encode("utf-8", "replace"), digest_size=8).digest()
