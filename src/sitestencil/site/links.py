"""The key page's links, and the order in which to load them (thesis, section 2.2; definitions.md, 1.1 to 1.3)."""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain, groupby
from typing import NamedTuple, Protocol, TypeVar

from sitestencil.page.document import Document, LinkLabel
from sitestencil.site.followable import is_button, link_acts
from sitestencil.urls import directories, origin, page_key, resolve, resolving_base, site_host, spelled_as

_T = TypeVar("_T", bound=Hashable)
_CHOSEN = -1
# Of 7,500 stored pages none links to more than 3,458 others.
MOST_LINKS = 3_500

# Resources that a menu may link to and that hold no element tree.
_NO_PAGES = frozenset(
    "7z apk atom avi bmp bz2 css csv deb dmg doc docx epub exe gif gz ico ics iso jar jpeg jpg js json m4a m4v "
    "mkv mov mp3 mp4 mpeg mpg msi odp ods odt ogg pdf png ppt pptx ps rar rdf rpm rss rtf svg swf tar tgz tif "
    "tiff tsv txt wav webm webp wma wmv woff woff2 xls xlsx xml xz zip".split()
)


@dataclass(frozen=True, slots=True)
class Link:
    """A hyperlink: the element that carries it, its absolute address, and the page it leads to.

    Attributes:
        element: the element's number; of several links to one page, the first's.
        url: the absolute address.
        page: what all addresses of the page have in common.
        acts: whether following it may do something (`site.followable`); then it must not be loaded.
    """

    element: int
    url: str
    page: str
    acts: bool = False


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

    def link_label(self, element: int, reference: str, /) -> LinkLabel:
        """Return what the page says of a link, given as `hyperlinks` yields it."""
        ...


def site_links(
    document: Linking, followed: set[tuple[str, str]] | None = None, *, key_url: str | None = None
) -> list[Link]:
    """Return the page's links to other pages of its site that may be followed.

    The arguments are those of `all_site_links`.
    """
    return [link for link in all_site_links(document, followed, key_url=key_url) if not link.acts]


def all_site_links(
    document: Linking, followed: set[tuple[str, str]] | None = None, *, key_url: str | None = None
) -> list[Link]:
    """Return the page's links to other pages of its own site, each page once, in document order.

    Self links, repeated links and links to other sites are dropped (thesis, 5.2.4). The host with and without
    ``www.`` is one site, and an https page's links are asked for by https, whatever they say: their addresses are
    spelled as the key page's. A page's link acts if any of those to it seems to, or if all are buttons
    (`site.followable`). What stands behind the first `MOST_LINKS` pages is not looked at: no page that anybody made
    links to as many.

    Args:
        document: the page.
        followed: references and what they resolve by, which are passed over; the page's come to them. Pages of a
            site repeat each other's links, and to resolve one takes longer than to look it up.
        key_url: the address of the site's key page; by default the page's own.
    """
    key_url = key_url or document.url
    links: dict[str, Link] = {}
    acting: set[str] = set()
    for element, reference, url, target in _targets(document, key_url, followed):
        if target.page in acting:
            continue
        label = document.link_label(element, reference)
        link, acts = links.get(target.page), link_acts(url, label)
        if acts:
            acting.add(target.page)
        if link is None:
            acts = acts or is_button(label.attributes)
            links[target.page] = Link(element, target.url, target.page, acts)
        elif acts or (link.acts and not is_button(label.attributes)):
            links[target.page] = replace(link, acts=acts)
        if len(links) >= MOST_LINKS:
            break
    return list(links.values())


def linked_pages(document: Linking, key_url: str | None = None) -> frozenset[str]:
    """Return the pages of the site that a page links to (``getLinks`` of Algorithm 2)."""
    return frozenset(target.page for *_, target in _targets(document, key_url or document.url))


@lru_cache(maxsize=16384)
def page_in_site(url: str, key_url: str) -> str:
    """Return which page of the key page's site an address leads to: see `page_key`."""
    return page_key(spelled_as(url, key_url))


