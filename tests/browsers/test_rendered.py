"""Pages that scripts build: opened in background tabs when the person allows it, and closed whatever happens."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.browsers.axe import findings
from tests.browsers.conftest import Serve
from tests.browsers.looking import text, visible
from tests.browsers.options import open_options, set_memory
from tests.browsers.pages import NEIGHBOURS, PATH, STYLE
from tests.support.browsers import Browser, wait_until
from tests.support.server import Answer, SiteServer

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
    `<header class="top"><ul>${links}</ul></header>` +
    `<main class="content">${contents[location.pathname] ?? "Nothing here."}</main>` +
    `<footer class="bottom"><p class="imprint">Made by hand.</p></footer>`;
  %s
}, 150);
"""
ALLOW = "#allow"
MOST_AT_ONCE, MOST_IN_ALL = 4, 24


def built_by_scripts(*more_links: str, then: str = "") -> dict[str, Answer]:
    """The answers of a site that gives the same few lines at all addresses; a script makes pages of them."""
    contents = {PATH: STORY, **NEIGHBOURS}
    app = APP % (json.dumps(contents), json.dumps([*contents, *ACTING, *more_links]), then)
    paths = (*contents, *more_links, "/", *ACTING)
    return dict.fromkeys(paths, SHELL) | {
        "/app.js": Answer(app.encode(), "text/javascript"),
        "/style.css": Answer(STYLE.encode(), "text/css"),
    }


@pytest.fixture
def asking(guessing: Browser) -> Iterator[Browser]:
    """The browser, which has afterwards no permission for a site."""
    yield guessing
    guessing.open(guessing.extension_address("pages/privacy.html"))
    guessing.run(
        """async () => {
            const api = globalThis.browser ?? chrome;
            await api.permissions.remove({origins: ["http://127.0.0.1/*"]});
            await api.storage.local.remove("renderedSites");
        }"""
    )


def ask(browser: Browser, url: str) -> None:
    """Look for the template of a page, and ask to compare with pages in background tabs: the list of them shows."""
    open_built(browser, url)
    browser.click_button()
    state = browser.wait_for_state("doubtful", "template", "error")
    assert state.state == "doubtful", f"{state}\n{browser.host_log()}"
    browser.click_panel("rendered")
    browser.go_to_tab("pages/rendered.html")
    wait_until(
        lambda: browser.run("() => !document.getElementById('allow').disabled"), "the page does not get ready"
    )


def open_built(browser: Browser, url: str) -> None:
    """Open a page and wait until its scripts have built it."""
    browser.open(url)
    wait_until(lambda: browser.run("() => document.links.length > 0"), "the page does not build itself")


def allow(browser: Browser, url: str) -> None:
    """Say yes on the page with the list, and in the browser's own question."""
    key = next(tab for tab in browser.tabs() if tab.url == url)
    browser.click_and_allow(ALLOW, "http://127.0.0.1/*")
    browser.switch_to(key)
    wait_until(lambda: not any("rendered.html" in tab.url for tab in browser.tabs()), "the page that asks stays")


def test_a_site_that_scripts_build_is_compared_in_background_tabs_that_are_closed_again(
    asking: Browser, serve: Serve
) -> None:
    server = serve(built_by_scripts())
    ask(asking, server.base + PATH)
    assert findings(asking) == []
    listed = asking.run("() => [...document.querySelectorAll('li')].map((line) => line.textContent)")
    assert listed == list(NEIGHBOURS)
    allow(asking, server.base + PATH)

    state = asking.wait_for_state("template", "error")

    assert state.state == "template", f"{state}\n{asking.host_log()}"
    assert visible(asking, "main *") == []
    assert visible(asking, "header a") != []
    assert text("panel_rendered_how") in asking.panel_text("[role=status]")
    assert [tab.url for tab in asking.tabs()] == [server.base + PATH]
    assert {request.path for request in server.requests}.isdisjoint(ACTING)


