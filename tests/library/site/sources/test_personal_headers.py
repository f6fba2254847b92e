"""Headers and cookies that a person gives go to the origin of the address given with them, and nowhere else."""

import asyncio
from http.cookiejar import CookieJar
from pathlib import Path

import pytest
from tests.support.server import Server
from tests.support.tables import table

from sitestencil import HttpSource, PageUnavailable, WrongArgument
from sitestencil.site.links import link_to
from sitestencil.site.sources import network
from sitestencil.site.sources.messages import PersonalHeaders, cookies_in


def jar(folder: Path, *lines: str) -> CookieJar:
    file = folder / "cookies.txt"
    file.write_text("# Netscape HTTP Cookie File\n" + "".join(f"{line}\n" for line in lines))
    return cookies_in(file)


async def test_they_are_sent_with_each_request_to_the_origin(server: Server, tmp_path: Path) -> None:
    first, second = server.add("/", b"<p>1"), server.add("/a", b"<p>2")
    mine, other = (f"127.0.0.1\tFALSE\t{path}\tFALSE\t0\tsession\tmine" for path in ("/", "/b"))
    past = "127.0.0.1\tFALSE\t/\tFALSE\t1\tpast\tgone"
    cookies = jar(tmp_path, mine, other, past)
    async with HttpSource(headers={"X-Mine": "yes"}, cookies=cookies) as source:
        await source.load(link_to(first))
        await source.load(link_to(second))
    assert [request.headers["X-Mine"] for request in server.requests] == ["yes", "yes"]
    assert [request.headers["Cookie"] for request in server.requests] == ["session=mine", "session=mine"]


def test_a_redirect_to_another_origin_gets_none_of_them(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "is_public", lambda _: True)
    cookies = jar(tmp_path, "localhost\tFALSE\t/\tFALSE\t0\tsession\tmine")
    with Server() as other:
        goal = other.add("/", b"<p>x").replace("127.0.0.1", "localhost")
        start = server.add("/", b"", status=302, location=goal)

        async def run() -> None:
            async with HttpSource(headers={"Authorization": "Bearer mine"}, cookies=cookies) as source:
                page = await source.load(link_to(start))
                await source.load(link_to(page.url))

        asyncio.run(run())
        assert server.requests[0].headers["Authorization"] == "Bearer mine"
        assert len(other.requests) == 2
        for request in other.requests:
            assert "Authorization" not in request.headers
            assert "Cookie" not in request.headers


@pytest.mark.parametrize(
    "url",
    ["https://example.org:8443/", "http://example.org/", "https://www.example.org/", "https://sub.example.org/"],
)
def test_another_scheme_host_or_port_is_another_origin(tmp_path: Path, url: str) -> None:
    personal = PersonalHeaders({"A": "b"}, jar(tmp_path, ".example.org\tTRUE\t/\tFALSE\t0\tsession\tmine"))
    personal.are_for("https://example.org/a")
    personal.are_for(url)
    assert personal.for_request(url) == {}
    assert personal.for_request("https://example.org/b") == {"A": "b", "Cookie": "session=mine"}


def test_cookies_of_a_header_and_of_a_file_stand_in_one_header_and_secure_ones_go_by_https(tmp_path: Path) -> None:
    personal = PersonalHeaders({"cookie": "a=1"}, jar(tmp_path, "example.org\tFALSE\t/\tTRUE\t0\tb\t2"))
    personal.are_for("https://example.org/")
    assert personal.for_request("https://example.org/") == {"Cookie": "a=1; b=2"}
    plain = PersonalHeaders(None, jar(tmp_path, "example.org\tFALSE\t/\tTRUE\t0\tb\t2"))
    plain.are_for("http://example.org/")
    assert plain.for_request("http://example.org/") == {}


@table(
    ("name", "value"),
    [("", "x"), ("A b", "x"), ("A", "x\r\nB: y"), ("A", "x\0"), ("Host", "other"), ("accept-encoding", "zstd")],
)
def test_what_is_no_header_or_not_the_callers_to_set_is_refused(name: str, value: str) -> None:
    with pytest.raises(WrongArgument):
        HttpSource(headers={name: value})


@pytest.mark.parametrize("target", ["/account/logout", "/lamp/off"])
async def test_the_key_pages_own_redirect_never_acts_with_them(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    monkeypatch.setattr(network, "is_public", lambda _: True)
    server.add(target, b"<p>done")
    start = server.add("/", b"", status=302, location=target)
    cookies = jar(tmp_path, "127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\tmine")
    async with HttpSource(cookies=cookies) as source:
        with pytest.raises(PageUnavailable, match="may do something"):
            await source.load(link_to(start))
    assert [request.path for request in server.requests] == ["/"]
