"""Connections to a server: opened before they are asked for, used again, and made anew where the server hung up."""

import asyncio
import gc
from collections.abc import Sequence

import pytest
from tests.support.counting_server import CERTIFICATE, CountingServer, counting_server
from tests.support.tables import table

from sitestencil.errors import PageUnavailable
from sitestencil.site.links import link_to
from sitestencil.site.sources import connections as connections_module
from sitestencil.site.sources import network
from sitestencil.site.sources.http import HttpSource


async def load(source: HttpSource, server: CountingServer, *paths: str, scheme: str = "http") -> list[int]:
    """Return how long the pages are that are loaded at once."""
    links = [link_to(f"{scheme}://127.0.0.1:{server.port}{path}") for path in paths]
    pages = await asyncio.gather(*map(source.load, links))
    return [len(page.content) for page in pages if isinstance(page.content, bytes)]


async def test_one_page_after_the_other_comes_over_one_connection() -> None:
    async with counting_server() as server, HttpSource() as source:
        for path in ("/a", "/b", "/c"):
            await load(source, server, path)
        assert server.paths_by_connection == [["/a", "/b", "/c"]]


async def test_pages_at_once_take_the_connections_that_were_opened_for_them() -> None:
    async with counting_server() as server, HttpSource(f"http://127.0.0.1:{server.port}/") as source:
        await source.prepare(3)
        await server.wait_for(3)
        assert not server.requests
        await load(source, server, "/a", "/b", "/c", "/d")
        assert sorted(server.requests) == ["/a", "/b", "/c", "/d"]
        assert server.connections == 4


async def test_pages_wait_for_connections_that_are_about_to_be_open() -> None:
    async with counting_server() as server, HttpSource(f"http://127.0.0.1:{server.port}/") as source:
        await source.prepare(2)
        await load(source, server, "/a", "/b")
        assert server.connections == 2


def test_the_tls_handshake_is_over_before_a_page_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))

    async def run() -> None:
        async with counting_server(tls=True) as server, HttpSource(f"https://127.0.0.1:{server.port}/") as source:
            await source.prepare(2)
            await server.wait_for(2)
            assert not server.requests
            assert len(await load(source, server, "/a", "/b", scheme="https")) == 2
            assert server.connections == 2

    asyncio.run(run())
    gc.collect()


def test_a_server_that_nobody_vouches_for_is_asked_for_nothing() -> None:
    async def run() -> None:
        async with counting_server(tls=True) as server, HttpSource(f"https://127.0.0.1:{server.port}/") as source:
            await source.prepare(1)
            with pytest.raises(PageUnavailable, match="its certificate is not trusted"):
                await load(source, server, "/a", scheme="https")
            assert not server.requests

    asyncio.run(run())
    gc.collect()


@pytest.mark.parametrize(
    "addresses",
    [["127.0.0.1"], ["127.0.0.1", "93.184.215.14"]],
    ids=["a public name that stands for a private address", "public and private addresses"],
)
def test_what_must_not_be_reached_is_not_connected_to_beforehand(
    monkeypatch: pytest.MonkeyPatch, addresses: Sequence[str]
) -> None:
    async def look_up(_: str) -> Sequence[str]:
        return addresses

    monkeypatch.setattr(network, "look_up", look_up)

    async def run() -> None:
        async with counting_server() as server, HttpSource(f"http://site.example:{server.port}/") as source:
            await source.prepare(4)
            await asyncio.sleep(0.1)
            assert server.connections == 0

    asyncio.run(run())


async def test_a_resting_connection_that_the_server_closes_costs_no_page() -> None:
    async with counting_server() as server, HttpSource() as source:
        server.hang_up = lambda connection, request: connection == 0 and request == 1
        await load(source, server, "/a")
        await load(source, server, "/b")
        assert server.paths_by_connection == [["/a"], ["/b"]]


