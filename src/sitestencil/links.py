"""The key page's links, and the order in which to load them (thesis, section 2.2; methods, 1.1 to 1.3)."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

from sitestencil.addresses import directories, host, resolve, same_page
from sitestencil.document import Document

_T = TypeVar("_T", bound=Hashable)

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


def site_links(document: Document) -> list[Link]:
    """Return the page's links to other pages of its own host, each page once, in document order.

    Self links, repeated links and links to other hosts are dropped (thesis, 5.2.4).
    """
    own_host = host(document.url)
    seen = {same_page(document.url)}
    links = []
    for element, reference in document.hyperlinks():
        if reference.startswith("#"):
            continue
        url = resolve(reference, document.base)
        if url is None or host(url) != own_host or _extension(url) in _NO_PAGES:
            continue
        page = same_page(url)
        if page not in seen:
            seen.add(page)
            links.append(Link(element, url.partition("#")[0], page))
    return links


def linked_pages(document: Document) -> frozenset[str]:
    """Return the pages of its own host that a page links to (``getLinks`` of Algorithm 2)."""
    return frozenset(link.page for link in site_links(document))


def hyperlink_distance(h: Sequence[str], other: Sequence[str]) -> int:
    """Return the hyperlink distance from ``h`` to another link (thesis, Definition 2.2.5).

    Both are links as directories (`sitestencil.addresses.directories`): what is left of them without their
    common prefix decides. Nothing left of ``h``: plus what is left of the other; else minus what is left of ``h``.
    """
    common = 0
    for ours, theirs in zip(h, other, strict=False):
        if ours != theirs:
            break
        common += 1
    return len(other) - common if common == len(h) else common - len(h)


def dom_distance(path: Sequence[int], other: Sequence[int]) -> int:
    """Return the DOM distance of two nodes given by their paths from the root (thesis, Definition 2.2.10)."""
    common = 0
    for ours, theirs in zip(path, other, strict=False):
        if ours != theirs:
            break
        common += 1
    return len(path) + len(other) - 2 * common


def sort_links(document: Document, links: Sequence[Link]) -> Iterator[Link]:
    """Yield the links in the order in which to load them (thesis, Algorithm 1), as they are asked for.

    Link relevance first: hyperlink distances 0, +1, +2, ..., -1, -2, ... (Definition 2.2.12); among equals, DOM
    relevance: the link farthest from those of its group chosen so far (Definition 2.2.14).
    """
    h = directories(document.url)
    distances = {link: hyperlink_distance(h, directories(link.url)) for link in links}
    paths = {link: document.path(link.element) for link in links}
    nearest = _nearest(document, links)

    def relevance(link: Link) -> tuple[bool, int]:
        return distances[link] < 0, abs(distances[link])

    for _, group in groupby(sorted(links, key=relevance), key=relevance):
        yield from farthest_first(list(group), nearest, lambda a, b: dom_distance(paths[a], paths[b]))


def farthest_first(
    group: Sequence[_T], nearest: Mapping[_T, int], distance: Callable[[_T, _T], int]
) -> Iterator[_T]:
    """Yield a group of equally relevant links, each time the one farthest from those before.

    Args:
        group: the links, in document order, which decides draws.
        nearest: for each link its least distance to any other link of the page: the reference of the first
            pick, which has none before it (methods, 1.3; gives the order of Example 2.2.15).
        distance: the DOM distance of two links.
    """
    least = {link: nearest[link] for link in group}
    first = True
    while least:
        chosen = max(least, key=least.__getitem__)
        del least[chosen]
        yield chosen
        for link, known in least.items():
            found = distance(chosen, link)
            if first or found < known:
                least[link] = found
        first = False


def _nearest(document: Document, links: Sequence[Link]) -> dict[Link, int]:
    """Return each link's least DOM distance to another link, in one pass up and one walk to the root each."""
    depths = [0] * len(document)
    for element, parent in enumerate(document.parents):
        depths[element] = depths[parent] + 1 if parent >= 0 else 1
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
