"""Events that a page makes itself: none counts as a person's, and none holds up another tab."""

import time
from collections.abc import Iterator

import pytest
from tests.browsers.conftest import Serve
from tests.browsers.looking import show_template, visible
from tests.browsers.options import forget_corrections
from tests.browsers.pages import PATH, site
from tests.browsers.test_meddling import WORDS
from tests.support.browsers import Browser, wait_until

COMES_BACK = """() => {
    window.forging = setInterval(() => {
        for (let count = 0; count < 50; count++) {
            dispatchEvent(new PageTransitionEvent("pageshow", {persisted: true}));
            dispatchEvent(new PageTransitionEvent("pagehide", {persisted: true}));
        }
    }, 20);
}"""
CORRECTS = """() => {
    const all = {bubbles: true, cancelable: true, composed: true};
    const target = document.querySelector("main");
    for (const element of [target, ...document.documentElement.children]) {
        element.dispatchEvent(new MouseEvent("mousemove", all));
        element.dispatchEvent(new MouseEvent("click", all));
        element.click?.();
        for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "Escape"])
            element.dispatchEvent(new KeyboardEvent("keydown", {...all, key}));
    }
}"""


@pytest.fixture
def untouched(browser: Browser) -> Iterator[Browser]:
    """The browser, whose corrections are forgotten afterwards."""
    yield browser
    forget_corrections(browser)


def test_a_page_that_says_all_the_time_that_it_has_come_back_holds_up_no_other_tab(
    browser: Browser, serve: Serve
) -> None:
    first, second = serve(site(WORDS)), serve(site(WORDS))
    browser.open(first.base + PATH)
    show_template(browser)
    browser.run(COMES_BACK)
    forging = browser.tabs()[0]
    other = browser.new_tab(second.base + PATH)
    start = time.perf_counter()
    show_template(browser)
    took = time.perf_counter() - start
    assert visible(browser, "main *") == []
    browser.switch_to(forging)
    browser.close_tab(other)
    assert took < 4


def test_a_page_makes_no_correction_by_clicks_and_keys_of_its_own(untouched: Browser, serve: Serve) -> None:
    server = serve(site(WORDS))
    untouched.open(server.base + PATH)
    show_template(untouched)
    untouched.click_panel("inspect")
    untouched.wait_for_state("inspect")
    untouched.run(CORRECTS)
    time.sleep(1)
    state = untouched.button_state()
    assert (state.state, state.kept.get("corrections")) == ("inspect", None)
    assert untouched._panel_button("close") is not None


TAMPERINGS = {
    "opacity": "host.style.setProperty('opacity', '0', 'important')",
    "opacity of the root": "document.documentElement.style.opacity = '0.01'",
    "place": "host.style.setProperty('inset', '100px auto auto 100px', 'important')",
    "transform": "host.style.setProperty('transform', 'scale(1.01)', 'important')",
    "mask": "host.style.setProperty('mask-image', 'linear-gradient(transparent, transparent)')",
    "popover": """const cover = document.createElement("div");
        cover.popover = "manual";
        cover.style = "inset: 0; width: auto; height: auto; pointer-events: none";
        document.body.append(cover);
        cover.showPopover()""",
    "filter": "document.documentElement.style.filter = 'opacity(0)'",
}


def test_a_panel_that_the_page_hides_or_moves_takes_no_click(browser: Browser, serve: Serve) -> None:
    server = serve(site(WORDS))
    taken = []
    for name, tampering in TAMPERINGS.items():
        browser.open(server.base + PATH)
        show_template(browser)
        browser.run(f"() => {{ const host = document.documentElement.firstElementChild; {tampering}; }}")
        browser.click_panel("inspect")
        time.sleep(0.3)
        if browser.button_state().state != "template":
            taken.append(name)
    assert taken == []


def test_a_panel_takes_clicks_again_a_moment_after_the_page_restores_it(browser: Browser, serve: Serve) -> None:
    browser.open(serve(site(WORDS)).base + PATH)
    show_template(browser)
    for opacity in ("0", "1"):
        browser.run(
            "value => document.documentElement.firstElementChild.style.setProperty('opacity', value, 'important')",
            opacity,
        )
    browser.click_panel("inspect")
    time.sleep(0.5)
    assert browser.button_state().state == "template"
    wait_until(
        lambda: browser.click_panel("inspect") or browser.button_state().state == "inspect", "it takes no click"
    )
