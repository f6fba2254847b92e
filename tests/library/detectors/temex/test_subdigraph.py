"""Algorithm 2, and the clique search behind it against networkx."""

import asyncio
import random
from collections.abc import Mapping

import networkx
from tests.support.memory_source import MemorySource
from tests.support.tables import table

from sitestencil.detectors.temex.detector import find_complete_subdigraph, largest_clique_with
from sitestencil.page.parsing import parse
from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader


@table("density", [0.1, 0.5, 0.9])
def test_the_largest_clique_with_a_page_is_as_large_as_networkx_says(density: float) -> None:
    randomness = random.Random(density)
    for _ in range(30):
        graph = networkx.gnp_random_graph(14, density, seed=randomness.randrange(10**6))
        neighbours = [sum(1 << other for other in graph[node]) for node in range(14)]
        expected = max(len(clique) for clique in networkx.find_cliques(graph) if 0 in clique)
        clique = largest_clique_with(0, neighbours, 14)
        assert len(clique) == expected
        assert 0 in clique
        assert all(graph.has_edge(a, b) for a in clique for b in clique if a < b)


def test_a_graph_of_many_parts_without_the_wanted_clique_is_searched_at_once() -> None:
    parts = networkx.turan_graph(140, 7)
    neighbours = [sum(1 << other for other in parts[node]) for node in range(140)]
    assert len(largest_clique_with(0, neighbours, 8)) == 7


def _site(pages: Mapping[str, str]) -> tuple[PageLoader, MemorySource]:
    key = "http://site.test/key"
    source = MemorySource({f"http://site.test/{name}": html for name, html in pages.items()})
    return PageLoader(parse(pages["key"], key), source), source


def _linking_to(*names: str, text: str = "") -> str:
    return f"<p>{text}" + "".join(f'<a href="/{name}">{name}</a>' for name in names)


def _find(pages: Mapping[str, str], size: int) -> list[LoadedPage]:
    site, _ = _site(pages)
    return asyncio.run(find_complete_subdigraph(site, size))


MENU = ("a", "b", "c", "d")
WHOLE = {"key": _linking_to(*MENU), **{name: _linking_to(*MENU, text=name) for name in MENU}}


def test_pages_that_all_link_to_each_other_are_found_and_no_more_are_loaded_than_needed() -> None:
    site, source = _site(WHOLE)
    subdigraph = asyncio.run(find_complete_subdigraph(site, 3))
    assert len(subdigraph) == 3
    assert site.loads == len(source.asked) == 3


def test_a_page_that_links_nowhere_is_left_out_and_the_next_one_is_taken() -> None:
    names = {page.url.rpartition("/")[2] for page in _find({**WHOLE, "a": "a dead end"}, 3)}
    assert names == {"b", "c", "d"}


def test_the_largest_set_is_returned_where_none_has_the_wanted_size() -> None:
    pages = {
        "key": _linking_to("a", "b", "c"),
        "a": _linking_to("b", text="a"),
        "b": _linking_to("a", text="b"),
        "c": _linking_to("a", text="c"),
    }
    assert {page.url.rpartition("/")[2] for page in _find(pages, 3)} == {"a", "b"}


def test_links_to_pages_that_the_key_page_does_not_link_to_do_not_count() -> None:
    pages = {"key": _linking_to("a", "b"), "a": _linking_to("x", text="a"), "b": _linking_to("x", text="b")}
    assert len(_find(pages, 2)) == 1


def test_a_limit_of_loads_is_kept() -> None:
    site, source = _site({"key": _linking_to(*MENU), **{name: f"dead end {name}" for name in MENU}})
    asyncio.run(find_complete_subdigraph(PageLoader(site.key_page, source, most_pages=2), 3))
    assert len(source.asked) == 2


def test_an_unavailable_page_and_a_copy_of_the_key_page_are_no_candidates() -> None:
    pages = {"key": _linking_to("a", "b", "c", "gone"), "b": _linking_to("a", "c", text="b")}
    pages["a"] = _linking_to("b", "c", text="a")
    pages["c"] = pages["a"]
    assert len(_find(pages, 3)) == 2


class _Slow(MemorySource):
    """Answers the first asked last."""

    async def load(self, link: Link) -> LoadedPage:
        await asyncio.sleep(0.03 if link.url.endswith(("/a", "/c")) else 0.0)
        return await super().load(link)


def test_the_result_does_not_depend_on_which_answer_comes_first() -> None:
    pages = dict(WHOLE)
    addresses = {f"http://site.test/{name}": html for name, html in pages.items()}
    key = parse(pages["key"], "http://site.test/key")
    results = [
        [page.url for page in asyncio.run(find_complete_subdigraph(PageLoader(key, source), 3))]
        for source in (MemorySource(addresses), _Slow(addresses))
    ]
    assert results[0] == results[1]


def test_when_the_time_is_over_what_was_found_so_far_is_returned() -> None:
    pages = dict(WHOLE)

    class Stalling(MemorySource):
        async def load(self, link: Link) -> LoadedPage:
            if len(self.asked) >= 1:
                await asyncio.sleep(60)
            return await super().load(link)

    source = Stalling({f"http://site.test/{name}": html for name, html in pages.items()})
    site = PageLoader(parse(pages["key"], "http://site.test/key"), source, seconds=0.1)
    assert len(asyncio.run(find_complete_subdigraph(site, 3))) <= 1
    assert site.timed_out
