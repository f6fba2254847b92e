"""The reading style makes every page legible: contrast, width, and nothing opened that the page keeps closed."""

import json
from collections.abc import Iterator
from mimetypes import guess_type
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import pytest
from tests.browsers.conftest import Serve
from tests.browsers.legible import legibility
from tests.browsers.looking import choose_style
from tests.browsers.pages import NEIGHBOURS, PATH, page, site
from tests.conftest import benchmark_folder
from tests.support.browsers import BROWSERS, Browser
from tests.support.browsers.programs import ensure_browser
from tests.support.server import Answer, Request, SiteServer

NARROWEST = (320, 800)
THEMES = ("light", "sepia", "dark")
TEXT = f"<p>A gate holds back the water of the upper pond. {'It is of oak. ' * 20}</p>"
BARS = f"""<style>
body {{ min-width: 681px }} article {{ color-scheme: light }}
body::after {{ content: ""; position: absolute; right: -19px; width: 7px; height: 7px }}
button {{ color: #fff; background: linear-gradient(#555, #111) }} .bar {{ background: #eee }}
.bar h1 {{ color: #fff; position: relative; white-space: nowrap }}
.bar h1::before {{ content: ""; position: absolute; inset: 0; background: #f4f4f4 }}
.lead::first-letter {{ color: #fdfdfb; background: #f8f8f8 }}
</style><article><div class=bar><h1>The gates of the upper pond and of the lower pond</h1></div>
<h2><button>How is the gate of the upper pond opened when all the rest is closed?</button></h2>
<p class=lead>With <a href="/other">a bar</a> of iron.</p>{TEXT}</article>"""
POPOVERS = f"""<style>
.menu {{ position: absolute; opacity: 0 }}
.grid {{ display: grid; grid-auto-flow: column; grid-auto-columns: 681px }}
</style><article>{TEXT}<div popover class=closed><p>Popover of the gate</p></div>
<div class="menu closed"><p>Menu of the gate</p></div><dialog class=closed><p>Dialog of the gate</p></dialog>
<div class=grid><p>One gate of oak</p><p>Another gate of oak</p></div><input size=90 value=Gate></article>"""
TABLES = f"""<table width=828><tr><td><img width=800 height=20 alt=Gate
src="data:image/gif;base64,R0lGODlhAQABAAAAACw="></td></tr><tr><td nowrap><font color=white>{TEXT}</font></td></tr>
<tr><td>{TEXT}</td></tr></table>"""

OPEN = """() => [...document.querySelectorAll(".closed")]
    .filter(element => element.checkVisibility({opacityProperty: true})).map(element => element.className)"""


@pytest.fixture(scope="module")
def narrow(kind: str, built: Path) -> Iterator[Browser]:
    """A browser as narrow as a phone."""
    with BROWSERS[kind](built / kind, ensure_browser(kind), size=NARROWEST) as browser:
        browser.register_host()
        browser.choose_detector("stencil")
        yield browser


def read(browser: Browser, address: str) -> Iterator[str]:
    """Open the content of a page, and yield each theme while it shows."""
    browser.open(address)
    browser.click_button()
    if browser.wait_for_state("template", "doubtful").state == "doubtful":
        browser.click_panel("template")
        browser.wait_for_state("template")
    browser.click_panel("content")
    browser.wait_for_state("content")
    for theme in THEMES:
        if browser.button_state().kept.get("reading") != theme:
            choose_style(browser, theme)
        yield theme


def test_a_page_is_legible_in_each_theme_and_stays_closed_where_it_was(narrow: Browser, serve: Serve) -> None:
    faults = []
    share = "<div popover class='share closed'><p>Share this</p><p>About {0}</p></div>"
    for name, body in {"bars": BARS, "popovers": POPOVERS, "tables": TABLES}.items():
        answers = site(share.format(name) + body) | {
            path: page(share.format(path) + NEIGHBOURS[path]) for path in NEIGHBOURS
        }
        for theme in read(narrow, serve(answers).base + PATH):
            faults += [(name, theme, fault) for fault in legibility(narrow).faults]
            faults += [(name, theme, f"{closed} is open") for closed in narrow.run(OPEN)]
    assert faults == []


class Folder(SiteServer):
    def __init__(self, folder: Path) -> None:
        super().__init__({})
        self.folder = folder

    def answer(self, request: Request) -> Answer:
        path = self.folder / unquote(urlsplit(request.path).path).lstrip("/")
        for file in (path, path / "index.html", path.with_name(f"{path.name}.html")):
            if file.is_file():
                return Answer(file.read_bytes(), guess_type(file.name)[0] or "text/html")
        return Answer(b"", status=404)


@pytest.mark.nightly
@pytest.mark.timeout(900)
def test_sites_of_the_benchmark_are_legible(narrow: Browser) -> None:
    faults = []
    for file in sorted(benchmark_folder().glob("sites/*/site.json")):
        with Folder(file.parent / "pages") as server:
            for theme in read(narrow, f"{server.base}/{quote(json.loads(file.read_text())['key_page'])}"):
                faults += [(file.parent.name, theme, fault) for fault in legibility(narrow).faults]
    assert faults == []
