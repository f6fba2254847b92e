"""The views beside the template: the content alone, and all of them without their gaps; the way back is exact."""

import re
import zlib
from collections.abc import Iterator
from dataclasses import replace

import pytest
from demo.site import DEMO_PAGE, load_site
from tests.browsers.conftest import Serve
from tests.browsers.looking import (
    box_of,
    colours,
    picture,
    show_content,
    show_page,
    show_template,
    visible,
    whole_state,
)
from tests.browsers.pages import CONTENT, PATH, STYLE, TEMPLATE, page, site
from tests.browsers.test_save import saved_by_shortcut
from tests.support.browsers import Browser, wait_until
from tests.support.server import Answer

LONG = "<dl>" + "<dt>Word</dt><dd>Sense</dd>" * 200 + "</dl>"
FILLED = """
<form class="booking"><input id="name"><input id="secret" type="password"><input id="tick" type="checkbox">
<select id="count"><option>1</option><option>2</option></select><textarea id="note">Old</textarea></form>
<div id="scroller" style="height: 80px; overflow: auto"><div style="height: 900px">A long box of words</div></div>
<iframe id="frame" src="/inner.html" height="60"></iframe>
<word-of-day><template shadowrootmode="open"><b>Shadow</b></template></word-of-day>
<div style="height: 2000px" class="tall" STYLE="">Tall</div> bare words at the end
"""
HEIGHT = "() => document.documentElement.scrollHeight"
PLACE = """selector => {
    const box = document.querySelector(selector).getBoundingClientRect();
    return [Math.round(box.top + scrollY), Math.round(box.height)];
}"""


@pytest.fixture
def closing(browser: Browser) -> Iterator[Browser]:
    """The browser, whose choices about gaps are forgotten afterwards."""
    yield browser
    browser.open(browser.extension_address("pages/privacy.html"))
    browser.run("() => chrome.storage.local.remove(['closeGaps', 'keepsGaps'])")


def toggle_gaps(browser: Browser) -> None:
    """Press the panel's switch, and wait until the page shows so."""
    before = bool(browser.button_state().kept.get("closeGaps"))
    browser.click_panel("gaps")
    wait_until(lambda: bool(browser.button_state().kept.get("closeGaps")) != before, "the switch does nothing")


def test_the_content_shows_alone_and_the_layout_stays_with_open_gaps(closing: Browser, serve: Serve) -> None:
    closing.open(serve(site("<dl><dt>Word</dt><dd>Sense</dd></dl>bare words")).base + PATH)
    before = closing.run(PLACE, "dl")
    show_template(closing)

    closing.click_panel("content")
    closing.wait_for_state("content")

    assert visible(closing, CONTENT) == ["dl", "dt", "dd"]
    assert visible(closing, TEMPLATE) == []
    assert closing.run(PLACE, "dl") != before
    toggle_gaps(closing)
    assert closing.run(PLACE, "dl") == before
    assert visible(closing, TEMPLATE) == []


DARK = "<style>body { background: #222; } header { background: #124 url(data:,); }</style>"


def test_the_content_stands_on_the_colour_of_its_column_and_the_rest_on_the_page_s(
    browser: Browser, serve: Serve
) -> None:
    browser.open(serve(site("<dl><dt>Word</dt><dd>Sense</dd></dl>", head=DARK)).base + PATH)
    show_template(browser)
    browser.click_panel("content")
    browser.wait_for_state("content")

    shown = picture(browser)
    assert (255, 255, 255) in colours(shown, box_of(browser, "dl"))
    assert colours(shown, (2, 700, 100, 800)) == {(34, 34, 34)}
    assert visible(browser, TEMPLATE) == []


def test_a_bare_text_of_the_template_takes_no_size_from_the_content_deep_inside_it(
    browser: Browser, serve: Serve
) -> None:
    pages = site("<dl><dt>Word</dt><dd>Sense</dd></dl>")
    with_text = {
        path: replace(answer, body=answer.body.replace(b"<body>", b"<body>Words of the harbour"))
        for path, answer in pages.items()
    }
    browser.open(serve(with_text).base + PATH)
    before = browser.run(PLACE, "dl")[1]
    show_template(browser)
    browser.click_panel("content")
    browser.wait_for_state("content")
    assert browser.run(PLACE, "dl")[1] == before


