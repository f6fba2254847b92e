"""A site that goes on by script within one document: what is new is judged by the answer about the first page."""

from tests.browsers.conftest import Serve
from tests.browsers.looking import COUNT_MARKS, show_page, show_template, visible
from tests.browsers.pages import PATH, TEMPLATE, site
from tests.support.browsers import Browser, wait_until

STORY = '<article class="story"><h2>One</h2><p>A story of wind.</p></article>'
# Links of the menu are followed as frameworks do: another address, and a little later another content.
ROUTER = """<script>addEventListener("load", () => {
    const home = document.querySelector("main").innerHTML;
    const other = path => `<article class="story"><h2>Of ${path}</h2>
        <p style="visibility: visible">Rain.</p></article>`;
    const draw = () => setTimeout(() => {
        const path = location.pathname;
        document.querySelector("main").innerHTML = path === "/page.html" ? home : other(path);
    }, 60);
    addEventListener("popstate", draw);
    addEventListener("click", event => {
        const link = event.target.closest("header a");
        if (!link) return;
        event.preventDefault();
        history.pushState(null, "", link.href);
        draw();
    });
});</script>"""
# What is of another kind altogether.
STRANGE = """() => {
    history.pushState(null, "", "/strange.html");
    const parts = "<section class='map'><figure><b>Map</b><i>Legend</i></figure></section>".repeat(40);
    document.body.innerHTML = `<aside id="strange">${parts}</aside>`;
}"""


def wait_for_later(browser: Browser, later: str, address: str) -> None:
    def is_told() -> bool:
        kept = browser.button_state().kept
        return kept.get("later") == later and browser.run("() => location.pathname") == address

    wait_until(is_told, lambda: f"{browser.button_state()}")


def test_another_page_of_the_application_shows_as_template_and_the_way_back_too(
    browser: Browser, serve: Serve
) -> None:
    browser.open(serve(site(STORY, head=ROUTER)).base + PATH)
    show_template(browser)
    assert visible(browser, "main article, main article *") == []

    browser.run("() => document.querySelector('header a[href=\"/events.html\"]').click()")

    wait_until(
        lambda: browser.run("() => document.querySelector('h2').textContent") == "Of /events.html", "no page"
    )
    wait_for_later(browser, "judged", "/events.html")
    assert visible(browser, "main article, main article *") == []
    assert len(visible(browser, TEMPLATE)) > 5
    assert browser.button_state().kept["moved"] is True
    assert "address has changed" in browser.panel_text("[role=region]")
    browser.click_panel("content")
    browser.wait_for_state("content")
    assert visible(browser, "main article, main article *") == ["article", "h2", "p"]
    assert visible(browser, TEMPLATE) == []

    browser.run("() => history.back()")

    wait_for_later(browser, "judged", "/page.html")
    wait_until(lambda: visible(browser, "main article, main article *") == ["article", "h2", "p"], "hidden")
    assert visible(browser, TEMPLATE) == []
    browser.click_panel("original")
    browser.wait_for_state("original")
    assert browser.run(COUNT_MARKS) == 0


def test_a_page_that_goes_on_while_it_shows_as_it_is_is_compared_anew_by_the_next_click(
    browser: Browser, serve: Serve
) -> None:
    browser.open(serve(site(STORY, head=ROUTER)).base + PATH)
    show_template(browser)
    show_page(browser)

    browser.run("() => document.querySelector('header a[href=\"/events.html\"]').click()")

    browser.wait_for_state("idle")
    show_template(browser)
    assert "moved" not in browser.button_state().kept
    assert visible(browser, "main article, main article *") == []


def test_what_cannot_be_judged_shows_and_can_be_compared_anew(browser: Browser, serve: Serve) -> None:
    browser.open(serve(site(STORY, head=ROUTER)).base + PATH)
    show_template(browser)

    browser.run(STRANGE)

    wait_for_later(browser, "shown", "/strange.html")
    assert "aside" in visible(browser, "aside, aside *")
    assert "cannot be judged" in browser.panel_text("[role=region]")
    browser.click_panel("again")
    wait_until(lambda: "moved" not in browser.button_state().kept, lambda: f"{browser.button_state()}")
