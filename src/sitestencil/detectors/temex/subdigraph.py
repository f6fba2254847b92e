"""Find the complete subdigraph: pages that all link to each other (thesis, section 2.2.5; definitions.md, 1.4)."""

from collections.abc import Collection
from functools import partial
from typing import NamedTuple

from sitestencil.site.links import all_site_links, linked_pages, page_in_site, sort_links
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader, passing_over


class CompleteSubdigraph(NamedTuple):
    """A set of mutually linked pages, without the key page.

    Attributes:
        pages: its pages, in the order they were loaded: m of an m-CS.
        loads: the number of pages requested until it was complete.
    """

    pages: tuple[LoadedPage, ...]
    loads: int


async def find_complete_subdigraphs(loader: PageLoader, sizes: Collection[int]) -> dict[int, CompleteSubdigraph]:
    """Load pages that the key page links to until some of them form an n-CS (thesis, Algorithm 2).

    Args:
        loader: loads pages of the key page's site.
        sizes: n, the number of pages wanted; each page is loaded once for all of several n.

    Returns:
        An n-CS for each n. Without one, the first largest m-CS with m < n; empty if nothing could be loaded.
    """
    with loader.stopwatch.phase("candidates"):
        links = all_site_links(loader.key_page)
        # Links that act take part in the order, which uses the places of all links, but they are not loaded.
        order = (link for link in sort_links(loader.key_page, links) if loader.may_follow(link))
    reachable = frozenset(link.page for link in links)
    pages: list[LoadedPage] = []
    addresses: list[str] = []
    targets: list[frozenset[str]] = []
    mutual: list[int] = []
    best: dict[int, list[int]] = {size: [] for size in sizes}
    loads: dict[int, int] = {}

    def still_wanted() -> int:
        return max(size - len(members) for size, members in best.items())

    async for page in loader.load_ahead(partial(next, order, None), still_wanted):
        linked = None
        with passing_over(page.url):
            linked = linked_pages(loader.read(page), loader.key_page.url)
        if linked is None:
            continue
        with loader.stopwatch.phase("candidates"):
            new, address = len(pages), page_in_site(page.requested, loader.key_page.url)
            pages.append(page)
            addresses.append(address)
            targets.append(linked & reachable)
            mutual.append(0)
            for other in range(new):
                if addresses[other] in targets[new] and address in targets[other]:
                    mutual[new] |= 1 << other
                    mutual[other] |= 1 << new
            for size in sizes:
                if size in loads:
                    continue
                clique = largest_clique_with(new, mutual, size)
                if len(clique) > len(best[size]):
                    best[size] = clique
                if len(best[size]) >= size:
                    loads[size] = loader.loads
        if len(loads) == len(best):
            break
    return {
        size: CompleteSubdigraph(tuple(pages[index] for index in members), loads.get(size, loader.loads))
        for size, members in best.items()
    }


def largest_clique_with(member: int, neighbours: list[int], most: int) -> list[int]:
    """Return the largest set of mutually linked pages that contains a given page, in ascending order.

    Args:
        member: the page that the set must contain.
        neighbours: per page, the bit set of the pages mutually linked with it.
        most: the size at which to stop.

    This is branch and bound over bit sets. The candidates of a branch are coloured so that no two neighbours share
    a colour. A candidate is skipped if one page of each colour up to its own would not beat the best set.
    """
    best: list[int] = [member]

    def extend(chosen: list[int], candidates: int) -> None:
        nonlocal best
        if len(chosen) > len(best):
            best = chosen
        for page, colour in reversed(_coloured(candidates, neighbours)):
            if len(best) >= most or len(chosen) + colour <= len(best):
                return
            extend([*chosen, page], candidates & neighbours[page])
            candidates &= ~(1 << page)

    extend([member], neighbours[member])
    return sorted(best[:most])


def _coloured(pages: int, neighbours: list[int]) -> list[tuple[int, int]]:
    """Return the pages of a bit set with greedy colours 1, 2, ..., in ascending order of colour."""
    coloured = []
    colour = 0
    while pages:
        colour += 1
        free = pages
        while free:
            lowest = free & -free
            page = lowest.bit_length() - 1
            coloured.append((page, colour))
            pages ^= lowest
            free &= ~(lowest | neighbours[page])
    return coloured
