"""What a person typed is in no file, however the page draws it; what scripts put into fields is the page's."""

import pytest
from tests.browsers.conftest import Serve
from tests.browsers.looking import show_content, show_page, show_template, text
from tests.browsers.pages import PATH, site
from tests.browsers.test_content_out import saved_as
from tests.browsers.test_save import saved_by_shortcut
from tests.support.browsers import Browser, wait_until
from tests.support.server import Answer

FIELD = """<input class="who"><script>
    document.querySelector(".who").addEventListener("input", ({ target }) => draw(target.value));
    function draw(typed) { %s }
</script>"""
# How a page draws what is typed, in the template of the site: the place to type in, and the page's script.
WAYS = {
    "letters": (".who", '<p class="out">You: </p>' + FIELD % "document.querySelector('.out').append(typed.at(-1))"),
    "address": (
        ".who",
        '<a class="out">Log in</a>'
        + FIELD
        % "const next = encodeURIComponent(`/s?q=${encodeURIComponent(`a ${typed}`)}`);"
        "document.querySelector('.out').href = `/in?next=${encodeURIComponent(next)}`",
    ),
    "editor": (
        ".who",
        """<div><div class="out"></div><textarea class="who"></textarea></div><script>
            document.querySelector(".who").addEventListener("input", ({ target }) => {
                document.querySelector(".out").textContent += target.value;
                target.value = "";
            });
        </script>""",
    ),
    "frame": (
        "iframe",
        """<iframe title="Letter"></iframe><script>
            const { contentDocument: letter } = document.querySelector("iframe");
            letter.write("<!doctype html><body><p>Write here</p></body>");
            letter.close();
            letter.designMode = "on";
        </script>""",
    ),
    "closed": (
        "x-who",
        """<x-who></x-who><script>
            customElements.define("x-who", class extends HTMLElement {
                constructor() {
                    super();
                    const root = this.attachShadow({ mode: "closed" });
                    root.innerHTML = "<input>";
                    root.firstChild.addEventListener("input", () => this.dataset.text = root.firstChild.value);
                }
            });
        </script>""",
    ),
    "replaced": (
        ".who",
        """<input class="who"><script>
            addEventListener("input", ({ target }) => {
                const field = document.createElement("input");
                field.className = "who";
                field.value = field.dataset.text = target.value;
                target.replaceWith(field);
                field.focus();
                field.setSelectionRange(9, 9);
            });
        </script>""",
    ),
    "disabled": (
        ".who",
        '<p class="out"></p>' + FIELD % "document.querySelector('.out').textContent = typed;"
        "document.querySelector('.who').onblur = ({ target }) => target.disabled = true",
    ),
}
TIMES = {True: "before", False: "after"}
# Of a field that is gone before the scripts come, nothing tells.
CASES = [(way, early) for early in TIMES for way in WAYS if (way, early) != ("replaced", True)]
STORY = "<p>The harbour is old, and the harbour is small.</p>"
ARTICLE = f'<h1>The harbour of Lindow</h1>{STORY}<div contenteditable="true">{STORY}</div>'


def with_footer(body: str, footer: str) -> dict[str, Answer]:
    return {
        path: Answer(answer.body.replace(b"</footer>", f"{footer}</footer>".encode()), answer.kind)
        for path, answer in site(body).items()
    }


@pytest.mark.usefixtures("guessing")
@pytest.mark.parametrize(("way", "is_early"), CASES, ids=["-".join([way, TIMES[early]]) for way, early in CASES])
def test_what_a_person_typed_is_in_no_file(browser: Browser, serve: Serve, way: str, *, is_early: bool) -> None:
    place, footer = WAYS[way]
    browser.open(serve(with_footer("<dl><dt>Word</dt></dl>", footer)).base + PATH)
    if not is_early:
        show_template(browser)
    browser.click(place)
    for letter in "ZQJXZ":
        browser.press(letter)
    browser.click(".imprint")
    if is_early:
        show_template(browser)

    saved = saved_by_shortcut(browser).read_text("utf-8")

    assert "Made by hand." in saved
    assert "zqjxz" not in saved.lower()
    assert "z</" not in saved
    assert browser.run(
        """place => {
            const element = document.querySelector(place), { body } = element.contentDocument ?? document;
            const out = document.querySelector(".out");
            return `${body.textContent} ${out?.href} ${element.dataset.text}`.includes("zqjx");
        }""",
        place,
    )


@pytest.mark.parametrize("value", ["harbour", "The harbour of Lindow"])
def test_values_of_scripts_and_text_in_editors_stay_the_pages(browser: Browser, serve: Serve, value: str) -> None:
    footer = f'<input class="q"><script>document.querySelector(".q").value = "{value}"</script>'
    browser.open(serve(with_footer(ARTICLE, footer)).base + PATH)
    browser.click("h1")
    show_template(browser)
    show_page(browser)
    show_content(browser)

    saved = saved_as(browser, "text").read_text("utf-8")

    assert saved.count("harbour") == 5


def test_the_panel_says_that_typed_words_are_left_out(browser: Browser, serve: Serve) -> None:
    browser.open(serve(with_footer(f'{ARTICLE}<p contenteditable="true" class="note">Mine</p>', "")).base + PATH)
    browser.click(".note")
    browser.press("Z")
    show_template(browser)
    show_page(browser)
    show_content(browser)

    browser.click_panel("copy")

    told = f"{text('panel_copied')} {text('panel_typed_cut_content')}"
    wait_until(lambda: browser.panel_text("[role=status]") == told, "the panel does not say so")
    assert "Mine" not in browser.clipboard()
