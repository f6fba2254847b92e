"""A person corrects an answer in the inspect view: seen and undone at once, and kept for the site's other pages."""

import json
from collections.abc import Iterator

import pytest
from tests.browsers.conftest import Serve
from tests.browsers.looking import show_template, text, visible
from tests.browsers.options import open_options
from tests.browsers.pages import CONTENT, PATH, site
from tests.support.browsers import Browser, wait_until

FOOTER = "footer, footer *"
STORY = "<dl><dt>Word</dt><dd>Sense</dd></dl>"


@pytest.fixture
def corrected(browser: Browser) -> Iterator[Browser]:
    """The browser, whose corrections are forgotten afterwards."""
    yield browser
    keep_rules(browser, '{"sitestencil_rules": 1, "sites": {}}')


def keep_rules(browser: Browser, rules: str) -> str:
    """Put a text in the place of the rules in the options, and return what is said of it."""
    open_options(browser)
    browser.run(
        "(rules) => { document.getElementById('rules').value = rules;"
        " document.getElementById('keep-rules').click(); }",
        rules,
    )
    said: str = wait_until(
        lambda: browser.run("() => document.getElementById('rules-status').textContent || null"),
        "nothing is said of them",
    )
    return said


def inspect(browser: Browser) -> None:
    """Show the template of the page in front, and then inspect it."""
    show_template(browser)
    browser.click_panel("inspect")
    browser.wait_for_state("inspect")


def correct(browser: Browser, selector: str, number: int | None = None) -> None:
    """Click an element's corner in the inspect view; afterwards so many corrections can be undone."""
    x, y = browser.run(
        "(selector) => { const {x, y} = document.querySelector(selector).getBoundingClientRect(); return [x, y]; }",
        selector,
    )
    browser.mouse_click(x + 3, y + 3)
    if number is None:
        wait_until(lambda: browser._panel_button("undo"), "the correction cannot be undone")
        return
    wait_until(
        lambda: browser.button_state().kept.get("corrections") == number,
        lambda: f"the correction is not told: {browser.button_state()}",
    )


def view(browser: Browser, name: str) -> None:
    browser.click_panel(name)
    browser.wait_for_state(name)


def test_a_click_corrects_an_element_with_what_lies_below_and_undo_takes_it_back(
    corrected: Browser, serve: Serve
) -> None:
    corrected.open(serve(site(STORY)).base + PATH)
    inspect(corrected)
    correct(corrected, "footer", 1)
    correct(corrected, "dt", 2)
    view(corrected, "template")
    assert visible(corrected, FOOTER) == []
    assert visible(corrected, CONTENT) == ["dt"]

    view(corrected, "inspect")
    corrected.click_panel("undo")
    wait_until(lambda: corrected.button_state().kept.get("corrections") == 1, "undo does nothing")
    view(corrected, "template")
    assert visible(corrected, CONTENT) == []
    assert visible(corrected, FOOTER) == []


def test_a_correction_applies_to_the_sites_other_pages_and_to_no_other_site(
    corrected: Browser, serve: Serve
) -> None:
    server, other = serve(site(STORY)), serve(site(STORY))
    corrected.open(server.base + PATH)
    inspect(corrected)
    correct(corrected, "footer", 1)
    corrected.open(server.base + "/one.html")
    show_template(corrected)
    assert visible(corrected, FOOTER) == []
    corrected.open(other.base + PATH)
    show_template(corrected)
    assert visible(corrected, FOOTER) != []


def test_rules_can_be_read_and_edited_in_the_options_and_are_the_commands_file(
    corrected: Browser, serve: Serve
) -> None:
    server = serve(site(STORY))
    corrected.open(server.base + PATH)
    inspect(corrected)
    correct(corrected, "footer", 1)
    open_options(corrected)
    rules = json.loads(corrected.run("() => document.getElementById('rules').value"))
    host = server.base.removeprefix("http://")
    assert rules == {"sitestencil_rules": 1, "sites": {host: [{"selector": "footer.bottom", "is": "content"}]}}

    rules["sites"][host] = [{"selector": "header", "is": "content"}]
    assert keep_rules(corrected, json.dumps(rules)) == text("rules_kept")
    corrected.open(server.base + PATH)
    show_template(corrected)
    assert visible(corrected, "header, header *") == []
    assert visible(corrected, FOOTER) != []


def test_rules_that_cannot_be_used_are_said_to_be_and_those_before_stay(corrected: Browser, serve: Serve) -> None:
    server = serve(site(STORY))
    host = server.base.removeprefix("http://")
    good = {"sitestencil_rules": 1, "sites": {host: [{"selector": "header", "is": "content"}]}}
    assert keep_rules(corrected, json.dumps(good)) == text("rules_kept")
    assert "a:has(b)" in keep_rules(corrected, json.dumps(good).replace("header", "a:has(b)"))
    corrected.open(server.base + PATH)
    show_template(corrected)
    assert visible(corrected, "header, header *") == []
