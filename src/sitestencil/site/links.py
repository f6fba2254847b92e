"""Collect the key page's links, and order them for loading (thesis, section 2.2; definitions.md, 1.1 to 1.3)."""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, groupby
from typing import NamedTuple, Protocol, TypeVar

from sitestencil.page.document import Document, LinkLabel
from sitestencil.site.followable import NO_PAGES, is_button, link_acts
from sitestencil.urls import (
    cached_if_short,
    directories,
    origin,
    page_key,
    resolve,
    resolving_base,
    site_host,
    spelled_as,
)

_T = TypeVar("_T", bound=Hashable)
_CHOSEN = -1
# Of 7,500 stored pages the most links to other pages were 3,458.
MOST_LINKS = 3_500


@dataclass(frozen=True, slots=True)
class Link:
    """A hyperlink: its element, its absolute address, and the page it leads to.

    Attributes:
        element: the element's number; of several links to one page, the first one's.
        url: the absolute address.
        page: the common form of all addresses of the page.
        acts: whether following it may act (`site.followable`); then it must not be loaded.
    """

    element: int
    url: str
    page: str
    acts: bool = False


def link_to(url: str) -> Link:
    """Return a link for an address from elsewhere: a site's front page, or a given address."""
    return Link(0, url, page_key(url))


class Linking(Protocol):
    """A page as a source of links: a document or a sketch."""

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
        """Return the page's description of a link, given as `hyperlinks` yields it."""
        ...


def site_links(
    document: Linking,
    followed: set[tuple[str, str]] | None = None,
    *,
    key_url: str | None = None,
    most: int = MOST_LINKS,
) -> list[Link]:
    """Return the page's links to other pages of its site that may be followed.

    The arguments are those of `all_site_links`.
    """
    return [link for link in all_site_links(document, followed, key_url=key_url, most=most) if not link.acts]


def has_site_links(document: Linking) -> bool:
    """Return whether a page has a link to another page of its site that does not seem to act."""
    for element, reference, url, _ in _targets(document, document.url):
        label = document.link_label(element, reference)
        if not (link_acts(url, label) or is_button(label.attributes)):
            return True
    return False


def all_site_links(
    document: Linking,
    followed: set[tuple[str, str]] | None = None,
    *,
    key_url: str | None = None,
    most: int = MOST_LINKS,
) -> list[Link]:
    """Return the page's links to other pages of its site, each page once, in document order.

    Links to the page itself, repeated links and links to other sites are dropped (thesis, 5.2.4). A host with and
    without ``www.`` is one site. Addresses take the key page's spelling, so links of an https page use https. A
    page's link acts if one of its links seems to act, or if all are buttons (`site.followable`).

    Args:
        document: the page.
        followed: references that are resolved already and are skipped; the page adds its own. A look-up is faster
            than resolving the repeated links of a site.
        key_url: the address of the site's key page; by default the page's own.
        most: how many pages count, the first ones.
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
        if len(links) >= most:
            break
    return list(links.values())


def linked_pages(document: Linking, key_url: str | None = None) -> frozenset[str]:
    """Return the pages of the site that a page links to (``getLinks`` of Algorithm 2)."""
    return frozenset(target.page for *_, target in _targets(document, key_url or document.url))


@lru_cache(maxsize=16384)
def page_in_site(url: str, key_url: str) -> str:
    """Return the page of the key page's site that an address leads to: see `page_key`."""
    return page_key(spelled_as(url, key_url))


def _targets(
    document: Linking, key_url: str, followed: set[tuple[str, str]] | None = None
) -> "Iterator[tuple[int, str, str, _Target]]":
    """Yield each link to another page of the site: element, reference, address and target."""
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
        target = _page_of(url, key_url) if url is not None else None
        if url is not None and target is not None and target.page != own_page:
            yield element, reference, url, target


class _Target(NamedTuple):
    url: str
    page: str


