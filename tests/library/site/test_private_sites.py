"""Where a request may act for a person, only links that look like pages are asked for, by every source."""

import asyncio
import contextlib
from collections.abc import Mapping
from http.cookiejar import CookieJar

import pytest
from tests.support.server import Server

from sitestencil import DETECTORS, HttpSource, NoCandidates, RenderedSource, SitestencilError, extract
from sitestencil.site.sources import network

MENU = "".join(
    f"<li><a href='{path}'>{text}</a>"
    for path, text in {
        "/": "Home",
        "/news": "News",
        "/contact": "Contact",
        "/open-door": "Door",
        "/containers/7/kill": "Kill",
        "/siren/test": "Test",
        "/transfer?to=evil&amount=100": "Transfer",
    }.items()
)
HARMLESS = {"/", "/news", "/contact", "/robots.txt"}


@pytest.fixture
def device(server: Server) -> Server:
    for path in ("/", "/news", "/contact", "/open-door", "/containers/7/kill", "/siren/test", "/transfer"):
        server.add(path, f"<title>{path}</title><nav><ul>{MENU}</ul></nav><p>About {path}".encode())
    return server


@pytest.mark.parametrize("detector", sorted(DETECTORS))
def test_no_detector_asks_a_private_server_for_what_may_act(device: Server, detector: str) -> None:
    extract(f"{device.base}/", detector=detector)
    asked = {request.path for request in device.requests}
    assert asked <= HARMLESS


def test_links_on_linked_pages_count_only_if_the_key_page_has_them(device: Server) -> None:
    device.add("/news", b"<nav><ul><li><a href=/about>About</a><li><a href=/open-door>Door</a></ul></nav>")
    extract(f"{device.base}/", detector="sitelevel")
    assert {request.path for request in device.requests} <= HARMLESS


def test_a_private_page_without_a_link_that_looks_like_a_page_is_told(device: Server) -> None:
    page = "<nav><a href=/relay7>Door</a></nav>"
    with pytest.raises(NoCandidates, match="looks like a page"):
        extract(page, url=f"{device.base}/", detector="temex")
    assert device.requests == []


@pytest.fixture
def manual(server: Server) -> Server:
    """A manual whose addresses do not look like pages."""
    names = [f"{name}7" for name in ("pump", "valve", "relay", "gauge", "hose", "filter")]
    menu = "".join(f"<a href=/{name}>{name}</a>" for name in [*names, "reboot"])
    for name in names:
        told = "".join(f"<p>What the {name} does at {hour} o'clock is told here.</p>" for hour in range(9))
        server.add(f"/{name}", f"<title>{name}</title><div>{menu}</div><h1>{name}</h1>{told}".encode())
    return server


def test_links_that_may_act_are_why_nothing_is_compared_until_a_person_allows_them(manual: Server) -> None:
    template = extract(f"{manual.base}/pump7")
    assert template.doubt == "links_may_act"
    assert [request.path for request in manual.requests] == ["/pump7"]
    assert extract(f"{manual.base}/pump7", all_links=True).doubt is None
    assert "/valve7" in {request.path for request in manual.requests}
    assert "/reboot" not in {request.path for request in manual.requests}


@pytest.mark.parametrize("path", ["/kill/7", "/?relay=1", "/open-door", "/transfer?to=me", "/a;kill=1"])
def test_a_private_key_page_whose_address_may_act_is_not_asked_for_again(device: Server, path: str) -> None:
    with contextlib.suppress(SitestencilError):
        extract("<title>Other</title><p>Nothing like it", url=f"{device.base}{path}")
    assert device.requests == []


@pytest.mark.parametrize(
    ("address", "headers", "has_cookies", "may_act"),
    [
        ("93.184.215.14", {}, False, False),
        ("93.184.215.14", {"Accept-Language": "es"}, False, False),
        ("93.184.215.14", {"Authorization": "Bearer x"}, False, True),
        ("93.184.215.14", {"X-Anything": "x"}, False, True),
        ("93.184.215.14", {}, True, True),
        ("10.0.0.7", {}, False, True),
        ("127.0.0.1", {}, False, True),
        ("fd00::1", {}, False, True),
    ],
)
def test_cookies_headers_and_private_addresses_give_rights(
    monkeypatch: pytest.MonkeyPatch, address: str, headers: Mapping[str, str], has_cookies: bool, may_act: bool
) -> None:
    async def look_up(_: str) -> list[str]:
        return [address]

    monkeypatch.setattr(network, "look_up", look_up)
    source = HttpSource(headers=headers, cookies=CookieJar() if has_cookies else None)
    assert asyncio.run(source.may_act("https://site.example/")) is may_act
    if not headers and not has_cookies:
        assert asyncio.run(RenderedSource().may_act("https://site.example/")) is may_act
