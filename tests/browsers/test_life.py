"""Pages whose extension is updated, disabled or removed, and pages that the browser keeps and brings back."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.browsers.conftest import Serve, new_browser
from tests.browsers.looking import show_content, show_page, show_template, text, visible
from tests.browsers.pages import NEIGHBOURS, PATH, page, site
from tests.support.browsers import Browser, wait_until
from tests.support.server import Answer

WORDS = "<p>Some words of the content here, which are long enough to be read by a person.</p>" * 3
PARTS = (
    '<div id="shadow"><template shadowrootmode="open"><p>In a shadow tree.</p></template></div>'
    '<iframe srcdoc="<p>In a frame of the content.</p>"></iframe>'
)
# As a person sees it: without what is of the extension, or a word of its panel.
SHOWN = """() => {
    const seen = [...document.querySelectorAll("header *, main, main *, footer *")]
        .map(element => [element.localName, element.checkVisibility({visibilityProperty: true})]);
    const {backgroundColor, colorScheme} = getComputedStyle(document.documentElement);
    return JSON.stringify([seen, backgroundColor, colorScheme]);
}"""
# As a program sees it, in frames and shadow trees, too: no mark, no host of a panel, no highlight.
WHOLE = """() => {
    const [{shadowRoot: shadow}, {contentWindow: inner}] = document.querySelectorAll("#shadow, iframe");
    const all = [document.documentElement.outerHTML, shadow.innerHTML, inner.document.documentElement.outerHTML];
    return [...all, ...[window, inner].flatMap(one => [...one.CSS.highlights.keys()])];
}"""
# What lies in the window's corners, where the panel stands.
CORNERS = """() => [...document.documentElement.children].filter(element => {
    const [xs, ys] = [[40, innerWidth - 40], [30, innerHeight - 30]];
    const corners = xs.flatMap(x => ys.map(y => document.elementFromPoint(x, y)));
    return element.localName === "div" && corners.includes(element);
}).length"""


def working(browser: Browser) -> None:
    browser.click_button()
    wait_until(lambda: browser._panel_button("cancel"), "no panel says that it works")


def content(browser: Browser) -> None:
    show_template(browser)
    show_page(browser)
    show_content(browser)


def inspect(browser: Browser) -> None:
    show_template(browser)
    browser.click_panel("inspect")
    browser.wait_for_state("inspect")


def reading(browser: Browser) -> None:
    content(browser)
    browser.click_panel("reading_dark")
    wait_until(lambda: browser.button_state().kept.get("reading") == "dark", "the style is not chosen")


def closed(browser: Browser) -> None:
    show_template(browser)
    browser.click_panel("close")


STATES: dict[str, Callable[[Browser], None]] = {
    "working": working,
    "template": show_template,
    "content": content,
    "inspect": inspect,
    "reading": reading,
    "closed": closed,
}


def is_whole(browser: Browser, before: str) -> None:
    wait_until(
        lambda: browser.run(SHOWN) == before and browser.run(CORNERS) == 0,
        lambda: f"it is not the page: {browser.run(SHOWN)}, {browser.run(CORNERS)} panels; it was {before}",
        seconds=10,
    )


@pytest.mark.parametrize("end", ["update", "disable", "remove"])
def test_an_extension_that_goes_leaves_the_page_as_it_was_in_every_state(
    kind: str, built: Path, serve: Serve, end: str
) -> None:
    with new_browser(kind, built) as browser:
        browser.register_host()
        browser.choose_detector("temex")
        for name, reach in STATES.items():
            server = serve(site(WORDS + PARTS))
            browser.open(server.base + PATH)
            before, whole = browser.run(SHOWN), browser.run(WHOLE)
            with server.holding(*(NEIGHBOURS if name == "working" else ())):
                reach(browser)
                browser.end_extension(end)
                is_whole(browser, before)
            browser.start_extension(end)
            browser.run("() => scrollTo(0, 0)")
            show_template(browser)
            assert visible(browser, "main p") == [], name
            browser.click_panel("close")
            show_page(browser)
            assert browser.run(SHOWN) == before, name
            assert browser.run(WHOLE) == whole, name


@pytest.mark.parametrize("end", ["update", "disable", "remove"])
def test_a_page_that_the_browser_keeps_is_whole_if_the_extension_has_gone_meanwhile(
    kind: str, built: Path, serve: Serve, end: str
) -> None:
    with new_browser(kind, built) as browser:
        browser.register_host()
        browser.choose_detector("temex")
        server = serve(kept(WORDS))
        browser.open(server.base + PATH)
        before = browser.run(SHOWN)
        show_template(browser)
        leave(browser, server.base + "/other.html")
        browser.end_extension(end)
        come_back(browser)
        is_whole(browser, before)


def kept(body: str) -> dict[str, Answer]:
    """The answers of a site whose pages a browser may keep."""
    answers = site(body, other_html=page("Another page."))
    return {path: replace(one, headers={"Cache-Control": "no-cache"}) for path, one in answers.items()}


def leave(browser: Browser, url: str) -> float:
    """Open another page; return when the one before began."""
    began: float = browser.run("() => performance.timeOrigin")
    browser.open(url)
    return began


def come_back(browser: Browser) -> float:
    """Go back to the page under test; return when it began: a page that the browser kept is as old as before."""
    browser.run("() => { setTimeout(() => history.back()) }")
    wait_until(lambda: browser.run("() => location.pathname") == PATH, "the browser does not go back")
    began: float = browser.run("() => performance.timeOrigin")
    return began


def test_a_view_shows_again_with_its_panel_when_the_browser_brings_its_page_back(
    browser: Browser, serve: Serve
) -> None:
    server = serve(kept(WORDS * 40))
    browser.open(server.base + PATH)
    before = browser.run(SHOWN)
    content(browser)
    browser.run("() => scrollTo(0, 700)")
    began = leave(browser, server.base + "/other.html")
    assert come_back(browser) == began
    wait_until(lambda: browser._panel_button("template"), "the panel does not come back")
    assert visible(browser, "header *, footer *") == []
    assert browser.run("() => scrollY") == 700
    browser.wait_for_state("content")
    browser.click_panel("original")
    browser.wait_for_state("original")
    assert browser.run(SHOWN) == before


def test_a_page_that_was_left_at_work_is_idle_when_it_comes_back_and_the_next_click_works(
    browser: Browser, serve: Serve
) -> None:
    server = serve(kept(WORDS))
    browser.open(server.base + PATH)
    before = browser.run(SHOWN)
    with server.holding(*NEIGHBOURS):
        working(browser)
        began = leave(browser, server.base + "/other.html")
        assert come_back(browser) == began
        browser.wait_for_state("idle")
        is_whole(browser, before)
        assert browser.panel_text("[role=status]") == ""
    show_template(browser)
    assert visible(browser, "main p") == []


def test_the_answer_about_a_page_that_a_script_writes_anew_meanwhile_is_not_shown(
    browser: Browser, serve: Serve
) -> None:
    server = serve(site(WORDS))
    browser.open(server.base + PATH)
    with server.holding(*NEIGHBOURS):
        working(browser)
        browser.run(
            """() => {
                const {outerHTML} = document.body;
                document.open();
                document.write(outerHTML + "<p>New words.");
                document.close();
            }"""
        )
    state = browser.wait_for_state("error", "template", "doubtful")
    assert state.title == text("title_error", text("error_page_changed"))
    assert len(visible(browser, "main p")) == 3
    show_template(browser)
    assert visible(browser, "main p") == []
