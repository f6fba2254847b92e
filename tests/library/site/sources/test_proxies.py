"""A proxy that the environment names is asked, but not for what must not be reached, nor for this machine."""

import asyncio
from collections.abc import Iterator, Sequence

import pytest
from tests.support.proxy import Proxy
from tests.support.server import Server
from tests.support.small_site import HOME, PAGES

from sitestencil import HttpSource, LoadedPage, PageUnavailable, extract
from sitestencil.site.links import link_to
from sitestencil.site.sources import resolver

PUBLIC = "http://public.example/"


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

    monkeypatch.setattr(resolver, "look_up", look_up)


def fetch(url: str, key_url: str | None = None) -> LoadedPage:
    async def run() -> LoadedPage:
        async with HttpSource(key_url) as source:
            return await source.load(link_to(url))

    return asyncio.run(run())


def test_a_site_is_extracted_through_the_proxy_by_name(proxy: Proxy) -> None:
    template = extract(PUBLIC)
    assert template.content_text() == "Key story\n"
    assert len(template.candidates) == 3
    assert ("GET", PUBLIC) in proxy.requests


def test_https_asks_the_proxy_for_a_tunnel(proxy: Proxy) -> None:
    with pytest.raises(PageUnavailable, match="could not be loaded: 403"):
        fetch("https://public.example/")
    assert proxy.requests == [("CONNECT", "public.example:443")]


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
    with pytest.raises(PageUnavailable, match=r"leads away|private|near by"):
        fetch(url, "http://also.example/")
    assert proxy.requests == [("GET", "http://also.example/")]


def test_within_the_site_a_name_on_the_private_network_is_refused_behind_a_proxy(
    proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def look_up(name: str) -> Sequence[str]:
        return ["10.0.0.7"] if name.startswith("www.") else ["93.184.215.14"]

    monkeypatch.setattr(resolver, "look_up", look_up)
    with pytest.raises(PageUnavailable, match="private network"):
        fetch("http://www.also.example/", "http://also.example/")
    assert proxy.requests == []


def test_a_proxy_of_another_kind_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "socks5://127.0.0.1:9")
    with pytest.raises(PageUnavailable, match="names a socks5 proxy"):
        fetch(PUBLIC)
