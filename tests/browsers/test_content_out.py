"""The content leaves the browser: copied as Markdown, or saved as Markdown, HTML or plain text."""

from pathlib import Path

import pytest
import yaml
from tests.browsers.conftest import Serve
from tests.browsers.looking import show_content, show_page, show_template
from tests.browsers.pages import NEIGHBOURS, PATH, page, site
from tests.browsers.test_corrections import said
from tests.browsers.test_save import save_as_asked
from tests.support.browsers import Browser, wait_until
from tests.support.server import Answer

HEAD = (
    '<script type="application/ld+json">{"@type": "Article", "headline": "How to tie: a bowline",'
    '"author": {"name": "Jo Marsh"}, "datePublished": "2024-05-03"}</script><script>var secret = 1</script>'
)
BODY = (
    "<h1>How to tie a bowline</h1><p>Make a <b>small</b> loop, then <a href='/events.html'>pull</a>.</p>"
    "<ol><li>Over<li>Under</ol><p>It holds <script type='math/tex'>F = 2T</script></p>"
)
MARKDOWN = (
    "# How to tie a bowline\n\nMake a **small** loop, then [pull]({base}/events.html).\n\n1. Over\n2. Under\n"
)
TITLE = 'How to tie: a "bowline" | Ropes'


def open_content(browser: Browser, serve: Serve, headers: dict[str, str] | None = None) -> str:
    """Open a page, show its content alone, and return the server's address."""
    answers = site(BODY, title=TITLE, head=HEAD)
    answers[PATH] = Answer(answers[PATH].body, headers=headers or {})
    base = serve(answers).base
    browser.open(base + PATH)
    show_template(browser)
    show_page(browser)
    show_content(browser)
    return base


def saved_as(browser: Browser, kind: str) -> Path:
    browser.click_panel("save")
    save_as_asked(browser, kind)
    return browser.wait_for_download()


@pytest.fixture(autouse=True)
def _nothing_chosen_before(browser: Browser) -> None:
    browser.open(browser.extension_address("pages/options.html"))
    browser.run("() => (globalThis.browser ?? chrome).storage.local.remove(['saveContent', 'showsAround'])")


def test_markdown_has_front_matter_and_the_pages_title_as_its_name(browser: Browser, serve: Serve) -> None:
    base = open_content(browser, serve)

    file = saved_as(browser, "markdown")

    _, head, body = file.read_text("utf-8").split("---\n", 2)
    assert file.name == "How to tie a bowline Ropes.md"
    assert body.startswith("\n" + MARKDOWN.format(base=base))
    told = yaml.safe_load(head)
    assert (told["title"], told["url"], told["author"]) == ("How to tie: a bowline", base + PATH, "Jo Marsh")
    assert (told["published"].isoformat(), told["language"]) == ("2024-05-03", "en")
    assert "secret" not in head + body


def test_lines_of_a_chat_stay_lines_by_a_style_sheet_beside_the_page(browser: Browser, serve: Serve) -> None:
    chat = "<h1>Talk in the harbour</h1>" + "<div class=said>Low water at six.\nHigh water at noon.</div>" * 3
    answers = site(chat, title="Talk in the harbour")
    style = answers["/style.css"]
    answers["/style.css"] = Answer(style.body + b".said { white-space: pre-wrap }", style.kind)
    browser.open(serve(answers).base + PATH)
    show_template(browser)
    show_page(browser)
    show_content(browser)

    assert saved_as(browser, "markdown").read_text("utf-8").count("Low water at six.\\\nHigh water") == 3


def test_html_and_plain_text_hold_the_content_and_no_script(browser: Browser, serve: Serve) -> None:
    open_content(browser, serve)

    html = saved_as(browser, "content-html")
    browser.wait_for_state("content")
    plain = saved_as(browser, "text")

    assert (html.name, plain.name) == ("How to tie a bowline Ropes.html", "How to tie a bowline Ropes.txt")
    assert plain.read_text("utf-8").startswith("How to tie a bowline\nMake a small loop, then pull.\nOver\nUnder\n")
    written = html.read_text("utf-8")
    assert "<h1>How to tie a bowline</h1>" in written
    for gone in ("Imprint", "<script", "secret", "sitestencil"):
        assert gone not in written


def test_rules_of_the_site_are_copied_with_their_proof(guessing: Browser, serve: Serve) -> None:
    answers = site("")
    for path in (PATH, *NEIGHBOURS):
        lines = "".join(f"<p>Line {number} of {path} says {number}{path} and no more.</p>" for number in range(5))
        answers[path] = page(f"<article class=story><h1>All about {path}</h1>{lines}</article>", title=path)
    guessing.open(serve(answers).base + PATH)
    show_template(guessing)
    guessing.click_panel("rules")
    wait_until(lambda: "ftr-site-config" in said(guessing), "the panel does not say so")
    copied = guessing.clipboard()
    proof, *_ = copied.splitlines()
    assert "learned from" in proof
    assert all(part in copied for part in ("display: none", "--- FreshRSS", "body: //"))
