"""The content view shows its text on every page, or says that it cannot and shows the page."""

import pytest
from tests.browsers.conftest import Serve
from tests.browsers.looking import COUNT_MARKS, RGB, colours, picture
from tests.browsers.pages import PATH, page, site
from tests.support.browsers import Browser, wait_until
from tests.support.server import Answer

STORY = (
    "<h1>The bridge is closed</h1><p>The bridge over the old harbour was closed for a week, because two of its"
    " ropes had worn thin in the winter storms, and nobody may pass until the summer.</p><p>The council says that"
    " new ropes will be hung before the summer, and that boats may pass again today, as they did before.</p>"
)
TEASERS = "".join(f"<li><a href='/far/{number}'>Another story {number}</a></li>" for number in range(9))
AROUND = f"<aside class=teasers><h3>More stories</h3><ul>{TEASERS}</ul></aside>"
MENU = "<nav><a href=/a>Menu of the frame</a> <a href=/b>Another</a></nav>"
FRAMED = Answer(f"<!doctype html><title>Framed</title>{MENU}<article>{STORY}</article>".encode())
SETS = Answer(b"<title>Set</title><frameset cols='200,*'><frame src=/menu.html><frame src=/inner.html></frameset>")
GRADIENT = "background: linear-gradient(#124, #248); padding: 20px"
PHOTO = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><rect width='9999' height='9999'/></svg>"
MOVING = """<style>::view-transition-group(*), ::view-transition-old(*), ::view-transition-new(*)
{ animation-duration: 60s }</style>
<script>addEventListener("load", () => document.startViewTransition?.(() => {}))</script>"""
PAGES = {
    "frame": site("<iframe src=/inner.html width=900 height=500></iframe>", inner_html=FRAMED),
    "frameset": site("", inner_html=FRAMED, menu_html=Answer(MENU.encode())) | {PATH: SETS},
    "title on a gradient": site(
        f"<div style='{GRADIENT}'><h1 style='color: #fff'>The bridge is closed</h1><a href=/x>Share</a></div>"
        f"{STORY.partition('</h1>')[2]}{AROUND}"
    ),
    "all on a gradient": site(f"<div style='{GRADIENT}; color: #fff'>{STORY}{AROUND}</div>"),
    "all on a photo over white": site(
        f'<div style="background: #fff url(&quot;{PHOTO}&quot;); color: #fff">{STORY}{AROUND}</div>'
    ),
    "closed details": site(f"<details><summary>The story</summary>{STORY}</details>{AROUND}"),
    "in a drawing": site(
        f"<svg width=900 height=500><foreignObject width=900 height=500>{MENU}{STORY}</foreignObject></svg>{AROUND}"
    ),
    "during a transition": site(STORY + AROUND, head=MOVING),
    "below a tall picture": site(f'<img width=900 height=2000 src="{PHOTO}">{STORY}<hr style="height: 900px">'),
}
TITLE = """() => {
    const frames = [...document.querySelectorAll("iframe, frame")];
    const documents = [document, ...frames.map(one => one.contentDocument)];
    const title = documents.map(one => one.querySelector("h1")).find(Boolean);
    const {left, top, right, bottom} = title.getBoundingClientRect();
    const frame = title.ownerDocument.defaultView.frameElement?.getBoundingClientRect() ?? {x: 0, y: 0};
    const box = [left + frame.x, top + frame.y, right + frame.x, bottom + frame.y].map(Math.round);
    return box[1] >= 0 && box[3] <= innerHeight ? box : null;
}"""
LATE = "() => document.activeViewTransition?.ready.then(() => {}, () => {})"


def open_content(browser: Browser, address: str, *ends: str) -> None:
    browser.open(address)
    browser.run(LATE)
    browser.press("Ctrl+Shift+7")
    browser.wait_for_state("content", *ends)


def title_colours(browser: Browser) -> set[RGB]:
    left, top, right, bottom = wait_until(lambda: browser.run(TITLE), "the title is outside of the window")
    return colours(picture(browser), (left, top, right, bottom))


@pytest.mark.parametrize("name", PAGES)
def test_the_content_shows_its_title_in_the_window_and_the_page_returns(
    guessing: Browser, serve: Serve, name: str
) -> None:
    address = serve(PAGES[name]).base + PATH
    open_content(guessing, address)
    assert len(title_colours(guessing)) > 4, "nothing is drawn where the title is"
    press_until(guessing, "original")
    assert guessing.run(COUNT_MARKS) == 0


def test_what_a_page_writes_anew_shows_at_once(guessing: Browser, serve: Serve) -> None:
    open_content(guessing, serve(site(f"<div id=live>{STORY}{AROUND}</div>")).base + PATH)
    for _ in range(5):
        is_seen = guessing.run(
            """async html => {
                document.querySelector("#live").innerHTML = html;
                await new Promise(requestAnimationFrame);
                return document.querySelector("h1").checkVisibility({visibilityProperty: true});
            }""",
            STORY + AROUND,
        )
        assert is_seen


MODAL = """<script>addEventListener("DOMContentLoaded", () => {
    const modal = document.createElement("dialog");
    modal.innerHTML = "<p>We use cookies.</p><button>Fine</button>";
    modal.querySelector("button").addEventListener("click", () => modal.close());
    document.body.append(modal);
    modal.showModal();
});</script>"""


def test_a_modal_dialog_stays_as_nothing_else_could_be_clicked_and_the_panel_works_beside_it(
    guessing: Browser, serve: Serve
) -> None:
    linked = STORY.replace("The council", "<a href='#council'>The council</a>")
    open_content(guessing, serve(site(linked + AROUND, head=MODAL)).base + PATH)
    press_until(guessing, "template")
    press_until(guessing, "content")

    guessing.click("dialog button")
    guessing.click("main a")
    wait_until(lambda: guessing.run("() => location.hash") == "#council", "the link cannot be clicked")
    press_until(guessing, "original")
    assert guessing.run(COUNT_MARKS) == 0


def press_until(browser: Browser, view: str) -> None:
    """Press a button of the panel until its view shows: a panel that has just moved takes no click."""

    def is_shown() -> bool:
        if point := browser._panel_button(view):
            browser.mouse_click(*point)
        return browser.wait_for_state("content", "template", "original").state == view

    wait_until(is_shown, f"the panel never shows {view}", pause=0.5)


def test_text_that_the_page_itself_hides_is_no_blank_view(guessing: Browser, serve: Serve) -> None:
    closed = f"<div style='display: none'>{STORY * 3}</div>"
    open_content(guessing, serve({**site(STORY + closed), "/x": page("")}).base + PATH)
    assert len(title_colours(guessing)) > 4
