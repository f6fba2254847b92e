"""The pages of a site, each once, with the file that each is saved in."""

import re
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from posixpath import dirname, relpath
from unicodedata import normalize
from urllib.parse import quote, unquote

from sitestencil.crawl.input.crawled import CrawlPage, Record
from sitestencil.crawl.input.places import place
from sitestencil.crawl.input.reading import read_unit
from sitestencil.crawl.input.units import parts_of, units_of
from sitestencil.crawl.work import UNIT_BYTES
from sitestencil.errors import UnusableInput
from sitestencil.page.page_title import source_title
from sitestencil.site.frontier import MOST_LEFT, Extent
from sitestencil.site.links import page_in_site
from sitestencil.urls import resolve
from sitestencil.whole_site.visiting import Visited

_LONGEST_NAME = 80
_MOST_FOLDERS = 16
_LONGEST_PATH = 120  # Windows takes 260 characters from the drive on
_NOT_PLAIN = re.compile(r"[^\w.@=&+,-]+")
_ENDING = re.compile(r"\.(?:[sx]?html?|php|aspx?|jsp|md|txt)$", re.IGNORECASE)
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|webp|avif)$", re.IGNORECASE)
_RESERVED = re.compile(r"(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])(?:\.|$)", re.IGNORECASE)  # as files of Windows
_HEAD = 100_000
_CANONICAL = re.compile(
    rb"<link\b(?=[^<>]*?\brel=[\"']?canonical\b)[^<>]*?\bhref=(?:\"([^\"]*)|'([^']*)|([^\s>]+))", re.IGNORECASE
)
_COPY = "a copy of another page"


@dataclass
class Site:
    """A site's pages, each once.

    Attributes:
        start: the address of its first page.
        pages: the pages in their order, without their HTML: `full` gives it.
        same: the page that another address stands for: it redirects there, or has a copy.
        left: the reason why an address has no file.
        unreached: the reason why a page is as it was in the last run.
        ending: that of the pages' files.
        pictures: the file of each picture in the pages, by its address; None if pictures stay where they are.
    """

    start: str
    pages: list[CrawlPage] = field(default_factory=list)
    same: dict[str, str] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)
    unreached: dict[str, str] = field(default_factory=dict)
    ending: str = ""
    pictures: dict[str, str] | None = None
    _packed: dict[str, bytes] = field(default_factory=dict, repr=False)

    def full(self, page: CrawlPage) -> CrawlPage:
        """Return a page with its HTML."""
        return replace(page, html=zlib.decompress(self._packed[page.url]))

    @cached_property
    def files(self) -> dict[str, str]:
        """The path of each page's file, by the form that its addresses share."""
        files: dict[str, str] = {}
        taken: set[str] = set()
        for page in self.pages:
            path = free_name(file_of(page.url), page.url, taken)
            files[self.key(page.url)] = f"pages/{path}{self.ending}"
        return files

    def key(self, url: str) -> str:
        """Return the form that all addresses of a page share."""
        return page_in_site(url, self.start)

    def file(self, url: str) -> str | None:
        """Return the file of the page that an address leads to."""
        key = self.key(url)
        for _ in range(_MOST_FOLDERS):  # redirects may go in a circle
            key = self.same.get(key, key)
        return self.files.get(key)

    def relink(self, page: str, name: str, address: str) -> str:
        """Return the path from a page's file to that of a link or picture; the address itself without one."""
        file = None
        if address.startswith(("http://", "https://")):
            file = self.file(address) if name == "href" else self._picture(address)
        return address if file is None else quote(relpath(file, dirname(self.files[self.key(page)])))

    def _picture(self, address: str) -> str | None:
        ending = _PICTURE.search(address.partition("?")[0])
        if self.pictures is None or ending is None:
            return None
        name = f"pictures/{_digest(address.encode()).hex()}{ending[0].lower()}"
        return self.pictures.setdefault(address, name)

    def add_once(self, pages: Iterable[tuple[CrawlPage, bytes]]) -> None:
        """Add packed pages: one of several equal ones, or of those that name another of the same title as right."""
        by_key: dict[str, CrawlPage] = {}
        contents: dict[bytes, str] = {}
        facts: dict[str, tuple[str, str]] = {}
        for page, packed in pages:
            key, html = self.key(page.url), zlib.decompress(packed)
            content = _digest(html)
            if key not in by_key and contents.setdefault(content, key) == key:
                by_key[key], self._packed[page.url] = page, packed
                facts[key] = self._canonical(page.url, html), source_title(html[:_HEAD], page.charset)
            elif contents.get(content, key) != key:
                self.same[key], self.left[page.url] = contents[content], _COPY
        for key, page in by_key.items():
            right, title = facts[key]
            if right != key and facts.get(right) == (right, title):
                self.same[key], self.left[page.url] = right, _COPY
            else:
                self.pages.append(page)

    def _canonical(self, url: str, html: bytes) -> str:
        """Return the page that a page names as the right one; itself if it names none."""
        found = _CANONICAL.search(html[:_HEAD])
        written = next(filter(None, found.groups()), b"").decode("utf-8", "replace") if found is not None else ""
        return self.key((written and resolve(written, url)) or url)


