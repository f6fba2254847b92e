"""The saved template opens offline and looks like the view: the server is gone, and pixels are compared."""

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import matplotlib
import pytest
from demo.site import DEMO_PAGE, load_site
from jinja2 import Environment, FileSystemLoader
from PIL import Image, ImageChops
from tests.browsers.conftest import Serve
from tests.browsers.looking import picture, show_template, visible
from tests.browsers.pages import PATH, site
from tests.browsers.test_save import choose, save_as_asked, saved_by_shortcut
from tests.support.browsers import Browser
from tests.support.server import Answer, SiteServer

# Of all pixels, those that differ by more than antialiasing does.
MOST_DIFFERENT = 0.001
SCRIPTED = """<link rel="stylesheet" href="/fonts.css"><style id="late"></style><script type="module">
document.getElementById("late").sheet.insertRule("footer { border-top: 9px solid rgb(200, 30, 90) }");
const adopted = new CSSStyleSheet();
adopted.replaceSync("header { padding: 30px; background: #472 url(/dots.png) }");
document.adoptedStyleSheets = [adopted];
const badge = document.querySelector("x-badge").attachShadow({mode: "open"});
badge.innerHTML = "<p><img src=/logo.png width=40 height=20> In the shadow</p>";
const inner = new CSSStyleSheet();
inner.replaceSync("p { color: #e40; font-size: 22px; background: #fff }");
badge.adoptedStyleSheets = [inner];
</script>"""


@pytest.fixture(autouse=True)
def _the_gaps_are_closed(browser: Browser) -> Iterator[None]:
    browser.open(browser.extension_address("pages/options.html"))
    browser.run("() => (globalThis.browser ?? chrome).storage.local.set({closeGaps: true})")
    yield
    browser.open(browser.extension_address("pages/options.html"))
    browser.run("() => (globalThis.browser ?? chrome).storage.local.remove('closeGaps')")


@pytest.fixture(autouse=True)
def _standard_choices(browser: Browser) -> Iterator[None]:
    """Leave no choice to the tests after this one: the shortcut takes the last."""
    yield
    choose(browser)


