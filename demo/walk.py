"""A walk through the whole extension on the demo site, by the clicks of a person."""

import os
import signal
from collections.abc import Iterator
from string import Template

from tests.support.browsers import Browser, wait_until
from tests.support.browsers.processes import host_processes
from tests.support.server import Answer, SiteServer, by_program

from demo.site import DEMO_PAGE, FOLDER, assemble, load_site

HEADING, SIDEBAR = "#content h1", "aside.sidebar"
GONE = "/gone.html"
NOT_FOUND = (
    "title: Not found\nsummary: Not found\nkind: service\n\n<h1>Not found</h1><p>The tide took this page.</p>"
)
SLOW = ("/exhibitions.html", "/index.html")
LOGIN = Answer(
    b"<!doctype html><title>Sign in</title><form><label>Name <input></label>"
    b"<label>Password <input type='password'></label><button>Sign in</button></form>"
)
Shown = tuple[str, str]


def walk(browser: Browser) -> Iterator[Shown]:
    """Yield a name and a caption each time the window shows something new; a host is not registered yet."""
    yield from _first_start(browser)
    browser.register_host()
    layout = Template((FOLDER / "layout.html").read_text("utf-8"))
    gone = Answer(assemble(layout, NOT_FOUND).encode(), status=404)
    with SiteServer({**load_site(), GONE: gone}) as site:
        yield from _views(browser, site)
        yield from _corrections(browser, site)
        yield from _files(browser)
        yield from _missing(browser, site)
    yield from _login(browser)
    yield from _own_pages(browser)


def _first_start(browser: Browser) -> Iterator[Shown]:
    browser.open(browser.extension_address("pages/welcome.html"))
    wait_until(lambda: browser.run("() => !document.getElementById('missing').hidden"), "nothing is missing")
    yield "welcome", "First start: the helper program is missing"
    browser.open(browser.extension_address("pages/try.html"))
    browser.click("#try")
    wait_until(lambda: browser.panel_text("[role=status]"), "the example shows no panel")
    yield "example", "The built-in example"


def _views(browser: Browser, site: SiteServer) -> Iterator[Shown]:
    browser.open(site.base + DEMO_PAGE)
    yield "page", "A page"
    with site.holding(*SLOW):
        browser.click_button()
        wait_until(lambda: browser._panel_button("cancel"), "no notice shows")
        yield "working", "While pages load"
    browser.wait_for_state("template")
    yield "template", "Its template"
    _view(browser, "content")
    yield "content", "Its content"
    browser.click_panel("reading_sepia")
    wait_until(lambda: browser.button_state().kept.get("reading") == "sepia", "the style does not show")
    yield "reading", "Reading style"
    browser.click_panel("reading_off")
    wait_until(lambda: not browser.button_state().kept.get("reading"), "the style stays")
    before = browser.panel_text("[role=status]")
    browser.click_panel("copy")
    wait_until(lambda: browser.panel_text("[role=status]") != before, "the panel does not say that it copied")
    yield "copied", "Copied as Markdown"
    browser.open(site.base + DEMO_PAGE)
    browser.click_button()
    browser.wait_for_state("template")
    browser.click_panel("menu")
    yield "menu", "The panel's menu"
    browser.click_panel("menu")


def _corrections(browser: Browser, site: SiteServer) -> Iterator[Shown]:
    _view(browser, "inspect")
    browser.point_at(HEADING)
    wait_until(lambda: browser.panel_text("[data-explanation]"), "nothing is explained")
    yield "inspect", "Inspect: each element explained"
    x, y = browser.run(
        """selector => {
            const element = document.querySelector(selector);
            element.scrollIntoView({block: "start", behavior: "instant"});
            const {x, y} = element.getBoundingClientRect();
            return [x, y];
        }""",
        SIDEBAR,
    )
    browser.mouse_click(x + 3, y + 3)
    wait_until(lambda: browser._panel_button("all_pages"), "nothing is selected")
    yield "selected", "A correction, previewed"
    browser.click_panel("all_pages")
    wait_until(lambda: browser.button_state().kept.get("corrections"), "no correction shows")
    for path in ("/visit.html", DEMO_PAGE):
        browser.open(site.base + path)
        browser.click_button()
        browser.wait_for_state("template")
    yield "corrected", "Later: the correction is told, with Undo and Edit"
    front = browser.tabs()[0]
    browser.click_panel("edit")
    options = browser.go_to_tab("options.html")
    wait_until(lambda: browser.run("() => document.querySelector('#rules .bin') !== null"), "no row shows")
    yield "corrections", "Corrections in the options"
    browser.switch_to(front)
    browser.close_tab(options)


