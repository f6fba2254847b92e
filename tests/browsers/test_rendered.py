"""Pages that scripts build: opened in background tabs when the person allows it, captured, and closed whatever happens."""

import json
import time
from collections.abc import Iterator

import pytest
from demo.browsers import Browser, wait_until
from demo.server import Answer
from tests.browsers.conftest import Serve
from tests.browsers.looking import text, visible
from tests.browsers.pages import NEIGHBOURS, PATH, STYLE

SHELL = Answer(b"<!doctype html><title>App</title><div id='app'></div><script src='/app.js'></script>")
ACTING = ("/logout", "/account/delete", "/vote?story=3")
STORY = "<h1>The old bridge</h1><p>Rain fell for nine days, and the bridge was closed to carts.</p>"
NEVER_SETTLES = "setInterval(() => document.querySelector('main').append(new Date().toISOString()), 20);"
# The frame of the page stands in the script, as on sites whose pages are built in the browser.
APP = """
const contents = %s, menu = %s;
const links = menu.map((path) => `<li><a href="${path}">${path.slice(1)}</a></li>`).join("");
setTimeout(() => {
  document.getElementById("app").innerHTML =
    `<header class="top"><ul>${links}</ul></header><main class="content">${contents[location.pathname] ?? "Nothing here."}</main>` +
    `<footer class="bottom"><p class="imprint">Made by hand.</p></footer>`;
  %s
}, 150);
"""
ALLOW = "#allow"


def built_by_scripts(*more_links: str, then: str = "") -> dict[str, Answer]:
    """The answers of a site that gives the same few lines at all addresses; a script makes pages of them."""
    contents = {PATH: STORY, **NEIGHBOURS}
    app = APP % (json.dumps(contents), json.dumps([*contents, *ACTING, *more_links]), then)
    paths = (*contents, *more_links, "/", *ACTING)
    return dict.fromkeys(paths, SHELL) | {"/app.js": Answer(app.encode(), "text/javascript"), "/style.css": Answer(STYLE.encode(), "text/css")}


@pytest.fixture
def guessing(browser: Browser) -> Iterator[Browser]:
    """The browser with the detector that answers always."""
    browser.choose_detector("stencil")
    yield browser
    browser.choose_detector("temex")


def ask(browser: Browser, url: str) -> None:
    """Look for the template of a page, and ask to compare with pages in background tabs: the list of them shows."""
    browser.open(url)
    wait_until(lambda: browser.run("() => document.links.length > 0"), "the page does not build itself")
    browser.click_button()
    state = browser.wait_for_state("doubtful", "template", "error")
    assert state.state == "doubtful", f"{state}\n{browser.host_log()}"
    browser.click_panel("rendered")
    browser.switch_to(browser.wait_for_tab("pages/rendered.html"))
    wait_until(lambda: browser.run("() => !document.getElementById('allow').disabled"), "the page does not get ready")


def allow(browser: Browser, url: str) -> None:
    """Say yes on the page with the list, and in the browser's own question."""
    key = next(tab for tab in browser.tabs() if tab.url == url)
    browser.click_and_allow(ALLOW, "http://127.0.0.1/*")
    browser.switch_to(key)
    wait_until(lambda: not any("rendered.html" in tab.url for tab in browser.tabs()), "the page that asks stays")


def test_a_site_that_scripts_build_is_compared_in_background_tabs_that_are_closed_again(
    guessing: Browser, serve: Serve
) -> None:
    server = serve(built_by_scripts())
    ask(guessing, server.base + PATH)
    listed = guessing.run("() => [...document.querySelectorAll('li')].map((line) => line.textContent)")
    assert [line.removeprefix(server.base) for line in listed] == list(NEIGHBOURS)
    allow(guessing, server.base + PATH)

    state = guessing.wait_for_state("template", "error", "doubtful")

    assert state.state == "template", f"{state}\n{guessing.host_log()}"
    assert visible(guessing, "main *") == []
    assert visible(guessing, "header a") != []
    assert text("panel_rendered_how") in guessing.panel_text("[role=status]")
    assert [tab.url for tab in guessing.tabs()] == [server.base + PATH]
    assert {request.path for request in server.requests}.isdisjoint(ACTING)
