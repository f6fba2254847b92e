"""The inspect view: what is template and what is content is tinted, and said of what the pointer is on."""

from demo.site import DEMO_PAGE, load_site
from tests.browsers.conftest import Serve
from tests.browsers.looking import box_of, picture, show_template, text, whole_state
from tests.browsers.pages import PATH, page, site
from tests.support.browsers import Browser, wait_until
from tests.support.server import Answer


def inspect(browser: Browser) -> None:
    show_template(browser)
    browser.click_panel("inspect")
    browser.wait_for_state("inspect")


def warmth(browser: Browser, selector: str) -> float:
    """How much more red than blue there is on average in an element's box."""
    part = picture(browser).crop(box_of(browser, selector))
    red, _, blue = (sum(value * count for value, count in enumerate(c.histogram())) for c in part.split())
    return (red - blue) / (part.width * part.height)


def test_the_header_turns_blue_and_the_story_orange_and_nothing_on_the_page_changes(
    guessing: Browser, serve: Serve
) -> None:
    guessing.open(serve(load_site()).base + DEMO_PAGE)
    before, header, story = whole_state(guessing), warmth(guessing, "header"), warmth(guessing, "#content h1")

    inspect(guessing)

    assert warmth(guessing, "header") < header - 20
    assert warmth(guessing, "#content h1") > story + 20
    guessing.click_button()
    guessing.wait_for_state("original")
    assert whole_state(guessing) == before


def test_pointing_says_what_an_element_is_and_which_pages_have_it(guessing: Browser, serve: Serve) -> None:
    guessing.open(serve(load_site()).base + DEMO_PAGE)
    inspect(guessing)

    guessing.point_at(".site-header")
    lines = wait_until(lambda: guessing.panel_text("[data-explanation]"), "nothing is said")
    assert lines.startswith("header.site-header")
    assert ".html" in lines
    assert "Template," in lines

    guessing.point_at("#content h1")
    wait_until(lambda: guessing.panel_text("[data-explanation]").startswith("h1"), "it is not told")
    assert "Content," in guessing.panel_text("[data-explanation]")


def test_a_page_that_writes_itself_anew_ends_the_view(guessing: Browser, serve: Serve) -> None:
    guessing.open(serve(load_site()).base + DEMO_PAGE)
    inspect(guessing)
    guessing.run("() => { document.open(); document.write('<p>Written anew'); document.close(); }")
    guessing.wait_for_state("original")


def test_a_frame_is_inspected_too_and_a_click_on_a_link_leads_nowhere(browser: Browser, serve: Serve) -> None:
    inner = page("<p>Inside</p>")
    browser.open(
        serve(
            site('<a class="go" href="/news.html">Go</a><iframe src="/inner.html"></iframe>', inner_html=inner)
        ).base
        + PATH
    )
    inspect(browser)

    x, y = browser.run(
        """() => {
            const frame = document.querySelector("iframe").getBoundingClientRect();
            const inner = frames[0].document.querySelector("p").getBoundingClientRect();
            return [frame.x + inner.x + 5, frame.y + inner.y + 5];
        }"""
    )
    browser.mouse_move(x, y)
    wait_until(
        lambda: browser.panel_text("[data-explanation]").startswith("p"),
        lambda: browser.panel_text("[data-explanation]"),
    )
    browser.click(".go")
    assert browser.panel_text("[data-explanation]").startswith("a.go")
    browser.mouse_click(x, y)
    wait_until(
        lambda: text("inspect_no_rule") in browser.panel_text("[data-explanation]"), "a frame can be corrected"
    )
    assert browser._panel_button("only_page") is None
    assert browser.run("() => location.pathname") == PATH


def test_a_page_that_forbids_all_is_inspected(browser: Browser, serve: Serve) -> None:
    answers = site("<dl><dt>Word</dt></dl>")
    strict = {"Content-Security-Policy": "default-src 'none'"}
    answers[PATH] = Answer(answers[PATH].body, headers=strict)
    browser.open(serve(answers).base + PATH)
    before = warmth(browser, "main")

    inspect(browser)

    assert warmth(browser, "main") > before + 10
