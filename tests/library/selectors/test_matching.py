"""A rules file's selectors name what lxml's cssselect names, and nothing that costs much is one."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.random_pages import DOCUMENTS, URL
from tests.support.tables import table

from sitestencil.errors import UnusableRules
from sitestencil.page.document import Document
from sitestencil.page.lxml_tree import lxml_tree
from sitestencil.page.parsing import parse
from sitestencil.selectors.matching import LONGEST_SELECTOR, MOST_STEPS, Elements, Selector

SIMPLE = st.sampled_from(
    (
        *("div", "ul", "li", "p", "a", "*", ".a", ".b", ".item-2", "#x", "#y", "[href]", "[class=a]", "[class~=b]"),
        *("[alt^=z]", "[class*=te]", "[class$='2']", "[class|=item]", ":first-child", ":last-child", ":root"),
        *("li:nth-child(2n+1)", ":nth-child(2)", "div.a", "p:nth-of-type(-n+2)", "#y.a", "section#x"),
        "li:first-of-type",
    )
)
COMBINATORS = st.sampled_from([" ", " > ", " + ", " ~ "])
SELECTORS = st.builds(
    lambda first, rest: first + "".join(f"{combinator}{simple}" for combinator, simple in rest),
    SIMPLE,
    st.lists(st.tuples(COMBINATORS, SIMPLE), max_size=3),
)


@given(DOCUMENTS, st.lists(SELECTORS, min_size=1, max_size=3).map(", ".join))
def test_a_selector_names_what_lxml_says_it_names(page: Document, selector: str) -> None:
    tree = lxml_tree(page)
    numbers = {element: number for number, element in enumerate(tree.elements)}
    assert Selector(selector).select(Elements(page)) == sorted(
        numbers[element] for element in tree.root.cssselect(selector)
    )


@table(
    ("selector", "part"),
    [
        ("li:not(.a)", "negation"),
        ("ul:has(li)", "relation"),
        (":is(a, b)", "matching"),
        ("p::before", "::before"),
        ("svg|a", "a namespace"),
        ("a[href!=b]", "!="),
        ("a:contains('b')", ":contains"),
        ("a:hover", ":hover"),
        ("li:nth-child(many)", "such a number"),
    ],
)
def test_what_rules_may_not_have_is_named(selector: str, part: str) -> None:
    with pytest.raises(UnusableRules, match=r"may not have|no CSS selector") as error:
        Selector(selector)
    assert part in str(error.value)


@table("text", ["", "a{}", ">", "a >", ":not(" * 100, "[" * 500, "\0", "a" * (LONGEST_SELECTOR + 1)])
def test_what_is_no_selector_is_said_to_be_none(text: str) -> None:
    with pytest.raises(UnusableRules):
        Selector(text)


def test_a_selector_of_too_many_steps_is_refused() -> None:
    with pytest.raises(UnusableRules, match="steps"):
        Selector(" ".join(["*"] * (MOST_STEPS + 1)))


def test_the_costliest_selector_takes_a_walk_for_each_step_and_no_more() -> None:
    page = parse("<div>" * 200 + "<p>x" * 20_000, URL)
    elements = Elements(page)
    Selector("*").select(elements)
    start = process_time()
    Selector(" ".join(["*"] * MOST_STEPS)).select(elements)
    assert process_time() - start < 10


def test_a_selector_does_not_reach_into_a_shadow_root() -> None:
    tags = ["html", "body", "div", "template", "p", "p"]
    page = Document(
        url=URL,
        base=URL,
        tags=tags,
        parents=[-1, 0, 1, 2, 3, 1],
        attributes=[{"shadowrootmode": "open"} if tag == "template" else {} for tag in tags],
        texts=[],
    )
    assert Selector("p").select(Elements(page)) == [5]
    assert Selector("div *").select(Elements(page)) == []
