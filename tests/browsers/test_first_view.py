"""The view that the button opens: everywhere, always on a site, or the last one; and the keys of each view."""

from collections.abc import Iterator

import pytest
from demo.site import DEMO_PAGE, load_site
from tests.browsers.conftest import Serve
from tests.browsers.looking import show_content, show_page, show_template, visible
from tests.browsers.options import open_options
from tests.support.browsers import Browser, wait_until

STORY = "#content h1"
FRAME = ".site-header *"


@pytest.fixture
def choosing(browser: Browser) -> Iterator[Browser]:
    """The browser, whose button opens the template afterwards."""
    yield browser
    browser.open(browser.extension_address("pages/privacy.html"))
    browser.run("() => chrome.storage.local.remove(['opens', 'contentSites', 'lastViews'])")


def choose_first(browser: Browser, view: str) -> None:
    """Choose in the options what the button opens."""
    open_options(browser)
    browser.run(
        """(view) => {
            const choice = document.getElementById("opens");
            choice.value = view;
            choice.dispatchEvent(new Event("change"));
        }""",
        view,
    )


def rows(browser: Browser) -> list[str]:
    """The sites in the options that have a view of their own."""
    open_options(browser)
    filled = "() => document.querySelector('#view-sites li, #no-view-sites:not([hidden])') !== null"
    wait_until(lambda: browser.run(filled), "the options do not list the sites")
    found: list[str] = browser.run(
        "() => [...document.querySelectorAll('#view-sites li')].map((row) => row.textContent)"
    )
    return found


def test_the_button_opens_the_content_then_the_page_then_the_template_if_that_was_chosen(
    choosing: Browser, serve: Serve
) -> None:
    choose_first(choosing, "content")
    choosing.open(serve(load_site()).base + DEMO_PAGE)

    choosing.click_button()
    shown = choosing.wait_for_state("content")

    assert "Click to go back to the page" in shown.title
    assert visible(choosing, STORY) == ["h1"]
    assert visible(choosing, FRAME) == []
    show_page(choosing)
    show_template(choosing)
    assert visible(choosing, STORY) == []
    show_content(choosing)


def test_a_site_that_always_opens_as_content_is_a_row_in_the_options_until_its_bin_is_pressed(
    choosing: Browser, serve: Serve
) -> None:
    server = serve(load_site())
    choosing.open(server.base + DEMO_PAGE)
    show_template(choosing)
    choosing.click_panel("content")
    choosing.wait_for_state("content")
    choosing.click_panel("always")
    wait_until(lambda: choosing.button_state().kept.get("always"), "the switch does nothing")

    choosing.open(server.base + "/visit.html")
    choosing.click_button()
    choosing.wait_for_state("content")

    assert rows(choosing) == [f"127.0.0.1:{server.port} always the content"]
    choosing.run("() => document.querySelector('#view-sites button').click()")
    wait_until(lambda: choosing.run("() => !document.getElementById('no-view-sites').hidden"), "the row stays")
    assert rows(choosing) == []
    choosing.open(server.base + DEMO_PAGE)
    show_template(choosing)


def test_the_last_view_of_a_site_opens_again_and_is_forgotten_with_the_choice(
    choosing: Browser, serve: Serve
) -> None:
    choose_first(choosing, "last")
    server = serve(load_site())
    choosing.open(server.base + DEMO_PAGE)
    show_template(choosing)
    choosing.click_panel("content")
    choosing.wait_for_state("content")

    choosing.open(server.base + "/visit.html")
    choosing.click_button()
    choosing.wait_for_state("content")

    assert rows(choosing) == [f"127.0.0.1:{server.port} the content, as last time"]
    choose_first(choosing, "template")
    wait_until(lambda: choosing.run("() => !document.getElementById('no-view-sites').hidden"), "the row stays")
