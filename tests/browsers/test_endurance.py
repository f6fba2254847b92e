"""Long runs, kills and many at once: a few in `make test`, many in `make endurance`."""

import os
import random
import signal
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

from demo.site import DEMO_PAGE, load_site
from tests.browsers.conftest import Serve, new_browser
from tests.browsers.looking import COUNT_MARKS, EVERYTHING, show_page, show_template, visible
from tests.browsers.options import set_memory
from tests.browsers.pages import NEIGHBOURS, PATH, site
from tests.support.browsers import BROWSERS, Browser, BrowserError, ButtonState, wait_until
from tests.support.browsers.browser import Tab
from tests.support.browsers.processes import host_processes
from tests.support.endurance import repeats

MOVING = """
<p class="one" style="transition: all 1s">Bare words <a href="#">and a link</a></p><input class="field" value="x">
<x-card><template shadowrootmode="open"><b>Shadow</b></template></x-card> words at the end
"""
MUTATE = """number => {
    const main = document.querySelector("main");
    document.querySelector(".one").classList.toggle("odd");
    main.querySelector(".added")?.remove();
    const added = main.appendChild(document.createElement("p"));
    added.className = "added";
    added.style.order = number;
    added.append(`Words ${number}`);
}"""
# Each element: its name, attributes and some styles as text, all styles as a digest.
PARTS = f"""() => {{ {EVERYTHING}
    const digest = text => [...text].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 0);
    return [`${{CSS.highlights.size}} highlights`, ...everything().map(element => {{
        const style = element.ownerDocument.defaultView.getComputedStyle(element);
        const nameOf = ({{name}}) => name.replace(/^data-[a-z]{{11}}\\b/, "mark");
        const attributes = [...element.attributes].map(a => `${{nameOf(a)}}="${{a.value}}"`);
        const {{color, display, fontSize, opacity, visibility}} = style;
        const styles = digest([...style].map(name => style.getPropertyValue(name)).join(";"));
        return [element.localName, ...attributes, color, display, fontSize, opacity, visibility, styles].join(" ");
    }})];
}}"""
IS_MARKED = f"() => ({COUNT_MARKS})() > 0"


def click_until(browser: Browser, *, marked: bool) -> int:
    """Click until the page is marked or not, and return the clicks; one that meets work under way ends it."""
    for clicks in range(1, 20):
        answered = partial(has_answered, browser, browser.button_state().state, marked=marked)
        browser.click_button()
        with suppress(BrowserError):
            wait_until(answered, "not yet", seconds=30, pause=0.005)
        if hides_parts(browser)[1] is marked:
            return clicks
    raise BrowserError(f"the page is not {'marked' if marked else 'free of marks'}: {browser.button_state()}")


def has_answered(browser: Browser, before: str, *, marked: bool) -> bool:
    """Whether a click has had its effect: the marks are as wanted, or the button names another view.

    Other words about the same view are news of the page, not the click's.
    """
    state, hides = hides_parts(browser)
    return hides is marked or (hides is not None and state != before)


def hides_parts(browser: Browser) -> tuple[str, bool | None]:
    """What the button says, and whether marks and button say that the page has a view; None while they differ.

    A page that has changed shows as it is while a click's view is found anew.
    """
    state = browser.button_state().state
    is_marked: bool = browser.run(IS_MARKED)
    agree = state != "working" and is_marked == (state in {"template", "content"})
    return state, is_marked if agree else None


def ended_in(browser: Browser, tab: Tab) -> ButtonState | None:
    """Bring a tab to the front, and return what its button says once its work has ended."""
    browser.switch_to(tab)
    shown = browser.button_state()
    return shown if shown.state in {"template", "error"} else None


@repeats("clicks", 20, 10_000)
def test_after_many_clicks_cancels_and_mutations_attributes_and_styles_are_as_they_were(
    browser: Browser, serve: Serve, clicks: int
) -> None:
    """Load the page anew every tenth time, and cancel the first click. Print the clicks so far."""
    set_memory(browser, remembers=False)  # What is remembered comes too fast for a click to cancel it.
    server = serve(site(MOVING))
    toggles = 0
    while toggles < clicks:
        browser.open(server.base + PATH)
        before = browser.run(PARTS)
        with server.holding(*NEIGHBOURS):
            browser.click_button()
            browser.wait_for_state("working")
            browser.click_button()
            browser.wait_for_state("idle")
        assert browser.run(PARTS) == before
        for _ in range(10):
            browser.run(MUTATE, toggles)
            before = browser.run(PARTS)
            toggles += click_until(browser, marked=True)
            toggles += click_until(browser, marked=False)
            assert browser.run(PARTS) == before, toggles
        sys.stdout.write(f"{browser.name}: {toggles} clicks\n")
    set_memory(browser, remembers=True)


@repeats("kills", 2, 8)
def test_a_host_killed_at_a_random_moment_leaves_a_page_that_is_whole_or_a_template(
    browser: Browser, serve: Serve, kills: int
) -> None:
    chance = random.Random(11)
    server = serve(site(MOVING))
    for _ in range(kills):
        browser.open(server.base + PATH)
        tab = browser.tabs()[0]
        before = browser.run(PARTS)
        browser.click_button()
        time.sleep(chance.random() / 2)
        for process in host_processes(browser):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        shown = wait_until(partial(ended_in, browser, tab), "the work never ended")
        if shown.state == "error":
            # One killed before its first word is started once more.
            assert shown.problem == "host_stopped"
            assert not browser.run(IS_MARKED)
        else:
            show_page(browser)
            assert browser.run(PARTS) == before
        browser.only_new_tab()
    browser.open(server.base + PATH)
    show_template(browser)


@repeats("kills", 1, 3)
def test_a_browser_killed_at_a_random_moment_leaves_no_host_behind(
    kind: str, built: Path, serve: Serve, kills: int
) -> None:
    chance = random.Random(12)
    server = serve(site(MOVING))
    for _ in range(kills):
        with new_browser(kind, built) as browser:
            browser.register_host()
            browser.open(server.base + PATH)
            with server.holding(*NEIGHBOURS):
                browser.click_button()
                wait_until(lambda: bool(host_processes(browser)), "no host was started")
                time.sleep(chance.random())
                browser.scratch.kill()
                wait_until(lambda: not browser.scratch.processes(), lambda: str(browser.scratch.processes()))


def test_two_browsers_at_once_have_a_host_each(browser: Browser, built: Path, serve: Serve) -> None:
    server = serve(load_site())
    other_kind = next(name for name in BROWSERS if name != browser.name)
    with new_browser(other_kind, built) as other:
        other.register_host()
        for one in (browser, other):
            one.open(server.base + DEMO_PAGE)
        for one in (browser, other):
            one.click_button()
        for one in (browser, other):
            one.wait_for_state("template")
            assert visible(one, "#content *") == []
            assert host_processes(one)


@repeats("elements", 20_000, 200_000)
def test_a_page_of_very_many_elements_is_captured_shown_and_back(
    browser: Browser, serve: Serve, elements: int
) -> None:
    row = "<tr>" + "".join(f"<td class='c{column}'>word</td>" for column in range(9)) + "</tr>"
    browser.open(serve(site(f"<table>{row * (elements // 10)}</table>")).base + PATH)

    browser.click_button()
    browser.wait_for_state("template")

    assert browser.run("() => document.querySelectorAll('*').length") >= elements
    assert browser.run("() => getComputedStyle(document.querySelector('td')).visibility") == "hidden"

    browser.click_button()
    wait_until(lambda: not browser.run(IS_MARKED), "the page does not come back")