async def test_a_server_that_hangs_up_on_a_new_connection_is_not_asked_again() -> None:
    async with counting_server() as server, HttpSource() as source:
        server.hang_up = lambda connection, request: True
        with pytest.raises(PageUnavailable, match="hung up without an answer"):
            await load(source, server, "/a")
        assert server.connections == 1


async def test_a_connection_that_has_rested_too_long_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections_module, "IDLE_SECONDS", 0.0)
    async with counting_server() as server, HttpSource() as source:
        await load(source, server, "/a")
        await load(source, server, "/b")
        assert server.paths_by_connection == [["/a"], ["/b"]]


async def test_an_answer_that_is_not_read_to_its_end_takes_its_connection_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sitestencil.site.sources.http.PAGE_BYTES", 10)
    async with counting_server() as server, HttpSource() as source:
        for path in ("/a", "/b"):
            with pytest.raises(PageUnavailable, match="larger"):
                await load(source, server, path)
        assert server.connections == 2


@pytest.mark.parametrize("first", ["refuses", "is silent"])
def test_a_server_is_tried_at_its_next_address(monkeypatch: pytest.MonkeyPatch, first: str) -> None:
    real_open = asyncio.open_connection

    async def open_connection(
        address: str, port: int, **options: object
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if address == "127.0.0.2":
            if first == "refuses":
                raise ConnectionRefusedError(111, "refused")
            await asyncio.sleep(60)
        return await real_open(address, port, **options)  # type: ignore[arg-type]

    async def look_up(_: str) -> Sequence[str]:
        return ["127.0.0.2", "127.0.0.1"]

    monkeypatch.setattr(connections_module, "SECONDS_BEFORE_NEXT_ADDRESS", 0.05)
    monkeypatch.setattr(asyncio, "open_connection", open_connection)
    monkeypatch.setattr(network, "look_up", look_up)

    async def run() -> None:
        async with counting_server() as server, HttpSource() as source:
            assert len(await load(source, server, "/a")) == 1
            assert server.connections == 1

    asyncio.run(run())


POISON = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\nPOISON"


@table("moment", ["while it rests", "while the loop is busy", "with the answer"])
def test_bytes_that_come_unasked_do_not_answer_the_next_request(moment: str) -> None:
    async def run() -> None:
        async with counting_server() as server, HttpSource() as source:
            server.after_answer = POISON if moment == "with the answer" else b""
            await load(source, server, "/a")
            if moment != "with the answer":
                server.writers[0].write(POISON)
                await asyncio.sleep(0.05 if moment == "while it rests" else 0)
            page = await source.load(link_to(f"http://127.0.0.1:{server.port}/b"))
            assert isinstance(page.content, bytes)
            assert page.content.endswith(b"/b")
            assert server.connections == 2

    asyncio.run(run())


async def test_bytes_that_come_before_the_first_request_do_not_answer_it() -> None:
    async with counting_server() as server, HttpSource(f"http://127.0.0.1:{server.port}/") as source:
        await source.prepare(1)
        await server.wait_for(1)
        server.writers[0].write(POISON)
        await asyncio.sleep(0.05)
        page = await source.load(link_to(f"http://127.0.0.1:{server.port}/a"))
        assert isinstance(page.content, bytes)
        assert page.content.endswith(b"/a")


@pytest.mark.parametrize("port", [22, 25, 6000, 6667, 10080])
async def test_a_port_of_no_web_server_is_not_connected_to(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncio, "open_connection", lambda *_, **__: pytest.fail("a connection is made"))
    async with HttpSource(f"http://127.0.0.1:{port}/") as source:
        await source.prepare(1)
        with pytest.raises(PageUnavailable, match=f"port {port}"):
            await source.load(link_to(f"http://127.0.0.1:{port}/a"))


async def test_closing_closes_what_was_opened_and_never_used() -> None:
    async with counting_server() as server:
        async with HttpSource(f"http://127.0.0.1:{server.port}/") as source:
            await source.prepare(2)
            await server.wait_for(2)
        async with asyncio.timeout(10):
            await asyncio.gather(*(writer.wait_closed() for writer in server.writers))
