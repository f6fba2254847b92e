"""Writing documents as HTML: what is written parses back to the same tree."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.support.tables import table

from sitestencil.page.document import Document
from sitestencil.page.parsing import parse
from sitestencil.page.serialization import to_html
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.labels import labelled_sites

URL = "http://example.org/"


def same_tree(ours: Document, theirs: Document) -> bool:
    return (
        list(ours.tags) == list(theirs.tags)
        and list(ours.parents) == list(theirs.parents)
        and list(ours.attributes) == list(theirs.attributes)
    )


def test_every_key_page_parses_back_to_itself(benchmark_sites: Path) -> None:
    for folder in labelled_sites(benchmark_sites):
        page = StoredSite(folder).load_key_page().document()
        again = parse(to_html(page), URL)
        assert same_tree(page, again), folder.name
        # Comments split text nodes and are not written.
        texts = ["".join(run.text for run in document.texts).strip() for document in (page, again)]
        assert texts[0] == texts[1], folder.name


@table(
    "html",
    [
        "<p>a &amp; b &lt; c &nbsp; d</p>",
        '<a title="&quot;x&quot; & <y>">',
        "<script>if (a < b && c) {}</script>",
        "<style>a > b { content: '<' }</style>",
        "<pre>\n\nfirst</pre><textarea>\n\nx</textarea>",
        "<svg viewBox='0 0 1 1'><foreignObject><p>x</foreignObject></svg>",
        "<table><tr><td>x<td>y</table>",
        "text<br>more<img src=x>end",
        "<input disabled><p hidden=''>",
    ],
)
def test_special_cases_of_the_standard_parse_back(html: str) -> None:
    page = parse(f"<!doctype html>{html}", URL)
    again = parse(to_html(page), URL)
    assert same_tree(page, again)
    assert [run for run in again.texts if not run.text.isspace()] == [
        run for run in page.texts if not run.text.isspace()
    ]


@given(
    st.lists(st.sampled_from(["<div>", "<p>", "<b>", "</div>", "</b>", "x", "&amp;", "<br>", "\n"]), max_size=40)
)
def test_any_nesting_of_plain_elements_parses_back(pieces: list[str]) -> None:
    page = parse("<!doctype html>" + "".join(pieces), URL)
    again = parse(to_html(page), URL)
    assert same_tree(page, again)


def test_elements_that_are_not_kept_go_with_all_below_and_leave_the_text_after_them() -> None:
    page = parse("<body><div><p>gone</p>stays</div>", URL)
    keep = [tag != "p" for tag in page.tags]
    assert "<div>stays</div>" in to_html(page, keep=keep)
    assert "gone" not in to_html(page, keep=keep)


def test_a_very_deep_page_is_written_without_recursion() -> None:
    depth = 20_000
    page = Document(
        url=URL,
        base=URL,
        tags=["html", *["div"] * depth],
        parents=range(-1, depth),
        attributes=[{}] * (depth + 1),
        texts=[],
    )
    assert to_html(page).count("</div>") == page.tags.count("div")
