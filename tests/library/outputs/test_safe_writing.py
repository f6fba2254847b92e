"""Written HTML is read back as the intended tree."""

from unittest.mock import patch

from hypothesis import given, settings
from tests.support.judged_pages import all_content
from tests.support.saved_pages import faults
from tests.support.tables import table
from tests.support.trees import URL, live_documents

from sitestencil.outputs import safe_writing
from sitestencil.outputs.judged_page import Choices
from sitestencil.outputs.safe_writing import reads_back, written
from sitestencil.outputs.tree import Element
from sitestencil.page.document import Document
from sitestencil.page.parsing import parse
from sitestencil.saving.standalone_html import annotated_html


def page_of(*children: Element | str) -> tuple[Element, Element]:
    body = Element("body", children=list(children))
    return Element("html", children=[Element("head"), body]), body


def text_of(*children: Element | str) -> str:
    html = written(*page_of(*children), "no-quirks")
    return html.partition("<body>")[2].removesuffix("</body></html>")


@settings(max_examples=500, deadline=None)
@given(live_documents())
def test_any_tree_is_mended_by_the_rules_alone_and_is_read_back(document: Document) -> None:
    with patch.object(safe_writing, "neutral", side_effect=AssertionError("the rules did not do")):
        html = annotated_html(all_content(document), "marked")
    assert faults(html, own_base=document.base) == []


@settings(max_examples=200, deadline=None)
@given(live_documents())
def test_a_page_that_was_written_is_written_the_same_again(document: Document) -> None:
    once = annotated_html(all_content(document), "marked", Choices(policy=None))
    page = parse(once, URL, scripting=True, checked=False)
    if "template" in page.tags or "iframe" in page.tags:  # what is in them stands in no tree of the parser
        return
    assert annotated_html(all_content(page), "marked", Choices(policy=None)).split() == once.split()


@table(
    ("tree", "html"),
    [
        (Element("p", children=[Element("div")]), "<div><div></div></div>"),
        (Element("a", children=[Element("a")]), "<a><span></span></a>"),
        (Element("form", children=[Element("form")]), "<form><div></div></form>"),
        (Element("li", children=[Element("div", children=[Element("li")])]), "<li><div><div></div></div></li>"),
        (Element("button", children=[Element("button")]), "<button><span></span></button>"),
        (Element("h1", children=[Element("h2")]), "<h1><div></div></h1>"),
        (Element("td", children=["x"]), "<div>x</div>"),
        (Element("table", children=[Element("tr")]), "<table><tbody><tr></tr></tbody></table>"),
        (Element("table", children=["x"]), "<table><tbody><tr><td>x</td></tr></tbody></table>"),
        (Element("pre", children=["\n\nx"]), "<pre>\n\n\nx</pre>"),
    ],
)
def test_what_html_cannot_say_is_said_by_the_nearest_that_it_can(tree: Element, html: str) -> None:
    assert text_of(tree) == html


def test_the_check_finds_a_tree_that_is_not_read_back() -> None:
    html, _ = page_of(Element("p", children=[Element("div")]))
    assert not reads_back(html, "no-quirks")


def test_a_tree_that_the_rules_do_not_mend_is_written_neutrally() -> None:
    with patch.object(safe_writing, "mend"):
        assert text_of(Element("p", children=[Element("div", children=["x"])])) == "<div><div>x</div></div>"


@table("name", ["div", "b", "x-card", "svg"])
def test_twelve_thousand_levels_are_written_without_recursion(name: str) -> None:
    count = 12_000
    document = Document(
        URL,
        URL,
        ["html", "head", "body", *[name] * count],
        [-1, 0, 0, *range(2, count + 2)],
        [{}] * (count + 3),
        [],
        doctype="html",
        known_namespaces=dict.fromkeys(range(3, count + 3), "svg") if name == "svg" else {},
    )
    assert annotated_html(all_content(document), "marked").count(f"</{name}>") >= count - 1


def test_five_thousand_shadow_trees_in_each_other_are_written_without_recursion() -> None:
    count = 5_000
    tags = ["html", "head", "body", *["div", "template"] * count]
    document = Document(
        URL,
        URL,
        tags,
        [-1, 0, 0, *range(2, len(tags) - 1)],
        [{}, {}, {}, *[{}, {"shadowrootmode": "open"}] * count],
        [],
        doctype="html",
    )
    assert annotated_html(all_content(document), "marked").count("</template>") == count
