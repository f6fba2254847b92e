"""Where the answer is a guess, the page stays as it is, and a panel says what is wrong and offers the guess."""

from collections.abc import Iterator, Mapping

import pytest
from demo.browsers import Browser
from demo.server import Answer
from tests.browsers.conftest import Serve
from tests.browsers.looking import text, visible
from tests.browsers.pages import CONTENT, NEIGHBOURS, PATH, site

STORY = "<h1>The old bridge</h1><p>Rain fell for nine days, and the bridge was closed to carts.</p>"
LOGIN = Answer(
    b"<!doctype html><title>Sign in</title><form class='login'><label>Name <input name='name'></label>"
    b"<label>Password <input type='password' name='word'></label><button>Sign in</button></form>"
)
ALONE = "<!doctype html><title>A card</title><main><h1>Ida</h1><p>I build boats.</p></main>"


@pytest.fixture
def guessing(browser: Browser) -> Iterator[Browser]:
    """The browser with the detector that answers always."""
    browser.choose_detector("stencil")
    yield browser
    browser.choose_detector("temex")


def one_page() -> dict[str, Answer]:
    return {PATH: Answer(ALONE.encode())}


def dead() -> dict[str, Answer]:
    answers = site(STORY)
    for path in NEIGHBOURS:
        del answers[path]
    return answers


def behind_a_login() -> dict[str, Answer]:
    """What a person sees who is signed in, and the form that all others get."""
    return site(STORY) | dict.fromkeys([*NEIGHBOURS, "/"], LOGIN)


SITES = {"alone": one_page, "nothing_loaded": dead, "not_the_served_page": behind_a_login}


def looked_at(browser: Browser, serve: Serve, answers: Mapping[str, Answer]) -> str:
    """Click the button on the site's page and return what is in doubt."""
    browser.open(serve(answers).base + PATH)
    browser.click_button()
    state = browser.wait_for_state("doubtful", "template", "error")
    assert state.state == "doubtful", f"{state}\n{browser.host_log()}"
    doubt = str(state.kept["doubt"])
    assert state.title == text("title_doubtful", text(f"doubt_{doubt}"))
    assert state.badge == "?"
    return doubt


@pytest.mark.parametrize("doubt", SITES)
def test_the_page_stays_and_the_button_says_what_is_wrong(guessing: Browser, serve: Serve, doubt: str) -> None:
    assert looked_at(guessing, serve, SITES[doubt]()) == doubt
    assert visible(guessing, CONTENT) == ["h1", "p"]


def test_the_guess_shows_when_it_is_asked_for_and_is_called_one(guessing: Browser, serve: Serve) -> None:
    looked_at(guessing, serve, behind_a_login())

    guessing.click_panel("template")

    assert text("title_guess") in guessing.wait_for_state("template").title
    assert visible(guessing, CONTENT) == []
    guessing.click_button()
    guessing.wait_for_state("original")
    assert visible(guessing, CONTENT) == ["h1", "p"]


def test_a_second_click_cancels_and_the_next_show_the_guess(guessing: Browser, serve: Serve) -> None:
    looked_at(guessing, serve, dead())

    guessing.click_button()
    guessing.wait_for_state("original")
    assert visible(guessing, CONTENT) == ["h1", "p"]

    guessing.click_button()
    assert text("title_guess") in guessing.wait_for_state("content").title
    guessing.click_button()
    assert text("title_guess") in guessing.wait_for_state("template").title


def test_cancel_in_the_panel_leaves_the_page_as_it_is(guessing: Browser, serve: Serve) -> None:
    looked_at(guessing, serve, one_page())

    guessing.click_panel("original")

    guessing.wait_for_state("original")
    assert visible(guessing, CONTENT) == ["h1", "p"]
