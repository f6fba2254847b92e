"""The pages of a site, each once, with the file that each is saved in."""

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from posixpath import dirname, relpath
from unicodedata import normalize
from urllib.parse import quote, unquote

from sitestencil.crawl.input.crawled import CrawlPage, Record
from sitestencil.crawl.input.places import place
from sitestencil.crawl.input.reading import read_unit
from sitestencil.crawl.input.units import parts_of, units_of
from sitestencil.crawl.work import UNIT_BYTES
from sitestencil.errors import UnusableInput
from sitestencil.outputs.secrets import without_tokens
from sitestencil.site.frontier import MOST_LEFT, Extent
from sitestencil.site.links import page_in_site
from sitestencil.whole_site.copies import Packed, named_copies
from sitestencil.whole_site.folder import STATE, digest
from sitestencil.whole_site.visits import Visit, Visited, finished_visits

_LONGEST_NAME = 80
_MOST_FOLDERS = 16
_LONGEST_PATH = 120  # Windows takes 260 characters from the drive on
_NOT_PLAIN = re.compile(r"[^\w.@=&+,-]+")
_ENDING = re.compile(r"\.(?:[sx]?html?|php|aspx?|jsp|md|txt)$", re.IGNORECASE)
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|webp|avif)$", re.IGNORECASE)
_RESERVED = re.compile(r"(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])(?:\.|$)", re.IGNORECASE)  # as files of Windows
_COPY = "a copy of another page"
# The records that a crawler got as they are; each other reason may hide pages.
_NO_PAGES = frozenset({"error page", "no page", "not HTML", "no web address", "redirect", "robots denied"})


@dataclass(slots=True)
class LinkedFile:
    """A linked file: the first page that links to it, the link's words, its path in the folder or why none."""

    url: str
    page: str
    words: str
    file: str = ""
    detail: str = ""


@dataclass
class Site:
    """A site's pages, each once.

    Attributes:
        start: the address of its first page.
        pages: the pages in their order, without their HTML: `full` gives it.
        same: the page that another address stands for: it redirects there, or has a copy.
        left: the reason why an address has no file.
        unreached: the reason why a page is as it was in the last run.
        gone: the reason why a page that the last run saved has no file any more.
        foreign: the paths in the folder that no run wrote; `foreign_files` are those of files.
        edited: the files that stay since a person edited them.
        going: how many saved pages would go, but stay since they are too many at once.
        names: the files of saved pages without their ending, by the form that all addresses of a page share.
        ending: that of the pages' files.
        pictures: the file of each picture in the pages, by its address; None if pictures stay where they are.
        linked: the files that the pages link to, by their addresses.
    """

    start: str
    pages: list[CrawlPage] = field(default_factory=list)
    same: dict[str, str] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)
    unreached: dict[str, str] = field(default_factory=dict)
    gone: dict[str, str] = field(default_factory=dict)
    foreign: Set[str] = frozenset()
    foreign_files: Set[str] = frozenset()
    edited: Sequence[str] = ()
    going: int = 0
    names: Mapping[str, str] = field(default_factory=dict)
    ending: str = ""
    pictures: dict[str, str] | None = None
    linked: dict[str, LinkedFile] = field(default_factory=dict)
    _packed: dict[str, bytes] = field(default_factory=dict, repr=False)

    def full(self, page: CrawlPage) -> CrawlPage:
        """Return a page with its HTML."""
        return replace(page, html=zlib.decompress(self._packed[page.url]))

    @cached_property
    def files(self) -> dict[str, str]:
        """The path of each page's file, by the form that its addresses share; a saved page keeps its own."""
        urls = {self.key(page.url): page.url for page in self.pages}
        taken = {_spelling(name) for key, name in self.names.items() if key not in urls}
        foreign = (name for name in self.foreign if name.endswith(self.ending))
        taken |= {_spelling(name.removeprefix("pages/").removesuffix(self.ending)) for name in foreign}
        blocked = {_spelling(name.removeprefix("pages/")) for name in self.foreign_files}
        saved_first = sorted(urls, key=lambda key: key not in self.names)
        wanted = {key: _below_folders(self.names.get(key) or file_of(urls[key]), blocked) for key in saved_first}
        names = {key: free_name(name, urls[key], taken) for key, name in wanted.items()}
        return {key: f"pages/{names[key]}{self.ending}" for key in urls}

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
            linked = self.linked.get(address.partition("#")[0])
            saved = linked.file or None if linked else self.file(address)
            file = saved if name == "href" else self._picture(address)
        return address if file is None else quote(relpath(file, dirname(self.files[self.key(page)])))

    def _picture(self, address: str) -> str | None:
        ending = _PICTURE.search(address.partition("?")[0])
        if self.pictures is None or ending is None:
            return None
        name = f"pictures/{digest(address.encode())}{ending[0].lower()}"
        return self.pictures.setdefault(address, name)

    def add_once(self, pages: Iterable[Packed], saved: Set[str] = frozenset()) -> None:
        """Add packed pages, each once; those that are `saved` already are no copies of others."""
        found = dict[str, Packed]()
        for page, packed in pages:
            if found.setdefault(self.key(page.url), (page, packed))[0].url != page.url:
                self.left[page.url] = "another address of a page"
        contents, copies = dict[str, str](), dict[str, str]()
        for key in sorted(found, key=lambda key: key not in saved):
            right = contents.setdefault(digest(zlib.decompress(found[key][1])), key)
            if right != key and key not in saved:
                copies[key] = right
        others = {key: one for key, one in found.items() if key not in copies}
        copies |= named_copies(others, self.key, saved)
        self.same |= copies
        for key, (page, packed) in found.items():
            if key in copies:
                self.left[page.url] = _COPY
            else:
                self.pages.append(page)
                self._packed[page.url] = packed


