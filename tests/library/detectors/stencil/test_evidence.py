"""The rules that overrule the score, on small sites made for one rule each."""

from collections.abc import Sequence

from tests.support.tables import table

from sitestencil.detectors.stencil.evidence import (
    ANOTHER_TEXT,
    BY_SCORE,
    EQUAL_EVERYWHERE,
    IN_FORM,
    IN_LANDMARK,
    LINKS_ON_OTHER_KINDS,
    NOWHERE_ELSE,
    collect_evidence,
)
from sitestencil.detectors.stencil.page_parts import small_forms
from sitestencil.detectors.stencil.similarity import ComparedPages, KeyPage
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.parsing import parse
from sitestencil.site.loaded_page import LoadedPage

FORM = "<form id='comment'><label>Name</label><input name='name'><button>Send</button></form>"
BOX = "<aside id='box'><h3>Opening hours</h3><p>Every day from nine to five</p></aside>"
STORY = "<article id='story'>{}</article>"
PARAGRAPHS = "".join(f"<p>The {word} paragraph of a long story about {{0}}</p>" for word in "one two three".split())


def page(name: str, more: str = "") -> str:
    story = STORY.format(PARAGRAPHS.format(name) * 9)
    return f"<!doctype html><body><nav id='menu'><a href='/'>Home</a></nav>{story}{more}"


def rules(key_page: str, others: Sequence[str]) -> dict[str, str]:
    """Return the rule for each judged element that has an id."""
    prepared = KeyPage(KeySketch(parse(key_page, "https://site.test/key")))
    sketches = [LoadedPage(f"https://site.test/{n}", html.encode()).sketch() for n, html in enumerate(others)]
    evidence = collect_evidence(prepared, ComparedPages.of(list(map(prepared.compare, sketches))))
    judged = zip(evidence.judged.elements, evidence.rules, strict=True)
    return {name: rule for element, rule in judged if (name := prepared.sketch.ids[element])}


NAMES = ("ropes", "knots", "tides")
OTHERS = [page(name) for name in NAMES]
BOARDS = "".join(f"<option>The board of {number} sailors and their boats</option>" for number in range(90))
FAR = ["<!doctype html><table><tr><td>Nothing of the kind</table>"]
LINKS = "<p id='links'>" + "".join(f"<a href='/{name}'>All {name}</a>" for name in "texts maps days names".split())
OTHER_KIND = "<!doctype html><nav id='menu'><a href='/'>Home</a></nav><table>" + "<tr><td>Price" * 40 + "</table>{}"
IN_STORY = page("boats").replace("<p>The one", LINKS + "<p>The one", 2)
WITH_LINKS = [page("ropes", LINKS), page("knots", LINKS)]


def varied(html: str) -> tuple[str, list[str]]:
    """Return a page and three others, each of which has this with its name in it."""
    return page("boats", html.format("boats")), [page(name, html.format(name)) for name in NAMES]


# What is looked at: the page, the others, and the rules of elements by their ids.
CASES: dict[str, tuple[str, list[str], dict[str, str]]] = {
    "a form that no other page has": (page("boats", FORM), OTHERS, {"comment": IN_FORM}),
    "a list of many choices makes no form large": (
        page("boats", f"<form id='jump'><select id='boards'>{BOARDS}</select><button>Go</button></form>"),
        OTHERS,
        {"jump": IN_FORM},
    ),
    "a list of choices outside forms": (
        page("boats", "<div id='languages'><select id='list'><option>English<option>Deutsch</select></div>"),
        OTHERS,
        {"list": IN_FORM},
    ),
    "a form inside a box that no other page has": (
        page("boats", f"<div id='box'><p>News of today and of yesterday</p>{FORM}</div>"),
        OTHERS,
        {"box": NOWHERE_ELSE, "comment": IN_FORM},
    ),
    "a box that no other page has": (page("boats", BOX), OTHERS, {"box": NOWHERE_ELSE}),
    "a sidebar where no page is near": (page("boats", BOX), FAR, {"box": IN_LANDMARK}),
    "a footer that no other page has": (
        page("boats", "<footer id='end'><p>Founded in 1901 by two sailors</p></footer>"),
        OTHERS,
        {"end": IN_LANDMARK},
    ),
    "a footer inside a wrapper that no other page has": (
        page("boats", "<div id='wrap'><p>News of today</p><footer id='end'><p>Founded in 1901</p></footer></div>"),
        OTHERS,
        {"wrap": NOWHERE_ELSE, "end": IN_LANDMARK},
    ),
    "three pages have it as it is": (page("boats", BOX), [page(n, BOX) for n in NAMES], {"box": EQUAL_EVERYWHERE}),
    "two pages that have it could be chance": (
        page("boats", BOX),
        [page(name, BOX) for name in NAMES[:2]],
        {"box": BY_SCORE},
    ),
    "one page has it otherwise": (
        page("boats", BOX),
        [page("ropes", BOX), page("knots", BOX), page("tides", BOX.replace("Every day", "On Mondays"))],
        {"box": BY_SCORE},
    ),
    "links that pages of other kinds have too": (
        IN_STORY,
        [*WITH_LINKS, OTHER_KIND.format(LINKS), OTHER_KIND.format("")],
        {"links": LINKS_ON_OTHER_KINDS},
    ),
    "links that only pages of this kind have": (
        page("boats", LINKS),
        [*WITH_LINKS, *[OTHER_KIND.format("")] * 2],
        {"links": BY_SCORE},
    ),
    "another text in a header": (
        *varied("<header><h1 id='title'>All about {}</h1></header>"),
        {"title": ANOTHER_TEXT},
    ),
    "another text": (*varied("<h1 id='title'>All about {}</h1>"), {"title": ANOTHER_TEXT}),
    "another description of a picture": (
        *varied("<img id='photo' src='photo.jpg' alt='Some {} in the harbour'>"),
        {"photo": ANOTHER_TEXT},
    ),
}


@table("name", CASES)
def test_each_rule_decides_where_it_should(name: str) -> None:
    key_page, others, expected = CASES[name]
    assert rules(key_page, others).items() >= expected.items()


def test_a_form_around_the_page_says_nothing_of_what_is_in_it() -> None:
    def wrapped(html: str) -> str:
        return html.replace("<body>", "<body><form id='everything'>")

    sketch = KeyPage(KeySketch(parse(wrapped(page("boats")), "https://site.test/key"))).sketch
    assert small_forms(sketch) == []
    assert IN_FORM not in rules(wrapped(page("boats")), list(map(wrapped, OTHERS))).values()
