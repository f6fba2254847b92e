"""Pages loaded in rounds: several at a time, in the order they were asked for, and none for long."""

import asyncio
from collections.abc import Sequence

import pytest
from tests.support.memory_source import MemorySource
from tests.support.small_site import HOME, PAGES
from tests.support.tables import table

from sitestencil.page.parsing import parse
from sitestencil.progress import Progress
from sitestencil.site import loading
from sitestencil.site.links import Link, link_to
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader

A, B, C = (f"{HOME}{name}" for name in "abc")
NEVER = 60.0


class DelayedSource(MemorySource):
    """Answers each address after its own time."""

    def __init__(self, seconds: dict[str, float], pages: dict[str, str] = PAGES) -> None:
        super().__init__(pages)
        self.seconds = seconds
        self.cancelled: list[str] = []

    async def load(self, link: Link) -> LoadedPage:
        self.asked.append(link.url)
        try:
            await asyncio.sleep(self.seconds.get(link.url, 0))
        except asyncio.CancelledError:
            self.cancelled.append(link.url)
            raise
        self.asked.pop()
        return await super().load(link)


def load_round(loader: PageLoader, urls: Sequence[str]) -> list[str | None]:
    pages = asyncio.run(loader.load_round([link_to(url) for url in urls]))
    return [None if page is None else page.url for page in pages]


def loader_of(source: MemorySource, **options: float) -> PageLoader:
    return PageLoader(parse(PAGES[HOME], HOME), source, **options)  # type: ignore[arg-type]


@table("first", [A, B, C])
def test_a_round_comes_in_the_order_asked_for_whoever_answers_first(first: str) -> None:
    slow = {url: 0.02 for url in (A, B, C) if url != first}
    assert load_round(loader_of(DelayedSource(slow)), [A, B, C]) == [A, B, C]


@table("first", [A, B])
def test_of_two_copies_the_one_asked_for_first_counts(first: str) -> None:
    copies = {**PAGES, B: PAGES[A]}
    slow = {url: 0.02 for url in (A, B) if url != first}
    assert load_round(loader_of(DelayedSource(slow, copies)), [A, B, C]) == [A, None, C]


def test_the_pages_of_a_round_are_asked_for_at_the_same_time() -> None:
    class Together(MemorySource):
        barrier = asyncio.Barrier(3)

        async def load(self, link: Link) -> LoadedPage:
            await self.barrier.wait()
            return await super().load(link)

    assert load_round(loader_of(Together(PAGES)), [A, B, C]) == [A, B, C]


def test_a_round_goes_on_without_a_page_that_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "_ROUND_SECONDS", 0.2)
    source = DelayedSource({B: NEVER})
    loader = loader_of(source)
    assert load_round(loader, [A, B, C]) == [A, None, C]
    assert source.cancelled == [B]
    assert (loader.loads, loader.pages_received, loader.timed_out) == (3, 2, False)


def test_where_no_page_came_a_round_waits_longer_but_not_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "_ROUND_SECONDS", 0.01)
    monkeypatch.setattr(loading, "_MISS_SECONDS", 0.3)
    source = DelayedSource({B: 0.1, C: NEVER})
    assert load_round(loader_of(source), [f"{HOME}gone", B, C]) == [None, B, None]


def test_the_time_for_all_loads_ends_a_round_too() -> None:
    loader = loader_of(DelayedSource({A: NEVER, B: NEVER}), seconds=0.1)
    assert load_round(loader, [A, B]) == [None, None]
    assert loader.timed_out
    assert not loader.may_still_load()


def test_progress_counts_the_pages_of_a_round_as_they_come() -> None:
    told: list[Progress] = []
    loader = PageLoader(parse(PAGES[HOME], HOME), DelayedSource({A: 0.02}), report=told.append)
    load_round(loader, [A, B, C])
    assert [(progress.pages_loaded, progress.pages_wanted) for progress in told][-1] == (3, 3)
    assert [progress.pages_loaded for progress in told] == [1, 2, 3]


def test_what_is_to_be_done_meanwhile_is_done_while_pages_are_on_their_way() -> None:
    source = DelayedSource({A: 0.05})
    asked: list[str] = []
    asyncio.run(loader_of(source).load_round([link_to(A)], lambda: asked.extend(source.asked)))
    assert asked == [A]
