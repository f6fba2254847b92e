"""The answer of the first pages shows before the others have come, and is refined in place."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.browsers.conftest import Serve
from tests.browsers.looking import visible, whole_state
from tests.support.browsers import Browser, wait_until
from tests.support.server import Answer, SiteServer

KEY_PATH = "/tales/a.html"
# The first round asks for b, c, d and h. Two of these are gone, so that one round cannot settle the answer.
LINKS = {"a": "bcdefgh"}
GONE = "dh"
LATER = [f"/tales/{name}.html" for name in "efg"]
NEW_YEAR = "abc"
IS_MARKED = "() => document.querySelector('[data-sitestencil]') !== null"

# What each frame shows of an element, as long as the page is there.
WATCH_FRAMES = """selector => {
    const seen = window.seenInFrames = new Set();
    const look = () => {
        seen.add(getComputedStyle(document.querySelector(selector)).visibility);
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""


def tale(name: str) -> Answer:
    links = "".join(f'<li><a href="/tales/{other}.html">{other}</a></li>' for other in LINKS.get(name, "abc"))
    menu = "".join(f"<li>{part}</li>" for part in ("Tales", "Poems", "Plays", "About"))
    story = "".join(f"<p>{name} {number}</p>" for number in range(1 + ord(name) - ord("a")))
    box = "<aside><h2>News</h2><p>Happy new year!</p><p>To all</p></aside>" if name in NEW_YEAR else ""
    return Answer(
        f"<!doctype html><html><head><title>{name}</title></head><body><h1>The site</h1><ul class=menu>{menu}</ul>"
        f"<main>{story}</main><ul class=more>{links}</ul>{box}<footer>By hand</footer></body></html>".encode()
    )


def tales() -> dict[str, Answer]:
    """A site of tales, some of them with a box of news."""
    return {f"/tales/{name}.html": tale(name) for name in "abcdefgh" if name not in GONE}


@pytest.fixture
def comparing(browser: Browser) -> Iterator[Browser]:
    """The browser with the detector that tells what the first pages say."""
    browser.choose_detector("stencil")
    yield browser
    browser.choose_detector("temex")


@contextmanager
def waiting_for_others(browser: Browser, server: SiteServer) -> Iterator[None]:
    """Show the first pages' answer while the block runs."""
    with server.holding(*LATER):
        browser.click_button()
        wait_until(lambda: browser.run(IS_MARKED), lambda: str(browser.button_state()))
        yield


def test_what_the_first_pages_say_shows_while_the_others_are_waited_for(comparing: Browser, serve: Serve) -> None:
    server = serve(tales())
    comparing.open(server.base + KEY_PATH)
    before = whole_state(comparing)
    with waiting_for_others(comparing, server):
        assert comparing.button_state().state == "working"
        assert visible(comparing, "main *") == []
        comparing.run(WATCH_FRAMES, "main p")
    assert comparing.wait_for_state("template", "error").state == "template"
    assert visible(comparing, "main *") == []
    assert visible(comparing, ".menu *")
    assert comparing.run("() => [...window.seenInFrames]") == ["hidden"]
    comparing.click_button()
    comparing.wait_for_state("original")
    assert whole_state(comparing) == before


def test_a_click_while_the_others_are_waited_for_brings_the_page_back(comparing: Browser, serve: Serve) -> None:
    server = serve(tales())
    comparing.open(server.base + KEY_PATH)
    before = whole_state(comparing)
    with waiting_for_others(comparing, server):
        comparing.click_button()
        comparing.wait_for_state("idle")
        assert whole_state(comparing) == before
