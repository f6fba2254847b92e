"""The last look at a view: text that could be read on the page can be read in it, or the page shows."""

import pytest
from tests.browsers.conftest import Serve
from tests.browsers.looking import text
from tests.browsers.pages import PATH, site
from tests.browsers.test_content_views import AROUND, PHOTO, STORY, open_content, title_colours
from tests.support.browsers import Browser, wait_until
from tests.support.server import Answer

WHITE = "main, main * { background: none; color: #fff !important } "
FIXED = "{ position: fixed; inset: 0; z-index: -1; background: #124 }"
BAND = "{ position: absolute; inset: 430px 0 -900px; z-index: -1; background: #124; } html { background: #fff }"
SHADOWED = f"<div><template shadowrootmode=open><style>i {FIXED}</style><i></i></template></div>"
BLANK = {
    "a hidden ground": (f"{WHITE} .ground {FIXED}", ""),
    "one that takes no pointer": (f"{WHITE} .ground {FIXED} .ground {{ pointer-events: none }}", ""),
    "one in a shadow tree": (WHITE, SHADOWED),
    "an outer shadow": (f"{WHITE} header {{ box-shadow: 0 0 0 2000px #124 }} main {{ position: relative }}", ""),
    "a filter": (
        f"{WHITE} .ground {FIXED} .ground {{ background: none; backdrop-filter: invert(1); z-index: 0 }}"
        " header, main { position: relative; z-index: 1 }",
        "",
    ),
    "a glow": (f"{WHITE} main * {{ text-shadow: 0 0 40px #000 }} .ground {FIXED}", ""),
    "a ground below the end": (
        f"{WHITE} h1 {{ color: #111 !important; height: 380px }} .ground {BAND}",
        "",
    ),
}
# The page changes its text as soon as its header is gone.
LARGE = """header { min-height: 200px } .wrap { display: flex; flex-direction: column; height: 600px }
main { flex: 1; min-height: 0; container-type: size } @container (min-height: 450px) { h1, p { %s } }"""
GRID = ".wrap { display: grid; %s } .ground { display: none }"
BESIDE = f"{GRID} header {{ width: auto; overflow: hidden }} footer {{ display: none }}"
MASK = "<svg width=0 height=0><mask id=m><rect width=9999 height=9999 fill=#fff /></mask></svg>"
SQUEEZED = {
    "faded by the page": (LARGE % "opacity: 0", ""),
    "as light as its ground": (LARGE % "color: #fff !important", ""),
    "taken out of the window": (LARGE % "display: none !important", ""),
    "in the row of the header": (
        GRID % "grid-template-rows: 64px 1fr 40px; height: 300px" + "main { min-height: 0; overflow: auto }",
        "",
    ),
    "in a narrow column": (BESIDE % "grid-template-columns: 64px 1fr", ""),
    "one word a line": (
        BESIDE % "grid-template-columns: min-content 1fr" + "main { container-type: inline-size }",
        "",
    ),
    "above the page": ("header { height: 300px } main { margin-top: -220px; position: relative }", ""),
    "behind a hidden mask": ("main { mask: url(#m) }", MASK),
}
ROOM = """() => {
    const [title, text] = ["h1", "main p"].map(name => document.querySelector(name).getBoundingClientRect());
    return Math.min(document.querySelector("main").clientHeight, text.width, title.top + scrollY + 100);
}"""


def wrapped(head: str, start: str = "", body: str = STORY + AROUND) -> dict[str, Answer]:
    """A site with this style, and this before what its pages hold; `{}` in it is another number on each page."""
    answers = site(body, head=f"<style>{head}</style>")
    for number, (path, answer) in enumerate(answers.items()):
        if path.endswith(".html"):
            opening = f"<body><div class=ground></div>{start.replace('{}', str(number))}<div class=wrap>"
            html = answer.body.replace(b"<body>", opening.encode()).replace(b"</body>", b"</div></body>")
            answers[path] = Answer(html, answer.kind)
    return answers


