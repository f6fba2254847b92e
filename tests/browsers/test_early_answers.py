"""The answer of the first pages shows before the others have come, and is refined in place."""

from collections.abc import Iterator
from contextlib import contextmanager

from tests.browsers.conftest import Serve
from tests.browsers.looking import COUNT_MARKS, visible, whole_state
from tests.support.browsers import Browser, wait_until
from tests.support.server import Answer, SiteServer

# On this machine only files whose names say that they are pages are followed.
PATHS = dict(zip("abcdefgh", "about news events contact team history help map".split(), strict=True))
KEY_PATH = "/tales/about.html"
# The first round asks for b, c, d and h. Two of these are gone, so that one round cannot settle the answer.
LINKS = {"a": "bcdefgh"}
GONE = "dh"
LATER = [f"/tales/{PATHS[name]}.html" for name in "efg"]
NEW_YEAR = "abc"
IS_MARKED = f"() => ({COUNT_MARKS})() > 0"

# What each frame shows of an element, as long as the page is there.
WATCH_FRAMES = """selector => {
    const seen = window.seenInFrames = new Set();
    const look = () => {
        seen.add(getComputedStyle(document.querySelector(selector)).visibility);
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""


def tale(name: str) -> Answer:
    links = "".join(
        f'<li><a href="/tales/{PATHS[other]}.html">{other}</a></li>' for other in LINKS.get(name, "abc")
    )
    menu = "".join(f"<li>{part}</li>" for part in ("Tales", "Poems", "Plays", "About"))
    story = "".join(f"<p>{name} {number}</p>" for number in range(1 + ord(name) - ord("a")))
    box = "<aside><h2>News</h2><p>Happy new year!</p><p>To all</p></aside>" if name in NEW_YEAR else ""
    return Answer(
        f"<!doctype html><html><head><title>{name}</title></head><body><h1>The site</h1><ul class=menu>{menu}</ul>"
        f"<main>{story}</main><ul class=more>{links}</ul>{box}<footer>By hand</footer></body></html>".encode()
    )


def tales() -> dict[str, Answer]:
    """A site of tales, some of them with a box of news."""
    return {f"/tales/{PATHS[name]}.html": tale(name) for name in "abcdefgh" if name not in GONE}


@contextmanager
def waiting_for_others(browser: Browser, server: SiteServer) -> Iterator[None]:
    """Show the first pages' answer while the block runs."""
    with server.holding(*LATER):
        browser.click_button()
        wait_until(lambda: browser.run(IS_MARKED), lambda: str(browser.button_state()))
        yield


def test_what_the_first_pages_say_shows_while_the_others_are_waited_for(guessing: Browser, serve: Serve) -> None:
    server = serve(tales())
    guessing.open(server.base + KEY_PATH)
    before = whole_state(guessing)
    with waiting_for_others(guessing, server):
        assert guessing.button_state().state == "working"
        assert visible(guessing, "main *") == []
        guessing.run(WATCH_FRAMES, "main p")
    assert guessing.wait_for_state("template", "error").state == "template"
    assert visible(guessing, "main *") == []
    assert visible(guessing, ".menu *")
    assert guessing.run("() => [...window.seenInFrames]") == ["hidden"]
    guessing.click_button()
    guessing.wait_for_state("original")
    assert whole_state(guessing) == before
