"""The bounded crawl."""

import asyncio

from tests.support.memory_source import MemorySource

from sitestencil.page.parsing import parse
from sitestencil.site.frontier import PAGES_AT_A_TIME, crawl
from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader

HOME = "http://site.test/"


def page(name: str, links: list[str]) -> str:
    return f"<!doctype html><title>{name}</title>" + "".join(f'<a href="{link}">{link}</a>' for link in links)


PAGES = {
    HOME: page("home", ["/", "/a", "/b", "/missing"]),
    f"{HOME}a": page("a", ["/", "/b", "/a1", "/a2"]),
    f"{HOME}b": page("b", ["/", "/b1", "http://elsewhere.test/"]),
    f"{HOME}a1": page("a1", ["/deep"]),
    f"{HOME}a2": page("a2", []),
    f"{HOME}b1": page("b1", []),
    f"{HOME}deep": page("deep", []),
}


def pages_of(source: MemorySource, most_pages: int = 100, most_loads: int = 100, seed: int = 0) -> list[str]:
    async def run() -> list[str]:
        site = PageLoader(parse(source.pages[HOME], HOME), source)
        return [found.url.removeprefix(HOME) async for found in crawl(site, most_pages, most_loads, seed)]

    return asyncio.run(run())


def test_pages_come_breadth_first_each_once_and_never_the_key_page() -> None:
    source = MemorySource(PAGES)
    found = pages_of(source)
    assert set(found[:2]) == {"a", "b"}
    assert set(found[2:5]) == {"a1", "a2", "b1"}
    assert found[5:] == ["deep"]
    assert len(source.asked) == len(set(source.asked)) == 7
    assert HOME not in source.asked


def test_the_bounds_hold() -> None:
    source = MemorySource(PAGES)
    assert len(pages_of(source, most_pages=3)) == 3
    assert pages_of(source, most_pages=0) == []
    bounded = MemorySource(PAGES)
    pages_of(bounded, most_loads=2)
    assert len(bounded.asked) == 2


def test_one_seed_gives_one_sample_and_seeds_give_different_ones() -> None:
    many = {HOME: page("home", [f"/{number}" for number in range(30)])}
    many |= {f"{HOME}{number}": page(str(number), []) for number in range(30)}
    first = pages_of(MemorySource(many), 5)
    assert pages_of(MemorySource(many), 5) == first
    assert pages_of(MemorySource(many), 5, seed=1) != first


def test_links_that_robots_should_not_follow_are_not_followed() -> None:
    source = MemorySource({HOME: '<a rel="NoFollow" href="/a">a</a><a href="/b">b</a>', f"{HOME}b": "b"})
    assert pages_of(source) == ["b"]
    assert source.asked == [f"{HOME}b"]


def test_no_more_than_four_pages_are_asked_for_at_a_time() -> None:
    class Counting(MemorySource):
        now = most = 0

        async def load(self, link: Link) -> LoadedPage:
            self.now += 1
            self.most = max(self.most, self.now)
            await asyncio.sleep(0.001)
            self.now -= 1
            return await super().load(link)

    many = {HOME: page("home", [f"/{number}" for number in range(30)])}
    many |= {f"{HOME}{number}": page(str(number), []) for number in range(30)}
    source = Counting(many)
    assert len(pages_of(source)) == 30
    assert source.most == PAGES_AT_A_TIME