def says_that_it_would_be_blank(browser: Browser) -> bool:
    shown = browser.wait_for_state("original")
    assert (shown.title, shown.badge) == (text("title_blank"), "!")
    return browser.panel_text("[role=status]") == text("panel_blank")


@pytest.mark.parametrize("way", BLANK)
def test_where_the_content_would_be_blank_the_page_shows_and_the_panel_says_so(
    guessing: Browser, serve: Serve, way: str
) -> None:
    open_content(guessing, serve(wrapped(*BLANK[way])).base + PATH, "original")
    assert says_that_it_would_be_blank(guessing)
    guessing.click_panel("template")
    guessing.wait_for_state("template")


@pytest.mark.parametrize("way", SQUEEZED)
def test_where_closed_gaps_would_take_the_text_its_room_they_stay_open(
    guessing: Browser, serve: Serve, way: str
) -> None:
    open_content(guessing, serve(wrapped(*SQUEEZED[way])).base + PATH, "original")
    assert guessing.button_state().state == "content"
    assert len(title_colours(guessing)) > 4, "nothing is drawn where the title is"
    assert guessing.run(ROOM) > 100


def test_a_template_on_a_picture_of_the_content_shows_the_page(guessing: Browser, serve: Serve) -> None:
    head = "header { position: absolute; inset: 0 0 auto; background: none } header a { color: #fff }"
    head += " footer { display: none }"
    picture = f'<img class=hero{{}} alt="Picture {{}}" width=900 height=300 src="{PHOTO}#{{}}">'
    guessing.open(serve(wrapped(head, picture)).base + PATH)
    guessing.press("Ctrl+Shift+6")
    guessing.wait_for_state("template", "original")
    assert says_that_it_would_be_blank(guessing)


TURNS_DARK = """() => {
    document.querySelector(".wrap").style.cssText = "background: #111";
    document.querySelector("main").style.cssText = "background: none !important; color: #fff !important";
}"""


def test_a_page_that_turns_dark_below_the_content_keeps_it_readable(guessing: Browser, serve: Serve) -> None:
    open_content(guessing, serve(wrapped(".wrap { background: #fff } main { background: none }")).base + PATH)
    guessing.run(TURNS_DARK)
    wait_until(lambda: len(title_colours(guessing)) > 4, "the title is as light as its ground")
    assert guessing.button_state().state == "content"


BEHIND = "main { background: none; color: %s !important } .ground { position: fixed; inset: 0; z-index: -1; %s }"
WRAP = "main { background: none; color: #fff !important } .wrap { %s } %s"
COVER = "position: relative; z-index: 0"
COVERING = '%s::before { content: ""; position: absolute; inset: 0; background: #123; z-index: -1 }'
GROUNDS = {
    "before the content": f"main {{ {COVER}; background: none; color: #fff !important }} {COVERING % 'main'}",
    "before what is around": WRAP % (COVER, COVERING % ".wrap"),
    "an inner shadow": WRAP % ("box-shadow: inset 0 0 0 2000px #101820", ""),
    "a light one on a dark page": BEHIND % ("#111", "background: #fff"),
    "a dark one below light shadows": BEHIND % ("#fff; text-shadow: 0 0 1px #fff", "background: #123"),
}


@pytest.mark.parametrize("way", GROUNDS)
def test_text_on_a_ground_that_is_no_background_shows_or_the_panel_says_so(
    guessing: Browser, serve: Serve, way: str
) -> None:
    dark = ":root { color-scheme: dark }" if way == "a light one on a dark page" else ""
    open_content(guessing, serve(wrapped(dark + GROUNDS[way])).base + PATH, "original")
    assert len(title_colours(guessing)) > 4, "nothing is drawn where the title is"
    assert guessing.button_state().badge == ("!" if guessing.button_state().state == "original" else "")
