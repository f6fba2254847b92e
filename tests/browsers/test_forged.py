"""Events that a page makes itself: none counts as a person's, and none holds up another tab."""

import time
from collections.abc import Iterator

import pytest
from tests.browsers.conftest import Serve
from tests.browsers.looking import show_template, text, visible
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

# Each hides the panel, and shows it again as a press begins.
HIDDEN = {
    "covered": """() => {
        let cover;
        const covering = setInterval(() => {
            cover?.remove();
            cover = document.createElement("div");
            cover.popover = "manual";
            cover.style = "pointer-events: none; inset: 0; width: 100vw; height: 100vh; background: #fff";
            document.body.append(cover);
            cover.showPopover();
        }, 100);
        addEventListener("pointerdown", () => { clearInterval(covering); cover.remove(); }, true);
    }""",
    "not drawn": """() => {
        document.documentElement.style = "content-visibility: hidden";
        addEventListener("pointerdown", () => (document.documentElement.style = ""), true);
    }""",
    "out of the top layer": """() => {
        const host = document.documentElement.firstElementChild;
        document.body.style.opacity = 0;
        document.body.append(host);
        addEventListener("pointerdown", () => document.documentElement.prepend(host), {capture: true, once: true});
    }""",
}
STYLES = """() => {
    const host = document.documentElement.firstElementChild;
    host.style = "position: fixed; inset: 0; opacity: 0; transform: scale(0.1); clip-path: inset(50%)";
    document.documentElement.style = "opacity: 0; transform: translate(-300px, -300px)";
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
    show_template(browser)
    assert visible(browser, "main *") == []
    browser.switch_to(forging)
    browser.close_tab(other)


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


@pytest.mark.parametrize("way", HIDDEN)
def test_the_panel_takes_no_click_while_the_page_hides_it(browser: Browser, serve: Serve, way: str) -> None:
    browser.open(serve(site(WORDS)).base + PATH)
    show_template(browser)
    button = browser._panel_button("original")
    assert button is not None
    browser.run(HIDDEN[way])
    time.sleep(0.5)

    browser.mouse_click(*button)

    if way != "not drawn":
        # What the page adds in the meantime makes the panel speak of that.
        said = {text("panel_covered"), text("panel_later_judged"), text("panel_later_shown")}
        wait_until(
            lambda: any(one in (browser.panel_text("[role=status]") or "") for one in said),
            "the panel does not say that it is covered",
        )
    time.sleep(0.5)
    assert browser.button_state().state == "template"
    browser.click_panel("original")
    browser.wait_for_state("original")


def test_a_page_can_neither_move_nor_fade_the_panel_by_styles(browser: Browser, serve: Serve) -> None:
    browser.open(serve(site(WORDS)).base + PATH)
    show_template(browser)
    before = browser._panel_button("original")

    browser.run(STYLES)

    assert browser._panel_button("original") == before
    browser.click_panel("original")
    browser.wait_for_state("original")
