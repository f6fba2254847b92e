"""Pages behind a login: compared in the person's session when the person allows it, by reading what was listed."""

import json
from pathlib import Path

from tests.browsers.conftest import new_browser
from tests.browsers.looking import text, visible
from tests.browsers.pages import PATH
from tests.browsers.test_corrections import correct
from tests.browsers.test_doubts import LOGIN
from tests.browsers.test_memory import BANNER, stories
from tests.browsers.test_toggle import loads_by_host
from tests.support.browsers import Browser, wait_until
from tests.support.server import Answer, Handler, Request, SiteServer

COOKIE = "session=ida"
# Of all storage areas, whatever their names.
ALL_STORED = """async () => {
    const kept = {};
    for (const [name, area] of Object.entries((globalThis.browser ?? chrome).storage))
        if (area?.get && area?.set) kept[name] = await area.get(null).catch(() => null);
    return JSON.stringify(kept);
}"""
SIGN_IN = Answer(b"<!doctype html>Welcome", headers={"Set-Cookie": f"{COOKIE}; HttpOnly; SameSite=Strict; Path=/"})
ACTING = (
    *("/logout", "/account/delete", "/vote?story=3", "/mine?token=8f14e45fceea167a", "/unsubscribe"),
    *("/transfer?to=evil&amount=100", "/kill/7", "/vm/1/poweron"),
)
LINKS = "".join(f'<a href="{path}">{path[1:8]}</a>' for path in ACTING)


class MembersSite(SiteServer):
    """A site that shows its pages, but for some, to those who have signed in, and a form to all others."""

    def __init__(self, *public: str, policy: str = "") -> None:
        headers = {"Content-Security-Policy": policy} if policy else {}
        pages = {
            path: Answer(one.body.replace(b"</header>", f"{LINKS}</header>".encode()), one.kind, headers)
            for path, one in stories(BANNER).items()
        }
        super().__init__(pages)
        self.public = {"/style.css", *public}

    def answer(self, request: Request) -> Answer | Handler:
        """Return the page where it may be seen, else the form."""
        if request.path == "/sign-in":
            return SIGN_IN
        answer = super().answer(request)
        return answer if request.path in self.public or COOKIE in request.headers.get("Cookie", "") else LOGIN

    def read_in_session(self) -> list[str]:
        """The paths that came with the session's cookie, but for the icon, which browsers ask for at any time."""
        paths = [request.path for request in self.requests if COOKIE in request.headers.get("Cookie", "")]
        return [path for path in paths if path != "/favicon.ico"]


def ask(browser: Browser, server: SiteServer) -> None:
    """Sign in, look for the template of a page, and ask to compare in the session."""
    browser.open(server.base + "/sign-in")
    browser.open(server.base + PATH)
    browser.click_button()
    state = browser.wait_for_state("doubtful", "template", "error")
    assert state.state == "doubtful", f"{state}\n{browser.host_log()}"
    browser.click_panel("session")
    wait_until(lambda: browser._panel_button("allow"), "the pages are not listed")


def test_behind_a_login_the_listed_pages_are_read_when_the_person_allows_it(guessing: Browser) -> None:
    with MembersSite() as server:
        ask(guessing, server)
        before = server.read_in_session()
        guessing.click_panel("allow")
        state = guessing.wait_for_state("template", "error")
        assert state.state == "template", f"{state}\n{guessing.host_log()}"
        assert visible(guessing, "article *") == []
        assert visible(guessing, "header a") != []
        read = server.read_in_session()[len(before) :]
        assert {"/news.html", "/contact.html"} <= set(read)
        assert not [path for path in read if path in ACTING]
        assert {request.path for request in server.requests}.isdisjoint(ACTING)


def test_where_enough_of_the_site_is_public_nothing_is_read_in_the_session(guessing: Browser) -> None:
    with MembersSite("/news.html", "/events.html") as server:
        guessing.open(server.base + "/sign-in")
        guessing.open(server.base + PATH)
        before = server.read_in_session()
        guessing.click_button()
        guessing.wait_for_state("template")
        assert visible(guessing, "article *") == []
        assert server.read_in_session() == before


def test_nothing_is_read_in_the_session_before_the_person_allows_it_and_the_next_time_it_is_not_asked_again(
    guessing: Browser,
) -> None:
    with MembersSite() as server:
        ask(guessing, server)
        before = server.read_in_session()
        guessing.click_panel("original")
        guessing.wait_for_state("original")
        assert server.read_in_session() == before
        guessing.open(server.base + PATH)
        guessing.click_button()
        guessing.wait_for_state("doubtful")
        guessing.click_panel("session")
        wait_until(lambda: guessing._panel_button("allow"), "the pages are not listed")
        guessing.click_panel("allow")
        guessing.wait_for_state("template")

        loaded = len(loads_by_host(server))
        guessing.open(server.base + "/contact.html")
        guessing.click_button()
        guessing.wait_for_state("template")
        assert visible(guessing, "article *") == []
        assert len(loads_by_host(server)) == loaded  # from memory: nothing is loaded in any way


def test_where_the_page_forbids_its_scripts_to_load_chromium_reads_and_firefox_says_that_nothing_came(
    guessing: Browser,
) -> None:
    with MembersSite(policy="connect-src 'none'") as server:
        ask(guessing, server)
        guessing.click_panel("allow")
        if guessing.name == "chromium":
            guessing.wait_for_state("template")
            return
        wait_until(
            lambda: guessing.button_state().kept.get("doubt") == "nothing_loaded",
            lambda: f"it says nothing: {guessing.button_state()}",
        )
        assert guessing.button_state().title == text("title_doubtful", text("doubt_nothing_loaded"))
        assert visible(guessing, "article *") != []


def test_in_a_private_window_no_tabs_are_offered_and_nothing_of_session_memory_and_corrections_remains(
    kind: str, built: Path
) -> None:
    with MembersSite() as server, new_browser(kind, built, private=True) as browser:
        browser.register_host()
        browser.choose_detector("stencil")
        front = browser.tabs()[0]
        private = browser.new_window(server.base + PATH, private=True)
        ask(browser, server)
        assert browser._panel_button("rendered") is None
        browser.click_panel("allow")
        state = browser.wait_for_state("template", "error")
        assert state.state == "template", f"{state}\n{browser.host_log()}"
        assert visible(browser, "article *") == []
        browser.click_panel("inspect")
        browser.wait_for_state("inspect")
        correct(browser, "article", None, "only_page")
        assert browser._panel_button("all_pages") is None

        browser.switch_to(front)
        browser.close_tab(private)
        browser.open(browser.extension_address("pages/options.html"))
        kept = json.loads(browser.run(ALL_STORED))
        assert kept["local"] == {"detector": "stencil"}
        assert {"name": "inspect"} in kept["session"].values()
        assert str(server.port) not in json.dumps(kept)
        told = str(server.port).encode()
        files = [path for path in browser.home.rglob("*") if path.is_file() and ".mozilla" not in path.parts]
        assert not [path for path in files if told in path.read_bytes()]
