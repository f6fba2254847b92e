"""All of the extension by keyboard alone: each control is reached, shows its focus, and is used."""

from collections.abc import Callable

from demo.site import DEMO_PAGE, load_site
from tests.browsers.conftest import Serve
from tests.browsers.looking import text, visible
from tests.browsers.options import forget_corrections
from tests.browsers.pages import PATH
from tests.browsers.test_corrections import corrections, said
from tests.browsers.test_session import MembersSite
from tests.support.browsers import Browser, wait_until
from tests.support.browsers.browser import Tab

BACK = "Shift+Tab"
MOST_TABS = 40
LISTS = 3  # those that scroll can have the focus, too
MENU = "\u2630"
RING = ":focus[style*='solid 2px']"
NOT_LOADED = "impossible.html?problem=impossible_not_loaded"
OWN_PAGES = ("options.html", "welcome.html", "help.html", "privacy.html", "try.html", NOT_LOADED)
# All that can have the focus, as a person reaches it: of a group of radio buttons, only the checked one.
CONTROLS = """(() => [...document.querySelectorAll("a, button, select, textarea, input, [tabindex='0']")]
    .filter(e => e.checkVisibility() && !e.disabled && !(e.type === "radio" && !e.checked)))()"""


def to(browser: Browser, name: str, key: str = "Enter", *, by: str = "Tab") -> None:
    """Go to a button of the panel by its words, look for its ring, and press it."""
    for _ in range(MOST_TABS):
        if browser.panel_text(":focus") == name:
            break
        browser.press(by)
    assert browser.panel_text(RING) == name, f"{name}: {said(browser)}"
    browser.press(key)


def focused(browser: Browser) -> str:
    """The id or name of the control in focus on a page of the extension; it has a ring."""
    name, style = browser.run(
        """() => {
            const {id, name, localName} = document.activeElement;
            return [id || name || localName, getComputedStyle(document.activeElement).outlineStyle];
        }"""
    )
    assert style != "none", name
    return str(name)


def all_reached(browser: Browser) -> None:
    """Tab through a new page of the extension: each control comes, and has a ring."""
    controls = browser.run(f"() => {CONTROLS}.map(e => e.outerHTML)")
    left = set(range(len(controls)))
    for _ in range(len(controls) + LISTS):
        browser.press("Tab")
        at = browser.run(f"() => {CONTROLS}.indexOf(document.activeElement)")
        if at >= 0:
            focused(browser)
        left.discard(at)
        if not left:
            break
    assert [controls[at] for at in left] == []


def has(browser: Browser, name: str, value: object) -> Callable[[], bool]:
    return lambda: (browser.button_state().kept.get(name) or None) == value


def back_to(browser: Browser, page: Tab) -> None:
    """Close the tab in front, as Ctrl+W does."""
    front = next(tab for tab in browser.tabs() if tab.url.startswith(browser.extension_address("")))
    browser.switch_to(page)
    browser.close_tab(front)


def with_template(browser: Browser, serve: Serve) -> Tab:
    """Open the demo page, press the button's key, and return the page's tab."""
    browser.open(serve(load_site()).base + DEMO_PAGE)
    page = browser.tabs()[0]
    browser.press("Ctrl+Shift+9")
    browser.wait_for_state("template")
    return page


