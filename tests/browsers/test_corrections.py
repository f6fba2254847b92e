"""A person corrects an answer in the inspect view: previewed, announced on later pages, and undone there."""

import json
from collections.abc import Iterator

import pytest
from tests.browsers.conftest import Serve
from tests.browsers.looking import box_of, show_template, text, visible
from tests.browsers.options import forget_corrections, import_rules, open_options
from tests.browsers.pages import CONTENT, PATH, page, site
from tests.support.browsers import Browser, wait_until
from tests.support.server import Answer

FOOTER = "footer, footer *"
STORY = "<dl><dt>Word</dt><dd>Sense</dd></dl>"


@pytest.fixture
def corrected(browser: Browser) -> Iterator[Browser]:
    """The browser, whose corrections are forgotten afterwards."""
    yield browser
    forget_corrections(browser)


def inspect(browser: Browser) -> None:
    """Show the template of the page in front, and then inspect it."""
    show_template(browser)
    view(browser, "inspect")


def view(browser: Browser, name: str) -> None:
    browser.click_panel(name)
    browser.wait_for_state(name)


def corrections(browser: Browser) -> int:
    """The number of corrections that took part, as the button's state has it."""
    return int(browser.button_state().kept.get("corrections", 0))


def select(browser: Browser, selector: str) -> str:
    """Click an element's corner in the inspect view, and return what the panel says of it."""
    x, y, *_ = box_of(browser, selector)
    browser.mouse_click(x + 2, y + 2)
    wait_until(lambda: browser._panel_button("only_page"), lambda: f"nothing is offered: {explained(browser)}")
    return explained(browser)


def explained(browser: Browser) -> str:
    return browser.panel_text("[data-explanation]")


def said(browser: Browser) -> str:
    return browser.panel_text("[role=status]")


def correct(browser: Browser, selector: str, number: int | None = 1, button: str = "all_pages") -> None:
    """Select an element and correct it; afterwards so many corrections take part."""
    select(browser, selector)
    browser.click_panel(button)
    if number is None:  # a private window's state holds no number
        wait_until(lambda: browser._panel_button("undo"), "the correction cannot be undone")
    else:
        wait_until(lambda: corrections(browser) == number, lambda: f"not told: {browser.button_state()}")


def undo(browser: Browser, left: int) -> None:
    browser.click_panel("undo")
    wait_until(lambda: corrections(browser) == left, "undo does nothing")


def stories() -> dict[str, Answer]:
    """A site with articles, whose pages hold a box for readers, and an index of another kind."""
    paths = ("/page.html", "/news.html", "/events.html", "/contact.html")
    story = (
        "<article class='story'><aside class='related'>Read on</aside><h1>{0}</h1><p>All about {0}.</p></article>"
    )
    index = "<section class='list'><aside class='related'>Read on</aside><h2>News</h2></section>"
    return {**site(""), **{path: page(story.format(path)) for path in paths}, "/index.html": page(index)}


def test_a_click_selects_and_a_button_corrects_an_element_with_what_is_in_it_and_undo_reverts_it(
    corrected: Browser, serve: Serve
) -> None:
    corrected.open(serve(site(STORY)).base + PATH)
    inspect(corrected)
    assert text("inspect_preview_content_one", "1") in select(corrected, "footer")
    assert text("inspect_rule", "footer.bottom") in explained(corrected)
    assert corrections(corrected) == 0
    corrected.click_panel("all_pages")
    wait_until(lambda: corrections(corrected) == 1, "the correction is not told")
    correct(corrected, "dt", 2)
    view(corrected, "template")
    assert visible(corrected, FOOTER) == []
    assert visible(corrected, CONTENT) == ["dt"]

    view(corrected, "inspect")
    undo(corrected, 1)
    view(corrected, "template")
    assert visible(corrected, CONTENT) == []
    assert visible(corrected, FOOTER) == []


def test_a_rule_that_can_only_count_says_so(corrected: Browser, serve: Serve) -> None:
    corrected.open(serve(site("<p>First of all.</p><p>Then more.</p>")).base + PATH)
    inspect(corrected)
    assert text("inspect_counts") in select(corrected, "main p")
    assert text("inspect_rule", "main.content > p:nth-of-type(1)") in explained(corrected)
    assert text("inspect_counts") not in select(corrected, "footer")


def test_the_panel_leads_to_the_sites_corrections_which_have_a_switch_and_a_bin(
    corrected: Browser, serve: Serve
) -> None:
    server = serve(stories())
    host = server.base.removeprefix("http://")
    corrected.open(server.base + PATH)
    inspect(corrected)
    correct(corrected, "footer")
    (before,) = corrected.tabs()
    corrected.click_panel("edit")
    options = corrected.go_to_tab("options.html#corrections")
    wait_until(lambda: bool(lines(corrected)), "no correction is listed")
    box = text("rules_box", "Made by hand.")
    assert lines(corrected) == [f"{box} {text('rules_is_content')}, {text('rules_on_kind')}"]
    assert corrected.run("() => document.activeElement.textContent") == host
    assert [edited(corrected, selector) for selector in ("a:has(b)", "footer")] == ["footer.bottom", "footer"]

    for number in (0, 1):
        corrected.click("#rules input")
        corrected.switch_to(before)
        corrected.open(server.base + "/news.html")
        show_template(corrected)
        assert corrections(corrected) == number
        corrected.switch_to(options)
    corrected.click("#rules .bin")
    wait_until(lambda: not lines(corrected), "the correction stays")
    assert corrected.run("() => document.getElementById('no-rules').hidden") is False
    corrected.switch_to(before)
    corrected.close_tab(options)


def edited(browser: Browser, selector: str) -> str:
    """Write a selector into the first correction in the options, and return the one that it has then."""
    browser.run(
        """async selector => {
            const field = document.querySelector("#rules .selector");
            field.value = selector;
            field.dispatchEvent(new Event("change"));
            await new Promise(resolve => setTimeout(resolve, 200));
        }""",
        selector,
    )
    after: str = browser.run("() => document.querySelector('#rules .selector').value")
    return after


def lines(browser: Browser) -> list[str]:
    found: list[str] = browser.run(
        "() => [...document.querySelectorAll('#rules .line')].map((line) => line.textContent.trim())"
    )
    return found


def test_rules_are_imported_and_those_that_cannot_be_used_are_refused(corrected: Browser, serve: Serve) -> None:
    server = serve(site(STORY))
    host = server.base.removeprefix("http://")
    good = {"sitestencil_rules": 1, "sites": {host: [{"selector": "header", "is": "content"}]}}
    open_options(corrected)
    assert import_rules(corrected, json.dumps(good)) == text("rules_imported")
    assert "a:has(b)" in import_rules(corrected, json.dumps(good).replace("header", "a:has(b)"))
    assert lines(corrected) == [f"{text('rules_is_content')}, {text('rules_on_all')}"]
    corrected.open(server.base + PATH)
    show_template(corrected)
    assert visible(corrected, "header, header *") == []


def test_a_corrected_picture_leaves_no_gap_in_the_content_view(corrected: Browser, serve: Serve) -> None:
    frame = '<div class="frame" style="padding: 40px"><a href="/"><img alt="" width="90" height="90"></a></div>'
    corrected.open(serve(site(STORY + frame)).base + PATH)
    show_template(corrected)
    view(corrected, "content")
    assert visible(corrected, ".frame, .frame *") == ["div", "a", "img"]
    view(corrected, "inspect")
    correct(corrected, "img", 1, "only_page")
    view(corrected, "content")
    assert visible(corrected, ".frame, .frame *") == []
    assert "dt" in visible(corrected, "main *")
