"""Pages of one kind hold their main content in the same boxes."""

from tests.support.tables import table

from sitestencil import parse
from sitestencil.corrections.rules import has_boxes, is_box

STORY = """<body class="single js"><div id="page" class="wrap"><div class="ad"></div>
<article class="post has-picture sport">Story</article></div></body>"""


@table(
    ("boxes", "has"),
    [
        ([], True),
        (["body.single", "div#page.wrap", "article.post.no-picture"], True),
        (["body.single", "div#page.wrap", "article.post.no-picture.news"], False),
        (["body.home", "div#page", "article.post"], False),
        (["body", "div", "article"], True),
        (["body", "div.ad", "article"], False),
        (["body", "article"], False),
        (["html", "body"], False),
    ],
)
def test_each_box_has_the_tag_and_at_least_half_of_the_names(boxes: list[str], *, has: bool) -> None:
    assert has_boxes(parse(STORY, "https://site.example/"), boxes) is has


@table(
    ("text", "is_one"),
    [
        ("body", True),
        ("x-card.a#b.c-d", True),
        ("", False),
        (".a", False),
        ("a b", False),
        ("a.1", False),
        ("a\n", False),
    ],
)
def test_a_box_is_a_tag_with_ids_and_classes(text: str, *, is_one: bool) -> None:
    assert is_box(text) is is_one