def _targets(
    document: Linking, key_url: str, followed: set[tuple[str, str]] | None = None
) -> "Iterator[tuple[int, str, str, _Target]]":
    """Yield each link to another page of the site: element, reference, address, and where it leads."""
    base, own_page = document.base, page_in_site(document.url, key_url)
    for element, reference in document.hyperlinks():
        if reference.startswith("#"):
            continue
        if followed is not None:
            written = resolving_base(reference, base), reference
            if written in followed:
                continue
            followed.add(written)
        url = resolve(reference, base)
        target = _page_of(url, key_url)
        if url is not None and target is not None and target.page != own_page:
            yield element, reference, url, target


class _Target(NamedTuple):
    url: str
    page: str


@lru_cache(maxsize=16384)
def _page_of(url: str | None, key_url: str) -> _Target | None:
    """Return which page of the site an address leads to, if it leads to one."""
    if url is None:
        return None
    # Most links are spelled as the key page is.
    is_spelled_alike = url.startswith(_front_page(key_url))
    if not (is_spelled_alike or site_host(url) == site_host(key_url)) or _extension(url) in _NO_PAGES:
        return None
    own = (url if is_spelled_alike else spelled_as(url, key_url)).partition("#")[0]
    return _Target(own, page_key(own))


@lru_cache(maxsize=64)
def _front_page(url: str) -> str:
    """Return the address of the host's front page."""
    return f"{origin(url)}/"


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
    after: list[list[int]] = []
    own, low, high, common = depths[element], 0, len(others), 1
    for ancestor in document.path(element):
        first = bisect_left(others, ancestor, low, high)
        last = bisect_left(others, document.ends[ancestor], first, high)
        distances += [own + depths[other] - 2 * common for other in others[low:first]]
        after.append([own + depths[other] - 2 * common for other in others[last:high]])
        low, high, common = first, last, depths[ancestor]
    distances += [depths[other] - own for other in others[low:high]]
    return [*distances, *chain.from_iterable(reversed(after))]


def _depths(document: Document) -> list[int]:
    """Return the number of nodes on each element's path."""
    depths: list[int] = []
    for parent in document.parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 1)
    return depths


def _nearest(document: Document, depths: Sequence[int], links: Sequence[Link]) -> dict[Link, int]:
    """Return each link's least DOM distance to another link, in one pass up the tree and one down."""
    far = 2 * max(depths) + 2
    count, parents = len(depths), document.parents
    # Per element the least depths of a link in its subtree by two different branches: children, or itself.
    best, second, best_branch = [far] * count, [far] * count, [-1] * count
    is_link = [False] * count
    for link in links:
        is_link[link.element] = True
    for element in range(count - 1, -1, -1):
        if is_link[element]:
            _enter(best, second, best_branch, element, element, depths[element])
        parent = parents[element]
        if parent >= 0 and best[element] < far:
            _enter(best, second, best_branch, parent, element, best[element])
    # Per element the least of a link's depth less twice that of the ancestor at which its path parts from this one.
    outside = [far] * count
    for element in range(1, count):
        parent = parents[element]
        other = second[parent] if best_branch[parent] == element else best[parent]
        outside[element] = min(outside[parent], other - 2 * depths[parent])
    nearest = {}
    for link in links:
        element = link.element
        below = second[element] if best_branch[element] == element else best[element]
        nearest[link] = min(far, depths[element] + outside[element], below - depths[element])
    return nearest


def _enter(best: list[int], second: list[int], branches: list[int], element: int, branch: int, depth: int) -> None:
    """Take in the least depth of a link in a branch of an element's subtree."""
    if depth < best[element]:
        second[element], best[element], branches[element] = best[element], depth, branch
    else:
        second[element] = min(second[element], depth)


def _extension(url: str) -> str:
    path = url.partition("#")[0].partition("?")[0]
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""
