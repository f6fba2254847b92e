"""Clicks after the first: back to the page exactly, and to the template without a second detection."""

from demo.site import DEMO_PAGE, load_site
from tests.browsers.conftest import Serve
from tests.browsers.looking import (
    all_of,
    picture,
    show_content,
    show_page,
    show_template,
    text,
    visible,
    whole_state,
)
from tests.browsers.pages import NEIGHBOURS, PATH, page, site
from tests.support.browsers import Browser, wait_until
from tests.support.server import SiteServer

STORY = "#content *"
CRUMBS = ".crumbs, .crumbs *"
FRAME = ".site-header *, .sidebar *, .site-footer *"
ALMOST_SURELY = 0.96
FILLED = """
<form class="booking"><input id="name"><input id="secret" type="password"><input id="tick" type="checkbox">
<select id="count"><option>1</option><option>2</option></select><textarea id="note">Old</textarea></form>
<div id="scroller" style="height: 80px; overflow: auto"><div style="height: 900px">A long box of words</div></div>
<iframe id="frame" src="/inner.html" height="60"></iframe>
<word-of-day><template shadowrootmode="open"><b>Shadow</b></template></word-of-day>
<div style="height: 2000px" class="tall" STYLE="">Tall</div> bare words at the end
"""


def loads_by_host(server: SiteServer) -> list[str]:
    """Return the host's requests to the server; the browser calls itself Mozilla."""
    return [request.path for request in server.requests if not request.agent.startswith("Mozilla")]


def test_a_second_click_brings_the_page_back_exactly(browser: Browser, serve: Serve) -> None:
    server = serve(site(FILLED, inner_html=page("A frame")))
    browser.open(server.base + PATH)
    browser.run("""() => {
        document.querySelector("#name").value = "Ida";
        document.querySelector("#secret").value = "hush";
        document.querySelector("#tick").checked = true;
        document.querySelector("#count").selectedIndex = 1;
        document.querySelector("#note").value = "New";
        document.querySelector("#scroller").scrollTop = 123;
        scrollTo(0, 321);
        document.querySelector("#note").focus({preventScroll: true});
        getSelection().setBaseAndExtent(document.querySelector(".tall").firstChild, 1,
            document.querySelector(".tall").firstChild, 3);
        document.querySelector("#note").setSelectionRange(1, 2);
    }""")
    before, seen = whole_state(browser), picture(browser)

    show_template(browser)
    assert whole_state(browser) != before
    show_page(browser)

    after = whole_state(browser)
    for part, value in before.items():
        assert after[part] == value, part
    assert picture(browser).tobytes() == seen.tobytes()


def test_a_third_click_shows_the_content_a_fourth_the_template_again_and_nothing_is_loaded(
    browser: Browser, serve: Serve
) -> None:
    server = serve(load_site())
    browser.open(server.base + DEMO_PAGE)
    show_template(browser)
    loaded = loads_by_host(server)
    assert len(loaded) >= 3
    template = whole_state(browser)

    show_page(browser)
    show_content(browser)
    around = all_of(browser, CRUMBS)
    assert visible(browser, CRUMBS) == []
    assert visible(browser, STORY) == all_of(browser, STORY)[len(around) :]
    assert visible(browser, FRAME) == []
    show_template(browser)

    assert visible(browser, STORY) == []
    assert whole_state(browser) == template
    assert loads_by_host(server) == loaded


def test_the_default_detector_says_on_the_button_how_sure_it_is(guessing: Browser, serve: Serve) -> None:
    guessing.open(serve(load_site()).base + DEMO_PAGE)
    guessing.click_button()
    shown = guessing.wait_for_state("template")
    words = text("confidence_high" if shown.kept["confidence"] >= ALMOST_SURELY else "confidence_medium")
    assert words in shown.title
    assert visible(guessing, STORY) == []


def test_a_click_while_it_works_cancels(browser: Browser, serve: Serve) -> None:
    server = serve(site("<dl><dt>Word</dt><dd>Sense</dd></dl>"))
    browser.open(server.base + PATH)
    before = whole_state(browser)

    with server.holding(*NEIGHBOURS):
        browser.click_button()
        browser.wait_for_state("working")
        wait_until(lambda: bool(loads_by_host(server)), "the host asked for no page")
        browser.click_button()
        browser.wait_for_state("idle")

        assert whole_state(browser) == before

    show_template(browser)
    assert visible(browser, "main *") == []


def test_long_work_shows_in_the_page_and_only_a_person_cancels_it_there(browser: Browser, serve: Serve) -> None:
    server = serve(site("<dl><dt>Word</dt><dd>Sense</dd></dl>"))
    browser.open(server.base + PATH)
    before = whole_state(browser)
    with server.holding("/contact.html"):
        browser.click_button()
        says = text("panel_working_of", "2", "3")
        wait_until(lambda: browser.panel_text("[role=status]") == says, lambda: browser.panel_text("*"))
        browser.run(
            """() => {
                for (const element of document.documentElement.children) element.click();
                document.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape"}));
            }"""
        )
        assert browser.button_state().state == "working"
        browser.click_panel("cancel")
        browser.wait_for_state("idle")
    assert whole_state(browser) == before

    show_template(browser)
    assert browser.panel_text("[role=status]").startswith(text("panel_compared_other", "3"))


def test_a_navigation_resets_the_button_and_the_next_page_is_untouched(browser: Browser, serve: Serve) -> None:
    server = serve(load_site())
    browser.open(server.base + DEMO_PAGE)
    show_template(browser)

    browser.open(server.base + "/visit.html")

    assert browser.button_state().state == "idle"
    assert visible(browser, STORY) != []
    show_template(browser)
    assert visible(browser, "#content table, #content table *") == []


def test_a_navigation_while_it_works_ends_the_work(browser: Browser, serve: Serve) -> None:
    server = serve(site("<dl><dt>Word</dt><dd>Sense</dd></dl>"))
    browser.open(server.base + PATH)
    with server.holding(*NEIGHBOURS):
        browser.click_button()
        browser.wait_for_state("working")
        browser.open(server.base + "/style.css")
        browser.open(server.base + PATH)
        browser.wait_for_state("idle")

    show_template(browser)
    assert visible(browser, "main *") == []


def test_the_state_survives_the_sleep_of_the_background(browser: Browser, serve: Serve) -> None:
    server = serve(load_site())
    browser.open(server.base + DEMO_PAGE)
    before = whole_state(browser)
    show_template(browser)
    loaded = loads_by_host(server)

    browser.sleep_background()
    assert browser.button_state().state == "template"
    show_page(browser)
    assert whole_state(browser) == before

    browser.sleep_background()
    show_content(browser)
    browser.sleep_background()
    show_template(browser)
    assert visible(browser, STORY) == []
    assert loads_by_host(server) == loaded
