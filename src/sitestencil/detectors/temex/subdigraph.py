"""Find the complete subdigraph: pages that all link to each other (thesis, section 2.2.5; definitions.md, 1.4)."""

from functools import partial

from sitestencil.site.links import all_site_links, linked_pages, page_in_site, sort_links
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader, passing_over


async def find_complete_subdigraph(loader: PageLoader, size: int) -> list[LoadedPage]:
    """Load pages that the key page links to until some of them form an n-CS (thesis, Algorithm 2).

    Args:
        loader: loads pages of the key page's site.
        size: n, the number of pages wanted, at least 1.

    Returns:
        The pages of the n-CS without the key page, in the order they were loaded. Without an n-CS, those of the
        first largest m-CS with m < n; none if nothing could be loaded.
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
    best: list[int] = []

    def still_wanted() -> int:
        return size - len(best)

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
            best = max(best, largest_clique_with(new, mutual, size), key=len)
        if len(best) >= size:
            break
    return [pages[index] for index in best]


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
