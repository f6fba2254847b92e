"""Files that a page is drawn with come under the rules of pages, from any host of the web."""

import asyncio

import pytest
from tests.support.server import Answer, SiteServer
from tests.support.tables import table

from sitestencil import extract, load_files
from sitestencil.errors import PageUnavailable
from sitestencil.offline import load_wanted
from sitestencil.outputs.files import File, NeededFile
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources.http import FileSource

CSS = Answer(b"nav { background: url(/b.png) }", "text/css; charset=utf-8")
PNG = Answer(b"\x89PNG\r\n\x1a\n...", "image/png")


def loaded(key_url: str, url: str, *, is_sheet: bool = False) -> LoadedPage:
    async def load() -> LoadedPage:
        async with FileSource(key_url) as source:
            return await source.load_file(url, is_sheet=is_sheet)

    return asyncio.run(load())


def test_a_sheet_comes_with_its_bytes_and_its_charset() -> None:
    with SiteServer({"/a.css": CSS}) as server:
        page = loaded(server.base + "/", server.base + "/a.css", is_sheet=True)
    assert (page.content, page.charset) == (CSS.body, "utf-8")
    (request,) = server.requests
    assert request.agent.startswith("Sitestencil/")
    assert "Cookie" not in request.headers


@table(
    ("answer", "why"),
    [
        (Answer(b"<p>Log in", "text/html"), "not a style sheet"),
        (Answer(b"gone", "text/css", status=404), "404"),
        (Answer(b" " * 5_000_001, "text/css"), "5 MB"),
        (Answer(b"", status=302, headers={"Location": "file:///etc/passwd"}), "no web page"),
        (Answer(b"", status=302, headers={"Location": "http://127.0.0.1:8081/x.css"}), "key page's server"),
    ],
)
def test_what_is_no_sheet_too_large_or_elsewhere_is_not_to_be_had(answer: Answer, why: str) -> None:
    with SiteServer({"/a.css": answer}) as server, pytest.raises(PageUnavailable, match=why):
        loaded(server.base + "/", server.base + "/a.css", is_sheet=True)


def test_a_file_may_redirect_to_any_name_that_does_not_act_since_it_is_no_page() -> None:
    answers = {
        path: Answer(b"", status=302, headers={"Location": to})
        for path, to in (("/a", "/x7"), ("/b", "/kill?do=it"))
    }
    with SiteServer({"/x7": PNG, **answers}) as server:
        assert loaded(server.base + "/", server.base + "/a").content == PNG.body
        with pytest.raises(PageUnavailable, match="may do something"):
            loaded(server.base + "/", server.base + "/b")


def test_a_page_leads_to_no_other_private_machine() -> None:
    with SiteServer({"/b.png": PNG}) as server:
        with pytest.raises(PageUnavailable, match="private network"):
            loaded("https://example.org/", server.base.replace("http:", "https:") + "/b.png")
        with SiteServer({}) as other, pytest.raises(PageUnavailable, match="not the key page's server"):
            loaded(other.base + "/", server.base + "/b.png")
    assert server.requests == []


def test_a_page_by_https_asks_for_nothing_in_clear() -> None:
    with pytest.raises(PageUnavailable, match="https"):
        loaded("https://example.org/", "http://example.org/b.png")


def test_a_template_is_drawn_without_its_server() -> None:
    menu = b"<!doctype html><link rel=stylesheet href=/a.css><nav><img src=/b.png><a href=/1>1</a><a href=/2>2</a>"
    pages = {
        path: Answer(menu + b"</nav>" + content) for path, content in (("/", b"x"), ("/1", b"y"), ("/2", b"z"))
    }
    progress: list[int] = []
    with SiteServer({**pages, "/a.css": CSS, "/b.png": PNG}) as server:
        template = extract(server.base + "/")
        files = load_files(template, progress=lambda told: progress.append(told.pages_loaded))
    assert progress == [1, 2]
    html = template.to_html(files=files)
    assert html.count("data:image/png;base64,") == 2
    assert f"{server.base}/a.css" not in html


def test_limits_of_number_bytes_and_time_leave_files_out(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = [NeededFile(f"https://example.org/{number}", "picture") for number in range(5)]

    async def fetch(one: NeededFile) -> File:
        await asyncio.sleep(9 if one.url.endswith("/4") else 0)
        return File(one.url, b"x" * 10)

    def loaded_files(seconds: float) -> int:
        return len(asyncio.run(load_wanted(lambda _: wanted, fetch, seconds=seconds)))

    assert loaded_files(0.3) == 4
    monkeypatch.setattr("sitestencil.offline.MOST_FILES", 3)
    assert loaded_files(5) == 3
    monkeypatch.setattr("sitestencil.offline.MOST_BYTES", 20)
    assert loaded_files(5) == 2
