"""Pages and ends that come between: what happened is said, nothing hangs, nothing goes round in circles."""

import pytest
from tests.browsers.conftest import Serve
from tests.browsers.looking import (
    IS_OURS,
    all_of,
    show_content,
    show_page,
    show_template,
    text,
    visible,
    whole_state,
)
from tests.browsers.pages import NEIGHBOURS, PATH, page, site
from tests.browsers.test_save import saved_by_shortcut
from tests.support.browsers import Browser, wait_until
from tests.support.server import SiteServer

WORDS = "<dl><dt>Word</dt><dd>Sense</dd></dl>"
# Deeper and wider than any honest page; parsers stop at 512 levels, scripts do not.
DEEP = 12_000
TEMPLATES = 5_000


TAKE_OFF = f"for (const n of element.getAttributeNames()) if ({IS_OURS}.test(n)) element.removeAttribute(n);"


def asked(server: SiteServer) -> bool:
    return any(not request.agent.startswith("Mozilla") for request in server.requests)


def test_marks_that_a_page_takes_off_are_put_back_once(browser: Browser, serve: Serve) -> None:
    browser.open(serve(site(WORDS)).base + PATH)
    before = whole_state(browser)
    show_template(browser)

    browser.run(f"() => {{ for (const element of document.querySelectorAll('*')) {TAKE_OFF} }}")

    wait_until(lambda: visible(browser, "main *") == [], "the content shows")
    assert browser.button_state().title.startswith(text("title_template"))
    show_page(browser)
    assert whole_state(browser) == before


def test_attributes_that_have_the_extensions_name_mean_nothing_and_stay(browser: Browser, serve: Serve) -> None:
    named = '<p data-sitestencil="hide" data-sitestencil-theme="dark">Words</p>'
    browser.open(serve(site(WORDS + named)).base + PATH)
    before = whole_state(browser)
    show_template(browser)
    names = browser.run("() => document.querySelector('main dl').getAttributeNames()")
    show_page(browser)
    assert whole_state(browser) == before
    show_content(browser)
    assert "p" in visible(browser, "main *")
    browser.click_panel("original")
    browser.wait_for_state("original")
    assert whole_state(browser) == before
    browser.open(browser.run("() => location.href"))
    show_template(browser)
    drawn = set(browser.run("() => document.querySelector('main dl').getAttributeNames()"))
    assert len(drawn) == len(names) == 1
    assert drawn.isdisjoint(names)


def test_a_page_that_keeps_taking_marks_off_is_said_to(browser: Browser, serve: Serve) -> None:
    head = """<script>addEventListener("load", () => new MutationObserver(() => {
        for (const element of document.querySelectorAll("*")) %s
    }).observe(document, {attributes: true, subtree: true}));</script>"""
    browser.open(serve(site(WORDS, head=head % TAKE_OFF)).base + PATH)
    show_template(browser)

    wait_until(lambda: browser.button_state().kept.get("undone"), lambda: str(browser.button_state()))

    shown = browser.wait_for_state("template")
    assert (shown.title, shown.badge) == (f"{text('title_undone')} {text('title_click_for_page')}", "!")
    browser.click_panel("original")
    assert browser.wait_for_state("original").badge == ""
    assert visible(browser, "main *") == ["dl", "dt", "dd"]


def test_an_address_that_changes_all_the_time_is_said_and_keeps_no_page(browser: Browser, serve: Serve) -> None:
    server = serve(site(WORDS))
    browser.open(server.base + PATH)
    before = whole_state(browser)
    browser.run("""() => {
        let count = 0;
        window.turning = setInterval(() => history.replaceState(null, "", `?turn=${++count}`), 20);
    }""")

    with server.holding(*NEIGHBOURS):
        browser.click_button()
        state = browser.wait_for_state("error")
    assert state.problem == "error_page_changed"
    browser.run("() => clearInterval(turning)")
    show_template(browser)
    browser.run(
        "() => { window.turning = setInterval(() => history.replaceState(null, '', `?${Math.random()}`), 20); }"
    )
    wait_until(lambda: (browser.button_state().kept or {}).get("moved"), "nobody saw that the address changed")
    browser.click_button()
    # Whether the page is still known depends on when the address changes last.
    browser.wait_for_state("original", "idle")
    browser.run("() => clearInterval(turning)")
    assert whole_state(browser)["attributes"] == before["attributes"]


