"""The memory of sites, as a person meets it: the next page shows with no load, and memory can be cleared."""

from collections.abc import Iterator

import pytest
from tests.browsers.conftest import Serve
from tests.browsers.looking import show_template, text, visible
from tests.browsers.options import open_options, set_memory
from tests.browsers.pages import PATH, STYLE, page
from tests.browsers.test_toggle import loads_by_host
from tests.support.browsers import Browser, wait_until
from tests.support.server import Answer, SiteServer

FIRST, FURTHER = "/news.html", "/contact.html"
BANNER = '<section class="campaign"><b>Give</b> <i>now</i></section>'


def stories(before: str = "") -> dict[str, Answer]:
    """A site whose pages are of one kind."""
    paths = (FIRST, "/events.html", FURTHER, PATH)
    story = "<article class='story'><h1>{0}</h1><p>All about {0}.</p></article>"
    pages = {path: page(story.format(path)) for path in paths}
    if before:
        pages = {path: Answer(one.body.replace(b"<main", f"{before}<main".encode())) for path, one in pages.items()}
    return {**pages, "/style.css": Answer(STYLE.encode(), "text/css")}


@pytest.fixture
def options(guessing: Browser) -> Iterator[Browser]:
    """The browser, whose options about memory are afterwards as they were."""
    yield guessing
    set_memory(guessing, remembers=True, never="")


def visit(browser: Browser, server: SiteServer, path: str) -> list[str]:
    """Show the template of a page, and return what the host has asked the server for meanwhile."""
    before = len(loads_by_host(server))
    browser.open(server.base + path)
    show_template(browser)
    assert visible(browser, "article *") == []
    assert visible(browser, "header a") != []
    return loads_by_host(server)[before:]


def test_the_next_page_of_a_site_shows_and_nothing_is_loaded(options: Browser, serve: Serve) -> None:
    server = serve(stories())
    assert visit(options, server, FIRST) != []
    open_options(options)
    host = server.base.removeprefix("http://")
    wait_until(lambda: host in remembered(options), "the site is not listed")  # it is remembered after the answer
    assert visit(options, server, FURTHER) == []


def test_what_is_forgotten_is_looked_for_anew(options: Browser, serve: Serve) -> None:
    server = serve(stories())
    visit(options, server, FIRST)
    open_options(options)
    host = server.base.removeprefix("http://")
    wait_until(lambda: host in remembered(options), "the site is not listed")  # the list moves the button down
    options.click("#forget")
    said = wait_until(
        lambda: options.run("() => document.getElementById('forgotten').textContent || null"), "it does not say so"
    )
    assert said.endswith((text("memory_forgotten_one"), "pages.")), said
    assert visit(options, server, FURTHER) != []


def remembered(browser: Browser) -> list[str]:
    sites: list[str] = browser.run(
        "() => [...document.querySelectorAll('#remembered .line span')].map((one) => one.firstChild.textContent)"
    )
    return sites


@pytest.mark.parametrize("choice", ["switch", "list"])
def test_nothing_is_remembered_where_the_person_wants_none(options: Browser, serve: Serve, choice: str) -> None:
    server = serve(stories())
    if choice == "switch":
        set_memory(options, remembers=False)
    else:
        set_memory(options, remembers=True, never=f"{server.base}{FIRST}\nexample.org")
    visit(options, server, FIRST)
    assert visit(options, server, FURTHER) != []
