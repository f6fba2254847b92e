"""A page of the site as it came: bytes from a server or a file, or a tree from a browser."""

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

Way = Literal["http", "stored", "session", "rendered", "given"]


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class LoadedPage:
    """A page as it came, before anything is read of it.

    Attributes:
        url: the address it came from, after redirects.
        content: its HTML as bytes, or its element tree where a browser captured it.
        way: how it was loaded: by HTTP, from a stored site, in the person's own session, rendered in a tab, or
            given by the caller.
        requested: the address that was asked for; by default the one it came from.
        status: of the HTTP answer, 200 where there was none.
        charset: the encoding that the HTTP header names.

    Example:
        >>> page = LoadedPage("https://site.example/a", b"<p>A page", requested="http://site.example/a")
        >>> page
        <LoadedPage https://site.example/a (http, 200)>
        >>> page.document().tags
        ['html', 'head', 'body', 'p']
    """

    url: str
    content: bytes | Document
    way: Way = "http"
    requested: str = ""
    status: int = 200
    charset: str | None = None
    _roots: dict[bool, LexborNode | None] = field(default_factory=dict, init=False)
    _documents: dict[bool, Document] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        if not self.requested:
            object.__setattr__(self, "requested", self.url)

    def __repr__(self) -> str:
        """Return the page's address and how it came."""
        return f"<LoadedPage {self.url} ({self.way}, {self.status})>"

    def document(self, *, scripting: bool = False) -> Document:
        """Return the page as an element tree; it is read when this is first asked for.

        Args:
            scripting: parse ``noscript`` as a browser with scripting on does; a captured tree is as it is.
        """
        if isinstance(self.content, Document):
            return self.content
        if scripting not in self._documents:
            root = self._root(self.content, scripting=scripting)
            self._documents[scripting] = document_of(root, self.content, self.url, scripting=scripting)
        return self._documents[scripting]

    def sketch(self, *, scripting: bool = False, shadow_hosts: Container[str] = frozenset()) -> Sketch:
        """Return what pages are compared by; read in one pass, in half the time that a document takes.

        Args:
            scripting: parse ``noscript`` as a browser with scripting on does; a captured tree is as it is.
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
        """Return the root element as the parser has it; the page is parsed once."""
        if scripting not in self._roots:
            with collector_paused():
                self._roots[scripting] = lexbor_root(content, scripting=scripting, charset=self.charset)
        return self._roots[scripting]

    def title(self) -> str:
        """Return what the page's ``title`` says."""
        if isinstance(self.content, Document):
            return page_title(self.content)
        return source_title(self.content, self.charset)

    def fingerprint(self) -> bytes:
        """Return what tells copies of one content: 8 bytes, the same on every machine."""
        content = self.content
        if isinstance(content, bytes):
            return blake2b(content, digest_size=8).digest()
        texts = "\0".join(run.text for run in content.texts)
        return blake2b(f"{content.tags}{content.parents}{texts}".encode("utf-8", "replace"), digest_size=8).digest()