def _files(browser: Browser) -> Iterator[Shown]:
    for view, caption in (("template", "Save the template"), ("content", "Save the content")):
        _view(browser, view)
        front = browser.tabs()[0]
        browser.click_panel("save")
        browser.go_to_tab("pages/save.html")
        wait_until(lambda: browser.run("() => !document.getElementById('choices').hidden"), "no choices show")
        yield f"save-{view}", caption
        browser.click("#save")
        browser.switch_to(front)
        file = browser.wait_for_download()
        if view == "template":
            browser.new_tab(file.as_uri())
            yield "saved", "The saved template, opened as a file"
            opened = next(tab for tab in browser.tabs() if tab.key != front.key)
            browser.switch_to(front)
            browser.close_tab(opened)


def _missing(browser: Browser, site: SiteServer) -> Iterator[Shown]:
    browser.open(site.base + GONE)
    browser.click_button()
    browser.wait_for_state("doubtful")
    yield "error-page", "An error page"
    with SiteServer(load_site()) as other, other.holding(*SLOW):
        browser.open(other.base + DEMO_PAGE)
        browser.click_button()
        wait_until(lambda: browser._panel_button("cancel"), "no notice shows")
        for process in host_processes(browser):
            os.kill(process, signal.SIGKILL)
        browser.wait_for_state("error")
        yield "stopped", "The helper program was ended"


def _login(browser: Browser) -> Iterator[Shown]:
    # Only the browser is let in, as if it were signed in.
    pages = {
        path: by_program(answer, LOGIN) if answer.kind.startswith("text/html") else answer
        for path, answer in load_site().items()
    }
    with SiteServer(pages) as site:
        browser.open(site.base + DEMO_PAGE)
        browser.click_button()
        browser.wait_for_state("doubtful")
        yield "login", "A page behind a login"
        front = browser.tabs()[0]
        browser.click_panel("rendered")
        asking = browser.go_to_tab("pages/rendered.html")
        wait_until(lambda: browser.run("() => !document.getElementById('allow').disabled"), "no pages are listed")
        yield "background-list", "Pages to open in background tabs"
        browser.switch_to(front)
        browser.close_tab(asking)
        browser.click_panel("session")
        wait_until(lambda: browser._panel_button("allow"), "the pages are not listed")
        yield "login-list", "Pages to load with the login"
        browser.click_panel("allow")
        browser.wait_for_state("template")
        yield "login-template", "Compared with the login"


def _own_pages(browser: Browser) -> Iterator[Shown]:
    pages = {
        "options": ("options.html", "Options"),
        "help": ("help.html", "Help"),
        "impossible": ("impossible.html?problem=impossible_kept_out", "Where it cannot work"),
        "not-loaded": ("impossible.html?problem=impossible_not_loaded", "A page that did not load"),
        "privacy": ("privacy.html", "Privacy and permissions"),
    }
    for name, (page, caption) in pages.items():
        browser.open(browser.extension_address(f"pages/{page}"))
        if name == "options":
            wait_until(lambda: browser.run("() => !document.getElementById('detector').disabled"), "no options")
        yield name, caption


def _view(browser: Browser, name: str) -> None:
    if browser.button_state().state != name:
        browser.click_panel(name)
        browser.wait_for_state(name)
