"""A page with its style sheets, images and fonts within it, or beside it in a folder."""

import re
from base64 import b64encode
from collections.abc import Callable
from itertools import pairwise
from time import process_time

import pytest
import tinycss2
from hypothesis import example, given
from hypothesis import strategies as st
from tests.support.judged_pages import judged
from tests.support.saved_pages import faults, in_one_line, without_comment
from tests.support.tables import table

from sitestencil.outputs.files import File, NeededFile, data_url, media_type
from sitestencil.outputs.judged_page import Choices
from sitestencil.outputs.safe_addresses import Base, Growth
from sitestencil.outputs.tree import Element
from sitestencil.page.parsing import parse
from sitestencil.saving import embedding
from sitestencil.saving.embedding import MOST_PACKED_BYTES, InOneFile
from sitestencil.saving.folder import InFolder
from sitestencil.saving.standalone_html import files_wanted, template_html
from sitestencil.saving.style_sheets import joined_css

URL = "https://example.org/news/"
BASE = Base(URL, Growth())
PNG, GIF = b"\x89PNG\r\n\x1a\n...", b"GIF89a..."
WOFF2 = b"wOF2..."
PLAIN = Choices(policy=None, all_styles=True)


def files(**contents: str | bytes) -> dict[str, File]:
    """Files of the site by their names, with a dot for the underscore."""
    named = {f"https://example.org/{name.replace('_', '.')}": content for name, content in contents.items()}
    return {u: File(u, c.encode() if isinstance(c, str) else c) for u, c in named.items()}


def in_one_file(html: str, own: dict[str, File]) -> str:
    page = parse(f"<!doctype html>{html}", URL)
    return template_html(judged(page), PLAIN, own, InOneFile())


def url_of(content: bytes) -> str:
    return f"data:{media_type(content)};base64,{b64encode(content).decode()}"


def test_a_style_sheet_stands_in_the_page_with_what_it_draws_with() -> None:
    own = files(a_css="p { background: url(b.png) } @font-face { src: url('/f.woff2') }", b_png=PNG, f_woff2=WOFF2)
    html = in_one_file('<link rel=stylesheet href=/a.css media=print type="text/css">', own)
    assert f'<style media="print">p {{ background: url("{url_of(PNG)}") }}' in html
    assert f'src: url("{url_of(WOFF2)}")' in html


def test_what_is_not_among_the_files_keeps_its_address() -> None:
    html = in_one_file('<link rel=stylesheet href=/a.css><img src=/b.png srcset="/c.png 2x">', {})
    assert '<link rel="stylesheet" href="https://example.org/a.css">' in html
    assert '<img src="https://example.org/b.png" srcset="https://example.org/c.png 2x">' in html


def test_images_stand_in_the_page_and_leave_no_other_to_choose() -> None:
    picture = (
        '<picture><source srcset="/c.webp"><img src=/b.png srcset="/c.png 2x" sizes=1px loading=lazy></picture>'
    )
    html = in_one_file(f"{picture}<body background=/b.png><p style='background: url(/b.png)'>", files(b_png=PNG))
    assert f'<picture><img src="{url_of(PNG)}"></picture>' in html
    assert html.count(url_of(PNG)) == 3


def test_images_that_are_chosen_by_density_stand_in_the_page() -> None:
    css = 'p { background: image-set("b.png" 1x, url(c.gif) 2x) } q { content: -webkit-image-set("b.png" 1x) }'
    page = parse(f"<!doctype html><style>{css}</style><p style='background: image-set(\"/d.gif\" 1x)'><q>", URL)
    named = {one.url for one in files_wanted(judged(page))({})}
    assert named == {f"{URL}b.png", f"{URL}c.gif", "https://example.org/d.gif"}
    own = {url: File(url, PNG if url.endswith("png") else GIF) for url in named}
    html = template_html(judged(page), PLAIN, own, InOneFile())
    assert f'image-set("{url_of(PNG)}" 1x, url("{url_of(GIF)}") 2x)' in html
    assert html.count(url_of(PNG)) == html.count(url_of(GIF)) == 2
    assert "example.org" not in without_comment(html).replace("<title>Template of example.org</title>", "")


