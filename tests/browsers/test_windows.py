"""Several windows, private windows, a clock that is set back, and how long the host stays."""

import json
import time
from pathlib import Path

from demo.site import DEMO_PAGE, load_site
from tests.browsers.conftest import Serve, new_browser
from tests.browsers.looking import show_content, show_page, show_template, visible, whole_state
from tests.browsers.pages import PATH, site
from tests.support.browsers import Browser, wait_until
from tests.support.browsers.processes import host_processes

WORDS = "<dl><dt>Word</dt><dd>Sense</dd></dl>"
DAY = 86_400


def test_each_window_has_its_own_state(browser: Browser, serve: Serve) -> None:
    server = serve(load_site())
    first = browser.new_tab(server.base + DEMO_PAGE)
    show_template(browser)
    second = browser.new_window(server.base + DEMO_PAGE)
    before = whole_state(browser)
    assert browser.button_state().state == "idle"
    show_template(browser)

    browser.switch_to(first)
    show_page(browser)
    browser.switch_to(second)

    assert browser.button_state().state == "template"
    assert visible(browser, "#content *") == []
    show_page(browser)
    assert whole_state(browser)["attributes"] == before["attributes"]


def test_a_private_window_shows_its_template_and_leaves_nothing_that_tells_its_page(
    kind: str, built: Path, serve: Serve
) -> None:
    server, hidden = serve(load_site()), serve(load_site())
    with new_browser(kind, built, private=True) as browser:
        browser.register_host()
        shown = browser.new_tab(server.base + DEMO_PAGE)
        show_template(browser)
        private = browser.new_window(hidden.base + DEMO_PAGE, private=True)
        show_template(browser)
        assert visible(browser, "#content *") == []
        show_page(browser)
        show_content(browser)
        show_template(browser)

        browser.switch_to(shown)
        browser.close_tab(private)

        kept = {name: browser.kept(name) for name in ("summary", "timings", "error", "hello")}
        assert str(server.port) in json.dumps(kept["summary"])
        assert str(hidden.port) not in json.dumps(kept)
        assert str(hidden.port) not in browser.host_log(1000)
        assert browser.button_state().state == "template"


def test_the_host_stays_while_the_tab_that_was_used_is_in_front_and_not_longer(
    browser: Browser, serve: Serve
) -> None:
    browser.open(serve(site(WORDS)).base + PATH)
    show_template(browser)
    running = host_processes(browser)
    assert running

    time.sleep(13)

    assert host_processes(browser) == running
    browser.only_new_tab()
    wait_until(lambda: not host_processes(browser), "the host stays")