def _spelling(path: str) -> str:
    """Return what the paths share that a disk may take for one file."""
    return normalize("NFKC", normalize("NFKC", path).casefold())


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=16).digest()


def file_of(url: str) -> str:
    """Return the path of a page's file without its ending; no path leaves its folder.

    >>> file_of("https://site.example/guide/"), file_of("https://site.example/a/../b%2F..%2Fc.html?page=2")
    ('guide/index', 'a/-/b-..-c@page=2')
    """
    path, _, query = url.partition("#")[0].partition("?")
    *folders, name = path.split("/", 3)[-1].split("/") if path.count("/") > 2 else [""]
    name = _ENDING.sub("", unquote(name)) or "index"
    # No folder may have the name of a file.
    parts = [_ENDING.sub("_", unquote(part)) for part in folders if part]
    parts.append(f"{name}@{unquote(query)}" if query else name)
    plain = [plain_name(part) for part in parts[-_MOST_FOLDERS:]]
    while len(plain) > 1 and sum(map(len, plain)) > _LONGEST_PATH:
        del plain[0]
    return "/".join(plain)


def free_name(name: str, of: str, taken: set[str]) -> str:
    """Return the name of a file of something, with a digest where a disk has it already; keep it as taken."""
    while _spelling(name) in taken:
        name += f"-{_digest(of.encode()).hex()[:8]}"
    taken.add(_spelling(name))
    return name


def plain_name(part: str) -> str:
    """Return a name of plain characters that every system takes."""
    plain = _NOT_PLAIN.sub("-", part).rstrip(".") or "-"
    if len(plain.encode()) > _LONGEST_NAME:
        plain = f"{plain[: _LONGEST_NAME // 4]}-{_digest(part.encode('utf-8', 'replace')).hex()[:12]}"
    return f"_{plain}" if plain.startswith((".", "_")) or _RESERVED.match(plain) else plain


def of_visits(visited: Visited) -> Site:
    """Return the pages of a visited site."""
    site = Site(visited.start, left=visited.left)
    for visit in visited.visits:
        target = visit.detail if visit.outcome == "moved" else visit.url
        if visit.outcome in {"moved", "page"} and site.key(target) != visit.page:
            site.same[visit.page] = site.key(target)
    site.add_once(
        (CrawlPage(visit.url, b"", "", number, visit.charset, Record(url=visit.url, status=200)), visit.packed)
        for number, visit in enumerate(visit for visit in visited.visits if visit.outcome == "page")
    )
    return site


def of_files(name: str, extent: Extent) -> Site:
    """Return the pages of the site that most pages of a crawl are of, by the patterns and the number of an extent.

    Raises:
        UnusableInput: the file or folder holds no pages, or none that is wanted.
    """
    pages: list[tuple[CrawlPage, bytes]] = []
    left: dict[str, str] = {}
    for unit in parts_of(units_of([place(name)]), UNIT_BYTES):
        for one in read_unit(unit):
            if isinstance(one, CrawlPage):
                pages.append((replace(one, html=b""), zlib.compress(one.html)))
            elif one.url and len(left) < MOST_LEFT:
                left[one.url] = one.reason
    if not pages:
        raise UnusableInput(f"{name} holds no page.")
    host = Counter(page.site for page, _ in pages).most_common(1)[0][0]
    why = {page.url: "another site" if page.site != host else extent.unwanted(page.url) for page, _ in pages}
    chosen = [one for one in pages if why[one[0].url] is None]
    if not chosen:
        raise UnusableInput(f"No page of {name} is wanted: change --include and --exclude.")
    left |= {url: reason for url, reason in why.items() if reason is not None}
    site = Site(min((page.url for page, _ in chosen), key=lambda url: (len(url), url)), left=left)
    site.add_once(chosen)
    site.left |= {page.url: f"more than {extent.most_pages} pages" for page in site.pages[extent.most_pages :]}
    del site.pages[extent.most_pages :]
    return site