def png(colour: str, size: tuple[int, int] = (40, 20)) -> Answer:
    output = io.BytesIO()
    image = Image.new("RGB", size, colour)
    image.paste("#fff", (0, 0, size[0] // 3, size[1] // 3))
    image.save(output, "PNG")
    return Answer(output.getvalue(), "image/png")


def scripted_site() -> dict[str, Answer]:
    """A site whose look comes from a web font, imports, scripts' style rules, a shadow root and a source set."""
    font = Path(matplotlib.get_data_path(), "fonts/ttf/DejaVuSerif-Italic.ttf").read_bytes()
    answers = site("<dl><dt>Word</dt><dd>Sense</dd></dl>" + "<p>Much more to read</p>" * 12)
    top = '<x-badge></x-badge><img class="logo" src="/missing.png" srcset="/logo.png 1x, /logo.png 2x">'
    for path in ("/news.html", "/events.html", "/contact.html", PATH):
        html = answers[path].body.decode().replace("</head>", f"{SCRIPTED}</head>")
        answers[path] = Answer(html.replace('<header class="top">', f'<header class="top">{top}').encode())
    return answers | {
        "/fonts.css": Answer(b"@import 'inner.css' screen; .bottom { text-transform: uppercase }", "text/css"),
        "/inner.css": Answer(
            b"@font-face { font-family: Served; src: url(served.ttf) } header a, footer { font-family: Served }",
            "text/css",
        ),
        "/served.ttf": Answer(font, "font/ttf"),
        "/logo.png": png("#c60"),
        "/dots.png": png("#2a6", (12, 12)),
    }


def drawn_by_script() -> dict[str, Answer]:
    """A site whose header has an image that a script made, one chosen by density, and a film's poster."""
    script = """<style>header { background: image-set("/dots.png" 1x, "/dots.png" 2x) }</style>
    <script type="module">
    const canvas = Object.assign(document.createElement("canvas"), {width: 60, height: 30});
    canvas.getContext("2d").fillStyle = "#e40";
    canvas.getContext("2d").fillRect(0, 0, 60, 30);
    canvas.toBlob(blob => { document.querySelector("#made").src = URL.createObjectURL(blob); });
    </script>"""
    top = '<img id="made" width="60" height="30"><video poster="/poster.png" width="80" height="40"></video>'
    answers = site("<dl><dt>Word</dt><dd>Sense</dd></dl>")
    for path in ("/news.html", "/events.html", "/contact.html", PATH):
        html = answers[path].body.decode().replace("</head>", f"{script}</head>")
        answers[path] = Answer(html.replace('<header class="top">', f'<header class="top">{top}').encode())
    return answers | {"/dots.png": png("#2a6", (12, 12)), "/poster.png": png("#06c", (80, 40))}


def live() -> dict[str, Answer]:
    """A site whose header shows a sprite, files that a script made, a ticked box, and a custom element's state."""
    script = """<script type="module">
    const kind = "image/svg+xml";
    const made = (text, type) => URL.createObjectURL(new Blob([text], {type}));
    const square = (fill) => made(`<svg xmlns="http://www.w3.org/2000/svg" style="background: ${fill}"/>`, kind);
    const sheet = `.made { display: block; width: 40px; height: 20px; background: url("${square("#2a6")}") }`;
    document.querySelector("#sheet").href = made(sheet, "text/css");
    document.querySelector("#painted").style.backgroundImage = `url("${square("#e40")}")`;
    customElements.define("x-lamp", class extends HTMLElement {
        constructor() { super(); this.attachInternals().states.add("lit"); }
    });
    document.querySelector("#box").checked = true;
    </script>
    <link rel="stylesheet" id="sheet"><style>
    header b, x-lamp { display: block; width: 40px; height: 20px }
    #box:checked + b { background: #90c }
    #asked:checked + b { background: #6f6 }
    x-lamp:state(lit) { background: #0aa }
    </style>"""
    top = (
        '<svg width="40" height="20"><use href="/sprite.svg#icon"></use></svg>'
        '<i class="made"></i><b id="painted"></b><input type="checkbox" id="box"><b></b>'
        '<input type="checkbox" id="asked"><b></b><x-lamp></x-lamp>'
    )
    icon = '<symbol id="icon"><path fill="#06c" d="M0 0h40v20H0z"/></symbol>'
    sprite = f'<svg xmlns="http://www.w3.org/2000/svg">{icon}</svg>'.encode()
    answers = site("<dl><dt>Word</dt><dd>Sense</dd></dl>")
    for path in ("/news.html", "/events.html", "/contact.html", PATH):
        html = answers[path].body.decode().replace("</head>", f"{script}</head>")
        answers[path] = Answer(html.replace('<header class="top">', f'<header class="top">{top}').encode())
    return answers | {"/sprite.svg": Answer(sprite, "image/svg+xml")}


def share_of_different_pixels(one: Image.Image, other: Image.Image) -> float:
    assert one.size == other.size
    difference = ImageChops.difference(one, other).convert("L").point(lambda value: 255 * (value > 24))
    return sum(difference.histogram()[128:]) / (one.width * one.height)


def picture_with_fonts(browser: Browser) -> Image.Image:
    # What no text has asked for yet is not waited for by `ready` alone.
    load = "Promise.all([...document.fonts].map((font) => font.load().catch(() => null)))"
    browser.run(f"() => {load}.then(() => document.fonts.ready).then(() => true)")
    return picture(browser)


def saved_with_the_server_gone(
    browser: Browser, answers: dict[str, Answer], path: str, tmp_path: Path, name: str
) -> float:
    """The share of pixels by which the view and the saved file differ."""
    with SiteServer(answers) as server:
        browser.open(server.base + path)
        show_template(browser)
        browser.click_panel("close")
        view = picture_with_fonts(browser)
        file = saved_by_shortcut(browser)
        asked_by_the_program = {request.path for request in server.requests if "Sitestencil" in request.agent}
    # What the page has, it reads itself.
    assert not [path for path in asked_by_the_program if path.endswith((".css", ".png", ".svg", ".ttf"))]
    browser.open("about:blank")
    browser.open(file.as_uri())
    seen = picture_with_fonts(browser)
    view.save(tmp_path / f"{name}-view.png")
    seen.save(tmp_path / f"{name}-file.png")
    return share_of_different_pixels(view, seen)


def test_without_its_server_the_demo_page_looks_like_the_view(browser: Browser, tmp_path: Path) -> None:
    choose(browser)
    assert saved_with_the_server_gone(browser, load_site(), DEMO_PAGE, tmp_path, "demo") <= MOST_DIFFERENT


@pytest.mark.parametrize(
    ("page", "colours"),
    [
        (drawn_by_script, {(0xEE, 0x44, 0), (0x22, 0xAA, 0x66), (0, 0x66, 0xCC)}),
        (live, {(0, 0x66, 0xCC), (0x22, 0xAA, 0x66), (0xEE, 0x44, 0), (0x99, 0, 0xCC), (0, 0xAA, 0xAA)}),
    ],
)
def test_images_posters_sprites_files_of_scripts_and_states_look_like_the_view(
    browser: Browser, tmp_path: Path, page: Callable[[], dict[str, Answer]], colours: set[tuple[int, ...]]
) -> None:
    choose(browser)
    shares = (saved_with_the_server_gone(browser, page(), PATH, tmp_path, "made") for _ in range(2))
    assert any(share <= MOST_DIFFERENT for share in shares)
    picture = Image.open(tmp_path / "made-file.png").convert("RGB")
    assert colours <= {colour for _, colour in picture.getcolors(1 << 24) or []}


def test_a_box_that_a_person_ticked_is_not_ticked_in_the_file(browser: Browser, serve: Serve) -> None:
    choose(browser)
    more = (
        b'<input type="checkbox" id="once"><input type="radio" name="of" id="one"><input type="radio" name="of" '
        b'id="other" checked><style>x-box:state(ticked) { top: 0 }</style><x-box id="own">ticked</x-box>'
    )
    own = b"""<script>customElements.define("x-box", class extends HTMLElement {
        static formAssociated = true;
        constructor() {
            super();
            const internals = this.attachInternals();
            this.addEventListener("click", () => internals.states.add("ticked"));
        }
    });</script></body>"""
    answers = {
        path: Answer(answer.body.replace(b"<x-lamp>", more + b"<x-lamp>", 1).replace(b"</body>", own), answer.kind)
        for path, answer in live().items()
    }
    browser.open(serve(answers).base + PATH)
    for name in ("asked", "once", "one", "own"):
        browser.click(f"#{name}")
    browser.run("() => void (document.querySelector('#once').disabled = true)")
    show_template(browser)
    chosen = "['asked', 'once', 'one'].every((id) => document.getElementById(id).checked)"
    assert browser.run(f"() => {chosen} && document.querySelector('#own').matches(':state(ticked)')")
    html = saved_by_shortcut(browser).read_text("utf-8")
    boxes = {box[1]: "checked" in box[0] for box in re.finditer(r'<input[^>]* id="(\w+)"[^>]*>', html)}
    assert boxes == {"box": True, "asked": False, "once": False, "one": False, "other": True}
    assert "<x-box" in html
    assert "state--ticked=" not in html


def test_what_scripts_have_styled_looks_like_the_view_too(browser: Browser, tmp_path: Path) -> None:
    choose(browser)
    # Chromium draws the page's font late now and then, in one of the pictures: one pair of four must agree.
    pairs = (saved_with_the_server_gone(browser, scripted_site(), PATH, tmp_path, "scripted") for _ in range(4))
    assert any(share <= MOST_DIFFERENT for share in pairs)
    fonts = browser.run("() => document.fonts.ready.then(all => [...all].map(font => font.status))")
    assert "loaded" in fonts


def test_the_page_asks_what_to_save_and_saves_no_earlier(browser: Browser, serve: Serve) -> None:
    choose(browser)
    browser.open(serve(load_site()).base + DEMO_PAGE)
    show_template(browser)
    browser.click_panel("save")
    browser.wait_for_tab("pages/save.html")
    assert list(browser.downloads.iterdir()) == []

    assert save_as_asked(browser, "jinja") == ["html", "on"]

    file = browser.wait_for_download()
    assert file.name.endswith(".jinja.html")
    layout = file.read_text("utf-8")
    rendered = Environment().from_string(layout).render()
    assert "{% block main %}" in layout
    assert "Plan your visit" in rendered
    assert "hemp" not in rendered


def test_a_jinja_layout_has_its_style_sheets_and_images_beside_it(
    browser: Browser, serve: Serve, tmp_path: Path
) -> None:
    choose(browser)
    browser.open(serve(load_site()).base + DEMO_PAGE)
    show_template(browser)
    browser.click_panel("save")
    save_as_asked(browser, "jinja-folder")
    file = browser.wait_for_download()
    assert file.name.endswith(".jinja.zip")
    with zipfile.ZipFile(file) as archive:
        archive.extractall(tmp_path)
    (tmp_path / "own.html").write_text(
        "{% extends 'layout.html' %}{% block main %}<h1>Own words</h1>{% endblock %}"
    )
    page = tmp_path / "page.html"
    page.write_text(Environment(loader=FileSystemLoader(tmp_path)).get_template("own.html").render(), "utf-8")

    browser.open(page.as_uri())

    assert visible(browser, "#content h1") == ["h1"]
    assert (
        browser.run("() => getComputedStyle(document.querySelector('.notice')).backgroundColor")
        == "rgb(18, 50, 74)"
    )
    assert all(browser.run("() => [...document.images].map(image => image.naturalWidth > 0)"))
    assert browser.run("() => performance.getEntriesByType('resource').every(({name}) => name.startsWith('file:'))")
