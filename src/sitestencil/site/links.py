"""The key page's links, and the order in which to load them (thesis, section 2.2; definitions.md, 1.1 to 1.3)."""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import groupby
from typing import Protocol, TypeVar

from sitestencil.page.document import Document
from sitestencil.urls import directories, host, page_key, resolve, resolving_base

_T = TypeVar("_T", bound=Hashable)
_CHOSEN = -1

# Resources that a menu may link to and that hold no element tree.
_NO_PAGES = frozenset(
    "7z apk atom avi bmp bz2 css csv deb dmg doc docx epub exe gif gz ico ics iso jar jpeg jpg js json m4a m4v "
    "mkv mov mp3 mp4 mpeg mpg msi odp ods odt ogg pdf png ppt pptx ps rar rdf rpm rss rtf svg swf tar tgz tif "
    "tiff tsv txt wav webm webp wma wmv woff woff2 xls xlsx xml xz zip".split()
)


@dataclass(frozen=True, slots=True)
class Link:
    """A hyperlink: the element that carries it, its absolute address, and the page it leads to."""

    element: int
    url: str
    page: str


def link_to(url: str) -> Link:
    """Return a link to an address that stands on no page: a site's front page, an address that a person gave."""
    return Link(0, url, page_key(url))


class Linking(Protocol):
    """A page as far as its links need it: a document, or what is left of one."""

    @property
    def url(self) -> str:
        """The page's own address."""
        ...

    @property
    def base(self) -> str:
        """The address that relative links resolve against."""
        ...

    def hyperlinks(self) -> Iterator[tuple[int, str]]:
        """Yield each link element with its unresolved address, in document order."""
        ...


def site_links(document: Linking, followed: set[tuple[str, str]] | None = None) -> list[Link]:
    """Return the page's links to other pages of its own host, each page once, in document order.

    Self links, repeated links and links to other hosts are dropped (thesis, 5.2.4).

    Args:
        document: the page.
        followed: references and what they resolve by, which are passed over; the page's come to them. Pages of a
            site repeat each other's links, and to resolve one takes longer than to look it up.
    """
    own_host, base = host(document.url), document.base
    seen = {page_key(document.url)}
    links = []
    for element, reference in document.hyperlinks():
        if reference.startswith("#"):
            continue
        if followed is not None:
            link = resolving_base(reference, base), reference
            if link in followed:
                continue
            followed.add(link)
        url = resolve(reference, base)
        page = _page_of(url, own_host) if url is not None else None
        if url is not None and page is not None and page not in seen:
            seen.add(page)
            links.append(Link(element, url.partition("#")[0], page))
    return links


@lru_cache(maxsize=16384)
def _page_of(url: str, own_host: str) -> str | None:
    """Return which page of its own host an address leads to, if it leads to one."""
    return page_key(url) if host(url) == own_host and _extension(url) not in _NO_PAGES else None


def linked_pages(document: Document) -> frozenset[str]:
    """Return the pages of its own host that a page links to (``getLinks`` of Algorithm 2)."""
    return frozenset(link.page for link in site_links(document))


def hyperlink_distance(h: Sequence[str], other: Sequence[str]) -> int:
    """Return the hyperlink distance from ``h`` to another link (thesis, Definition 2.2.5).

    Both are links as directories (`sitestencil.urls.directories`): what is left of them without their
    common prefix decides. Nothing left of ``h``: plus what is left of the other; else minus what is left of ``h``.
    """
    common = 0
    for ours, theirs in zip(h, other, strict=False):
        if ours != theirs:
            break
        common += 1
    return len(other) - common if common == len(h) else common - len(h)


def sort_links(document: Document, links: Sequence[Link]) -> Iterator[Link]:
    """Yield the links in the order in which to load them (thesis, Algorithm 1), as they are asked for.

    Link relevance first: hyperlink distances 0, +1, +2, ..., -1, -2, ... (Definition 2.2.12); among equals, DOM
    relevance: the link farthest from those of its group chosen so far (Definition 2.2.14).
    """
    h = directories(document.url)
    distances = {link: hyperlink_distance(h, directories(link.url)) for link in links}
    depths = _depths(document)
    nearest = _nearest(document, depths, links)

    def relevance(link: Link) -> tuple[bool, int]:
        return distances[link] < 0, abs(distances[link])

    for _, group in groupby(sorted(links, key=relevance), key=relevance):
        members = list(group)
        by_element = [link.element for link in members]
        yield from farthest_first(members, nearest, partial(_distances_from, document, depths, by_element))


def farthest_first(
    group: Sequence[_T], nearest: Mapping[_T, int], distances: Callable[[_T], Sequence[int]]
) -> Iterator[_T]:
    """Yield a group of equally relevant links, each time the one farthest from those before.

    Args:
        group: the links, in document order, which decides draws.
        nearest: for each link its least distance to any other link of the page: the reference of the first
            pick, which has none before it (definitions.md, 1.3; gives the order of Example 2.2.15).
        distances: the DOM distances from a link to all of the group, in order.
    """
    least = [nearest[link] for link in group]
    for pick in range(len(group)):
        chosen = max(range(len(group)), key=least.__getitem__)
        yield group[chosen]
        found = distances(group[chosen])
        least = list(map(min, least, found)) if pick else list(found)
        least[chosen] = _CHOSEN


def _distances_from(document: Document, depths: Sequence[int], others: Sequence[int], link: Link) -> list[int]:
    return _dom_distances(document, depths, link.element, others)


def _dom_distances(document: Document, depths: Sequence[int], element: int, others: Sequence[int]) -> list[int]:
    """Return the DOM distances from an element to others, which ascend.

    Elements below the same ancestor of it, and not below a nearer one, share that ancestor's depth of path.
    """
    distances: list[int] = []
    after: list[int] = []
    own, low, high, common = depths[element], 0, len(others), 1
    for ancestor in document.path(element):
        first = bisect_left(others, ancestor, low, high)
        last = bisect_left(others, document.ends[ancestor], first, high)
        distances += [own + depths[other] - 2 * common for other in others[low:first]]
        after = [own + depths[other] - 2 * common for other in others[last:high]] + after
        low, high, common = first, last, depths[ancestor]
    return [*distances, *(depths[other] - own for other in others[low:high]), *after]


def _depths(document: Document) -> list[int]:
    """Return the number of nodes on each element's path."""
    depths: list[int] = []
    for parent in document.parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 1)
    return depths


def _nearest(document: Document, depths: Sequence[int], links: Sequence[Link]) -> dict[Link, int]:
    """Return each link's least DOM distance to another link, in one pass up and one walk to the root each."""
    far = 2 * max(depths) + 2
    # Per element: the least depths of a link in its subtree, by two different branches (child or itself).
    shallowest: dict[int, list[tuple[int, int]]] = {}
    for link in links:
        branch = element = link.element
        while element >= 0:
            best = shallowest.setdefault(element, [])
            entry = (depths[link.element], branch)
            same = next((k for k, (_, other) in enumerate(best) if other == branch), None)
            if same is not None:
                best[same] = min(best[same], entry)
            else:
                best.append(entry)
            best.sort()
            del best[2:]
            branch, element = element, document.parents[element]
    nearest = {}
    for link in links:
        least, branch, element = far, link.element, link.element
        while element >= 0:
            for depth, other in shallowest[element]:
                if other != branch:
                    least = min(least, depths[link.element] + depth - 2 * depths[element])
            branch, element = element, document.parents[element]
        nearest[link] = least
    return nearest


def _extension(url: str) -> str:
    path = url.partition("#")[0].partition("?")[0]
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""