def test_the_next_time_on_an_allowed_site_it_is_not_asked_again(asking: Browser, serve: Serve) -> None:
    server = serve(built_by_scripts())
    ask(asking, server.base + PATH)
    allow(asking, server.base + PATH)
    asking.wait_for_state("template")
    set_memory(asking, remembers=False)
    open_built(asking, server.base + PATH)
    asking.click_button()
    asking.wait_for_state("doubtful")

    asking.click_panel("rendered")

    asking.wait_for_state("template")
    assert visible(asking, "main *") == []
    set_memory(asking, remembers=True)


def test_a_page_that_never_settles_is_captured_as_far_as_it_came(asking: Browser, serve: Serve) -> None:
    never = f"if (location.pathname !== '{PATH}') {NEVER_SETTLES}"
    server = serve(built_by_scripts(then=never))
    ask(asking, server.base + PATH)
    allow(asking, server.base + PATH)

    state = asking.wait_for_state("template", "error")

    assert state.state == "template", f"{state}\n{asking.host_log()}"
    assert visible(asking, "main *") == []
    assert [tab.url for tab in asking.tabs()] == [server.base + PATH]


def test_of_a_hundred_links_few_are_opened_and_all_are_closed(asking: Browser, serve: Serve) -> None:
    many = [f"/part-{number}.html" for number in range(100)]
    server = serve(built_by_scripts(*many))
    ask(asking, server.base + PATH)
    before = len(opened(server))
    allow(asking, server.base + PATH)
    most = 0

    def is_done() -> bool:
        nonlocal most
        most = max(most, len(asking.tabs()) - 1)
        return asking.button_state().kept.get("loadedBy") == "rendered"

    wait_until(is_done, "it does not end")
    asking.wait_for_state("template", "doubtful")
    assert most <= MOST_AT_ONCE
    assert 1 <= len(opened(server)) - before <= MOST_IN_ALL
    assert [tab.url for tab in asking.tabs()] == [server.base + PATH]


@contextmanager
def tabs_that_wait(browser: Browser, server: SiteServer) -> Iterator[None]:
    """Tabs are open, and their pages do not come while the block runs."""
    ask(browser, server.base + PATH)
    with server.holding(*NEIGHBOURS):
        allow(browser, server.base + PATH)
        wait_until(lambda: len(browser.tabs()) > 1, "no tab opens")
        yield


def test_a_click_that_cancels_closes_the_tabs(asking: Browser, serve: Serve) -> None:
    with tabs_that_wait(asking, serve(built_by_scripts())):
        asking.click_button()
        asking.wait_for_state("idle")
        wait_until(lambda: len(asking.tabs()) == 1, lambda: f"they stay: {asking.tabs()}")


def test_when_the_background_ends_at_work_its_tabs_are_closed(asking: Browser, serve: Serve) -> None:
    with tabs_that_wait(asking, serve(built_by_scripts())):
        asking.stop_background()
        wait_until(lambda: len(asking.tabs()) == 1, lambda: f"they stay: {asking.tabs()}")
    assert asking.wait_for_state("error").problem == "extension_interrupted"


def opened(server: SiteServer) -> list[str]:
    """The site's pages that a browser has asked for, so as to show them."""
    requests = [request for request in server.requests if "Mozilla" in request.headers.get("User-Agent", "")]
    return [request.path for request in requests if request.headers.get("Sec-Fetch-Dest") == "document"]


def test_the_options_list_the_allowed_sites_and_one_click_takes_it_back(asking: Browser, serve: Serve) -> None:
    server = serve(built_by_scripts())
    ask(asking, server.base + PATH)
    allow(asking, server.base + PATH)
    asking.wait_for_state("template")
    open_options(asking)
    line = f"127.0.0.1:{server.port} {text('sites_rendered')}"
    lines = "() => [...document.querySelectorAll('#sites li')].map((line) => line.firstChild.textContent.trim())"
    wait_until(lambda: line in asking.run(lines), lambda: f"it is not listed: {asking.run(lines)}")
    origins = "async () => (await (globalThis.browser ?? chrome).permissions.getAll()).origins"
    assert "http://127.0.0.1/*" in asking.run(origins)

    asking.run("(port) => document.querySelector(`#sites [aria-label*=':${port}']`).click()", server.port)

    wait_until(lambda: line not in asking.run(lines), "it stays")
    assert "http://127.0.0.1/*" not in asking.run(origins)
