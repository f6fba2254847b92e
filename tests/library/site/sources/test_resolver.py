"""Which servers are reached: none on a private network but the key page's own, and no name means two machines."""

import asyncio
import socket
import threading
from collections.abc import Iterator

import pytest
from tests.support.tables import table

import sitestencil
from sitestencil.errors import InvalidAddress, PageUnavailable, SitestencilError
from sitestencil.site.sources import network
from sitestencil.site.sources.network import Resolver, Server, look_up

NAMES = {
    "public.example": ["93.184.216.34"],
    "www.public.example": ["93.184.216.35", "2606:4700::1"],
    "inside.example": ["10.0.0.1"],
    "router.lan": ["192.168.1.1"],
    "other.lan": ["192.168.1.2"],
    "mixed.example": ["93.184.216.34", "::1"],
    "127.0.0.1": ["127.0.0.1"],
}


@pytest.fixture(autouse=True)
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    async def table(name: str) -> list[str]:
        return NAMES[name]

    monkeypatch.setattr(network, "look_up", table)


def server(text: str) -> Server:
    scheme, _, rest = text.partition("://")
    name, _, port = rest.partition(":")
    return Server(scheme, name, int(port or {"http": 80, "https": 443}[scheme]))


def reach(key_page: str, *others: str, known: bool = True) -> list[str]:
    """Return the addresses of the last of the servers, reached one after the other."""

    async def run() -> list[str]:
        own = Resolver(server(key_page) if known else None)
        for text in others[:-1] if known else (key_page, *others)[:-1]:
            await own.addresses(server(text))
        return list(await own.addresses(server((key_page, *others)[-1])))

    return asyncio.run(run())


@table("known", [True, False])
def test_public_servers_are_reached_from_a_public_key_page(known: bool) -> None:
    assert reach("http://public.example", known=known) == ["93.184.216.34"]
    assert reach("http://public.example", "https://www.public.example", known=known) == NAMES["www.public.example"]


@table("known", [True, False])
@table("other", ["http://127.0.0.1", "https://inside.example", "http://router.lan", "http://mixed.example"])
def test_no_private_server_is_reached_from_a_public_key_page(other: str, known: bool) -> None:
    with pytest.raises(InvalidAddress, match="private"):
        reach("http://public.example", other, known=known)


@table("known", [True, False])
def test_a_private_key_page_is_reached_where_its_name_says_that_it_is_near_by(known: bool) -> None:
    assert reach("http://127.0.0.1:8000", known=known) == ["127.0.0.1"]
    assert reach("http://router.lan", known=known) == ["192.168.1.1"]


def test_a_public_name_that_comes_to_mean_a_private_machine_is_refused_unless_https_proves_it() -> None:
    with pytest.raises(InvalidAddress, match="a name for everyone"):
        reach("http://inside.example")
    assert reach("https://inside.example") == ["10.0.0.1"]


@table(
    "other",
    [
        "http://router.lan:8080",
        "https://router.lan",
        "http://other.lan",
        "http://public.example",
        "http://127.0.0.1",
    ],
)
@table("known", [True, False])
def test_from_a_private_key_page_no_other_server_is_reached(other: str, known: bool) -> None:
    with pytest.raises(InvalidAddress, match="private network"):
        reach("http://router.lan", other, known=known)


def test_a_name_with_public_and_private_addresses_is_refused_for_the_key_page_too() -> None:
    with pytest.raises(InvalidAddress, match="public and private"):
        reach("https://mixed.example")


def test_a_name_is_resolved_once_so_that_it_cannot_come_to_mean_another_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = iter([["93.184.216.34"], ["127.0.0.1"]])

    async def rebinding(_: str) -> list[str]:
        await asyncio.sleep(0)
        return next(answers)

    monkeypatch.setattr(network, "look_up", rebinding)

    async def four_times() -> None:
        own = Resolver()
        site = server("http://site.example")
        assert await asyncio.gather(*(own.addresses(site) for _ in range(3))) == [["93.184.216.34"]] * 3
        assert await own.addresses(site) == ["93.184.216.34"]

    asyncio.run(four_times())


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """Make the system's resolver hang until the test ends; what it has returned."""
    end, returned = threading.Event(), list[object]()

    def getaddrinfo(*_: object, **__: object) -> list[object]:
        end.wait(60)
        returned.append([])
        return []

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    monkeypatch.setattr(network, "look_up", look_up)
    monkeypatch.setattr(network, "RESOLVER_SECONDS", 0.2)
    yield returned
    end.set()


def test_a_resolver_that_hangs_holds_neither_an_extraction_nor_its_end(hanging: list[object]) -> None:
    with pytest.raises(SitestencilError, match=r"slow\.example was not resolved within"):
        sitestencil.extract("http://slow.example/")
    assert not hanging


@table("name", ["nowhere.invalid", "a" * 70, "\udcff", "a..b", "x" * 300 + ".org"])
def test_a_name_that_cannot_be_resolved_is_told_by_name(name: str) -> None:
    with pytest.raises(OSError, match="check the spelling"):
        asyncio.run(look_up(name))


def test_a_key_page_that_must_not_be_reached_is_told_in_words() -> None:
    with pytest.raises(PageUnavailable, match="a name for everyone"):
        sitestencil.extract("http://inside.example/")