def test_short_films_and_sounds_stand_in_the_page_and_others_keep_their_address() -> None:
    mp4, sound = b"\0\0\0\x20ftypisom", b"ID3..."
    film = "<video src=/a.mp4 poster=/b.png></video><audio><source src=/c.mp3></audio><video src=/long.mp4></video>"
    own = files(a_mp4=mp4, b_png=PNG, c_mp3=sound)
    html = in_one_line(in_one_file(film, own))
    assert f'src="data:video/mp4;base64,{b64encode(mp4).decode()}"' in html
    assert f'poster="{url_of(PNG)}"' in html
    assert f'<source src="data:audio/mpeg;base64,{b64encode(sound).decode()}">' in html
    assert '<video src="https://example.org/long.mp4">' in html
    folder = InFolder()
    template_html(judged(parse(f"<!doctype html>{film}", URL)), PLAIN, own, folder)
    assert {"files/a.mp4", "files/c.mp3", "files/b.png"} <= folder.contents.keys()


@table("content", [PNG, b"<svg onload=FIRE>", b"<html><script>FIRE</script>", b""])
def test_what_is_no_film_by_its_bytes_is_not_taken_for_one(content: bytes) -> None:
    html = in_one_file("<video src=/a.mp4></video>", files(a_mp4=content))
    assert '<video src="https://example.org/a.mp4">' in html


def test_imports_stand_where_they_stood_under_their_conditions() -> None:
    sheets = files(
        a_css='@charset "utf-8"; @import "b.css" screen; @import url(c.css) layer(x) supports(display: grid); d {}',
        b_css="@import 'e.css'; b {}",
        c_css="c { color: red",
        e_css="e {}",
    )
    css = re.sub(r"\s+", " ", joined_css("@import '/a.css';", BASE, sheets.get))
    assert css == (
        '@charset "utf-8"; @media screen { e {} b {} } '
        "@layer x { @supports (display: grid) { c { color: red } } } d {}"
    )


def test_sheets_that_import_each_other_end_somewhere() -> None:
    sheets = files(a_css="@import 'b.css'; a {}", b_css="@import 'a.css'; b {}")
    css = joined_css("@import '/a.css';", BASE, sheets.get)
    assert css.count("a {}") < 10


@table(
    "condition",
    [
        '" "; ELSEWHERE "',
        "' '; ELSEWHERE '",
        "/*; ELSEWHERE */",
        'layer("x) { } ELSEWHERE b")',
        'supports(("x) { } ELSEWHERE b"))',
        "layer(x\\); ELSEWHERE",
        "( ; ELSEWHERE",
    ],
)
@table("before", ["", "@layer a, b; ", '@layer /* ; @import "a.css"; */ c; '])
def test_nothing_that_a_comment_or_a_string_holds_becomes_a_rule_by_an_import(condition: str, before: str) -> None:
    condition = condition.replace("ELSEWHERE", "a { background: url(file://elsewhere.example/x) }")
    sheets = files(a_css="b {} */ c {}")
    css = joined_css(f'{before}@import "/a.css" {condition}; d {{}}', BASE, sheets.get)
    without_strings = re.sub(r"/\*.*?\*/|\"[^\"\n]*\"|'[^'\n]*'", "", css, flags=re.DOTALL)
    assert "elsewhere.example" not in without_strings


def seconds_of(work: Callable[[], object]) -> float:
    started = process_time()
    work()
    return process_time() - started


@table("tail", ["a {}", "@import", "@layer /*", ""])
def test_many_comments_before_a_style_sheets_rules_take_no_time(tail: str) -> None:
    assert seconds_of(lambda: joined_css("/**/" * 2_000 + tail, BASE, lambda _: None)) < 2


def test_many_comments_before_an_image_of_svg_take_no_time() -> None:
    assert seconds_of(lambda: media_type(b"<!---->" * 500)) < 1
    assert media_type(b"<!-- a --><!DOCTYPE svg> <!-- --> <svg>") == "image/svg+xml"


