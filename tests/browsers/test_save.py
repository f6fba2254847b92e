"""Saving the template gives one HTML file that stands on its own."""

import json
from pathlib import Path

import pytest
from demo.site import DEMO_PAGE, load_site
from tests.browsers.conftest import Serve
from tests.browsers.looking import all_of, picture, show_page, show_template, visible, whole_state
from tests.browsers.pages import PATH, site
from tests.support.browsers import Browser, BrowserError, wait_until
from tests.support.server import Answer

from sitestencil import extract

SHORTCUT = "Ctrl+Shift+8"


def saved_by_shortcut(browser: Browser) -> Path:
    browser.press(SHORTCUT)
    return browser.wait_for_download()


def choose(browser: Browser, **choices: object) -> None:
    """Return the choices that the extension remembers from the last time."""
    standard = {"format": "html", "offline": True, "own_scripts": False, "all_styles": False}
    browser.open(browser.extension_address("pages/options.html"))
    browser.run(
        "choices => (globalThis.browser ?? chrome).storage.local.set({save: JSON.parse(choices)})",
        json.dumps({**standard, **choices}),
    )


@pytest.fixture(autouse=True)
def _nothing_chosen_before(browser: Browser) -> None:
    browser.open(browser.extension_address("pages/options.html"))
    browser.run("() => (globalThis.browser ?? chrome).storage.local.remove('save')")


def save_as_asked(browser: Browser, *values: str) -> list[str]:
    """Choose these on the page that asks what to save, and save; return what was chosen there before."""
    tab = browser.go_to_tab("pages/save.html")
    (page,) = (other for other in browser.tabs() if other != tab)
    wait_until(
        lambda: browser.run("() => document.getElementById('choices').hidden === false"), "nothing can be chosen"
    )
    chosen: list[str] = browser.run(
        """values => {
            const chosen = [...document.querySelectorAll('input:checked')].map(input => input.value);
            for (const one of values) document.querySelector(`input[value=${one}], input[name=${one}]`).click();
            document.getElementById('save').click();
            return chosen;
        }""",
        values,
    )
    browser.switch_to(page)  # the other closes by itself
    return chosen


def test_the_saved_template_holds_no_content_and_no_script(browser: Browser, serve: Serve) -> None:
    head = "<script>var secret = 1</script>"
    body = '<dl><dt>Word</dt><dd>Sense</dd></dl><script>document.title += "!"</script>Bare words'
    answers = site(body, head=head)
    scripted = answers[PATH].body.replace(b'<p class="imprint">', b'<p class="imprint" onclick="alert(1)">')
    answers[PATH] = Answer(scripted)
    browser.open(serve(answers).base + PATH)
    show_template(browser)

    text = saved_by_shortcut(browser).read_text("utf-8")

    assert text.lower().startswith("<!doctype html>")
    for gone in ("Word", "Sense", "Bare", "<script", "secret", "onclick", "sitestencil"):
        assert gone not in text
    for kept in ("Made by hand.", '<main class="content"', 'data-slot="main"', "Imprint"):
        assert kept in text


def test_the_saved_template_looks_like_the_template_view(browser: Browser, serve: Serve) -> None:
    browser.open(serve(load_site()).base + DEMO_PAGE)
    show_template(browser)
    browser.click_panel("close")
    shown = picture(browser)
    header = (0, 0, shown.width, 120)

    file = saved_by_shortcut(browser)
    browser.open(file.as_uri())

    assert visible(browser, ".menu a") == ["a"] * 6
    assert all_of(browser, "#content *") == ["p", "article"]  # the slots
    assert browser.run("() => document.querySelector('#content').textContent.trim()") == ""
    assert all(browser.run("() => [...document.images].map(image => image.naturalWidth > 0)"))
    assert picture(browser).crop(header).tobytes() == shown.crop(header).tobytes()


def test_the_file_is_named_after_host_and_title(browser: Browser, serve: Serve) -> None:
    browser.open(serve(site("<dl><dt>Word</dt></dl>", title="A page: with/slashes?")).base + PATH)
    show_template(browser)

    name = saved_by_shortcut(browser).name

    assert name.startswith("127.0.0.1")
    assert "A page" in name
    assert name.endswith(".html")
    assert not set(name) & set(':/\\?*"<>|')


def test_saving_a_page_not_yet_looked_at_finds_its_template_first(browser: Browser, serve: Serve) -> None:
    browser.open(serve(load_site()).base + DEMO_PAGE)

    text = saved_by_shortcut(browser).read_text("utf-8")

    assert "Plan your visit" in text
    assert "hemp" not in text


def test_saving_leaves_the_page_as_it_was(browser: Browser, serve: Serve) -> None:
    browser.open(serve(load_site()).base + DEMO_PAGE)
    before = whole_state(browser)
    show_template(browser)
    saved_by_shortcut(browser)

    show_page(browser)

    assert whole_state(browser) == before


