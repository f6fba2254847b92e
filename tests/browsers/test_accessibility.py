"""axe-core finds nothing to complain of on the extension's pages and in the panel."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from demo.tour import in_language
from tests.browsers.axe import findings
from tests.browsers.conftest import Serve
from tests.support.browsers import BROWSERS, Browser, wait_until
from tests.support.browsers.programs import ensure_browser
from tests.support.server import Answer

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("help", "impossible", "options", "privacy", "save", "try", "welcome")
# Whatever is wider than its place: the page itself, and choices whose text does not fit.
CUT_OFF = """() => {
    const page = document.documentElement;
    const selects = [...document.querySelectorAll("select")].filter(select => {
        const copy = select.cloneNode(true);
        copy.style.cssText = "position: absolute; max-width: none";
        select.after(copy);
        const {width} = copy.getBoundingClientRect();
        copy.remove();
        return width > select.getBoundingClientRect().width + 1;
    });
    return [...(page.scrollWidth > innerWidth ? [page] : []), ...selects].map(element => element.localName);
}"""
# The panel as it is, in a shadow root that axe can enter, on a page that has what a page has to have.
PANEL = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>A page</title>
<style>[data-mark="panel"] { visibility: visible !important }</style></head>
<body><main><h1>A page</h1></main>
<script>
    globalThis.sitestencil = {inspect: {key: () => false}, marks: {NAME: "data-mark"}};
    const attachShadow = Element.prototype.attachShadow;
    const roots = [];
    Element.prototype.attachShadow = function () {
        roots.push(attachShadow.call(this, {mode: "open"}));
        return roots.at(-1);
    };
</script>
<script src="/page/api.js"></script><script src="/page/dom.js"></script><script src="/page/look.js"></script>
<script src="/page/standing.js"></script><script src="/page/panel.js"></script>
<script type="module">
    const messages = await (await fetch("/messages.json")).json();
    globalThis.browser = {i18n: {getMessage: (name, values = []) => {
        const {message = "", placeholders = {}} = messages[name] ?? {};
        const valueOf = place => values[placeholders[place.toLowerCase()].content[1] - 1];
        return message.replace(/\\$(\\w+)\\$/g, (_, place) => valueOf(place));
    }}};
    const {messagePanel, orderOf, sessionPanel, workingPanel} = await import("/background/panels.js");
    const answer = {confidence: 0.9, morePages: 2, compared: ["a", "b", "c"], doubt: "unsure"};
    const state = {...answer, canLoadMore: true, later: "shown"};
    globalThis.openPanel = (name, direction) => {
        const others = {
            message: () => messagePanel("A sentence.", {}, true),
            working: () => workingPanel({pagesLoaded: 2, pagesWanted: 4}),
            session: () => sessionPanel(["https://example.org/news.html", "https://example.org/events.html"]),
        };
        const view = name === "menu" ? "content" : name;
        const content = others[name]?.() ?? orderOf({...state, name: view}).panel;
        sitestencil.panel.open({...content, direction}, () => {});
        if (name === "menu") roots.at(-1).querySelector("[data-menu]").style.display = "flex";
        if (name === "inspect") sitestencil.panel.explain(["main", "Content."]);
    };
</script></body></html>"""


@pytest.fixture(scope="session")
def small(kind: str, built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A Spanish browser with a narrow window, on a dark desktop."""
    extension = in_language(built / kind, "es", tmp_path_factory.mktemp("spanish"))
    with BROWSERS[kind](extension, ensure_browser(kind), size=(480, 860), dark=True) as browser:
        browser.register_host()
        yield browser


@pytest.mark.parametrize("name", PAGES)
def test_the_extensions_pages(browser: Browser, small: Browser, name: str) -> None:
    for one in (browser, small):
        one.open(one.extension_address(f"pages/{name}.html"))
        wait_until(lambda: one.run("() => document.title"), f"{name} fills in no texts")  # noqa: B023
        if name in ("help", "options", "welcome"):
            wait_until(lambda: one.run("() => document.querySelector('#status').dataset.outcome"), "no greeting")  # noqa: B023
        assert findings(one) == []
        assert one.run(CUT_OFF) == []


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_panel_in_every_view(browser: Browser, serve: Serve, language: str) -> None:
    browser.open(serve(extension_files(language)).base + "/")
    wait_until(lambda: browser.run("() => typeof openPanel === 'function'"), "the panel's code does not load")
    for name in ("template", "content", "menu", "inspect", "doubtful", "message", "working", "session"):
        for direction in ("ltr", "rtl"):
            browser.run("(name, direction) => openPanel(name, direction)", name, direction)
            assert findings(browser) == [], (name, direction)


def extension_files(language: str) -> dict[str, Answer]:
    """The panel's code and texts as a site."""
    folder = ROOT / "extension"
    scripts = [*folder.glob("background/*.js"), *folder.glob("page/*.js"), *folder.glob("*.js")]
    messages = json.loads((folder / f"_locales/{language}/messages.json").read_text("utf-8"))
    return {
        "/": Answer(PANEL.encode()),
        "/messages.json": Answer(json.dumps(messages).encode(), "application/json"),
        **{
            f"/{script.relative_to(folder).as_posix()}": Answer(script.read_bytes(), "text/javascript")
            for script in scripts
        },
    }
