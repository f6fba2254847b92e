"""A proxy that the environment names is asked, but not for what must not be reached, nor for this machine."""

import asyncio
import gc
import ssl
from collections.abc import Iterator, Sequence

import pytest
from tests.library.site.sources.test_http import fetch
from tests.support.counting_server import CERTIFICATE, counting_server
from tests.support.proxy import Proxy, tunnel_to
from tests.support.server import Server
from tests.support.small_site import HOME, PAGES

from sitestencil import HttpSource, PageUnavailable, extract
from sitestencil.site.links import link_to
from sitestencil.site.sources import connections, network
from sitestencil.site.sources.http import FileSource

PUBLIC = "http://public.example/"
TUNNELLED = "https://public.example/"


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxy]:
    """A proxy that knows a small site, which nothing else does."""
    pages = {url.replace(HOME, PUBLIC): html.encode() for url, html in PAGES.items()}
    with Proxy(pages) as running:
        monkeypatch.setenv("http_proxy", running.address)
        monkeypatch.setenv("https_proxy", running.address)
        yield running


@pytest.fixture(autouse=True)
def no_names_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    async def look_up(name: str) -> Sequence[str]:
        known = {"127.0.0.1": ["127.0.0.1"], "inside.example": ["10.0.0.7"], "also.example": ["93.184.215.14"]}
        if name not in known:
            raise OSError(f"the host {name} is not known")
        return known[name]

    monkeypatch.setattr(network, "look_up", look_up)


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The certificate of the tests is trusted, and taken for any name's."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    context = ssl.create_default_context(cafile=CERTIFICATE)
    context.check_hostname = False
    monkeypatch.setattr(connections, "tls_context", lambda: context)


def test_a_site_is_extracted_through_the_proxy_by_name(proxy: Proxy) -> None:
    template = extract(PUBLIC)
    assert template.content_text() == "Key story\n"
    assert len(template.candidates) == 3
    assert ("GET", PUBLIC) in proxy.requests


def test_https_asks_the_proxy_for_a_tunnel(proxy: Proxy) -> None:
    with pytest.raises(PageUnavailable, match="proxy answered 403"):
        fetch("https://public.example/")
    assert proxy.requests == [("CONNECT", "public.example:443")]


@pytest.mark.parametrize("proxy_speaks_tls", [False, True])
def test_an_https_page_comes_through_the_tunnel_and_nothing_of_it_is_told_to_the_proxy(
    monkeypatch: pytest.MonkeyPatch, trusted: None, proxy_speaks_tls: bool
) -> None:
    async def run() -> None:
        async with counting_server(tls=True) as server, tunnel_to(server.port, tls=proxy_speaks_tls) as tunnel:
            monkeypatch.setenv("https_proxy", tunnel.address.replace("//", "//me:a%20secret@"))
            async with HttpSource(headers={"Authorization": "Bearer mine"}) as source:
                for path in ("a", "b"):
                    page = await source.load(link_to(TUNNELLED + path))
                    assert isinstance(page.content, bytes)
                    assert page.content.endswith(b"/" + path.encode())
            assert server.paths_by_connection == [["/a", "/b"]]
            assert len(tunnel.heads) == 1
            assert tunnel.heads[0].startswith("CONNECT public.example:443 HTTP/1.1\r\n")
            assert "Basic bWU6YSBzZWNyZXQ=" in tunnel.heads[0]
            assert "mine" not in tunnel.heads[0]

    asyncio.run(run())
    gc.collect()


def test_a_proxy_that_speaks_into_its_tunnel_is_refused(monkeypatch: pytest.MonkeyPatch, trusted: None) -> None:
    async def run() -> None:
        async with counting_server(tls=True) as server, tunnel_to(server.port, says=b"hello") as tunnel:
            monkeypatch.setenv("https_proxy", tunnel.address)
            async with HttpSource() as source:
                with pytest.raises(PageUnavailable, match="into the tunnel"):
                    await source.load(link_to(TUNNELLED))
            assert not server.requests

    asyncio.run(run())
    gc.collect()


@pytest.mark.parametrize(
    "url",
    [
        "http://intranet.corporation.example/logo.png",
        "http://public.example:8080/logo.png",
        "https://public.example:8443/logo.png",
        "http://inside.example/logo.png",
        "http://router/logo.png",
        "http://public.example:22/logo.png",
    ],
)
async def test_files_behind_a_proxy_come_from_no_name_and_port_that_may_be_inside(proxy: Proxy, url: str) -> None:
    async with FileSource(PUBLIC) as source:
        with pytest.raises(PageUnavailable):
            await source.load_file(url, is_sheet=False)
    assert proxy.requests == []


@pytest.mark.parametrize("url", [PUBLIC + "x.png", "http://www.public.example/x.png", "http://also.example/x.png"])
async def test_files_behind_a_proxy_come_from_the_pages_own_site_and_known_public_machines(
    proxy: Proxy, url: str
) -> None:
    proxy.pages[url] = b"\x89PNG"
    async with FileSource(PUBLIC) as source:
        await source.load_file(url, is_sheet=False)
    assert proxy.requests == [("GET", url)]


@pytest.mark.parametrize("address", ["http://[", "http://", "http://:80"])
def test_a_proxy_whose_address_cannot_be_read_is_told(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("http_proxy", address)
    with pytest.raises(PageUnavailable, match="cannot be read"):
        fetch(PUBLIC)


def test_a_proxy_without_a_scheme_and_one_for_all_are_taken(proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("http_proxy")
    monkeypatch.setenv("all_proxy", proxy.address.removeprefix("http://"))
    assert b"Key story" in bytes(fetch(PUBLIC).content)  # type: ignore[arg-type]


def test_user_and_password_of_the_proxy_go_to_the_proxy(proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", proxy.address.replace("//", "//me:secret@"))
    fetch(PUBLIC)
    assert proxy.headers[0]["Proxy-Authorization"].startswith("Basic ")


def test_this_machine_and_what_no_proxy_names_are_asked_themselves(
    proxy: Proxy, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch(server.add("/", b"<p>x"))
    monkeypatch.setenv("no_proxy", "public.example")
    with pytest.raises(PageUnavailable, match=r"public\.example is not known"):
        fetch(PUBLIC)
    assert proxy.requests == []


@pytest.mark.parametrize("url", ["http://inside.example/", "http://10.0.0.7/", "http://router/"])
def test_the_proxy_is_no_way_from_the_web_into_the_network(proxy: Proxy, url: str) -> None:
    async def run() -> None:
        async with HttpSource() as source:
            await source.load(link_to("http://also.example/"))

    with pytest.raises(PageUnavailable, match="404"):
        asyncio.run(run())
    with pytest.raises(PageUnavailable, match=r"leads away|private"):
        fetch(url, "http://also.example/")
    assert proxy.requests == [("GET", "http://also.example/")]


def test_within_the_site_a_name_on_the_private_network_is_refused_behind_a_proxy(
    proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def look_up(name: str) -> Sequence[str]:
        return ["10.0.0.7"] if name.startswith("www.") else ["93.184.215.14"]

    monkeypatch.setattr(network, "look_up", look_up)
    with pytest.raises(PageUnavailable, match="private network"):
        fetch("http://www.also.example/", "http://also.example/")
    assert proxy.requests == []


def test_a_proxy_of_another_kind_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "socks5://127.0.0.1:9")
    with pytest.raises(PageUnavailable, match="names a socks5 proxy"):
        fetch(PUBLIC)
