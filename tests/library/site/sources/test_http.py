"""Pages over HTTP, from a server on this machine."""

import asyncio
import gzip
import socket
import time
import tracemalloc
import zlib
from collections.abc import Mapping
from contextlib import closing
from http.server import BaseHTTPRequestHandler
from importlib import import_module
from pathlib import Path

import pytest
from tests.support.server import Server
from tests.support.tables import table

import sitestencil
from sitestencil import __version__
from sitestencil.errors import PageUnavailable
from sitestencil.site.links import Link, link_to
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources import http as http_source
from sitestencil.site.sources import network
from sitestencil.site.sources.http import HttpSource
from sitestencil.site.sources.messages import seconds_to_wait


def fetch(url: str, key_url: str | None = None) -> LoadedPage:
    async def run() -> LoadedPage:
        async with HttpSource(key_url) as source:
            return await source.load(link_to(url))

    return asyncio.run(run())


def sent_headers(server: Server) -> list[Mapping[str, str]]:
    return [request.headers for request in server.requests]


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


@pytest.fixture
def public(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this machine count as one of the public internet."""
    monkeypatch.setattr(network, "is_public", lambda _: True)


@pytest.mark.usefixtures("public")
async def test_the_key_page_may_redirect_to_the_host_that_it_then_stays_on(server: Server) -> None:
    server.add("/x", b"<p>")
    start = server.add("/", b"", status=302, location=f"http://localhost:{server.port}/x")
    async with HttpSource() as source:
        assert (await source.load(link_to(start))).url == f"http://localhost:{server.port}/x"
        with pytest.raises(PageUnavailable, match="leads away"):
            await source.load(link_to(start))


@pytest.mark.usefixtures("public")
def test_a_long_chain_of_redirects_ends(server: Server) -> None:
    for number in range(20):
        server.add(f"/{number}", b"", status=302, location=f"/{number + 1}")
    with pytest.raises(PageUnavailable, match="more than 10 times"):
        fetch(f"{server.base}/0")
    assert len(server.requests) == 11


@pytest.mark.parametrize("status", [300, 301, 302, 303, 304, 307, 308])
def test_a_redirect_without_a_target_is_unavailable_at_once(server: Server, status: int) -> None:
    url = server.add("/", b"", status=status)
    with pytest.raises(PageUnavailable, match="redirects to no web page"):
        fetch(url)
    assert len(server.requests) == 1


async def test_cookies_are_neither_kept_nor_sent_back(server: Server) -> None:
    set_cookie = "session=secret; Path=/"
    server.add("/new", b"<p>", set_cookie=set_cookie)
    start = server.add("/old", b"", status=302, location="/new", set_cookie=set_cookie)
    async with HttpSource(start) as source:
        for url in (start, f"{server.base}/new"):
            await source.load(link_to(url))
    assert len(server.requests) == 3
    assert not any("cookie" in map(str.lower, headers) for headers in sent_headers(server))


async def test_user_and_password_of_an_address_are_not_sent(server: Server) -> None:
    with_user = server.base.replace("//", "//ann:secret@")
    server.add("/to", b"<p>")
    server.add("/from", b"", status=302, location=f"{with_user}/to")
    async with HttpSource() as source:
        page = await source.load(link_to(f"{with_user}/from"))
        assert page.url == f"{server.base}/to"
        assert (await source.load(Link(0, f"{with_user}/to", ""))).url == f"{server.base}/to"
    assert len(server.requests) == 3
    assert not any("authorization" in map(str.lower, headers) for headers in sent_headers(server))


def test_passwords_kept_in_a_netrc_file_are_not_sent(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login ann password secret")
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    monkeypatch.setenv("HOME", str(tmp_path))
    fetch(server.add("/", b"<p>"))
    assert "Authorization" not in server.requests[0].headers


@pytest.mark.parametrize("packing", ["gzip, gzip", "deflate, gzip", "gzip,gzip,gzip,gzip,gzip", "br, identity, br"])
def test_a_page_packed_more_than_once_is_unavailable_before_it_is_unpacked(server: Server, packing: str) -> None:
    url = server.add("/", gzip.compress(gzip.compress(b"<p>")), content_encoding=packing)
    with pytest.raises(PageUnavailable, match=r"is packed [25] times"):
        fetch(url)


def test_a_page_packed_in_a_way_that_nobody_asked_for_is_unavailable(server: Server) -> None:
    url = server.add("/", b"<p>", content_encoding="compress")
    with pytest.raises(PageUnavailable, match="packed as compress"):
        fetch(url)


def test_a_small_file_that_unpacks_to_gigabytes_takes_little_memory(server: Server) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join(packer.compress(bytes(1_000_000)) for _ in range(1000)) + packer.flush()
    url = server.add("/", bomb, content_encoding="gzip")
    tracemalloc.start()
    try:
        with pytest.raises(PageUnavailable, match="larger than 5 MB"):
            fetch(url)
        assert tracemalloc.get_traced_memory()[1] < 30_000_000
    finally:
        tracemalloc.stop()


def sources_answers(url: str, *links: str) -> list[str]:
    """Return what the links of a site give, one after the other: "page", or why there is none."""

    async def run() -> list[str]:
        answers = []
        async with HttpSource(url) as source:
            for link in links:
                try:
                    await source.load(link_to(link))
                    answers.append("page")
                except PageUnavailable as error:
                    answers.append(str(error))
        return answers

    return asyncio.run(run())


def test_a_server_that_asks_for_a_short_wait_is_waited_for_once(server: Server) -> None:
    statuses = iter([429, 200])

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(next(statuses))
        request.send_header("content-type", "text/html")
        request.send_header("retry-after", "1")
        request.end_headers()
        request.wfile.write(b"<p>")

    server.answers["/"] = answer
    start = time.monotonic()
    assert sources_answers(f"{server.base}/", f"{server.base}/") == ["page"]
    assert time.monotonic() - start > 0.9


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (429, {}),
        (429, {"retry_after": "3600"}),
        (429, {"retry_after": "soon"}),
        (503, {"retry_after": "Fri, 31 Dec 2099 23:59:59 GMT"}),
    ],
)
def test_a_server_that_asks_for_fewer_requests_gets_no_further_one(
    server: Server, status: int, headers: dict[str, str]
) -> None:
    url = server.add("/", b"", status=status, **headers)
    answers = sources_answers(url, url, f"{server.base}/a", f"{server.base}/b")
    assert all(f"answered {status}, which asks for fewer requests" in answer for answer in answers)
    assert len(server.requests) == 1


def test_a_server_that_asks_for_a_wait_again_and_again_is_asked_twice(server: Server) -> None:
    url = server.add("/", b"", status=503, retry_after="0")
    assert "asks for fewer requests" in sources_answers(url, url, url)[1]
    assert len(server.requests) == 2


def test_a_server_error_without_a_wait_speaks_of_that_page_only(server: Server) -> None:
    broken, whole = server.add("/a", b"", status=503), server.add("/b", b"<p>")
    assert sources_answers(broken, broken, whole)[1] == "page"


@table(
    ("text", "seconds"),
    [
        ("0", 0),
        (" 12 ", 12),
        ("1" * 5000, 111111111),
        ("-1", None),
        ("1.5", None),
        ("", None),
        (None, None),
        ("²", None),
    ],
)
def test_a_wait_is_read_as_whole_seconds_or_not_at_all(text: str | None, seconds: float | None) -> None:
    assert seconds_to_wait(text) == seconds


def test_a_wait_may_end_at_a_date() -> None:
    assert seconds_to_wait("Fri, 31 Dec 1999 23:59:59 GMT") == 0
    assert 1e9 < (seconds_to_wait("Fri, 31 Dec 2099 23:59:59 GMT") or 0) < 1e10
    assert seconds_to_wait("Fri, 31 Dec 99999999999999999999 23:59:59 GMT") is None


@pytest.mark.usefixtures("public")
def test_an_https_key_page_is_not_followed_into_the_clear(server: Server) -> None:
    url = server.add("/", b"<p>")
    assert "is not encrypted" in sources_answers(url.replace("http:", "https:"), url)[0]
    assert not server.requests


def test_the_site_is_the_host_with_and_without_www(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    async def look_up(_: str) -> list[str]:
        return ["127.0.0.1"]

    monkeypatch.setattr(network, "look_up", look_up)
    monkeypatch.setattr(network, "is_public", lambda _: True)
    server.add("/a", b"", status=301, location=f"http://www.site.example:{server.port}/b")
    server.add("/b", b"<p>")
    own = f"http://site.example:{server.port}/"
    assert sources_answers(own, f"{own}a", f"http://www.site.example:{server.port}/b") == ["page", "page"]
    assert "leads away" in sources_answers(own, f"http://www2.site.example:{server.port}/b")[0]


def test_from_a_private_key_page_only_its_own_server_is_reached(server: Server) -> None:
    own = server.add("/", b"<p>")
    server.add("/name", b"", status=302, location=own.replace("127.0.0.1", "localhost"))

    async def run() -> None:
        async with HttpSource() as source:
            for path in ("/away", "/name"):
                with pytest.raises(PageUnavailable, match="private network"):
                    await source.load(link_to(f"{server.base}{path}"))

    with Server() as other:
        server.add("/away", b"", status=302, location=other.add("/about", b"<p>"))
        asyncio.run(run())
        assert not other.requests


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
    with pytest.raises(PageUnavailable, match="did not answer within"):
        fetch(f"{server.base}/")


def test_a_broken_answer_and_a_closed_port_are_unavailable(server: Server) -> None:
    url = server.add("/", b"no gzip", content_encoding="gzip")
    with pytest.raises(PageUnavailable, match="could not be loaded"):
        fetch(url)
    with pytest.raises(PageUnavailable, match="port 9"):
        fetch("http://127.0.0.1:9/")
    with closing(socket.create_server(("127.0.0.1", 0))) as nobody:
        port = nobody.getsockname()[1]
    with pytest.raises(PageUnavailable, match="refuses connections"):
        fetch(f"http://127.0.0.1:{port}/")


def test_a_host_that_does_not_exist_is_told_by_name() -> None:
    with pytest.raises(PageUnavailable, match=r"nowhere\.invalid"):
        fetch("http://nowhere.invalid/")


@pytest.mark.parametrize(
    ("key", "path", "target", "words"),
    [
        (None, "/", "/", "in a circle"),
        (None, "/", "/#again", "in a circle"),
        ("/a", "/a", "/account/delete?id=5", "may do something"),
        # On a private server each target must look like a page.
        ("/", "/about", "/siren", "may do something"),
        ("/", "/about", "/garage?door=1", "may do something"),
        ("/", "/about", "/about/siren", "may do something"),
        ("/", "/about", "/unbolt-the-front-gate", "may do something"),
        ("/", "/about", "/news?page=2&page=x", "may do something"),
    ],
)
def test_a_redirect_in_a_circle_or_to_what_may_act_is_not_followed(
    server: Server, key: str | None, path: str, target: str, words: str
) -> None:
    start = server.add(path, b"", status=302, location=target)
    with pytest.raises(PageUnavailable, match=words):
        fetch(start, key and f"{server.base}{key}")
    assert len(server.requests) == 1


def test_a_private_server_cannot_do_so_by_a_detour(server: Server) -> None:
    server.add("/news", b"", status=302, location="/siren")
    start = server.add("/about", b"", status=302, location="/news")
    with pytest.raises(PageUnavailable, match="/siren, which may do something"):
        fetch(start, f"{server.base}/")


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/relay7", "/relay7/"),
        ("/relay7/", "/relay7"),
        ("/relay7", "/relay7/index.html"),
        ("/relay7/index.html", "/relay7/"),
        ("/start", "/about"),
        ("/about", "/about/team"),
        ("/start", "/"),
    ],
)
def test_a_private_server_may_redirect_to_the_same_page_and_to_what_looks_like_one(
    server: Server, path: str, target: str
) -> None:
    goal = server.add(target, b"<p>here")
    start = server.add(path, b"", status=301, location=target)
    assert fetch(start, f"{server.base}/").url == goal


@pytest.mark.usefixtures("public")
def test_a_public_site_may_redirect_anywhere_within_itself(server: Server) -> None:
    goal = server.add("/siren", b"<p>here")
    start = server.add("/about", b"", status=302, location="/siren")
    assert fetch(start, f"{server.base}/").url == goal


def crawlable(server: Server, *paths: str) -> list[bool]:
    async def run() -> list[bool]:
        async with HttpSource(f"{server.base}/") as source:
            return list(
                await asyncio.gather(*(source.may_crawl(link_to(f"{server.base}{path}")) for path in paths))
            )

    return asyncio.run(run())


def test_a_crawl_asks_robots_txt_once_and_keeps_to_it(server: Server) -> None:
    for_all = b"User-agent: *\nDisallow: /private/\nDisallow: /*.php$\nAllow: /private/open"
    server.add("/robots.txt", b"User-agent: other\nDisallow: /\n\n" + for_all, kind="text/plain")
    paths = ("/", "/private/", "/private/open", "/x.php", "/x.php?y")
    assert crawlable(server, *paths) == [True, False, True, False, True]
    assert len(server.requests) == 1


def test_rules_for_this_program_by_name_go_before_those_for_all(server: Server) -> None:
    rules = b"\xef\xbb\xbfUser-agent: Sitestencil\nDisallow: /\n\nUser-agent: *\nDisallow:"
    server.add("/robots.txt", rules, kind="text/plain")
    assert crawlable(server, "/a") == [False]


@pytest.mark.parametrize(
    ("status", "allowed"), [(404, True), (403, True), (500, False), (503, False), (429, False)]
)
def test_a_site_without_rules_may_be_crawled_and_one_that_cannot_tell_may_not(
    server: Server, status: int, allowed: bool
) -> None:
    server.add("/robots.txt", b"Disallow: /", status=status)
    assert crawlable(server, "/a") == [allowed]


@pytest.mark.usefixtures("public")
def test_rules_behind_a_redirect_count(server: Server) -> None:
    server.add("/robots.txt", b"", status=301, location="/rules.txt")
    server.add("/rules.txt", b"User-agent: *\nDisallow: /a", kind="text/plain")
    assert crawlable(server, "/a", "/b") == [False, True]


def test_detectors_that_crawl_keep_to_robots_txt_and_those_that_load_a_handful_need_not_ask(server: Server) -> None:
    pages = {
        path: f"<title>{path}</title><nav><a href=/>home</a><a href=/about>a</a><a href=/blog>b</a></nav>"
        for path in ("/", "/about", "/blog")
    }
    for path, page in pages.items():
        server.add(path, page.encode())
    server.add("/robots.txt", b"User-agent: *\nDisallow: /blog", kind="text/plain")

    def asked(detector: str) -> list[str]:
        server.requests.clear()
        template = sitestencil.extract(f"{server.base}/", detector=detector)
        paths = [request.path for request in server.requests]
        assert {f"{server.base}{path}" for path in paths} >= set(template.candidates)
        return sorted(paths)

    for detector in ("sitelevel", "alignment"):
        assert asked(detector) == ["/", "/about", "/robots.txt"]
    assert asked("temex") == ["/", "/about", "/blog"]