TEASERS = "".join(
    f"<li><a href='/far/{number}'>Another story of the harbour {number}</a></li>" for number in range(9)
)
STORY = (
    "<h1>The bridge is closed</h1><p>The bridge over the old harbour was closed for a week, because two of its"
    " ropes had worn thin in the winter storms.</p><p>The council says that new ropes will be hung before the"
    " summer, and that boats may pass again today, as they did before the storms.</p><p>Until then nobody may walk"
    " over it. The harbour master, who saw the damage first, has asked all skippers to keep to the middle of the"
    " channel, where the water is deep enough at every tide, and to slow down near the pier.</p>"
    f"<aside class='related teasers'><h3>More stories</h3><ul>{TEASERS}</ul></aside>"
)


def test_a_switch_shows_all_content_with_the_teasers_around_the_story(browser: Browser, serve: Serve) -> None:
    browser.open(serve(site(STORY)).base + PATH)
    show_template(browser)
    browser.click_panel("content")
    browser.wait_for_state("content")
    assert visible(browser, CONTENT) == ["h1", "p", "p", "p"]

    browser.click_panel("around")
    wait_until(lambda: "aside" in visible(browser, CONTENT), "the switch shows nothing more")
    assert visible(browser, TEMPLATE) == []
    browser.click_panel("around")
    wait_until(lambda: "aside" not in visible(browser, CONTENT), "the switch does not go back")