def test_the_views_styles_and_files(guessing: Browser, serve: Serve) -> None:
    guessing.open(guessing.extension_address("pages/privacy.html"))
    guessing.run("() => chrome.storage.local.remove('saveContent')")  # the format that a test chose before
    page = with_template(guessing, serve)
    to(guessing, text("panel_content"))
    guessing.wait_for_state("content")
    to(guessing, MENU)
    to(guessing, text("panel_reading_sepia"), "Space")
    wait_until(has(guessing, "reading", "sepia"), "the style does not show")
    to(guessing, text("panel_reading_off"), "Space", by=BACK)
    wait_until(has(guessing, "reading", None), "the style stays")
    to(guessing, f"\u2713 {text('panel_gaps')}")
    wait_until(has(guessing, "closeGaps", None), "the gaps stay closed")
    to(guessing, text("panel_gaps"))
    wait_until(has(guessing, "closeGaps", True), "the gaps stay open")
    to(guessing, text("panel_copy"), by=BACK)
    wait_until(lambda: said(guessing) == text("panel_copied"), "nothing is copied")

    to(guessing, text("panel_save_content"))
    guessing.go_to_tab("pages/save.html")
    wait_until(lambda: guessing.run("() => document.activeElement.id") == "save", "nothing can be chosen")
    guessing.press("Shift+Tab")
    assert focused(guessing) == "content_format"
    guessing.press("ArrowDown")
    guessing.press("Tab")
    guessing.press("Enter")
    guessing.switch_to(page)
    assert guessing.wait_for_download().suffix == ".html"

    guessing.press("Escape")
    assert guessing.panel_text(RING) == MENU, "Escape closes more than the menu"
    to(guessing, text("panel_original"), by=BACK)
    guessing.wait_for_state("original")
    assert visible(guessing, "h1") == ["h1"]


def test_inspect_and_corrections(guessing: Browser, serve: Serve) -> None:
    page = with_template(guessing, serve)
    to(guessing, MENU)
    to(guessing, text("panel_inspect"))
    guessing.wait_for_state("inspect")
    guessing.press("ArrowUp")
    first = wait_until(lambda: guessing.panel_text("[data-explanation]"), "no element is explained")
    guessing.press("ArrowUp")
    wait_until(lambda: guessing.panel_text("[data-explanation]") != first, "the selection is not widened")
    guessing.press("ArrowDown")
    wait_until(lambda: guessing.panel_text("[data-explanation]") == first, "the selection is not narrowed")

    to(guessing, text("panel_only_page"), by=BACK)
    wait_until(lambda: corrections(guessing) == 1, "nothing is corrected")
    to(guessing, text("panel_edit"))
    guessing.go_to_tab("pages/options.html")
    wait_until(lambda: guessing.run("() => document.querySelector('#rules .bin') !== null"), "no row shows")
    guessing.press("Tab")
    assert focused(guessing) == "input"
    guessing.press("Space")
    switched = (
        "() => document.activeElement.checked === false && document.querySelector('#rules input:checked') === null"
    )
    wait_until(lambda: guessing.run(switched), "the correction stays on")
    back_to(guessing, page)
    to(guessing, text("panel_undo"), by=BACK)
    wait_until(lambda: corrections(guessing) == 0, "nothing is undone")
    assert guessing.panel_text(":focus") != "", "the focus is lost"

    guessing.press("Escape")  # the selection first
    guessing.press("Escape")
    guessing.wait_for_state("original")
    forget_corrections(guessing)


def test_a_list_of_pages_and_the_way_back_to_the_focused_link(guessing: Browser) -> None:
    with MembersSite() as server:
        guessing.open(server.base + "/sign-in")
        guessing.open(server.base + PATH)
        guessing.press("Ctrl+Shift+9")
        guessing.wait_for_state("doubtful")
        to(guessing, text("panel_session"))
        wait_until(lambda: guessing._panel_button("allow"), "the pages are not listed")
        guessing.press("Space")
        to(guessing, text("panel_allow"))
        guessing.wait_for_state("template")
        assert visible(guessing, "header a") != []
        guessing.press("Ctrl+Shift+6")
        guessing.wait_for_state("original")

        guessing.run("() => document.querySelector('header a').focus()")
        guessing.press("Ctrl+Shift+7")
        guessing.wait_for_state("content")
        to(guessing, text("panel_original"), by=BACK)
        guessing.wait_for_state("original")
        assert guessing.run("() => document.activeElement === document.querySelector('header a')")


def test_the_extensions_own_pages(browser: Browser) -> None:
    for name in OWN_PAGES:
        browser.open(browser.extension_address(f"pages/{name}"))
        wait_until(lambda: browser.run("() => document.title && !document.querySelector(':disabled')"), name)
        all_reached(browser)
