"""Later additions to a page, as in endless scrolling, follow its answer, or stay visible."""

from tests.browsers.conftest import Serve
from tests.browsers.looking import COUNT_MARKS, show_page, show_template, visible, whole_state
from tests.browsers.pages import PATH, TEMPLATE, site
from tests.support.browsers import Browser, wait_until

STORIES = '<article class="story"><h2>One</h2><p>A story of wind.</p></article>' * 3
# As many more whenever the end comes into view, as endless pages do.
ENDLESS = """<script>addEventListener("load", () => {
    addEventListener("scroll", () => {
        const list = document.querySelector("main");
        for (let count = 0; count < 5; count++) {
            const story = list.appendChild(document.createElement("article"));
            story.className = "story";
            story.innerHTML = "<h2>Later</h2><p style='visibility: visible'>A later story.</p>";
        }
        document.querySelector("footer").insertAdjacentHTML("beforeend", "<p class='late'>Of the frame</p>");
    }, {once: true});
});</script><style>main { min-height: 2000px !important }</style>"""
OTHER = """() => {
    document.querySelector("main").insertAdjacentHTML("beforeend", '<section class="late"><b>Late</b></section>');
}"""


def scroll(browser: Browser) -> None:
    browser.run("() => scrollTo(0, 600)")
    wait_until(lambda: browser.run("() => document.querySelectorAll('article').length") == 8, "nothing came")


def test_later_stories_are_hidden_as_the_first_ones_are_and_show_with_the_content(
    browser: Browser, serve: Serve
) -> None:
    browser.open(serve(site(STORIES, head=ENDLESS)).base + PATH)
    show_template(browser)
    assert visible(browser, "article, article *") == []

    scroll(browser)

    wait_until(
        lambda: browser.button_state().kept.get("later") == "judged", lambda: f"{browser.button_state()}", 20
    )
    assert visible(browser, "article, article *") == []
    assert "later" in browser.panel_text("[role=region]")
    assert visible(browser, TEMPLATE) != []
    browser.click_panel("content")
    browser.wait_for_state("content")
    assert visible(browser, "article") == ["article"] * 8
    show_page_from_content(browser)


def show_page_from_content(browser: Browser) -> None:
    browser.click_panel("original")
    browser.wait_for_state("original")
    assert browser.run(COUNT_MARKS) == 0


def test_where_the_program_is_gone_what_came_later_shows_and_the_panel_says_so(
    browser: Browser, serve: Serve
) -> None:
    browser.open(serve(site(STORIES)).base + PATH)
    show_template(browser)
    browser.unregister_host()
    browser.sleep_background()  # and with it the host that is running
    try:
        browser.run(OTHER)
        wait_until(
            lambda: browser.button_state().kept.get("later") == "shown", lambda: f"{browser.button_state()}", 20
        )
    finally:
        browser.register_host()
    assert visible(browser, ".late, .late *") == ["section", "b"]
    assert visible(browser, "article, article *") == []


def test_the_way_back_is_exact_after_something_came(browser: Browser, serve: Serve) -> None:
    browser.open(serve(site(STORIES)).base + PATH)
    browser.run(OTHER)
    before = whole_state(browser)
    browser.run("() => { document.querySelector('.late').remove() }")
    show_template(browser)

    browser.run(OTHER)
    wait_until(lambda: browser.button_state().kept.get("later"), lambda: f"{browser.button_state()}")
    show_page(browser)

    assert whole_state(browser) == before
