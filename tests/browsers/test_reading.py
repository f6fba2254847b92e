"""The reading style of the content view: over the page's own, on pages of every kind, and away without a trace."""

from collections.abc import Iterator

import pytest
from tests.browsers.conftest import Serve
from tests.browsers.looking import choose_style, show_template, visible, whole_state
from tests.browsers.pages import PATH, TEMPLATE, site
from tests.support.browsers import Browser, wait_until

OWN = """<style>
body { background: url(data:,) #123; } main { display: grid; grid-template-columns: 900px 300px; width: 1400px; }
.post { float: left; width: 1100px; height: 40px; overflow: hidden; font: 9px cursive; color: #eee; }
.post p { position: absolute; left: 700px } pre { white-space: pre } .sr { position: absolute; width: 1px;
height: 1px; overflow: hidden } img { width: 40px; height: 20px } .late { display: none }
</style>"""
POSTS = "".join(
    f"<div class='post'><p>Post {number}: the ropes of the old bridge had worn thin in the winter storms, so that"
    f" nobody may pass until the summer. {'And so on. ' * 40}</p></div>"
    for number in range(3)
)
THREAD = (
    f"<section class='thread'><h1>Why is the bridge closed?</h1>{POSTS}"
    f"<pre><code>{'long line ' * 60}\nnext</code></pre>"
    "<table><tr><th>Rope</th><th>Year</th></tr><tr><td>North</td><td>1999</td></tr></table>"
    "<p class='sr'>For screen readers</p><p class='late'>Later</p>"
    "<math><mi>x</mi><mo>=</mo><mn>2</mn></math>"
    "<img alt='' src='data:image/gif;base64,R0lGODlhAQABAAAAACw='></section>"
)
LOOK = """selector => {
    const style = getComputedStyle(document.querySelector(selector));
    const names = ["color", "backgroundColor", "fontFamily", "display", "position"];
    return Object.fromEntries(names.map(name => [name, style[name]]));
}"""
SPILLS = """() => [...document.querySelectorAll(".post")].filter(post => {
    const [outer, inner] = [post, post.firstChild].map(element => element.getBoundingClientRect());
    const isWide = inner.right > document.documentElement.clientWidth;
    return inner.bottom > outer.bottom + 1 || isWide || inner.height < 40;
}).length"""
THEMES = {"light": "rgb(253, 253, 251)", "sepia": "rgb(245, 236, 217)", "dark": "rgb(28, 29, 31)"}


@pytest.fixture
def reading(browser: Browser) -> Iterator[Browser]:
    """The browser, in which the page's own style is chosen afterwards."""
    yield browser
    browser.open(browser.extension_address("pages/privacy.html"))
    browser.run("() => chrome.storage.local.remove(['reading', 'showsAround'])")


def open_content(browser: Browser) -> None:
    show_template(browser)
    browser.click_panel("content")
    browser.wait_for_state("content")


def test_a_thread_is_read_in_each_style_with_all_its_text_and_the_page_returns_exactly(
    reading: Browser, serve: Serve
) -> None:
    reading.open(serve(site(THREAD, head=OWN)).base + PATH)
    before = whole_state(reading)
    open_content(reading)
    main = visible(reading, "main *")
    reading.click_panel("around")
    wait_until(lambda: visible(reading, "main *") != main, "the switch shows nothing more")
    own = reading.run(LOOK, ".post p")
    shown = visible(reading, "main *")

    for style, paper in THEMES.items():
        choose_style(reading, style)
        assert reading.run(LOOK, "html")["backgroundColor"] == paper
        text = reading.run(LOOK, ".post p")
        assert text["color"] == reading.run(LOOK, "body")["color"] != own["color"]
        assert "serif" in text["fontFamily"]
        assert reading.run(SPILLS) == 0
        assert visible(reading, "main *") == shown
        assert visible(reading, TEMPLATE) == []
        assert "monospace" in reading.run(LOOK, "pre code")["fontFamily"]
        assert reading.run(LOOK, "table")["display"] == "block"
        assert reading.run(LOOK, ".sr")["position"] == "absolute"
        assert reading.run(LOOK, ".late")["display"] == "none"
        width = reading.run("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert width <= 0

    choose_style(reading, "off")
    assert reading.run(LOOK, ".post p") == own
    choose_style(reading, "sepia")
    reading.click_panel("original")
    reading.wait_for_state("original")
    assert whole_state(reading) == before


def test_the_style_is_there_on_the_next_page_but_not_in_the_template_view(reading: Browser, serve: Serve) -> None:
    server = serve(site(THREAD, head=OWN))
    reading.open(server.base + PATH)
    open_content(reading)
    choose_style(reading, "dark")

    reading.open(server.base + PATH)
    show_template(reading)
    assert reading.run(LOOK, "html")["backgroundColor"] != THEMES["dark"]
    reading.click_panel("content")
    reading.wait_for_state("content")

    assert reading.run(LOOK, "html")["backgroundColor"] == THEMES["dark"]