def _spelling(path: str) -> str:
    """Return what the paths share that a disk may take for one file."""
    return normalize("NFKC", normalize("NFKC", path).casefold())


def file_of(url: str) -> str:
    """Return the path of a page's file without its ending; no path leaves its folder.

    >>> file_of("https://site.example/guide/"), file_of("https://site.example/a/../b%2F..%2Fc.html?page=2")
    ('guide/index', 'a/-/b-..-c@page=2')
    """
    path, _, query = without_tokens(url.partition("#")[0]).partition("?")
    *folders, name = path.split("/", 3)[-1].split("/") if path.count("/") > 2 else [""]
    name = _ENDING.sub("", unquote(name)) or "index"
    # No folder may have the name of a file.
    plain = [_ENDING.sub("_", plain_name(unquote(part))) for part in folders[1 - _MOST_FOLDERS :] if part]
    plain.append(plain_name(f"{name}@{unquote(query)}" if query else name))
    while len(plain) > 1 and sum(map(len, plain)) > _LONGEST_PATH:
        del plain[0]
    return "/".join(plain)


def _below_folders(name: str, blocked: Set[str]) -> str:
    """Return a path none of whose folders has the name of a file, with a digest where one has."""
    folder = ""
    for part in name.split("/")[:-1]:
        folder += part if _spelling(folder + part) not in blocked else f"{part}-{digest(part.encode())[:8]}"
        folder += "/"
    return folder + name.rpartition("/")[2]


def free_name(name: str, of: str, taken: set[str]) -> str:
    """Return the name of a file of something, with a digest where a disk has it already; keep it as taken."""
    while _spelling(name) in taken:
        name += f"-{digest(of.encode())[:8]}"
    taken.add(_spelling(name))
    return name


def plain_name(part: str) -> str:
    """Return a name of plain characters that every system takes."""
    plain = _NOT_PLAIN.sub("-", part).rstrip(".") or "-"
    if len(plain.encode()) > _LONGEST_NAME:
        plain = f"{plain[: _LONGEST_NAME // 4]}-{digest(part.encode('utf-8', 'replace'))[:12]}"
    return f"_{plain}" if plain.startswith((".", "_")) or _RESERVED.match(plain) else plain


def of_visits(visited: Visited, saved: Set[str] = frozenset(), records: Mapping[str, CrawlPage] = {}) -> Site:
    """Return the pages of a visited site; `saved` are those that stay, and `records` are a crawl's, by page."""
    answered = {visit.url for visit in visited.visits if visit.outcome == "page"}
    site = Site(visited.start, left={url: why for url, why in visited.left.items() if url not in answered})
    for visit in visited.visits:
        target = visit.detail if visit.outcome == "moved" else visit.url
        if visit.outcome in {"moved", "page"} and site.key(target) != visit.page:
            site.same[visit.page] = site.key(target)
    pages = [visit for visit in visited.visits if visit.outcome == "page"]
    site.add_once(
        ((records.get(visit.page) or _of_visit(visit, number), visit.packed) for number, visit in enumerate(pages)),
        saved,
    )
    return site


def _of_visit(visit: Visit, number: int) -> CrawlPage:
    return CrawlPage(visit.url, b"", "", number, visit.charset, Record(url=visit.url, status=200))


def of_files(name: str, extent: Extent) -> tuple[Visited, dict[str, CrawlPage], bool]:
    """Return the pages of the site that most pages of a crawl are of as visits, and by page as its records.

    The last value says whether all records are pages, or are known to be none.

    Args:
        name: the file or folder.
        extent: which pages are wanted, by its patterns.

    Raises:
        UnusableInput: the file or folder holds no pages, or none that is wanted.
    """
    if first := next(iter(finished_visits(Path(name) / STATE)[0].values()), None):
        way = f"To update it, name what it was made of, such as: sitestencil site {first.url} -o {name}"
        raise UnusableInput(f"{name} is what sitestencil site wrote, and no crawl. {way}")
    pages: list[Packed] = []
    left: dict[str, str] = {}
    is_whole = True
    for unit in parts_of(units_of([place(name)]), UNIT_BYTES):
        for one in read_unit(unit):
            if isinstance(one, CrawlPage):
                pages.append((replace(one, html=b""), zlib.compress(one.html)))
                continue
            is_whole = is_whole and one.reason in _NO_PAGES and len(left) < MOST_LEFT
            if len(left) < MOST_LEFT:
                left[one.url or f"{one.source}, byte {one.offset}"] = one.reason
    if not pages:
        raise UnusableInput(f"{name} holds no page.")
    host = Counter(page.site for page, _ in pages).most_common(1)[0][0]
    why = {page.url: "another site" if page.site != host else extent.unwanted(page.url) for page, _ in pages}
    chosen = [one for one in pages if why[one[0].url] is None]
    if not chosen:
        raise UnusableInput(f"No page of {name} is wanted: change --include and --exclude.")
    left |= {url: reason for url, reason in why.items() if reason is not None}
    start = min((page.url for page, _ in chosen), key=lambda url: (len(url), url))
    records, visits = dict[str, CrawlPage](), list[Visit]()
    for page, packed in sorted(chosen, key=lambda one: one[0].url != start):
        key = page_in_site(page.url, start)
        if records.setdefault(key, page) is page:
            visits.append(Visit(key, page.url, "page", charset=page.charset, packed=packed))
        elif page.url != records[key].url:
            left[page.url] = "another address of a page"
    return Visited(start, visits, left), records, is_whole
