"""Script-running payloads, saved and opened: none runs. Unsaved they do, so that these tests can fail."""

from tests.browsers.conftest import Serve
from tests.browsers.looking import show_template
from tests.browsers.pages import PATH, site
from tests.browsers.running import what_runs
from tests.browsers.test_save import saved_by_shortcut
from tests.support.browsers import Browser, BrowserError, wait_until
from tests.support.judged_pages import all_content, judged
from tests.support.payloads import HANDLER_ELEMENTS, LINKS, SCRIPT_ELEMENTS, live_payloads, static_payloads
from tests.support.saved_pages import faults
from tests.support.server import Answer

from sitestencil.outputs.judged_page import Choices
from sitestencil.page.parsing import parse
from sitestencil.saving.standalone_html import annotated_html, template_html

PAYLOADS = dict(static_payloads())
# Old ways (vbscript, -moz-binding), those that only deceive sanitisers, and what no synthetic event sets off.
LEAST_RUNNING = 200
WITHOUT_POLICY = Choices(policy=None)
OWN_SCRIPTS = Choices(own_scripts=True)
BUILD = """source => {
    const build = new Function("body", "make", "html", source);
    const inner = document.implementation.createHTMLDocument("");
    build(inner.body, (namespace, name) => inner.createElementNS(namespace, name), "http://www.w3.org/1999/xhtml");
    return inner.documentElement.outerHTML;
}"""


def empty_page(browser: Browser, serve: Serve) -> None:
    browser.open(serve({"/": Answer(b"<!doctype html><title>Frames</title><body>")}).base + "/")


def saved(html: str, *, annotated: bool = False, choices: Choices = WITHOUT_POLICY) -> str:
    page = parse(html, "https://example.org/", scripting=True, checked=False)
    if annotated:
        return annotated_html(all_content(page), "marked", choices)
    return template_html(judged(page), choices)


def test_the_payloads_run_in_pages_that_are_not_saved(browser: Browser, serve: Serve) -> None:
    empty_page(browser, serve)
    running = what_runs(browser, PAYLOADS)
    assert len(running) >= LEAST_RUNNING, {n: html for n, html in PAYLOADS.items() if n not in running}


def test_no_payload_runs_in_a_saved_page_even_without_its_policy(browser: Browser, serve: Serve) -> None:
    empty_page(browser, serve)
    pages = {saved(html): number for number, html in PAYLOADS.items()}
    bodies = {html.partition("</head>")[2] for html in pages}
    for number, html in PAYLOADS.items():
        annotated = saved(html, annotated=True)
        if annotated.partition("</head>")[2] not in bodies:
            pages[annotated] = 10_000 + number
    assert what_runs(browser, {number: html for html, number in pages.items()}) == set()


def test_the_policy_alone_stops_scripts_and_handlers(browser: Browser, serve: Serve) -> None:
    empty_page(browser, serve)
    head = saved("<p>", choices=Choices()).partition("</head>")[0]
    pages = dict(enumerate([*HANDLER_ELEMENTS[::4], *SCRIPT_ELEMENTS[::2], *LINKS[::4]]))
    armed = {n: html.replace("FIRE", f"top.postMessage({n},`*`)") for n, html in pages.items()}
    assert len(what_runs(browser, armed)) > len(armed) * 0.7
    assert what_runs(browser, {n: f"{head}</head><body>{html}" for n, html in armed.items()}) == set()


def test_where_own_scripts_run_no_payload_does(browser: Browser, serve: Serve) -> None:
    empty_page(browser, serve)
    pages = {number: saved(html, choices=OWN_SCRIPTS) for number, html in PAYLOADS.items()}
    script, handler = 20_000, 20_001
    for number, own in (
        (script, "<script>top.postMessage(20000, `*`)</script>"),
        (handler, "<button onclick='top.postMessage(20001, `*`)'>Go</button>"),
    ):
        pages[number] = saved("<p>A", choices=OWN_SCRIPTS).replace("</body>", f"{own}</body>")
    assert what_runs(browser, pages) == {script, handler}


def test_forms_that_a_person_adds_work_where_they_are_allowed(browser: Browser, serve: Serve) -> None:
    page = '<form action="/bank" name=theirs><button>Pay</button></form>'
    own = '<form action="/found" name=own><input name=q value=ropes></form>'
    files = {
        f"/{path}": Answer(saved(page, choices=choices).replace("</body>", own + "</body>").encode())
        for path, choices in {"strict": Choices(), "own": OWN_SCRIPTS}.items()
    }
    base = serve({**files, "/found": Answer(b"Found")}).base

    def sent(path: str, name: str) -> str:
        browser.open(f"{base}/{path}")
        browser.run("name => { try { document.forms[name].submit(); } catch {} }", name)
        try:
            wait_until(lambda: address() not in {f"/{path}", "about:blank"}, "It is not sent.", seconds=2)
        except BrowserError:
            return "nowhere"
        return address()

    def address() -> str:
        return str(browser.run("() => location.href.slice(location.origin.length)"))

    assert sent("strict", "own") == "nowhere"
    assert sent("own", "own") == "/found?q=ropes"
    assert sent("own", "theirs") == "/bank?"


def test_no_tree_that_a_script_builds_runs_in_the_saved_file(browser: Browser, serve: Serve) -> None:
    sources = live_payloads()
    empty_page(browser, serve)
    written = {1000 + number: browser.run(BUILD, source) for number, source in enumerate(sources)}
    assert len(what_runs(browser, written)) >= 28

    builder = "\n".join(
        f"<script>try {{ (function (body, make, html) {{ {source} }})(document.querySelector('.imprint'),"
        " (n, name) => document.createElementNS(n, name), 'http://www.w3.org/1999/xhtml') } catch (e) {}</script>"
        for source in (text.replace("</", "<\\/") for text in sources)
        if "http-equiv" not in source
    )
    answers = site("<dl><dt>Word</dt></dl>")
    answers[PATH] = Answer(answers[PATH].body.replace(b"</body>", builder.encode() + b"</body>"))
    browser.open(serve(answers).base + PATH)
    show_template(browser)
    text = saved_by_shortcut(browser).read_text("utf-8")
    assert "Made by hand." in text
    assert faults(text) == []
    without_policy = text.replace("Content-Security-Policy", "x")
    empty_page(browser, serve)
    assert what_runs(browser, {0: text, 1: without_policy}) == set()
