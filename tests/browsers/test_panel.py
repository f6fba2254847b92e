"""The panel in the page: one line beside the text, which the person moves and which stands so on the next page."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from demo.site import DEMO_PAGE, load_site
from demo.tour import in_language
from tests.browsers.conftest import Serve
from tests.browsers.looking import show_template, text, whole_state
from tests.browsers.pages import PATH, site
from tests.support.browsers import BROWSERS, Browser, wait_until
from tests.support.browsers.programs import ensure_browser

NEAR = 3
EDGE = 10  # from a button's middle to the panel's edge, at least
HANDLE = "\u283f"


@pytest.fixture
def moving(browser: Browser) -> Iterator[Browser]:
    """The browser, whose panel stands in its first place afterwards."""
    yield browser
    browser.open(browser.extension_address("pages/privacy.html"))
    browser.run("() => chrome.storage.local.remove('panel')")


def place(browser: Browser, name: str) -> tuple[float, float]:
    """Return where a button of the panel stands; it may have to come first."""
    found = wait_until(lambda: browser._panel_button(name), f"the panel shows no {name}")
    return (found[0], found[1])


def chosen(browser: Browser) -> dict[str, object]:
    """What is kept of the panel for all pages."""
    browser.new_tab(browser.extension_address("pages/privacy.html"))
    kept: dict[str, object] = browser.run(
        "() => new Promise(done => chrome.storage.local.get('panel', ({panel}) => done(panel ?? {})))"
    )
    return kept


def test_a_moved_panel_stands_in_its_place_on_the_next_page(moving: Browser, serve: Serve) -> None:
    server = serve(load_site())
    moving.open(server.base + DEMO_PAGE)
    show_template(moving)
    first = place(moving, "move")

    moving.click_panel("move")
    wait_until(lambda: place(moving, "move")[0] < first[0] - 200, "the panel is not in the next corner")
    moving.run("() => document.querySelector('a').focus()")
    wait_until(
        lambda: moving.press("Shift+Tab") or moving.panel_text(":focus") == HANDLE, "the handle has no focus"
    )
    moving.press("ArrowUp")
    moving.press("ArrowRight")
    moved = place(moving, "move")

    moving.open(server.base + "/visit.html")
    show_template(moving)
    again = place(moving, "move")
    assert abs(again[0] - moved[0]) <= NEAR
    moving.open(server.base + DEMO_PAGE)
    before = whole_state(moving)
    show_template(moving)
    moving.click_panel("original")
    moving.wait_for_state("original")
    assert whole_state(moving) == before
    assert chosen(moving) == {"place": {"side": "left", "edge": "bottom", "x": 40, "y": 40}}


@pytest.mark.parametrize("language", ["en", "es"])
def test_at_rest_the_panel_is_one_small_line_out_of_the_text(
    kind: str, built: Path, tmp_path: Path, serve: Serve, language: str
) -> None:
    column = "<p>" + "The old bridge stood in the rain. " * 20 + "</p>"
    style = {"left": "margin-right: 400px", "right": "margin-left: 400px", "all": ""}
    extension = in_language(built / kind, language, tmp_path)
    with BROWSERS[kind](extension, ensure_browser(kind)) as browser:
        browser.register_host()
        browser.choose_detector("temex")
        for where, margin in style.items():
            browser.open(serve(site(f"<div style='{margin}'>{column}</div>")).base + PATH)
            browser.press("Ctrl+Shift+7")
            browser.wait_for_state("content")
            (left, _), (right, bottom) = place(browser, "move"), place(browser, "close")
            width, height = browser.run("() => [innerWidth, innerHeight]")
            assert right - left <= 320 - 2 * EDGE
            assert height - bottom <= 16 + 48 / 2
            assert (left > width / 2) is (where != "right"), where
            assert browser._panel_button("save") is None


ROOT_STYLES = (
    "filter: grayscale(1)",
    "filter: contrast(1.5) brightness(0.9)",
    "filter: invert(0.9) hue-rotate(180deg)",
    "filter: blur(0)",
    "zoom: 0.3",
    "zoom: 3",
)


@pytest.mark.parametrize("style", ROOT_STYLES)
def test_the_panel_works_on_a_page_that_is_filtered_or_enlarged(browser: Browser, serve: Serve, style: str) -> None:
    browser.open(serve(site("<dl><dt>Word</dt><dd>Sense</dd></dl>")).base + PATH)
    show_template(browser)
    stands = place(browser, "original")
    browser.run(
        "style => new Promise(done => { document.documentElement.style = style; setTimeout(done, 800) })", style
    )
    wait_until(lambda: abs(place(browser, "original")[0] - stands[0]) <= NEAR, "the panel has another size")

    browser.mouse_click(*place(browser, "original"))
    browser.wait_for_state("original")


@pytest.mark.parametrize(
    "style", ["filter: opacity(0)", "filter: contrast(0)", "filter: url(#x)", "filter: invert(0.5)"]
)
def test_where_a_filter_could_hide_the_panel_a_press_is_told_why_it_does_not_count_and_keys_do(
    browser: Browser, serve: Serve, style: str
) -> None:
    browser.open(serve(site("<dl><dt>Word</dt><dd>Sense</dd></dl>")).base + PATH)
    show_template(browser)
    browser.run(
        "style => new Promise(done => { document.documentElement.style = style; setTimeout(done, 300) })", style
    )

    browser.mouse_click(*place(browser, "original"))

    wait_until(lambda: browser.panel_text("[role=status]") == text("panel_covered"), "nothing says why")
    assert browser.button_state().state == "template"
    browser.press("Escape")
    browser.wait_for_state("template")
    wait_until(lambda: browser._panel_button("original") is None, "the panel does not close")


def test_in_a_window_as_small_as_at_300_percent_the_menu_begins_in_the_panel_and_scrolls(
    kind: str, built: Path, serve: Serve
) -> None:
    with BROWSERS[kind](built / kind, ensure_browser(kind), size=(427, 287)) as browser:
        browser.register_host()
        browser.choose_detector("temex")
        browser.open(serve(site("<dl><dt>Word</dt><dd>Sense</dd></dl>")).base + PATH)
        browser.press("Ctrl+Shift+7")
        browser.wait_for_state("content")
        browser.click_panel("menu")
        first, last = place(browser, "reading_off"), place(browser, "options")
        assert 16 <= first[1] < last[1]
        assert place(browser, "close")[1] < 287
        browser.mouse_click(*place(browser, "reading_dark"))
        wait_until(lambda: browser.button_state().kept.get("reading") == "dark", "the first item does nothing")


def test_a_page_cannot_move_the_panel(moving: Browser, serve: Serve) -> None:
    moving.open(serve(load_site()).base + DEMO_PAGE)
    show_template(moving)
    stands = place(moving, "move")

    moving.run(
        """(x, y) => {
            const host = document.documentElement.firstElementChild;
            for (const [kind, made] of [["pointerdown", PointerEvent], ["pointermove", PointerEvent],
                ["pointerup", PointerEvent], ["click", MouseEvent]]) {
                const at = {bubbles: true, composed: true, clientX: x, clientY: y, button: 0};
                host.dispatchEvent(new made(kind, at));
            }
            host.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowUp", bubbles: true, composed: true}));
        }""",
        *stands,
    )

    assert place(moving, "move") == stands
    assert chosen(moving) == {}
