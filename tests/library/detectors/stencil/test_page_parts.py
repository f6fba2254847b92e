"""The landmarks of a page, by tag and role."""

from tests.support.tables import table

from sitestencil.detectors.stencil.page_parts import landmarks
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.parsing import parse

LINKS = "<a href=/a>First</a><a href=/b>Second</a>"
WORDS = "<p>Some words of a story that goes on and on</p>"


def sketch_of(body: str) -> KeySketch:
    return KeySketch(parse(f"<!doctype html><body>{body}", "https://site.test/key"))


@table(
    "frame",
    [
        f"<header id=it>{LINKS}</header>",
        f"<footer id=it>{LINKS}</footer>",
        f"<section><nav id=it>{LINKS}</nav></section>",
        f"<div id=it role=banner>{LINKS}</div>",
        f"<div id=it role=contentinfo>{LINKS}</div>",
    ],
)
def test_headers_menus_and_footers_of_the_page_are_regions(frame: str) -> None:
    sketch = sketch_of(frame + WORDS)
    assert [sketch.ids[element] for element in landmarks(sketch).regions] == ["it"]


@table(
    "part",
    [
        f"<article><header>{LINKS}</header></article>",
        f"<section><footer>{LINKS}</footer></section>",
        f"<main><nav>{LINKS}</nav></main>",
        f"<div role=main><div role=navigation>{LINKS}</div></div>",
        f"<header role=presentation>{LINKS}</header>",
    ],
)
def test_those_of_an_article_or_a_section_are_not(part: str) -> None:
    assert landmarks(sketch_of(part + WORDS)) == ([], [])


def test_an_aside_of_links_or_of_few_words_is_a_sidebar() -> None:
    sketch = sketch_of(f"<aside id=menu>{LINKS * 9}</aside><aside id=hours>From nine</aside>{WORDS}")
    assert [sketch.ids[element] for element in landmarks(sketch).sidebars] == ["menu", "hours"]


def test_an_aside_with_most_of_the_words_is_none() -> None:
    assert landmarks(sketch_of(f"<aside>{WORDS * 9}</aside>{WORDS}")) == ([], [])
