"""Clicks after the first: back to the page, and to the template without a second detection."""

from demo.site import DEMO_PAGE, load_site
from tests.browsers.conftest import Serve
from tests.browsers.looking import (
    all_of,
    show_content,
    show_page,
    show_template,
    text,
    visible,
    whole_state,
)
from tests.browsers.pages import NEIGHBOURS, PATH, site
from tests.support.browsers import Browser, wait_until
from tests.support.server import SiteServer

STORY = "#content *"
CRUMBS = ".crumbs, .crumbs *"
FRAME = ".site-header *, .sidebar *, .site-footer *"
ALMOST_SURELY = 0.96


def loads_by_host(server: SiteServer) -> list[str]:
    """Return the host's requests to the server; the browser calls itself Mozilla."""
    return [request.path for request in server.requests if not request.agent.startswith("Mozilla")]


def test_a_third_click_shows_the_content_a_fourth_the_template_again_and_nothing_is_loaded(
    browser: Browser, serve: Serve
) -> None:
    server = serve(load_site())
    browser.open(server.base + DEMO_PAGE)
    show_template(browser)
    loaded = loads_by_host(server)
    assert len(loaded) >= 3
    template = whole_state(browser)

    show_page(browser)
    show_content(browser)
    around = all_of(browser, CRUMBS)
    assert visible(browser, CRUMBS) == []
    assert visible(browser, STORY) == all_of(browser, STORY)[len(around) :]
    assert visible(browser, FRAME) == []
    show_template(browser)

    assert visible(browser, STORY) == []
    assert whole_state(browser) == template
    assert loads_by_host(server) == loaded


def test_the_default_detector_says_on_the_button_how_sure_it_is(guessing: Browser, serve: Serve) -> None:
    guessing.open(serve(load_site()).base + DEMO_PAGE)
    guessing.click_button()
    shown = guessing.wait_for_state("template")
    words = text("confidence_high" if shown.kept["confidence"] >= ALMOST_SURELY else "confidence_medium")
    assert words in shown.title
    assert visible(guessing, STORY) == []


def test_a_click_while_it_works_cancels(browser: Browser, serve: Serve) -> None:
    server = serve(site("<dl><dt>Word</dt><dd>Sense</dd></dl>"))
    browser.open(server.base + PATH)
    before = whole_state(browser)

    with server.holding(*NEIGHBOURS):
        browser.click_button()
        browser.wait_for_state("working")
        wait_until(lambda: bool(loads_by_host(server)), "the host asked for no page")
        browser.click_button()
        browser.wait_for_state("idle")

        assert whole_state(browser) == before

    show_template(browser)
    assert visible(browser, "main *") == []


def test_long_work_shows_in_the_page_and_only_a_person_cancels_it_there(browser: Browser, serve: Serve) -> None:
    server = serve(site("<dl><dt>Word</dt><dd>Sense</dd></dl>"))
    browser.open(server.base + PATH)
    before = whole_state(browser)
    with server.holding("/contact.html"):
        browser.click_button()
        says = text("panel_working_of", "2", "3")
        wait_until(lambda: browser.panel_text("[role=status]") == says, lambda: browser.panel_text("*"))
        browser.run(
            """() => {
                for (const element of document.documentElement.children) element.click();
                document.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape"}));
            }"""
        )
        assert browser.button_state().state == "working"
        browser.click_panel("cancel")
        browser.wait_for_state("idle")
    assert whole_state(browser) == before

    show_template(browser)
    assert browser.panel_text("[role=status]").startswith(text("panel_compared_other", "3"))


def test_a_navigation_resets_the_button_and_the_next_page_is_untouched(browser: Browser, serve: Serve) -> None:
    server = serve(load_site())
    browser.open(server.base + DEMO_PAGE)
    show_template(browser)

    browser.open(server.base + "/visit.html")

    assert browser.button_state().state == "idle"
    assert visible(browser, STORY) != []
    show_template(browser)
    assert visible(browser, "#content table, #content table *") == []


def test_a_navigation_while_it_works_ends_the_work(browser: Browser, serve: Serve) -> None:
    server = serve(site("<dl><dt>Word</dt><dd>Sense</dd></dl>"))
    browser.open(server.base + PATH)
    with server.holding(*NEIGHBOURS):
        browser.click_button()
        browser.wait_for_state("working")
        browser.open(server.base + "/style.css")
        browser.open(server.base + PATH)
        browser.wait_for_state("idle")

    show_template(browser)
    assert visible(browser, "main *") == []


def test_the_state_survives_the_sleep_of_the_background(browser: Browser, serve: Serve) -> None:
    server = serve(load_site())
    browser.open(server.base + DEMO_PAGE)
    before = whole_state(browser)
    show_template(browser)
    loaded = loads_by_host(server)

    browser.sleep_background()
    assert browser.button_state().state == "template"
    show_page(browser)
    assert whole_state(browser) == before

    browser.sleep_background()
    show_content(browser)
    browser.sleep_background()
    show_template(browser)
    assert visible(browser, STORY) == []
    assert loads_by_host(server) == loaded