def test_the_page_is_exactly_as_it_was_after_every_view_with_and_without_gaps(
    closing: Browser, serve: Serve
) -> None:
    closing.open(serve(site(FILLED, inner_html=page("A frame"))).base + PATH)
    closing.mouse_click(1270, 4)  # before, the window has no focus and shows none
    closing.run("""() => {
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
    before, seen = whole_state(closing), picture(closing)

    show_template(closing)
    assert whole_state(closing) != before
    toggle_gaps(closing)
    for view in ("content", "inspect", "template", "content"):
        closing.click_panel(view)
        closing.wait_for_state(view)
    closing.click_panel("original")
    closing.wait_for_state("original")
    assert whole_state(closing) == before

    show_content(closing)
    toggle_gaps(closing)
    show_template(closing)
    show_page(closing)
    assert whole_state(closing) == before
    assert picture(closing).tobytes() == seen.tobytes()


def test_with_the_gaps_closed_the_view_is_as_high_as_the_saved_file(closing: Browser, serve: Serve) -> None:
    closing.open(serve(site(LONG)).base + PATH)
    full = closing.run(HEIGHT)
    show_template(closing)
    assert closing.run(HEIGHT) == full

    toggle_gaps(closing)

    closed = closing.run(PLACE, "footer")
    assert closed[0] < full / 4
    saved = saved_by_shortcut(closing)
    toggle_gaps(closing)
    assert closing.run(HEIGHT) == full
    closing.open(serve({"/": Answer(saved.read_bytes())}).base + "/")
    wait_until(
        lambda: closing.run("() => document.querySelector('footer') !== null"), f"{saved.name} does not open"
    )
    closing.run("() => document.fonts.ready.then(() => null)")
    assert abs(closing.run(PLACE, "footer")[0] - closed[0]) <= 1, "the saved file has the footer elsewhere"


TALL_MENU = "<style>header { padding-bottom: 5000px } main { margin-top: 3000px }</style>"
TOP = "selector => document.querySelector(selector).getBoundingClientRect().top"


def test_below_a_tall_hidden_menu_the_content_opens_at_its_first_line_and_the_page_returns_to_its_place(
    browser: Browser, serve: Serve
) -> None:
    browser.open(serve(site(LONG, head=TALL_MENU)).base + PATH)
    browser.run("() => scrollTo(0, 700)")
    before = whole_state(browser)
    show_template(browser)

    browser.click_panel("content")
    browser.wait_for_state("content")

    assert 0 < browser.run(TOP, "dt") < 100
    assert len(visible(browser, CONTENT)) == 401
    assert browser.run("() => scrollY") > 2000
    browser.click_panel("original")
    browser.wait_for_state("original")
    assert whole_state(browser) == before


def view_of_content(browser: Browser) -> None:
    browser.click_panel("content")
    browser.wait_for_state("content")


def streams(pdf: bytes) -> list[bytes]:
    """The packed parts of a printed file; Firefox packs the list of sheets, too."""
    packed = re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL)
    return [zlib.decompressobj().decompress(stream) for stream in packed if stream[:1] == b"\x78"]


def sheets(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", b"".join([pdf, *streams(pdf)])))


def drawn(pdf: bytes) -> list[bytes]:
    """What a printed file draws, without its dates and numbers of objects."""
    return [stream for stream in streams(pdf) if b"BT" in stream or b"Do" in stream]


@pytest.mark.parametrize("policy", ["default-src 'self'", "default-src 'none'; style-src 'self'"])
def test_print_shows_the_page_alone_on_no_more_sheets_than_the_content_needs(
    browser: Browser, serve: Serve, policy: str
) -> None:
    server = serve(site("<dl><dt>Word</dt><dd>Sense</dd></dl>"))
    server.answers[PATH] = page("<dl><dt>Word</dt><dd>Sense</dd></dl>", headers={"Content-Security-Policy": policy})
    server.answers["/style.css"] = Answer((STYLE + "header { padding-bottom: 5000px }").encode(), "text/css")
    browser.open(server.base + PATH)
    show_template(browser)
    view_of_content(browser)
    with_panel = browser.print_pdf()

    browser.click_panel("close")

    assert sheets(with_panel) == 1
    assert drawn(with_panel)
    assert drawn(with_panel) == drawn(browser.print_pdf())


def test_in_print_a_content_view_shows_what_the_page_keeps_closed(browser: Browser, serve: Serve) -> None:
    answers = (
        "<details><summary>Who?</summary><p>Ida, who builds boats of oak.</details>"
        "<h3><button aria-expanded=false aria-controls=where>Where?</button></h3><p id=where hidden>Here.</p>"
        "<button aria-expanded=false>When?</button><div class=shut><p>In spring, when the ice has gone.</div>"
    )
    style = "<style>summary { list-style: none } .shut { height: 0; overflow: hidden; visibility: hidden }</style>"
    browser.open(serve(site(f"<p>{'All about boats and bridges. ' * 9}{answers}", head=style)).base + PATH)
    show_template(browser)
    view_of_content(browser)
    closed = drawn(browser.print_pdf())
    browser.run(
        "() => { document.querySelector('details').open = true; document.querySelector('#where').hidden = false;"
        "document.querySelector('.shut').className = ''; }"
    )
    assert closed == drawn(browser.print_pdf()) != []


def test_the_panel_says_with_how_many_pages_and_the_title_survives_views_and_back(
    guessing: Browser, serve: Serve
) -> None:
    server = serve(load_site())
    guessing.open(server.base + DEMO_PAGE)
    show_template(guessing)
    sure = guessing.button_state()
    assert len(sure.kept["compared"]) >= 3
    show_page(guessing)
    show_content(guessing)
    show_template(guessing)
    assert guessing.button_state() == sure

    guessing.run("() => { globalThis.isKept = true }")
    guessing.open(server.base + "/visit.html")
    guessing.run("() => { setTimeout(() => history.back()) }")
    wait_until(lambda: guessing.run("() => location.pathname") == DEMO_PAGE, "the browser does not go back")
    if guessing.run("() => globalThis.isKept === true"):  # it came from the browser's memory
        wait_until(lambda: guessing.button_state() == sure, lambda: f"{guessing.button_state()}")


def test_escape_closes_the_panel_but_not_when_the_page_makes_the_key_up_and_the_view_stays(
    browser: Browser, serve: Serve
) -> None:
    browser.open(serve(load_site()).base + DEMO_PAGE)
    show_template(browser)
    panel = "() => document.documentElement.firstElementChild.localName"
    assert browser.run(panel) == "div"

    browser.run("() => document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}))")
    assert browser.run(panel) == "div"
    browser.press("Escape")

    assert browser.run(panel) == "head"
    assert visible(browser, "#content *") == []