@cached_if_short
def _page_of(url: str, key_url: str) -> _Target | None:
    """Return an address's page of the site; None if it leads elsewhere."""
    # Most links share the key page's spelling.
    is_spelled_alike = url.startswith(_front_page(key_url))
    if not (is_spelled_alike or site_host(url) == site_host(key_url)) or extension(url) in NO_PAGES:
        return None
    spelled = (url if is_spelled_alike else spelled_as(url, key_url)).partition("#")[0]
    return _Target(spelled, page_key(spelled))


@lru_cache(maxsize=64)
def _front_page(url: str) -> str:
    """Return the address of the host's front page."""
    return f"{origin(url)}/"


def hyperlink_distance(h: Sequence[str], other: Sequence[str]) -> int:
    """Return the hyperlink distance from ``h`` to another link (thesis, Definition 2.2.5).

    Both are lists of directories (`sitestencil.urls.directories`), compared without their common prefix. If nothing
    of ``h`` is left, return the rest of the other; else return minus the rest of ``h``.
    """
    shorter = min(len(h), len(other))
    common = next((at for at in range(shorter) if h[at] != other[at]), shorter)
    return len(other) - common if common == len(h) else common - len(h)


def sort_links(document: Document, links: Sequence[Link]) -> Iterator[Link]:
    """Yield the links in the order to load them (thesis, Algorithm 1), lazily.

    Link relevance comes first: hyperlink distances 0, +1, +2, ..., -1, -2, ... (Definition 2.2.12). Among equals
    DOM relevance decides: the link farthest from those chosen so far in its group (Definition 2.2.14).
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

        def distances_from(link: Link, others: Sequence[int] = by_element) -> list[int]:
            return _dom_distances(document, depths, link.element, others)

        yield from farthest_first(members, nearest, distances_from)


def farthest_first(
    group: Sequence[_T], nearest: Mapping[_T, int], distances: Callable[[_T], Sequence[int]]
) -> Iterator[_T]:
    """Yield a group of equally relevant links; each is the farthest from those before.

    Args:
        group: the links in document order, which breaks ties.
        nearest: each link's least distance to any other link of the page. It decides the first pick
            (definitions.md, 1.3), and gives the order of Example 2.2.15.
        distances: returns the DOM distances from a link to the whole group, in order.
    """
    least = [nearest[link] for link in group]
    for pick in range(len(group)):
        chosen = max(range(len(group)), key=least.__getitem__)
        yield group[chosen]
        found = distances(group[chosen])
        least = list(map(min, least, found)) if pick else list(found)
        least[chosen] = _CHOSEN


def _dom_distances(document: Document, depths: Sequence[int], element: int, others: Sequence[int]) -> list[int]:
    """Return the DOM distances from an element to others, which ascend.

    Elements share the depth of their nearest common ancestor with it.
    """
    distances: list[int] = []
    after: list[list[int]] = []
    depth, low, high, common = depths[element], 0, len(others), 1
    for ancestor in document.path(element):
        first = bisect_left(others, ancestor, low, high)
        last = bisect_left(others, document.ends[ancestor], first, high)
        distances += [depth + depths[other] - 2 * common for other in others[low:first]]
        after.append([depth + depths[other] - 2 * common for other in others[last:high]])
        low, high, common = first, last, depths[ancestor]
    distances += [depths[other] - depth for other in others[low:high]]
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
    # Per element, the two least depths of a link in its subtree, from different branches or from itself.
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
    # Per element, the least of a link's depth minus twice that of their common ancestor.
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
    """Update an element with the least depth of a link in one of its branches."""
    if depth < best[element]:
        second[element], best[element], branches[element] = best[element], depth, branch
    else:
        second[element] = min(second[element], depth)


def extension(url: str) -> str:
    """Return the ending of an address's last name, in small letters; empty without one."""
    path = url.partition("#")[0].partition("?")[0]
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""
