"""Content in open shadow trees: hidden where pages differ there, shown where nobody can tell, restored exactly."""

from collections.abc import Iterator

import pytest
from demo.browsers import Browser
from demo.server import Answer
from tests.browsers.conftest import Serve
from tests.browsers.looking import box_of, colours, picture, show_page, show_template, visible, whole_state
from tests.browsers.pages import NEIGHBOURS, PATH, TEMPLATE, page, site

NEWS = {
    PATH: "A gale from the north blew all night and took the roof of the school",
    "/one.html": "The price of apples has not changed since the days of our fathers",
    "/two.html": "Whoever opens the bridge in the morning has to close it in the evening",
    "/three.html": "A plate of herrings was found behind the stove of the town hall",
}
CARD = """<news-card><template shadowrootmode="open">
<style>:host {{ display: block; height: 80px; background: #fff }} p, h3 {{ margin: 0; color: #111 }}</style>
<div class="card"><h3 class="kicker">News of the day</h3><p class="news">{news}</p></div></template></news-card>"""
BARE = """<news-card><template shadowrootmode="open"><style>:host {{ display: block; background: #fff }}</style>
<div class="card"><b class="kicker">The very latest news</b><hr>{news}</div></template></news-card>"""
SHOWN = """() => [...document.querySelector("news-card").shadowRoot.querySelectorAll("div *")]
    .filter(element => getComputedStyle(element).visibility === "visible").map(element => element.className)"""
BY_SCRIPT = """<news-card></news-card><script>
const root = document.querySelector("news-card").attachShadow({mode: "open"});
root.innerHTML = "<div class=card><p class=news>Made by a script</p></div>";
</script>"""


@pytest.fixture
def comparing(browser: Browser) -> Iterator[Browser]:
    """The browser with the detector that compares shadow trees."""
    browser.choose_detector("stencil")
    yield browser
    browser.choose_detector("temex")


def paper(card: str) -> dict[str, Answer]:
    """A site each page of which has a card with other news."""
    bodies = {path: card.format(news=news) + NEIGHBOURS.get(path, "") for path, news in NEWS.items()}
    answers = {path: page(body, title=path) for path, body in bodies.items()}
    return site("") | answers


def test_in_a_shadow_tree_what_pages_share_stays_and_what_differs_is_hidden(
    comparing: Browser, serve: Serve
) -> None:
    comparing.open(serve(paper(CARD)).base + PATH)
    before = whole_state(comparing)
    assert comparing.run(SHOWN) == ["kicker", "news"]

    show_template(comparing)

    assert comparing.run(SHOWN) == ["kicker"]
    assert len(visible(comparing, TEMPLATE)) > 5
    comparing.click_panel("content")
    comparing.wait_for_state("content")
    assert comparing.run(SHOWN) == ["news"]
    comparing.click_panel("original")
    comparing.wait_for_state("original")
    assert whole_state(comparing) == before


def test_bare_text_in_a_shadow_tree_is_hidden(comparing: Browser, serve: Serve) -> None:
    comparing.open(serve(paper(BARE)).base + PATH)
    left, _, right, bottom = box_of(comparing, "news-card")
    words = (left, bottom - 20, right, bottom)
    assert len(colours(picture(comparing), words)) > 5

    show_template(comparing)
    comparing.click_panel("close")

    assert comparing.run(SHOWN)[0] == "kicker"
    assert colours(picture(comparing), words) == {(255, 255, 255)}


def test_a_shadow_tree_that_a_script_made_goes_with_its_host(comparing: Browser, serve: Serve) -> None:
    """No page has it as it is served: it is not known to be content."""
    cards = {path: page(f"{BY_SCRIPT}{body}", title=path) for path, body in NEIGHBOURS.items()}
    comparing.open(serve(site(f"{BY_SCRIPT}<dl><dt>Word</dt></dl>") | cards).base + PATH)

    show_template(comparing)

    assert comparing.run(SHOWN) == ["news"]
    assert visible(comparing, "main dl, main dt") == []
    show_page(comparing)
