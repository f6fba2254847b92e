"""Eight tasks that people come with, each done in at most four clicks of the mouse, with the default settings.

The clicks count from the page, or from its template where the task is about the template.
"""

from collections.abc import Callable, Iterator

import pytest
from tests.browsers.axe import findings
from tests.browsers.conftest import Serve
from tests.browsers.looking import show_template, text, visible
from tests.browsers.options import forget_corrections
from tests.browsers.pages import NEIGHBOURS, PATH, STYLE
from tests.browsers.test_corrections import correct, corrections, said, stories, view
from tests.browsers.test_memory import remembered
from tests.browsers.test_session import MembersSite
from tests.browsers.test_views import drawn
from tests.support.browsers import Browser, wait_until
from tests.support.server import Answer, SiteServer

MOST = 4
STORY, FRAME = "article h1, article p", "header *, footer *"
CLICKS = ("click_button", "mouse_click")  # `click` and `click_panel` end in these


@pytest.fixture
def person(guessing: Browser) -> Iterator[Browser]:
    """The browser, with the choices of a new user before the task and after it."""
    _forget_choices(guessing)
    yield guessing
    forget_corrections(guessing)
    _forget_choices(guessing)


def _forget_choices(browser: Browser) -> None:
    browser.open(browser.extension_address("pages/privacy.html"))
    names = ["save", "saveContent", "showsAround", "closeGaps", "keepsGaps", "opens", "contentSites", "lastViews"]
    browser.run("(names) => chrome.storage.local.remove(names)", names)


@pytest.fixture
def begin(person: Browser, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """A function that begins the count, which must not exceed four at the end of the test or at the next call."""
    counted = 0

    def counting(act: Callable[..., object]) -> Callable[..., object]:
        def counted_act(*arguments: object) -> object:
            nonlocal counted
            counted += 1
            return act(*arguments)

        return counted_act

    def count_anew() -> None:
        nonlocal counted
        assert counted <= MOST, f"{counted} clicks"
        counted = 0

    for name in CLICKS:
        monkeypatch.setattr(person, name, counting(getattr(person, name)))
    yield count_anew
    assert counted > 0, "no click was counted"
    count_anew()


def open_page(browser: Browser, serve: Serve) -> SiteServer:
    server = serve({**stories(), "/style.css": Answer(STYLE.encode(), "text/css")})
    browser.open(server.base + PATH)
    return server


def show_content_of(browser: Browser) -> None:
    browser.click_button()
    browser.wait_for_state("template")
    view(browser, "content")


def test_print_the_content(person: Browser, begin: Callable[[], None], serve: Serve) -> None:
    open_page(person, serve)
    begin()
    show_content_of(person)
    printed = drawn(person.print_pdf())
    person.click_panel("close")
    assert printed == drawn(person.print_pdf()) != []


def test_copy_the_content_as_markdown(person: Browser, begin: Callable[[], None], serve: Serve) -> None:
    open_page(person, serve)
    begin()
    show_content_of(person)
    person.click_panel("copy")
    wait_until(lambda: said(person) == text("panel_copied"), "the panel does not say so")
    assert f"# {PATH}\n\nAll about {PATH}." in person.clipboard()


def test_save_an_offline_layout_and_put_an_own_script_into_it(
    person: Browser, begin: Callable[[], None], serve: Serve
) -> None:
    server = open_page(person, serve)
    show_template(person)
    begin()
    page = person.tabs()[0]
    person.click_panel("save")
    person.go_to_tab("pages/save.html")
    wait_until(lambda: person.run("() => !document.getElementById('choices').hidden"), "nothing can be chosen")
    assert findings(person) == []
    person.click("[name=own_scripts]")
    person.click("#save")
    person.switch_to(page)
    file = person.wait_for_download()

    html = file.read_text("utf-8")
    file.write_text(html.replace("</body>", "<script>document.title = 'Mine'</script></body>"), "utf-8")
    server.answers.clear()
    person.open(file.as_uri())
    assert person.run("() => document.title") == "Mine"
    assert person.run("() => getComputedStyle(document.querySelector('footer')).padding") == "12px"


def test_correct_a_block_and_undo_it_two_pages_later(
    person: Browser, begin: Callable[[], None], serve: Serve
) -> None:
    server = open_page(person, serve)
    show_template(person)
    begin()
    view(person, "inspect")
    correct(person, "header")

    for path in ("/news.html", "/events.html"):
        begin()
        person.open(server.base + path)
        show_template(person)
    assert text("panel_corrections_one") in said(person)
    assert visible(person, "header") == []
    person.click_panel("undo")
    wait_until(lambda: corrections(person) == 0, "undo does nothing")
    assert visible(person, "header") == ["header"]


def test_make_a_site_always_open_as_content(person: Browser, begin: Callable[[], None], serve: Serve) -> None:
    server = open_page(person, serve)
    begin()
    show_content_of(person)
    person.click_panel("always")
    wait_until(lambda: person.button_state().kept.get("always"), "the switch does nothing")
    person.open(server.base + "/news.html")
    begin()
    person.click_button()
    person.wait_for_state("content")


def test_forget_one_site(person: Browser, begin: Callable[[], None], serve: Serve) -> None:
    other = open_page(person, serve)
    show_template(person)
    forgotten = open_page(person, serve)
    page = person.tabs()[0]
    hosts = [server.base.removeprefix("http://") for server in (other, forgotten)]
    begin()
    show_template(person)
    person.click_panel("options")
    options = person.go_to_tab("pages/options.html")
    wait_until(lambda: set(hosts) <= set(remembered(person)), lambda: f"not listed: {remembered(person)}")
    person.click(f"[aria-label='{text('memory_forget_site', hosts[1])}']")
    wait_until(lambda: hosts[1] not in remembered(person), "the site stays")
    assert hosts[0] in remembered(person)
    person.switch_to(page)
    person.close_tab(options)


def test_deal_with_a_login(person: Browser, begin: Callable[[], None]) -> None:
    with MembersSite() as server:
        person.open(server.base + "/sign-in")
        person.open(server.base + PATH)
        begin()
        person.click_button()
        person.wait_for_state("doubtful")
        assert text("panel_way_session") in said(person) or text("panel_ways") in said(person)
        person.click_panel("session")
        wait_until(lambda: person._panel_button("allow"), "the pages are not listed")
        person.click_panel("allow")
        person.wait_for_state("template")
        assert visible(person, STORY) == []
        assert visible(person, "header a") != []


def test_deal_with_a_network_that_is_gone_and_comes_back(
    person: Browser, begin: Callable[[], None], serve: Serve
) -> None:
    server = open_page(person, serve)
    pages = dict(server.answers)
    server.answers |= dict.fromkeys(["/", "/index.html", *NEIGHBOURS, PATH], lambda _: None)
    begin()
    person.click_button()
    person.wait_for_state("doubtful")
    assert said(person).startswith(text("doubt_nothing_loaded"))
    assert visible(person, STORY) != []
    server.answers |= pages
    person.click_panel("more")
    person.wait_for_state("template")
    assert visible(person, STORY) == []
