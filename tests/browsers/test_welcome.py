"""After the installation, a page says whether the program is there, and what the button does."""

from tests.browsers.looking import text
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


def test_it_leads_to_the_options_and_to_what_is_said_of_privacy(browser: Browser) -> None:
    browser.open(browser.extension_address("pages/welcome.html"))
    links = browser.run("() => [...document.links].map(link => new URL(link).pathname)")
    assert {"/pages/options.html", "/pages/privacy.html"} <= set(links)
    browser.open(browser.extension_address("pages/privacy.html"))
    wait_until(lambda: text("privacy_nobody") in browser.run("() => document.body.innerText"), "no text")
