"""The panel in the page: the person moves and collapses it, and it stands so on the next page."""

from collections.abc import Iterator

import pytest
from demo.site import DEMO_PAGE, load_site
from tests.browsers.conftest import Serve
from tests.browsers.looking import show_template, whole_state
from tests.support.browsers import Browser, wait_until

NEAR = 3
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


def test_a_collapsed_and_moved_panel_is_so_on_the_next_page_and_opens_in_its_place(
    moving: Browser, serve: Serve
) -> None:
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
    moving.click_panel("collapse")
    wait_until(lambda: moving._panel_button("template") is None, "the panel does not collapse")
    assert moving.panel_text("[role=status]") == ""

    moving.open(server.base + "/visit.html")
    show_template(moving)
    tab = place(moving, "collapse")
    assert moving._panel_button("template") is None
    assert abs(tab[0] - moved[0]) < 50
    moving.click_panel("collapse")
    place(moving, "template")
    again = place(moving, "move")
    assert abs(again[0] - moved[0]) <= NEAR
    moving.open(server.base + DEMO_PAGE)
    before = whole_state(moving)
    show_template(moving)
    place(moving, "template")
    moving.click_panel("original")
    moving.wait_for_state("original")
    assert whole_state(moving) == before
    kept = chosen(moving)
    assert kept["collapsed"] is False
    assert kept["place"] == {"side": "left", "edge": "bottom", "x": 40, "y": 40}


def test_a_page_can_neither_collapse_nor_move_the_panel(moving: Browser, serve: Serve) -> None:
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


def test_the_contents_panel_leaves_the_text_free_when_the_person_scrolls(moving: Browser, serve: Serve) -> None:
    moving.open(serve(load_site()).base + DEMO_PAGE)
    show_template(moving)
    moving.click_panel("content")
    moving.wait_for_state("content")
    place(moving, "template")

    moving.press("PageDown")

    wait_until(lambda: moving._panel_button("template") is None, "the panel still covers the text")
    place(moving, "collapse")
    assert chosen(moving) == {}
