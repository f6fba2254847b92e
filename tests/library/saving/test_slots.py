"""Where content goes is marked, named and empty."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.judged_pages import judged
from tests.support.saved_pages import faults, in_one_line
from tests.support.tables import table
from tests.support.trees import live_documents

from sitestencil.outputs.allowed_tree import allowed_page
from sitestencil.outputs.judged_page import Choices, JudgedPage
from sitestencil.page.parsing import parse
from sitestencil.saving.jinja_layout import slot_contents
from sitestencil.saving.slots import places_of, slots_of
from sitestencil.saving.standalone_html import choice_of, template_html

URL = "https://example.org/"
PAGE = """<!doctype html><body><header><h1>{}</h1><nav>Menu</nav></header><div class=columns><aside>About</aside>
<article class="col post" id=story onclick=x><h2>{} in town</h2><p>Words of the day: {}, {}.</p><img src=a.png
alt={} height=40></article></div><ul class=news><li>All</li><li
class=item id=post-1234>{}</li><li class=item>{}</li>
</ul><p>By <b>{}</b>, {}</p>
</body>"""
NO_POLICY = Choices(policy=None)


def of_page() -> JudgedPage:
    page = parse(PAGE.replace("{}", "Secret"), URL)
    content = {
        element
        for element, tag in enumerate(page.tags)
        if {page.tags[above] for above in page.path(element)} & {"article", "b"} or "item" in page.classes[element]
    }
    texts = [run.parent not in content and "Secret" not in run.text for run in page.texts]
    return judged(page, [element not in content for element in range(len(page))], texts)


def body_of_page() -> str:
    return in_one_line(template_html(of_page())).partition("<body>")[2]


def test_each_slot_has_a_name_that_says_what_stood_there() -> None:
    assert re.findall(r'<(\w+)[^>]* data-slot="(\w+)"', body_of_page()) == [
        ("h1", "heading"),
        ("article", "main"),
        ("li", "list"),
        ("span", "text"),
    ]


def test_what_is_all_that_an_element_holds_makes_the_element_the_slot() -> None:
    assert '<h1 data-slot="heading" data-slot-holds="heading"></h1>' in body_of_page()


def test_beside_template_an_empty_element_of_the_contents_class_keeps_its_place() -> None:
    article = '<article class="col post" id="story" data-slot="main" data-slot-holds="heading text picture">'
    assert f"</aside>{article}</article>" in body_of_page()
    assert '<li>All</li><li class="item" data-slot="list" data-slot-holds="list"></li>' in body_of_page()


def test_no_word_of_the_content_stays() -> None:
    html = template_html(of_page())
    for word in ("Secret", "a.png", "onclick", "1234", "in town", "<style>"):
        assert word not in html
    for word in ("Menu", "About", "All", "By "):
        assert word in html


def test_slots_of_one_name_are_numbered() -> None:
    page = parse("<ul><li>1</ul><hr><ul><li>2</ul><p>Much more than in the two lists together", URL)
    html = template_html(judged(page, [tag not in {"li", "p"} for tag in page.tags]))
    assert re.findall(r'<(ul|div) data-slot="(\w+)"', html) == [("ul", "list"), ("ul", "list_2"), ("div", "main")]


def test_a_pages_own_data_slot_is_no_slot() -> None:
    page = parse('<nav data-slot="main"></nav><p>Story</p>', URL)
    html = template_html(judged(page, [tag != "p" for tag in page.tags]))
    assert '<nav data-slot="main"></nav><div data-slot="main" data-slot-holds="text">' in in_one_line(html)


def test_slots_are_numbered_in_the_order_of_the_page() -> None:
    page = parse("<body><div><p><b>One</b> and</p>Two</div><p><b>Much more than in the others</b></p>", URL)
    html = template_html(judged(page, None, [not run.text.strip() for run in page.texts]))
    assert re.findall(r'data-slot="(\w+)"', html) == ["text", "text_2", "text_3", "main"]


@table(
    ("content", "name", "kinds"),
    [
        ("<div><span><img src=a.png></span></div>", "picture", "picture"),
        ("<h3>News</h3><div><p>One</p><p>Two</p></div>", "section", "heading text"),
        ("<p>One</p><div>Two</div>", "text", "text"),
        ("<div><table><tr><td><ul><li>One</ul></table></div>", "table", "table"),
        ("<div><form><input></form><i></i></div>", "form", "form"),
    ],
)
def test_a_slot_says_what_it_held(content: str, name: str, kinds: str) -> None:
    page = parse(f"<body>{content}<hr><p>{'Many more words. ' * 20}", URL)
    last = len(page) - 1
    hr = page.tags.index("hr")
    texts = [run.parent in (0, 1, 2) for run in page.texts]
    answer = judged(page, [element < 3 or hr <= element < last for element in range(len(page))], texts)
    slot = slots_of(allowed_page(page, 0, choice_of(answer, NO_POLICY)).html, places_of(answer))[0]
    assert (slot.name, " ".join(slot.holds)) == (name, kinds)


STORY = "".join(
    f"<p>Knot {number} holds a rope well when it is wet and the wind is strong.</p>" for number in range(9)
)
MORE = STORY.replace("holds", "may fail to hold").replace("rope", "thin line")


@table(
    ("html", "frame", "mark"),
    [
        # a list that is longer than the text is no main content, and a paragraph is no container
        (
            f"<nav>Menu</nav><ul>{'<li><a href=/x>Another page of this site</a>' * 20}</ul><hr>{STORY}",
            "nav hr",
            "div",
        ),
        # template between runs of main content is in it
        (f"<nav>Menu</nav><main>{STORY}<hr>{MORE}</main>", "nav hr main", "main"),
        # what stands before the main content is beside it
        (
            f"<nav>Menu</nav><main><div><a href=/>Home</a> > <a href=/k>Knots</a></div>{STORY}</main>",
            "nav main",
            "div",
        ),
    ],
)
def test_the_main_slot_is_the_container_of_the_main_content(html: str, frame: str, mark: str) -> None:
    page = parse(f"<body>{html}", URL)
    known = [tag in {"html", "head", "body", *frame.split()} for tag in page.tags]
    answer = judged(page, known)
    assert re.findall(r'<(\w+)[^>]* data-slot="main"', template_html(answer)) == [mark]
    main = slot_contents(answer)["main"]
    assert main.count("Knot 8") == html.count("Knot 8")
    assert "<li>" not in main and "Home" not in main


def test_content_that_holds_nothing_is_no_slot() -> None:
    page = parse('<body><nav>Menu</nav><div class="clear"></div><hr><p>Story</p>', URL)
    html = template_html(judged(page, [tag not in {"div", "p"} for tag in page.tags]))
    assert re.findall(r'data-slot="(\w+)"', html) == ["main"]
    assert '<div class="clear"></div><hr>' in in_one_line(html)


def test_a_slot_in_a_shadow_root_is_marked_too() -> None:
    tags, parents = ["html", "head", "body", "div", "template", "p", "img"], [-1, 0, 0, 2, 3, 4, 4]
    attributes = [{"shadowrootmode": "open"} if tag == "template" else {} for tag in tags]
    page = parse("", URL)
    page = type(page)(URL, URL, tags, parents, attributes, [], doctype="html")
    html = template_html(judged(page, [tag != "img" for tag in tags]))
    assert '<p></p><span data-slot="main" data-slot-holds="picture"></span></template>' in html


@settings(deadline=None)
@given(st.data())
def test_any_page_can_be_written(data: st.DataObject) -> None:
    page = data.draw(live_documents())
    element_answers = data.draw(st.lists(st.booleans(), min_size=len(page), max_size=len(page)))
    texts = data.draw(st.lists(st.booleans(), min_size=len(page.texts), max_size=len(page.texts)))
    assert faults(template_html(judged(page, element_answers, texts), NO_POLICY)) == []
