"""Where the answer is a guess, the page stays as it is, and a panel says what is wrong and offers the guess."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from tests.browsers.conftest import Serve
from tests.browsers.looking import text, visible
from tests.browsers.pages import CONTENT, NEIGHBOURS, PATH, page, site
from tests.support.browsers import Browser, wait_until
from tests.support.server import Answer, Handler, by_program

STORY = "<h1>The old bridge</h1><p>Rain fell for nine days, and the bridge was closed to carts.</p>"
LOGIN = Answer(
    b"<!doctype html><title>Sign in</title><form class='login'><label>Name <input name='name'></label>"
    b"<label>Password <input type='password' name='word'></label><button>Sign in</button></form>"
)
ALONE = (
    "<!doctype html><title>A card</title><main><h1>Ida</h1><p>I build boats of oak and larch, in the old yard "
    "behind the church.</p></main>"
)
# As servers without a page of their own answer.
BARE_404 = (
    "<html><head><title>404 Not Found</title></head><body><center><h1>404 Not Found</h1></center><hr>"
    "<center>nginx</center></body></html>"
)


def one_page() -> dict[str, Answer]:
    return {PATH: Answer(ALONE.encode())}


def dead() -> dict[str, Answer]:
    answers = site(STORY)
    for path in NEIGHBOURS:
        del answers[path]
    return answers


def behind_a_login() -> dict[str, Answer]:
    """Serve one page to a signed-in person, and a login form to all others."""
    return site(STORY) | dict.fromkeys([*NEIGHBOURS, "/"], LOGIN)


def behind_a_login_that_tells_what_is_behind_it() -> dict[str, Answer | Handler]:
    """The form is another one at each address; the key page comes to the browser alone, which has the cookie."""
    forms = {path: Answer(LOGIN.body + content.encode()) for path, content in NEIGHBOURS.items()}
    return {**site(STORY), **forms, "/": LOGIN, PATH: by_program(site(STORY)[PATH], LOGIN)}


def on_a_private_network() -> dict[str, Answer]:
    """Serve a manual whose addresses may switch something."""
    paths = ["/pump7", "/valve7", "/relay7", "/gauge7", PATH]
    menu = "".join(f"<a href='{path}'>{path}</a>" for path in paths)
    return {
        path: Answer(f"<!doctype html><h2>{menu}</h2><h1>{path}</h1><p>{path} {STORY}".encode()) for path in paths
    }


def built_by_scripts() -> dict[str, Answer]:
    """Serve the same few lines at all addresses; a script builds the visible page."""
    shell = Answer(b"<!doctype html><title>App</title><div id='app'></div><script src='/app.js'></script>")
    menu = "".join(f"<a href='{path}'>{path}</a>" for path in NEIGHBOURS)
    body = json.dumps(f"<header>{menu}</header><main>{STORY}</main><footer>The end</footer>")
    script = Answer(f"document.getElementById('app').innerHTML = {body}".encode(), "text/javascript")
    return dict.fromkeys([PATH, "/", *NEIGHBOURS], shell) | {"/app.js": script}


def missing() -> dict[str, Answer]:
    return {**site(STORY), PATH: Answer(BARE_404.encode(), status=404)}


def missing_in_the_site_s_design() -> dict[str, Answer]:
    return {**site(STORY), PATH: replace(page("<h1>Nobody is here</h1><p>The tide took it.</p>"), status=404)}


def missing_with_a_good_status() -> dict[str, Answer]:
    return site("<h1>Page not found</h1><p>The tide took it.</p>", title="Page not found | Harbour")


def almost_empty() -> dict[str, Answer]:
    return {**site(STORY), PATH: Answer(b"<!doctype html><title>Soon</title><h1>Soon</h1><p>Come back.</p>")}


SITES: dict[Callable[[], Mapping[str, Answer | Handler]], str] = {
    missing: "error_page",
    missing_in_the_site_s_design: "error_page",
    missing_with_a_good_status: "error_page",
    almost_empty: "almost_empty",
    one_page: "alone",
    dead: "nothing_loaded",
    behind_a_login: "needs_login",
    behind_a_login_that_tells_what_is_behind_it: "needs_login",
    built_by_scripts: "built_by_scripts",
    on_a_private_network: "links_may_act",
}


def looked_at(browser: Browser, serve: Serve, answers: Mapping[str, Answer | Handler]) -> str:
    """Click the button on the site's page and return what is in doubt."""
    browser.open(serve(answers).base + PATH)
    browser.click_button()
    state = browser.wait_for_state("doubtful", "template", "error")
    assert state.state == "doubtful", f"{state}\n{browser.host_log()}"
    doubt, answer = str(state.kept["doubt"]), answers.get(PATH)
    status = f" ({answer.status})" if isinstance(answer, Answer) and answer.status >= 400 else ""
    assert state.title == text("title_doubtful", text(f"doubt_{doubt}", status))
    assert state.badge == "?"
    return doubt


@pytest.mark.parametrize("answers", SITES)
def test_the_page_stays_and_the_button_says_what_is_wrong(
    guessing: Browser, serve: Serve, answers: Callable[[], Mapping[str, Answer | Handler]]
) -> None:
    assert looked_at(guessing, serve, answers()) == SITES[answers]
    assert visible(guessing, "h1, p") != []


def test_on_a_private_network_the_person_sees_and_chooses_the_links(guessing: Browser, serve: Serve) -> None:
    looked_at(guessing, serve, on_a_private_network())
    guessing.click_panel("session")
    wait_until(lambda: text("panel_alike_list") in guessing.panel_text("[role=status]"), "no list")
    guessing.click_panel("allow")
    assert guessing.wait_for_state("template", "error").state == "template"


def test_after_a_missing_page_a_page_that_scripts_build_is_no_remembered_one(
    guessing: Browser, serve: Serve
) -> None:
    server = serve({**built_by_scripts(), "/gone.html": Answer(BARE_404.encode(), status=404)})
    for path, doubt in {"/gone.html": "error_page", PATH: "built_by_scripts"}.items():
        guessing.open(server.base + path)
        guessing.click_button()
        assert guessing.wait_for_state("doubtful", "template", "error").kept.get("doubt") == doubt
    assert "remembered" not in guessing.button_state().kept


def test_the_guess_shows_when_it_is_asked_for_and_is_called_one(guessing: Browser, serve: Serve) -> None:
    looked_at(guessing, serve, behind_a_login())

    guessing.click_panel("template")

    assert text("confidence_low") in guessing.wait_for_state("template").title
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
    # The template is the guess. The main content needs no other page.
    assert text("confidence_low") not in guessing.wait_for_state("content").title
    guessing.click_button()
    assert text("confidence_low") in guessing.wait_for_state("template").title
