"""Where content goes is marked, named, and filled as was chosen."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.judged_pages import judged
from tests.support.payloads import static_payloads
from tests.support.saved_pages import faults
from tests.support.trees import live_documents

from sitestencil.outputs.allowed_tree import allowed_page
from sitestencil.outputs.judged_page import Choices, JudgedPage
from sitestencil.outputs.slots import slots_of
from sitestencil.outputs.standalone_html import choice_of, template_html
from sitestencil.page.document import Box
from sitestencil.page.parsing import parse

URL = "https://example.org/"
PAGE = """<!doctype html><body><header><h1>{}</h1><nav>Menu</nav></header><div class=columns><aside>About</aside>
<article class="col post" id=story onclick=x><h2>{} in town</h2><p>Words of the day: {}, {}.</p><img src=a.png
alt={} height=40></article></div><ul class=news><li>All</li><li
class=item id=post-1234>{}</li><li class=item>{}</li>
</ul><p>By <b>{}</b>, {}</p>
</body>"""
REMOVED, FULL = Choices(content="removed"), Choices(content="removed", height="full")
PAYLOADS = dict(static_payloads())


def of_page() -> JudgedPage:
    page = parse(PAGE.replace("{}", "Secret"), URL)
    content = {
        element
        for element, tag in enumerate(page.tags)
        if {page.tags[above] for above in page.path(element)} & {"article", "b"} or "item" in page.classes[element]
    }
    texts = [run.parent not in content and "Secret" not in run.text for run in page.texts]
    return judged(page, [element not in content for element in range(len(page))], texts)


def body_of(choices: Choices) -> str:
    return template_html(of_page(), choices).partition("<body>")[2]


def test_each_slot_has_a_name_that_says_what_stood_there() -> None:
    assert re.findall(r'<(\w+)[^>]* data-slot="(\w+)"', body_of(REMOVED)) == [
        ("h1", "heading"),
        ("article", "main"),
        ("li", "list"),
        ("span", "text"),
    ]


def test_what_is_all_that_an_element_holds_makes_the_element_the_slot() -> None:
    assert '<h1 data-slot="heading" data-slot-holds="heading"></h1>' in body_of(REMOVED)


def test_beside_template_an_empty_element_of_the_contents_class_keeps_its_place() -> None:
    article = '<article class="col post" id="story" data-slot="main" data-slot-holds="heading text picture">'
    assert f"</aside>\n{article}</article>" in body_of(REMOVED)
    assert '<li>All</li><li class="item" data-slot="list" data-slot-holds="list"></li>' in body_of(REMOVED)


@pytest.mark.parametrize("content", ["removed", "boxes", "lorem"])
@pytest.mark.parametrize("height", ["collapsed", "full"])
def test_no_word_of_the_content_stays_whatever_is_chosen(content: str, height: str) -> None:
    html = template_html(of_page(), Choices(content=content, height=height))  # type: ignore[arg-type]
    for word in ("Secret", "a.png", "onclick", "1234", "in town"):
        assert word not in html
    for word in ("Menu", "About", "All", "By "):
        assert word in html


def test_boxes_are_seen_and_what_is_removed_is_not() -> None:
    assert "content: attr(data-slot)" in template_html(of_page())
    assert "<style>" not in template_html(of_page(), REMOVED)


def test_words_without_sense_stand_in_the_contents_own_elements() -> None:
    body = body_of(Choices(content="lorem"))
    article = body.partition("<article")[2].partition("</article>")[0]
    assert re.search(r'^ class="col post" data-slot="main"[^>]*><h2>[A-Z][a-z ]+</h2><p>[A-Z][a-z ]+</p>', article)
    assert re.search(r'<img height="40" src="data:image/svg\+xml,[^"]+" alt="">', article)
    assert len(re.findall(r"<p>([^<]*)</p>", article)[0]) == pytest.approx(
        len("Words of the day: Secret, Secret."), abs=3
    )


def test_full_height_is_what_the_content_took() -> None:
    html = template_html(of_page(), FULL)
    rule = r'\[data-slot="main"\]\[data-slot-holds\]:empty \{ min-height: (\d+)px; min-width: [^;]+; box-sizing'
    article = re.search(rule, html)
    assert article is not None
    assert int(article[1]) >= 60
    assert "style=" not in html
    assert "min-height" not in template_html(of_page(), REMOVED)


def test_what_stood_in_one_column_has_one_empty_element_and_columns_have_one_each() -> None:
    page = parse(f"<body><nav>Menu</nav>{'<p>Words</p>' * 9}<p>Footer", URL)
    stacked = [Box(0, 100 * element, 800, 90) for element in range(len(page))]
    beside = [Box(100 * element, 0, 90, 90) for element in range(len(page))]
    slots = {}
    for name, boxes in {"stacked": stacked, "beside": beside}.items():
        answer = judged(
            replace(page, boxes=boxes), [not 3 < element < len(page) - 1 for element in range(len(page))]
        )
        slots[name] = template_html(answer, FULL)
    assert slots["stacked"].count("<p") == 2
    assert '[data-slot="main"][data-slot-holds]:empty { min-height: 890px;' in slots["stacked"]
    assert slots["beside"].count("<p") == 10
    assert '[data-slot-space="8"]:empty { min-height: 90px;' in slots["beside"]


def test_slots_of_one_name_are_numbered() -> None:
    page = parse("<ul><li>1</ul><hr><ul><li>2</ul><p>Much more than in the two lists together", URL)
    html = template_html(judged(page, [tag not in {"li", "p"} for tag in page.tags]), REMOVED)
    assert re.findall(r'<(ul|p) data-slot="(\w+)"', html) == [("ul", "list"), ("ul", "list_2"), ("p", "main")]


def test_a_pages_own_data_slot_is_no_slot() -> None:
    page = parse('<nav data-slot="main"></nav><p>Story</p>', URL)
    html = template_html(judged(page, [tag != "p" for tag in page.tags]), Choices(height="full"))
    assert '<nav data-slot="main"></nav><p data-slot="main" data-slot-holds="text">' in html
    assert html.count(":empty") == html.count("[data-slot-holds]:empty") > 0


def test_slots_are_numbered_in_the_order_of_the_page() -> None:
    page = parse("<body><div><p><b>One</b> and</p>Two</div><p><b>Much more than in the others</b></p>", URL)
    html = template_html(judged(page, None, [not run.text.strip() for run in page.texts]), REMOVED)
    assert re.findall(r'data-slot="(\w+)"', html) == ["text", "text_2", "text_3", "main"]


@pytest.mark.parametrize(
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
    slot = slots_of(allowed_page(page, 0, choice_of(answer, REMOVED)).html)[0]
    assert (slot.name, " ".join(slot.holds)) == (name, kinds)


def test_content_that_holds_nothing_is_no_slot() -> None:
    page = parse('<body><nav>Menu</nav><div class="clear"></div><hr><p>Story</p>', URL)
    html = template_html(judged(page, [tag not in {"div", "p"} for tag in page.tags]), REMOVED)
    assert re.findall(r'data-slot="(\w+)"', html) == ["main"]
    assert '<div class="clear"></div><hr>' in html


def test_a_slot_in_a_shadow_root_is_seen_too() -> None:
    tags, parents = ["html", "head", "body", "div", "template", "p", "img"], [-1, 0, 0, 2, 3, 4, 4]
    attributes = [{"shadowrootmode": "open"} if tag == "template" else {} for tag in tags]
    page = parse("", URL)
    page = type(page)(URL, URL, tags, parents, attributes, [], doctype="html")
    html = template_html(judged(page, [tag != "img" for tag in tags]))
    assert re.search(
        r'<p></p><span data-slot="main" data-slot-holds="picture"></span>'
        r"<style[^>]*>\s*/\*[^*]*\*/\s*\[data-slot-holds\]",
        html,
    )


@pytest.mark.parametrize("number", PAYLOADS)
def test_a_page_that_runs_script_runs_none_as_words_without_sense(number: int) -> None:
    page = parse(PAYLOADS[number], URL, scripting=True, checked=False)
    answer = judged(page, [element < 3 for element in range(len(page))], [False] * len(page.texts))
    for choices in (Choices(policy=None, content="lorem"), Choices(policy=None, height="full")):
        assert faults(template_html(answer, choices)) == []


@settings(deadline=None)
@given(st.data())
def test_any_page_can_be_written_with_any_choice(data: st.DataObject) -> None:
    page = data.draw(live_documents())
    element_answers = data.draw(st.lists(st.booleans(), min_size=len(page), max_size=len(page)))
    texts = data.draw(st.lists(st.booleans(), min_size=len(page.texts), max_size=len(page.texts)))
    for content in ("removed", "boxes", "lorem"):
        for height in ("collapsed", "full"):
            choices = Choices(policy=None, content=content, height=height)
            assert faults(template_html(judged(page, element_answers, texts), choices)) == []
