"""Pages over HTTP, from a server on this machine."""

import asyncio
import gzip
import time
from http.server import BaseHTTPRequestHandler
from importlib import import_module

import pytest
from tests.support.server import Server

from sitestencil import __version__
from sitestencil.errors import PageUnavailable
from sitestencil.site.links import link_to
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources import http as http_source
from sitestencil.site.sources.http import HttpSource


def fetch(url: str, key_url: str | None = None) -> LoadedPage:
    async def run() -> LoadedPage:
        async with HttpSource(key_url) as source:
            return await source.load(link_to(url))

    return asyncio.run(run())


def test_a_page_comes_with_its_bytes_and_the_headers_charset(server: Server) -> None:
    url = server.add("/", "<p>Привет".encode("koi8-r"), kind="text/html; charset=KOI8-R")
    response = fetch(url)
    assert response.charset == "KOI8-R"
    assert response.document().texts[0].text == "Привет"


def test_the_user_agent_is_honest(server: Server) -> None:
    fetch(server.add("/", b"<p>"))
    assert f"Sitestencil/{__version__}" in server.requests[0].agent


def test_compressed_pages_are_unpacked(server: Server) -> None:
    url = server.add("/", gzip.compress(b"<p>packed"), content_encoding="gzip")
    assert fetch(url).content == b"<p>packed"
    brotli = import_module("brotli")
    url = server.add("/br", brotli.compress(b"<p>packed"), content_encoding="br")
    assert fetch(url).content == b"<p>packed"
    assert "br" in server.requests[0].headers["Accept-Encoding"]


def test_a_redirect_on_the_same_host_is_followed_and_the_last_address_counts(server: Server) -> None:
    server.add("/new/", b"<p>here")
    url = server.add("/old", b"", status=301, location="/new/")
    assert fetch(url, url).url == f"{server.base}/new/"


def test_a_candidate_that_redirects_to_another_host_is_unavailable(server: Server) -> None:
    url = server.add("/", b"", status=302, location=f"http://localhost:{server.port}/x")
    with pytest.raises(PageUnavailable, match="leads away"):
        fetch(url, url)


def test_the_key_page_may_redirect_to_the_host_that_it_then_stays_on(server: Server) -> None:
    server.add("/x", b"<p>")
    start = server.add("/", b"", status=302, location=f"http://localhost:{server.port}/x")

    async def run() -> None:
        async with HttpSource() as source:
            assert (await source.load(link_to(start))).url == f"http://localhost:{server.port}/x"
            with pytest.raises(PageUnavailable, match="leads away"):
                await source.load(link_to(start))

    asyncio.run(run())


def test_a_circle_of_redirects_ends(server: Server) -> None:
    url = server.add("/", b"", status=302, location="/")
    with pytest.raises(PageUnavailable, match="more than 10 times"):
        fetch(url)


@pytest.mark.parametrize("media_type", ["application/pdf", "image/png", "text/plain", "application/json", ""])
def test_only_html_is_a_page(server: Server, media_type: str) -> None:
    url = server.add("/", b"%PDF", kind=media_type)
    with pytest.raises(PageUnavailable, match="not HTML"):
        fetch(url)


def test_xhtml_is_a_page(server: Server) -> None:
    assert fetch(server.add("/", b"<p>", kind="application/xhtml+xml")).content == b"<p>"


@pytest.mark.parametrize("status", [404, 403, 500, 204])
def test_an_error_page_is_unavailable_with_its_status(server: Server, status: int) -> None:
    url = server.add("/", b"<p>sorry", status=status, kind="" if status == 204 else "text/html")
    with pytest.raises(PageUnavailable, match=str(status) if status != 204 else "not HTML"):
        fetch(url)


def test_a_page_over_the_limit_is_unavailable_also_when_it_is_packed(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_source, "PAGE_BYTES", 1_000_000)
    url = server.add("/", gzip.compress(b" " * 2_000_000), content_encoding="gzip")
    with pytest.raises(PageUnavailable, match="larger than 1 MB"):
        fetch(url)


def test_a_page_that_takes_too_long_is_unavailable(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_source, "PAGE_SECONDS", 0.2)

    def dribble(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("content-type", "text/html")
        request.end_headers()
        for _ in range(100):
            try:
                request.wfile.write(b"<p>")
            except OSError:
                return
            time.sleep(0.05)

    server.answers["/"] = dribble
    start = time.monotonic()
    with pytest.raises(PageUnavailable, match="no answer within"):
        fetch(f"{server.base}/")
    assert time.monotonic() - start < 3


def test_a_broken_answer_and_a_closed_port_are_unavailable(server: Server) -> None:
    url = server.add("/", b"no gzip", content_encoding="gzip")
    with pytest.raises(PageUnavailable, match="could not be loaded"):
        fetch(url)
    with pytest.raises(PageUnavailable, match="could not be loaded"):
        fetch("http://127.0.0.1:9/")


def test_a_host_that_does_not_exist_is_told_by_name() -> None:
    with pytest.raises(PageUnavailable, match=r"nowhere\.invalid"):
        fetch("http://nowhere.invalid/")


def test_private_addresses_are_reached_only_from_a_key_page_on_one(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {"public.test": ["93.184.216.34"], "inside.test": ["10.0.0.1"], "both.test": ["93.184.216.34", "::1"]}

    async def look_up(name: str, _: int) -> list[str]:
        return names[name]

    monkeypatch.setattr(http_source, "_look_up", look_up)

    async def addresses(*hosts: str) -> list[str]:
        resolver = http_source._Resolver()
        return [address for name in hosts for address in await resolver.addresses(name, 80)]

    assert asyncio.run(addresses("inside.test", "public.test")) == ["10.0.0.1", "93.184.216.34"]
    for private in ("inside.test", "both.test"):
        with pytest.raises(Exception, match="private network"):
            asyncio.run(addresses("public.test", private))


def test_a_name_is_resolved_once_so_that_it_cannot_come_to_mean_another_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = iter([["93.184.216.34"], ["127.0.0.1"]])

    async def look_up(*_: object) -> list[str]:
        return next(answers)

    monkeypatch.setattr(http_source, "_look_up", look_up)

    async def twice() -> None:
        resolver = http_source._Resolver()
        first = await resolver.addresses("site.test", 80)
        assert await resolver.addresses("site.test", 80) == first

    asyncio.run(twice())