@pytest.mark.parametrize("is_removed", [False, True])
def test_an_element_with_the_extensions_name_changes_nothing(
    browser: Browser, serve: Serve, is_removed: bool
) -> None:
    named = "<form id=sitestencil name=sitestencil><input name=main><input name=dom></form>"
    browser.open(serve(site(WORDS + named)).base + PATH)
    before = whole_state(browser)
    show_template(browser)
    if is_removed:
        browser.run("() => document.getElementById('sitestencil').remove()")
    show_page(browser)

    assert is_removed or whole_state(browser) == before
    assert visible(browser, "main dl") == ["dl"]


NAMED = {
    "frame chrome": "<iframe name=chrome></iframe>",
    "frame browser": "<iframe name=browser srcdoc='<p>Text'></iframe>",
    "form and image": "<form name=browser><input name=runtime></form><img name=chrome>",
    "object and embed": "<embed name=browser><object id=chrome></object>",
}


def test_an_element_with_the_name_of_the_browsers_interface_changes_nothing(browser: Browser, serve: Serve) -> None:
    """In Chromium, the world of a new tab's first page begins with the click, when the element is there already."""
    wrong = {}
    for what, named in NAMED.items():
        policy = {"Content-Security-Policy": "frame-src 'none'"}
        served = site(WORDS) | {PATH: page(f"{WORDS}<div id=named>{named}</div>", headers=policy)}
        browser.new_tab(serve(served).base + PATH)
        before = whole_state(browser)
        browser.click_button()
        states = [browser.wait_for_state("template", "error").state]
        if states == ["template"]:
            browser.click_panel("inspect")
            states.append(browser.wait_for_state("inspect").state)
            browser.run("() => { window.named = document.getElementById('named'); named.remove(); }")
            browser.point_at("header")
            wait_until(lambda: browser.panel_text("[data-explanation]"), "the panel explains nothing")
            browser.run("() => document.querySelector('main').append(named)")
            browser.press("Escape")
            states.append(browser.wait_for_state("original").state)
            wait_until(lambda: len(all_of(browser, "html > *")) == 2, "an element of ours stays")
        if states != ["template", "inspect", "original"] or whole_state(browser) != before:
            wrong[what] = states
    assert wrong == {}


def test_a_background_that_is_stopped_at_work_says_so_and_the_next_click_works(
    browser: Browser, serve: Serve
) -> None:
    server = serve(site(WORDS))
    browser.open(server.base + PATH)
    with server.holding(*NEIGHBOURS):
        browser.click_button()
        browser.wait_for_state("working")
        wait_until(lambda: asked(server), "the host asked for no page")
        browser.stop_background()
        assert browser.wait_for_state("error").problem == "extension_interrupted"

    show_template(browser)
    assert visible(browser, "main *") == []


def test_a_page_of_thousands_of_levels_is_shown_restored_and_saved(browser: Browser, serve: Serve) -> None:
    browser.open(serve(site(WORDS)).base + PATH)
    browser.run(
        """(levels, templates) => {
            const main = document.querySelector("main");
            main.style.display = "none";  // so deep, browsers themselves do not come back from laying it out
            let deepest = main;
            for (let level = 0; level < levels; level++) {
                deepest = deepest.appendChild(document.createElement("x-y"));
            }
            deepest.append("Deep");
            let inner = main.appendChild(document.createElement("template"));
            for (let count = 1; count < templates; count++) {
                inner = inner.content.appendChild(document.createElement("template"));
            }
        }""",
        DEEP,
        TEMPLATES,
    )
    attributes = "() => [...document.querySelectorAll('*')].map(e => e.getAttributeNames().join()).join('|')"
    before = browser.run(attributes)

    browser.click_button()
    state = browser.wait_for_state("template", "error")
    assert state.state == "template", f"{state}\n{browser.host_log()}"
    assert "Made by hand." in saved_by_shortcut(browser).read_text("utf-8")
    show_page(browser)
    assert browser.run(attributes) == before


def test_a_page_over_64_mib_is_refused_with_its_size(browser: Browser, serve: Serve) -> None:
    browser.open(serve(site(WORDS)).base + PATH)
    browser.run("""() => {
        const hidden = document.querySelector("main").appendChild(document.createElement("p"));
        hidden.style.display = "none";
        hidden.append("x".repeat(70 * 1024 * 1024));
    }""")

    browser.click_button()

    state = browser.wait_for_state("error")
    assert state.title == text("title_error", text("page_too_large", "71", "64"))


def test_a_page_of_too_many_elements_is_refused_with_their_number(browser: Browser, serve: Serve) -> None:
    browser.open(serve(site(WORDS)).base + PATH)
    browser.run("() => { document.querySelector('main').innerHTML = '<hr>'.repeat(300_001) }")

    browser.click_button()

    state = browser.wait_for_state("error")
    assert state.kept["problem"][0::2] == ["page_too_many_elements", 300_000]
    assert state.kept["problem"][1] > 300_000