def test_a_page_that_watches_its_navigations_neither_sees_nor_stops_saving(browser: Browser, serve: Serve) -> None:
    head = """<script>
        navigation.addEventListener("navigate", event => {
            window.seen = event.destination.url;
            event.preventDefault();
        });
        addEventListener("click", event => { window.clicked = true; event.preventDefault(); }, true);
        URL.createObjectURL = () => { window.made = true; };
    </script>"""
    browser.open(serve(site("<dl><dt>Word</dt></dl>", head=head)).base + PATH)
    show_template(browser)

    assert "Made by hand." in saved_by_shortcut(browser).read_text("utf-8")
    assert browser.run("() => [window.seen, window.clicked, window.made].map(String)") == ["undefined"] * 3


def test_a_sandboxed_page_is_saved_too(browser: Browser, serve: Serve) -> None:
    answers = site("<dl><dt>Word</dt></dl>")
    answers[PATH] = Answer(answers[PATH].body, headers={"Content-Security-Policy": "sandbox"})
    browser.open(serve(answers).base + PATH)
    show_template(browser)

    assert "Made by hand." in saved_by_shortcut(browser).read_text("utf-8")


def test_the_page_that_saves_closes_and_the_person_stays_there(browser: Browser, serve: Serve) -> None:
    browser.open(serve(load_site()).base + DEMO_PAGE)
    show_template(browser)
    before = browser.tabs()

    saved_by_shortcut(browser)

    assert browser.tabs() == before
    assert browser.run("() => document.visibilityState") == "visible"


def test_what_people_typed_is_not_saved(browser: Browser, serve: Serve) -> None:
    answers = site("<dl><dt>Word</dt></dl>")
    fields = (
        b'<form class="login" action="/login?session=s3cret"><input class="who">'
        b'<input class="pass" type="password">'
        b'<input type="hidden" name="csrf" value="s3cret"><textarea class="note"></textarea>'
        b'<p data-token="s3cret">Log in</p></form></footer>'
    )
    with_login = {
        path: Answer(answer.body.replace(b"</footer>", fields), answer.kind) for path, answer in answers.items()
    }
    browser.open(serve(with_login).base + PATH)
    browser.run(
        """() => {
            document.querySelector('.who').value = 'Ida Marchetti';
            document.querySelector('.pass').value = 'open sesame';
            document.querySelector('.pass').type = 'text';
            document.querySelector('.note').value = 'Ida was here';
        }"""
    )
    show_template(browser)

    text = saved_by_shortcut(browser).read_text("utf-8")

    assert "Log in" in text
    for secret in ("Ida", "sesame", "s3cret"):
        assert secret not in text


MIRRORS = """typed => {
    const field = document.querySelector('.who'), holder = field.parentNode;
    field.value = typed;
    field.title = field.placeholder = holder.dataset.value = typed;
    field.setAttribute('aria-label', typed);
    holder.setAttribute('style', `--v: '${typed}'`);
    holder.className = `q-${typed}`;
    holder.insertAdjacentHTML('beforeend', `<a href="/s?q=${typed}">a</a><img src="/i?q=${typed}" alt="${typed}">
        <output>${typed}</output><select><option>${typed}</select><div class=host></div>
        <style>p::after{content:'${typed}'}</style><p contenteditable>${typed}</p><p>Written by ${typed}.</p>`);
    holder.querySelector('.host').attachShadow({mode: 'open'}).innerHTML = `<p contenteditable>${typed}</p>`;
    const [sheet] = document.styleSheets;
    sheet.insertRule(`footer::after{content:'${typed}'}`, sheet.cssRules.length);
    document.title = `${typed} - A page`;
    history.replaceState(null, '', `?q=${typed}`);
}"""


def test_no_copy_of_what_people_typed_is_saved_and_what_the_page_had_stays(browser: Browser, serve: Serve) -> None:
    form = b'<form><input class="who"></form><input class="more" value="old"></footer>'
    answers = {
        path: Answer(answer.body.replace(b"</footer>", form), answer.kind, headers={"cache-control": "max-age=60"})
        for path, answer in site("<dl><dt>Word</dt></dl>").items()
    }
    browser.open(serve(answers).base + PATH)
    show_template(browser)
    browser.click(".who")
    browser.press("Z")
    browser.run(MIRRORS, "Zanzibar")
    browser.run("() => { document.querySelector('.more').value = 'Imprint'; }")

    file = saved_by_shortcut(browser)

    text = file.read_text("utf-8")
    assert "Zanzibar" not in text + file.name
    for kept in (
        "Written by .",
        "Made by hand.",
        ">Imprint<",
        "background: #124" if "#124" in text else "rgb(17, 34, 68)",
    ):
        assert kept in text


def test_nothing_is_saved_where_no_template_can_be_found(browser: Browser, serve: Serve) -> None:
    browser.open(serve({PATH: Answer(b"<!doctype html><p>No links here")}).base + PATH)

    browser.press(SHORTCUT)

    browser.wait_for_state("error")
    with pytest.raises(BrowserError, match="no finished download"):
        browser.wait_for_download(seconds=0.5)


def test_the_browser_saves_what_the_command_prints(browser: Browser, serve: Serve) -> None:
    server = serve(load_site())
    choose(browser, offline=False)
    printed = extract(server.base + DEMO_PAGE, detector="temex").to_html()
    browser.open(server.base + DEMO_PAGE)
    show_template(browser)

    assert saved_by_shortcut(browser).read_text("utf-8") == printed
