"""The template as a page to build on."""

import re

from tests.support.judged_pages import judged
from tests.support.saved_pages import without_comment
from tests.support.tables import table

from sitestencil.outputs.judged_page import Choices, JudgedPage
from sitestencil.page.document import Document
from sitestencil.page.parsing import parse
from sitestencil.saving.standalone_html import annotated_html, template_html

URL = "https://example.org/news/today"
PAGE = """<!doctype html><html lang=en><head><title>Today</title>
<meta name=description content="All about today"><meta name=viewport content="width=device-width">
<meta charset=utf-8><link rel=stylesheet href=/style.css><link rel=canonical href=/news/today>
<script src=/app.js></script><style>body { background: url(bg.png) }</style></head>
<body onload="go()"><nav><a href="../about" onclick="x()">About</a></nav>
<main class=wrap>Loose words <article><h1>Today</h1><p>Story</p><aside>Share</aside></article></main>
<noscript>Turn on scripts</noscript><footer><a href="javascript:void 0">Top</a></footer></body></html>"""


def _template(*content_tags: str, texts_of: str = "", story: str = "Story") -> str:
    page = parse(PAGE.replace("Story", story), URL)
    template = [tag not in content_tags for tag in page.tags]
    texts = [page.tags[run.parent] != texts_of for run in page.texts]
    return template_html(judged(page, template, texts))


def test_content_is_removed_and_the_containers_stay() -> None:
    html = _template("article", "h1", "p", "aside", texts_of="main", story="Story of the harbour. " * 9)
    assert "Story" not in html
    assert "Loose words" not in html
    assert re.search(r'<main class="wrap" data-slot="main" data-slot-holds="[a-z ]+"></main>', html)
    assert "About" in html


def test_template_inside_content_keeps_its_container_without_the_containers_text() -> None:
    html = _template("article", "h1", "p")
    assert (
        '<article><div data-slot="main" data-slot-holds="heading text"></div><aside>Share</aside></article>' in html
    )


def test_scripts_event_handlers_and_script_addresses_are_removed() -> None:
    html = _template("article", "h1", "p", "aside")
    assert not re.search(r"<script|javascript:|onload|onclick|Turn on scripts", html)


def test_addresses_are_absolute() -> None:
    html = _template("article")
    assert 'href="https://example.org/about"' in html
    assert 'href="https://example.org/style.css"' in html
    assert 'url("https://example.org/news/bg.png")' in html


@table(
    ("body", "written"),
    [
        # An image that a script would load later shows without it.
        ("<img src='data:image/gif;base64,AA' data-src=/logo.png>", '<img src="https://example.org/logo.png"'),
        ("<img class='wide lazyload' data-src=/logo.png>", '<img class="wide lazyloaded"'),
        ("<svg><style>.a { fill: red }</style><g class=a /></svg>", "<style>.a { fill: red; }</style>\n</head>"),
        ("<svg><style>.a { fill: red }</style><g class=a /></svg>", '<svg><g class="a"/></svg>'),
        # An object that shows an image becomes the image.
        ("<object data=/logo.svg width=9></object>", '<img width="9" src="https://example.org/logo.svg" alt="">'),
        # Frames of other sites run nothing.
        (
            "<iframe src=https://a.test/ srcdoc=x allow=usb>",
            '<iframe src="https://a.test/" sandbox=""></iframe>',
        ),
        # What annotates a formula does not show, in whatever language it is.
        *(
            (
                f"<math><semantics><mi>x</mi><annotation-xml encoding={encoding}>{inner}",
                "<mi>x</mi></semantics></math>",
            )
            for encoding, inner in [
                ("text/html", "<p onclick=go()>base64</p><script>go('base64')</script>"),
                ("Application/XHTML+XML", "<form><input value=base64></form>"),
                ("SVG1.1", "<svg><text>base64</text></svg>"),
                ("MathML-Content", "<ci>base64</ci>"),
            ]
        ),
    ],
)
def test_an_element_is_written_as_it_shows_and_runs_nothing(body: str, written: str) -> None:
    html = template_html(judged(parse(f"<!doctype html><body>{body}", URL)))
    assert written in html
    assert "base64" not in html


def test_the_head_describes_the_template_and_not_the_page() -> None:
    html = _template("article")
    assert "<title>Template of example.org</title>" in html
    assert html.count("charset") == 1
    assert "All about today" not in html
    assert "canonical" not in html
    assert "viewport" in html


def test_the_result_parses_to_the_same_tree_again() -> None:
    html = _template("article", "h1", "p", "aside")
    page = parse(html, URL)
    assert page.tags.count("head") == page.tags.count("body") == 1
    assert page.doctype == "html"
    assert page.tags[page.children[page.body or 0][0]] == "nav"


def test_the_file_carries_a_policy_which_the_caller_chooses() -> None:
    page = parse(PAGE, URL)
    everything = judged(page)
    policy = r'<head><meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="script-src .none.;'
    assert re.search(policy, without_comment(_template()))
    assert "img-src *" in template_html(everything, Choices(policy="img-src *"))
    assert "http-equiv" not in template_html(everything, Choices(policy=None))