def test_signs_that_close_nothing_take_no_time() -> None:
    sheets = files(a_css="(" * 30_000 + "]" * 30_000)
    assert seconds_of(lambda: joined_css("@import '/a.css'; d {}", BASE, sheets.get)) < 2


def test_a_font_for_many_ranges_takes_no_time() -> None:
    ranges = "u+0," * 30_000
    font = f"<style>@font-face{{src:url(/f.woff2);unicode-range:{ranges}}}</style>"
    text = "".join(map(chr, range(0x4E00, 0x6E00)))
    page = parse(f"<!doctype html>{font}{text}", URL)
    assert seconds_of(lambda: list(files_wanted(judged(page))({}))) < 3


def test_sheets_that_import_each_other_many_times_do_not_fill_the_memory() -> None:
    sheets = files(
        **{
            f"{name}_css": f"@import '{after}.css';" * 40 + "p { color: red }"
            for name, after in pairwise("abcdefg")
        }
    )
    html = in_one_file("<style>@import '/a.css';</style>", sheets)
    assert len(html) < 2 * MOST_PACKED_BYTES


@pytest.mark.parametrize(
    "element",
    ["<img src=/a.png>", "<p style='background: url(/a.png)'></p>", "<b style='cursor: url(/a.png)'></b>"],
)
def test_a_large_file_that_is_named_often_does_not_fill_the_memory(
    element: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "MOST_PACKED_BYTES", 100_000)
    own = files(a_png=PNG + bytes(10_000))
    assert len(in_one_file(element * 3, own)) > 30_000
    assert len(in_one_file(element * 100, own)) < 150_000


def test_a_sheet_that_is_named_often_is_read_as_often_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "MOST_PACKED_BYTES", 100_000)
    own = files(a_css="p { color: red }" * 1_000)
    html = in_one_file("<link rel=stylesheet href=/a.css>" * 100, own)
    assert len(html) < 150_000
    assert html.count("<style") == 6
    assert html.count('href="https://example.org/a.css"') == 94


@table(
    "sheet",
    [
        "</style><script>FIRE</script>",
        "p{background:url(javascript:FIRE)}",
        "@import 'data:text/css,*{color:red}'; @import 'javascript:FIRE';",
        "p{behavior:url(x.htc)} </STYLE ><img src=x onerror=FIRE>",
        "<!-- </style> --> p{-moz-binding:url(x.xml#y)}",
        "@import 'a.css'; p{content:'</style><script>FIRE</script>'",
    ],
)
def test_no_style_sheet_brings_anything_that_runs(sheet: str) -> None:
    html = in_one_file(
        "<link rel=stylesheet href=/a.css><svg><style>@import '/a.css'</style></svg>", files(a_css=sheet)
    )
    assert faults(html) == []
    styles = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    assert styles
    assert "FIRE" not in re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    for css in styles:
        assert not re.search(r"(?:url\(|@import)\s*\"(?!https?:|data:image/|data:font/|about:invalid)", css)


@table("content", [b"<html><script>FIRE</script>", b"", b"%PDF-1.4", b"alert(1)", b"<x><svg>"])
def test_what_is_no_image_and_no_font_by_its_bytes_is_not_taken(content: bytes) -> None:
    assert data_url(content) is None
    assert 'src="https://example.org/a.png"' in in_one_file("<img src=/a.png>", files(a_png=content))


@table(
    ("content", "kind"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
        (b"\0\0\0\x20ftypavif", "image/avif"),
        (b"\0\0\x01\0\x01", "image/x-icon"),
        (b'<?xml version="1.0"?>\n<!-- x --> <svg xmlns="...">', "image/svg+xml"),
        (b"\0\x01\0\0\0", "font/ttf"),
    ],
)
def test_a_file_is_what_its_bytes_say(content: bytes, kind: str) -> None:
    assert media_type(content) == kind


