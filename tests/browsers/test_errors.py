"""When it cannot work, it says so where the person looks: on the button, in the page, on a page of its own."""

import json
import os
import signal
from contextlib import suppress

from demo.site import DEMO_PAGE, load_site
from tests.browsers.conftest import Serve
from tests.browsers.looking import text, visible
from tests.browsers.pages import NEIGHBOURS, PATH, site
from tests.browsers.test_toggle import loads_by_host
from tests.support.browsers import Browser, wait_until
from tests.support.browsers.processes import host_processes
from tests.support.server import Answer

from sitestencil.version import VERSION

PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
)
OWN_PAGES = {"chromium": ["chrome://version/", "about:blank"], "firefox": ["about:config", "about:support"]}


def text_of(browser: Browser) -> str:
    whole: str = browser.run("() => document.body?.innerText ?? ''")
    return whole


def outcome_of(browser: Browser) -> str | None:
    """How the last handshake went, as the help page says by the colour of its status: good or bad."""
    outcome: str | None = browser.run("() => document.querySelector('#status')?.dataset.outcome")
    return outcome


def test_without_the_host_a_page_explains_and_try_again_works_after_the_installation(
    bare: Browser, serve: Serve
) -> None:
    bare.open(serve(load_site()).base + DEMO_PAGE)
    page = bare.tabs()[0]

    bare.click_button()
    bare.go_to_tab("/pages/help.html")
    wait_until(lambda: "sitestencil install" in text_of(bare), lambda: f"no command: {text_of(bare)}")
    assert "sitestencil doctor" in text_of(bare)
    wait_until(lambda: "Ctrl+Shift+9" in text_of(bare), lambda: f"no shortcut: {text_of(bare)}")

    bare.click("#again")
    wait_until(lambda: outcome_of(bare) == "bad", lambda: f"no answer to the click: {text_of(bare)}")
    assert text("host_missing") in text_of(bare)

    bare.register_host()
    bare.click("#again")
    wait_until(lambda: outcome_of(bare) == "good", lambda: f"it still does not work: {text_of(bare)}")
    assert text("status_ready", VERSION) in text_of(bare)

    bare.switch_to(page)
    assert bare.button_state().problem == "host_missing"
    bare.click_button()
    bare.wait_for_state("template")
    assert visible(bare, "#content *") == []


def kill_at_starts(browser: Browser, kills: int) -> None:
    """Have the host killed before its first word at so many of its starts, and after them no more."""
    manifest = next(browser.scratch.root.rglob("org.sitestencil.host.json"))
    fields = json.loads(manifest.read_text("utf-8"))
    folder = browser.scratch.root / "starts"
    tries = "".join(f'mkdir "{folder}/{number}" 2>/dev/null && kill -9 $$\n' for number in range(kills))
    program = browser.scratch.root / "killed-host"
    program.write_text(f'#!/bin/sh\nmkdir -p "{folder}"\n{tries}exec "{fields["path"]}" "$@"\n')
    program.chmod(0o755)
    manifest.write_text(json.dumps({**fields, "path": str(program)}))


def test_a_host_killed_before_its_first_word_is_started_once_more_and_nobody_hears_of_it(
    bare: Browser, serve: Serve
) -> None:
    bare.register_host()
    kill_at_starts(bare, 1)
    bare.open(serve(load_site()).base + DEMO_PAGE)

    bare.click_button()

    assert bare.wait_for_state("template", "error").state == "template"
    assert not any("help.html" in tab.url for tab in bare.tabs())


def test_a_host_killed_before_its_first_word_each_time_could_not_be_started(bare: Browser, serve: Serve) -> None:
    bare.register_host()
    kill_at_starts(bare, 9)
    bare.open(serve(load_site()).base + DEMO_PAGE)
    page = bare.tabs()[0]

    bare.click_button()

    bare.wait_for_tab("/pages/help.html")
    bare.switch_to(page)
    assert bare.wait_for_state("error").problem == "host_exited"


def test_a_host_that_is_killed_at_work_is_started_again_by_try_again(browser: Browser, serve: Serve) -> None:
    server = serve(site("<dl><dt>Word</dt><dd>Sense</dd></dl>"))
    browser.open(server.base + PATH)
    with server.holding(*NEIGHBOURS):
        browser.click_button()
        wait_until(lambda: bool(loads_by_host(server)), "the host asked for no page")
        for process in host_processes(browser):
            os.kill(process, signal.SIGKILL)
        problem = str(browser.wait_for_state("error").problem)
    assert browser.panel_text("[role=status]") == text(problem)

    browser.click_panel("retry")

    browser.wait_for_state("template")
    assert visible(browser, "main *") == []


def test_a_page_that_did_not_load_is_called_so_and_try_again_loads_it(browser: Browser, serve: Serve) -> None:
    server = serve({PATH: lambda _: None})
    with suppress(Exception):  # a browser's own error page comes
        browser.open(server.base + PATH)
    wait_until(lambda: text_of(browser), "the browser shows no error page")
    tab = browser.tabs()[0]

    browser.click_button()

    assert browser.wait_for_state("impossible").problem == "impossible_not_loaded"
    below = wait_until(lambda: browser.popup_address() or None, "nothing says so below the button")
    browser.close_popup()
    browser.new_tab(below)
    wait_until(lambda: text("impossible_why_not_loaded") in text_of(browser), lambda: text_of(browser))
    server.answers |= site("<dl><dt>Word</dt><dd>Sense</dd></dl>")
    # The click closes the page that it is on.
    browser.run("() => { setTimeout(() => document.querySelector('#again').click(), 200); }")
    browser.switch_to(tab)
    wait_until(lambda: "Word" in (text_of(browser) or ""), "the page does not load again")


def test_a_page_of_the_browser_itself_is_not_possible(browser: Browser) -> None:
    for address in OWN_PAGES[browser.name]:
        browser.open(address)
        browser.click_button()
        state = browser.wait_for_state("impossible")
        assert state.problem == "impossible_kept_out"
        assert state.title == text("title_impossible", text("impossible_kept_out"))
        below = wait_until(lambda: browser.popup_address() or None, "nothing says so below the button")
        assert below.endswith("problem=impossible_kept_out")
        browser.close_popup()
        wait_until(lambda: not browser.popup_address(), "what stands below the button stays")


def test_a_pdf_that_shows_is_called_so(browser: Browser, serve: Serve) -> None:
    browser.open(serve({"/paper": Answer(PDF, "application/pdf")}).base + "/paper")
    browser.click_button()
    state = browser.wait_for_state("impossible")
    assert state.title == text("title_impossible", text("impossible_pdf"))
    wait_until(lambda: browser.popup_address() or None, "nothing says so below the button")
    browser.close_popup()


def test_a_click_after_an_error_tries_again(browser: Browser, serve: Serve) -> None:
    server = serve(site("<dl><dt>Word</dt></dl>"))
    gone = {path: server.answers.pop(path) for path in NEIGHBOURS}
    browser.open(server.base + PATH)
    browser.click_button()
    browser.wait_for_state("error")

    server.answers |= gone
    browser.click_button()
    browser.wait_for_state("template")

    assert visible(browser, "main *") == []