def test_style_sheets_stay_wherever_they_stand() -> None:
    page = parse("<!doctype html><body><div><style>p { color: red }</style><p>News</p></div>", URL)
    html = template_html(
        judged(page, [tag not in {"div", "style", "p"} for tag in page.tags], [False] * len(page.texts))
    )
    assert '<div><style>p { color: red; }</style><div data-slot="main" data-slot-holds="text"></div></div>' in html


@table(
    ("doctype", "written"),
    [
        ("<!doctype html>", "<!DOCTYPE html>\n<html>"),
        ("", "<html>"),
        ('<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Frameset//EN" "<x>">', "<!DOCTYPE html PUBLIC"),
    ],
)
def test_the_page_keeps_its_rendering_mode_but_not_its_doctype(doctype: str, written: str) -> None:
    page = parse(f"{doctype}<p>x", URL)
    html = template_html(judged(page))
    assert html.startswith(written)
    assert "<x>" not in html
    assert parse(html, URL).rendering_mode == page.rendering_mode


def test_the_documents_of_frames_are_written_into_them() -> None:
    tags = ["html", "head", "body", "iframe", "html", "head", "body", "a"]
    document = Document(
        URL, URL, tags, [-1, 0, 0, 2, 3, 4, 4, 6], [{}] * 7 + [{"href": "x", "onclick": "x"}], [], doctype="html"
    )
    html = template_html(JudgedPage(document, [True] * 8, [], frame_bases={4: "https://example.org/frame/"}))
    inner = parse(html, URL).attributes[-1]["srcdoc"]
    assert '<body><a href="https://example.org/frame/x"></a></body>' in inner
    assert "Content-Security-Policy" in inner


def test_frames_within_frames_end_somewhere() -> None:
    tags, parents = ["html", "body"], [-1, 0]
    for _ in range(30):
        tags += ["iframe", "html", "body"]
        parents += [len(parents) - 1, len(parents), len(parents) + 1]
    document = Document(URL, URL, tags, parents, [{}] * len(tags), [], doctype="html")
    assert len(template_html(judged(document))) < 100_000


def test_no_page_chooses_another_encoding_for_the_file() -> None:
    page = parse("<!doctype html><meta name=viewport charset=iso-2022-jp content=x><p>x", URL)
    html = template_html(judged(page), Choices(policy="x " * 2000))
    assert html.index('<meta charset="utf-8">') < 100
    assert html.count("charset") == 1


def test_the_annotated_page_says_its_base_which_its_policy_allows() -> None:
    page = parse('<base href="/news/?sid=1"><a href=a data-src=b.png>x', "https://example.org/old/")
    html = annotated_html(judged(page), "marked")
    assert '<base href="https://example.org/news/?sid=">' in html
    assert "base-uri https://example.org;" in html
    assert 'href="https://example.org/news/a" data-src="b.png"' in html
    assert html.index("charset") < html.index("Content-Security-Policy") < html.index("<base")
    no_page = annotated_html(judged(parse('<base href="javascript:x"><a href=a>x', URL)), "marked")
    assert "javascript" not in no_page
    assert "base-uri https://example.org;" in no_page


# Of SVG 2, 6.6 and 7.4, and of the filter and masking modules: attributes whose values are those of CSS properties.
PRESENTATION = """
alignment-baseline baseline-shift clip-path clip-rule color color-interpolation color-interpolation-filters
cursor cx cy d direction display dominant-baseline fill fill-opacity fill-rule filter flood-color
flood-opacity font-family font-size font-style font-variant font-weight height image-rendering letter-spacing
lighting-color marker marker-end marker-mid marker-start mask mask-type opacity overflow paint-order
pointer-events r rx ry shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-width
text-anchor text-decoration text-overflow text-rendering transform gradientTransform patternTransform
transform-origin unicode-bidi vector-effect visibility white-space width word-spacing writing-mode x y
""".split()


@table("name", [*PRESENTATION, "style"])
@table("value", ["url(a.png)", "image-set('a.png' 1x)", "U\\72L('a.png'), auto", "image('a.png')"])
def test_no_attribute_of_svg_keeps_an_address_that_is_not_absolute(name: str, value: str) -> None:
    page = parse(f'<svg><g {name}="{value}"></g></svg>', URL)
    html = annotated_html(judged(page), "t", Choices(policy=None))
    assert html.count("a.png") == html.count("https://example.org/news/a.png")


@table("other", ["prefetch", "preload", "preconnect", "dns-prefetch", "modulepreload", "next", "x", "manifest"])
@table("known", ["icon", "stylesheet", "canonical"])
def test_a_link_of_two_kinds_keeps_the_one_that_may_stay(known: str, other: str) -> None:
    page = parse(f"<link rel='{other.upper()} {known}' href=/a><link rel='{other}' href=/b><p>x", URL)
    html = annotated_html(judged(page), "t", Choices(policy=None))
    assert re.findall('rel="([^"]*)"', html) == [known]
    assert "example.org/b" not in html


@table("name", ["ping", "imagesrcset", "manifest", "longdesc", "formaction", "archive", "lowsrc", "dynsrc"])
def test_an_address_that_the_table_does_not_know_is_left_out(name: str) -> None:
    tags = ("a", "img", "link rel=icon", "input", "svg", "body", "table", "iframe", "video", "x-card")
    for tag in tags:
        page = parse(f"<{tag} {name}='https://elsewhere.example/'>x", URL)
        assert "elsewhere" not in annotated_html(judged(page), "t", Choices(policy=None))
