"""ConEx, on a page worked out by hand."""

import pytest
from tests.support.tables import table

from sitestencil.detectors.hybex import detector as conex
from sitestencil.detectors.hybex.detector import (
    NodeWeights,
    content_elements,
    farthest_three,
    main_content,
    standardised,
)
from sitestencil.page.document import Document
from sitestencil.page.parsing import parse

URL = "http://site.test/"

PAGE = (
    '<!doctype html><body><div id="page">'
    '<ul id="menu"><li id="l1"><a id="a1" href="/">Home</a></li><li id="l2"><a id="a2" href="/n">News</a></li></ul>'
    '<main id="main"><article id="article">'
    '<p id="p1">one two three four</p><p id="p2">five six</p><p id="p3">seven eight</p>'
    "</article></main></div>"
)


# Makes a page deep enough that every node may take part, and takes no part itself.
DEPTH = "<nav><b><i><u></u></i></b></nav>"


def page(body: str) -> Document:
    return parse(f"<!doctype html><body>{body}", URL)


def names(document: Document, elements: object) -> list[str]:
    assert isinstance(elements, list | dict)
    return [document.id(element) for element in elements]


def node_weights(document: Document) -> dict[int, NodeWeights]:
    """Return the weights of the elements that take part: what steps 1 to 4 give the next."""
    assert document.body is not None
    facts = conex._facts(document, document.body)
    return {
        element: conex._weights(facts, element) for element in conex._participants(document, document.body, facts)
    }


def test_the_four_weights_are_those_worked_out_by_hand() -> None:
    """Steps 1 to 4.

    D = 4 (page 1; menu, main 2; li, article 3; a, p 4). Body has 1 child, fewer than D - 1 = 3: T = -1, and all
    eleven elements take part.

    hyperlink: two links at or below page and menu, 1/2; one at or below each li and a, 1; none elsewhere, 1.
    words, over the distance to each text outside of a: p1 4/1, p2 2/1, p3 2/1; article 8/2; main 8/3; page 8/4.
    children: more than two child nodes has only article.
    position: 1 to depth 2; at depth 3 (4 - 3)/3; at depth 4 0.
    """
    document = parse(PAGE, URL)
    weights = {document.id(element): tuple(own) for element, own in node_weights(document).items()}
    assert weights == {
        "page": (1 / 2, 2, 0, 1),
        "menu": (1 / 2, 0, 0, 1),
        "l1": (1, 0, 0, 1 / 3),
        "a1": (1, 0, 0, 0),
        "l2": (1, 0, 0, 1 / 3),
        "a2": (1, 0, 0, 0),
        "main": (1, pytest.approx(8 / 3), 0, 1),
        "article": (1, 4, 1, 1 / 3),
        "p1": (1, 4, 0, 0),
        "p2": (1, 2, 0, 0),
        "p3": (1, 2, 0, 0),
    }


def test_the_article_wins_with_most_words_per_link() -> None:
    """Step 7: all three are deeper than 2; article has 8 words and no link, p1 4, p2 2; no other has its parent."""
    document = parse(PAGE, URL)
    assert names(document, main_content(document)) == ["article"]
    inside = [document.id(element) for element, is_content in enumerate(content_elements(document)) if is_content]
    assert inside == ["article", "p1", "p2", "p3"]


def test_candidates_that_share_the_winners_parent_go_with_it() -> None:
    """The farthest three are the two paragraphs and the list; a paragraph wins, the list has another parent."""
    story = f"a<i>b</i>{'word ' * 40}"
    document = page(
        '<div><div><div><dl id="list"><dd>x</dd><dd>y</dd><dd>z</dd></dl></div>'
        f'<div><p id="first">{story}</p><p id="second">{story}</p></div></div></div>'
    )
    weights = node_weights(document)
    farthest = farthest_three(standardised(list(weights.values())))
    assert [names(document, weights)[number] for number in farthest] == ["first", "second", "list"]
    assert names(document, main_content(document)) == ["first", "second"]


def test_scripts_styles_and_cookie_notices_are_not_looked_at() -> None:
    document = page(
        '<div id="d"><script id="s">a b c</script><style id="t">x</style>'
        '<div id="accept-cookies"><p id="inside">We use them</p></div><div class="big cookie" id="c">x</div>'
        '<p id="p">x</p></div>'
    )
    assert names(document, node_weights(document)) == ["d", "p"]


@table("tag", "nav header h1 h5 span form iframe hr img".split())
def test_nothing_below_a_node_that_does_not_take_part_is_looked_at(tag: str) -> None:
    below = "" if tag in {"hr", "img"} else f'<div id="below">x</div></{tag}>'
    document = page(f'<div id="d">{DEPTH}<{tag} id="x">{below}<div id="beside">y</div></div>')
    assert names(document, node_weights(document)) == ["d", "beside"]


@table("style", ["display:none", "color: red; DISPLAY : none", "visibility:hidden!important"])
def test_nodes_with_an_invisible_inline_style_do_not_take_part(style: str) -> None:
    document = page(f'<div id="d"><div id="x" style="{style}"><p id="y">x</p></div><p id="p">x</p></div>')
    assert names(document, node_weights(document)) == ["d", "p"]


def test_empty_nodes_do_not_take_part_and_shown_ones_do() -> None:
    document = page(
        f'<div id="d">{DEPTH}<p id="empty"></p><p id="blank"> </p><p id="shown" style="display:block">x</p></div>'
    )
    assert names(document, node_weights(document)) == ["d", "blank", "shown"]


def test_a_flat_page_has_only_nodes_with_more_than_half_of_its_characters() -> None:
    """Body has 2 children, D = 3, so 2 >= D - 1; T = 20/2, and #small has just that."""
    document = page(
        '<div id="big"><div id="half">1234567890</div></div>'
        '<div id="small">1 2 3 4 5 6 7 8 9 0<p></p><p><b></b></p></div>'
    )
    assert names(document, node_weights(document)) == []
    document = page(
        '<div id="big"><div id="most">12345678901</div></div><div id="small">1234567890<p><b></b></p></div>'
    )
    assert names(document, node_weights(document)) == ["big", "most"]


def test_a_page_without_nodes_deep_enough_has_no_content_found() -> None:
    assert main_content(page("<p>Only this</p>")) == []
    assert main_content(parse("<frameset><frame src=a></frameset>", URL)) == []
    assert not any(content_elements(page("")))
