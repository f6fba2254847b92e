"""A ``noscript`` takes in nothing of what stands behind it, whatever it leaves open."""

from time import process_time

import pytest
from tests.support.tables import table

from sitestencil import PageUnavailable, extract, parse
from sitestencil.page.document import Document

URL = "https://site.example/"
LEFT_OPEN = [
    "<p>On",
    "<div><b><a href=/on>On",
    "<p title='",
    '<p title="</noscript>">On',
    "<p title",
    "<!-- ",
    "<![CDATA[ ",
    "<style>p {}",
    "<script>'",
    "<script><!--<script>",
    "<textarea>On",
    "<title>On",
    "<iframe>",
    "<xmp>",
    "<noembed>",
    "<noframes>",
    "<plaintext>On",
    "<select><option>On",
    "<table><tr><td>On",
    "<svg><style><!--",
    "<math><mtext><table><mglyph><style><!--",
    "<template><p>On",
    "<object><button>On",
    "</div></div>On",
    "<noscript><p>On",
    "<x-behind><x-behind>",
    "<!-- <noscript> --><textarea></textarea><div>",
    "<!-- <noscript><img alt=' --><div>'>",
    "",
]
WAYS = [
    "<noscript>",
    "<NOSCRIPT class='a>b'>",
    "<script>'<noscript>'</script><noscript>",
    "<!--<noscript>--><noscript\n>",
    "<!--<noscript><img alt='--><noscript><p '>",
]
PLACES = [
    "<body><p>Before%s<p>Behind<footer>Imprint",
    "<head>%s<title>Behind</title><body><p>Text<footer>Imprint",
]
CASES = [(way, content) for way in WAYS for content in LEFT_OPEN]


def outside(page: Document) -> list[tuple[str, str]]:
    """Return the tags with those around them, of all outside the page's ``noscript`` elements, and the texts."""
    paths = [[page.tags[above] for above in page.path(element)] for element in range(len(page))]
    found = [("", "/".join(path)) for path in paths if "noscript" not in path[:-1] and "noscript" not in path[1:]]
    texts = [(run.text, "/".join(paths[run.parent])) for run in page.texts if "noscript" not in paths[run.parent]]
    return [*found, *texts]


@table(("way", "content"), CASES)
def test_the_tree_behind_it_is_that_of_a_browser_with_scripts(way: str, content: str) -> None:
    for place in PLACES:
        html = place % f"{way}{content}</noscript>"
        assert any(run.text == "Imprint" for run in parse(html, URL).texts)
        if content and content != "<noscript><p>On":
            assert outside(parse(html, URL)) == outside(parse(html, URL, scripting=True))


@table("content", LEFT_OPEN)
def test_every_output_has_what_is_behind_it(content: str) -> None:
    story = "<main><h1>The old bridge</h1><p>Rain fell for nine days, and the bridge was closed to carts.</main>"
    html = f"<title>Bridge</title><body><noscript>{content}</noscript>{story}<footer><p>Imprint</footer>"
    answer = extract(html, url=URL, pages={})
    for written in (answer.content_text(), answer.content_html(), answer.content_markdown()):
        assert "Rain fell" in written
    assert "Imprint" in answer.to_annotated_html()
    assert "Imprint" in answer.content_text(around=True) + answer.to_html()


def test_a_page_that_stands_in_a_noscript_left_open_is_read_as_without_scripts() -> None:
    posts = "".join(f"<div><p>Post {number}: a granny slips under load." for number in range(20))
    page = parse(f"<div id=app></div><noscript>{posts}</noscript><footer>Imprint", URL)
    assert "noscript" not in page.tags
    assert sum("granny" in run.text for run in page.texts) == 20
    assert page.parents[page.tags.index("footer")] == page.body


@pytest.mark.parametrize(
    "html",
    [
        "<noscript><p>On</noscript>" * 20_000,
        "".join(f"<noscript><i>{number}</i></noscript>" for number in range(60_000)),
        "<noscript>" * 100_000,
        "<noscript></noscript " * 100_000,
        "".join(
            f"<noscript>{''.join(f'<b id={n}>' for n in range(99))}{'<p>x' * 99}</noscript>" for _ in range(900)
        ),
        f"<noscript>{'<b>' * 900}{'<p>x' * 900}</noscript>" * 90,
        f"<noscript>{'<div>' * 9_000}</noscript>",
        f"<noscript><!--</noscript>{'<div>' * 9_000}",
    ],
)
def test_a_hostile_page_is_refused_or_takes_seconds(html: str) -> None:
    start = process_time()
    try:
        assert len(parse(html, URL)) < 3_000_000
    except PageUnavailable as error:
        assert "honest" in str(error) or "levels" in str(error) or "tags" in str(error)
    assert process_time() - start < 20