def test_a_page_wants_what_its_template_is_drawn_with_and_nothing_of_its_content() -> None:
    page = parse(
        "<!doctype html><link rel=stylesheet href=/a.css><link rel=icon href=/i.png><link rel=next href=/n>"
        "<style>nav{background:url(s.png)}</style><nav><a><img src=/m.png></a></nav><article>"
        "<img src=/x.png></article>",
        URL,
    )
    answer = judged(page, [not {page.tags[a] for a in page.path(e)} & {"article"} for e in range(len(page))])
    sheet = files(a_css="@import 'b.css'; a { background: url(u.png) } i { background: url(none.png) }")
    wanted = set(files_wanted(answer)(sheet))
    names = {(one.url.rpartition("/")[2], one.kind) for one in wanted}
    pictures = {("i.png", "picture"), ("s.png", "picture"), ("m.png", "picture"), ("u.png", "picture")}
    assert names == {("b.css", "sheet"), *pictures}


def test_of_a_font_the_best_file_is_wanted_and_only_if_the_page_has_its_signs() -> None:
    css = """p { font-family: F } @font-face { font-family: Other; src: url(other.woff2) }
    @font-face { font-family: F; src: url(a.eot); src: url(a.woff2) format("woff2"), url(a.woff) }
    @font-face { font-family: F; src: url(greek.woff2); unicode-range: U+370-3FF }
    @font-face { font-family: F; src: url(b.woff2); unicode-range: U+4?? }"""
    page = parse(f"<!doctype html><style>{css}</style><p>Latin and \N{CYRILLIC SMALL LETTER ZHE}", URL)
    wanted = files_wanted(judged(page))({})
    assert list(wanted) == [NeededFile(f"{URL}a.woff2", "picture"), NeededFile(f"{URL}b.woff2", "picture")]


def test_in_a_folder_each_file_stands_once_under_a_plain_name() -> None:
    named: dict[str, str | bytes] = {"A b.c_css": "p { background: url(d.png) }", "d_png": PNG, "e/d_png": GIF}
    own = files(**named)
    page = parse(
        "<!doctype html><link rel=stylesheet href='/A b.c.css'>"
        "<style media=print>b { background: url(/d.png) }</style><img src=/d.png><img src=/e/d.png>",
        URL,
    )
    folder = InFolder()
    html = template_html(judged(page), PLAIN, {f.replace(" ", "%20"): c for f, c in own.items()}, folder)
    assert sorted(folder.contents) == ["css/a-b-c.css", "css/style.css", "files/d.gif", "files/d.png"]
    assert b'url("../files/d.png")' in folder.contents["css/a-b-c.css"]
    assert '<link rel="stylesheet" href="css/style.css" media="print">' in html
    assert '<img src="files/d.png"><img src="files/d.gif">' in html
    assert faults(html) == []


def test_each_number_of_a_files_name_is_tried_once() -> None:
    class Counted(dict[str, bytes]):
        asked = 0

        def __contains__(self, name: object) -> bool:
            self.asked += 1
            return super().__contains__(name)

    folder = InFolder()
    folder.contents = asked = Counted()
    for number in range(500):
        folder.put_sheet(Element("style"), f"a{number} {{}}")
        folder.put_sheet(Element("style", attributes={"id": f"style {number}"}), f"b{number} {{}}")
        folder.address(File(f"{URL}{number}/d.png", PNG), "picture")
    assert len(asked) == 1_500
    assert asked.asked < 4_500


@given(st.text(st.sampled_from("ab{}()[]\"'\\/*;:@ \n"), max_size=30))
@example("{'")
def test_what_an_imported_sheet_leaves_open_takes_no_rule_that_follows(css: str) -> None:
    joined = joined_css("@import '/a.css' screen; d {}", BASE, files(a_css=css).get)
    assert tinycss2.serialize(tinycss2.parse_stylesheet(joined, skip_whitespace=True)[-1:]) == "d {}"


def test_wanted_files_end_with_sheets_that_import_each_other() -> None:
    sheets = files(a_css="@import 'b.css';", b_css="@import 'a.css';")
    page = parse("<!doctype html><link rel=stylesheet href=/a.css>", URL)
    assert list(files_wanted(judged(page))({})) == [NeededFile("https://example.org/a.css", "sheet")]
    assert list(files_wanted(judged(page))(sheets)) == []
