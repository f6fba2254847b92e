"""Error pages and almost empty pages, by real frames: said in words, never remembered, and never taught from."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.host.test_remembering import FIRST, FURTHER, MENU, answers, article, kept, snapshot

from sitestencil.memory.store import FILE_NAME, PageStore

if TYPE_CHECKING:
    from tests.host.conftest import Host, Website

MISSING_PAGE = "<title>404 Not Found</title><h1>Not Found</h1><p>No such page on this server.</p>"
SHELL = "<!doctype html><title>App</title><div id=app></div><script src=/app.js></script>"
BUILT = (
    "<!doctype html><title>App</title><div id=app><header><a href=/news/news.html>One</a>"
    "<a href=/news/events.html>Two</a></header><main><h1>Nets</h1><p>How nets are mended.</p></main></div>"
)


@pytest.fixture
def store(tmp_path: Path) -> PageStore:
    """Return the pages that the host remembers."""
    return PageStore(tmp_path / "data" / FILE_NAME)


def test_after_a_missing_page_a_page_that_scripts_build_is_in_doubt_and_nothing_is_remembered(
    host: "Host", website: "Website", store: PageStore
) -> None:
    website.pages = dict.fromkeys(["/", *MENU], SHELL)
    missing = answers(host, website.snapshot("/gone/1.html", MISSING_PAGE))[-1]["summary"]
    assert (missing["doubt"], missing["remembered"]) == ("error_page", False)
    for _ in range(2):
        built = answers(host, website.snapshot("/news/news.html", BUILT))[-1]["summary"]
        assert (built["doubt"], built["remembered"]) == ("built_by_scripts", False)
    assert kept(website, store) == []


@pytest.mark.parametrize("status", [404, 410, 503])
def test_an_error_page_in_the_site_s_own_design_is_told_by_its_status(
    host: "Host", website: "Website", store: PageStore, status: int
) -> None:
    website.pages = {path: article(path) for path in MENU}
    page = {**website.snapshot("/news/lost.html", article("/news/lost.html")), "status": status}
    assert answers(host, page)[-1]["summary"]["doubt"] == "error_page"
    assert kept(website, store) == []
    assert answers(host, {**page, "status": 200})[-1]["summary"]["doubt"] is None


def test_a_site_s_error_pages_with_a_good_status_are_neither_compared_nor_remembered(
    host: "Host", website: "Website", store: PageStore
) -> None:
    website.pages = {path: article(path) for path in MENU}
    website.pages[MENU[1]] = website.pages[MENU[1]].replace(f"<h2>{MENU[1]}", "<h1>Page not found</h1><h2>")
    result = answers(host, snapshot(website, FIRST))[-1]["summary"]
    assert result["doubt"] is None
    assert MENU[1] in website.asked
    assert website.url + MENU[1] not in result["candidates"]
    assert MENU[1] not in kept(website, store)
    assert answers(host, snapshot(website, FURTHER))[-1]["summary"]["remembered"] is True
