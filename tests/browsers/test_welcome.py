"""After the installation, a page says whether the program is there, and what the button does."""

from tests.browsers.looking import text, visible
from tests.support.browsers import Browser, wait_until


def outcome(browser: Browser) -> str | None:
    shown: str | None = browser.run("() => document.querySelector('#status')?.dataset.outcome")
    return shown


def test_it_opens_once_and_tells_of_the_missing_program_until_it_is_there(bare: Browser) -> None:
    # The browser has waited for the page, and closed it.
    assert not any("pages/welcome.html" in tab.url for tab in bare.tabs())
    bare.open(bare.extension_address("pages/welcome.html"))
    wait_until(lambda: outcome(bare) == "bad", "nobody asks for the program")
    shown = bare.run("() => document.body.innerText")
    assert text("host_missing") in shown
    assert "sitestencil install" in shown
    assert "Ctrl+Shift+9" in shown

    bare.register_host()
    bare.click("#again")

    wait_until(lambda: outcome(bare) == "good", "the program is there and not seen")
    assert bare.run("() => document.querySelector('#missing').checkVisibility()") is False


def test_it_shows_how_to_pin_the_button_in_this_browser(browser: Browser) -> None:
    browser.open(browser.extension_address("pages/welcome.html"))
    shown = browser.run(
        "() => [...document.querySelectorAll('svg')].filter(s => s.checkVisibility()).map(s => s.id)"
    )
    assert shown == [f"pin-{browser.name}"]
    assert text(f"welcome_pin_{browser.name}") in browser.run("() => document.body.innerText")


def test_the_example_is_tried_by_its_own_button_and_by_that_of_the_toolbar(browser: Browser) -> None:
    browser.open(browser.extension_address("pages/try.html"))
    wait_until(lambda: browser.run("() => globalThis.sitestencil !== undefined"), "the example has no scripts")
    assert visible(browser, "#content p") == ["p", "p"]
    browser.click("#try")
    wait_until(lambda: visible(browser, "#content p") == [], "the content stays")
    assert visible(browser, "aside p") == ["p"]
    assert browser.panel_text("[role=status]") == text("try_panel")
    browser.click_button()
    wait_until(lambda: visible(browser, "#content p") != [], "the page does not come back")
    browser.click_button()
    wait_until(lambda: visible(browser, "aside p") == [], "the template stays")
    browser.click_panel("original")
    wait_until(lambda: visible(browser, "aside p, #content p") == ["p", "p", "p"], "something is missing")
