"""Pages that show the beginning of a text that is not free."""

from pathlib import Path

import pytest
from tests.support.snapshots import snapshot_of
from tests.support.tables import table

from sitestencil import extract, parse
from sitestencil.cli import main
from sitestencil.content.paywall import is_paid
from sitestencil.crawl.in_memory import contents
from sitestencil.crawl.pages import PageContent
from sitestencil.crawl.rows import row_of
from sitestencil.detectors.detection import Doubt
from sitestencil.page.snapshot import document_from_snapshot, read_snapshot

URL = "https://harbour.example/log/ferry"
LD = "<script type=application/ld+json>{}</script>"
STATED = '{"@type": "NewsArticle", "headline": "The ferry", "isAccessibleForFree": false}'
OTHER = '{"@type": "NewsArticle", "url": "/other", "isAccessibleForFree": false}'
PART = '"hasPart": [{"@type": "WebPageElement", "isAccessibleForFree": "False", "cssSelector": ".rest"}]'
TEXT = "<p>The ferry of the old harbour stays at its berth until the storm is over, and so does the pilot boat.</p>"


def article(paragraphs: int, statement: str = LD.format(STATED)) -> str:
    return (
        f"<title>The ferry</title>{statement}<main><article><h1>The ferry</h1>{TEXT * paragraphs}</article></main>"
    )


@table(
    ("html", "is_one"),
    [
        (LD.format(STATED), True),
        (LD.format(STATED.replace("false", '"http://schema.org/False"')), True),
        (LD.format(f'{{"@type": "Article", {PART}}}'), True),
        (LD.format(f'{{"@type": "Article", "isAccessibleForFree": true, {PART}}}'), False),
        (LD.format(STATED.replace("false", "[" * 500 + "]" * 500)), False),
        (LD.format(f"[{OTHER}, {OTHER}]"), False),
        ("<meta itemprop=isAccessibleForFree content=False>", True),
        ("<link itemprop=isAccessibleForFree href=https://schema.org/False>", True),
        (
            "<meta itemprop=isAccessibleForFree content=false><meta itemprop=isAccessibleForFree content=true>",
            False,
        ),
        ("<p>isAccessibleForFree: false", False),
    ],
)
def test_a_page_states_that_its_text_is_not_free(html: str, is_one: bool) -> None:
    assert is_paid(parse(html, URL)) is is_one


def test_few_words_of_a_text_that_is_not_free_are_in_doubt_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    html = article(4)
    template, (row,) = extract(html, url=URL, pages={}), contents([(URL, html)])
    assert isinstance(row, PageContent)
    told = template.to_dict()
    assert (template.main.doubt, told["main_doubt"], row_of(row)["doubt"]) == ("paywalled",) * 3
    assert max(template.main.confidence, told["main_confidence"], row_of(row)["fit"]) <= 0.3
    file = tmp_path / "harbour.example/ferry.html"
    file.parent.mkdir()
    file.write_text(html)
    assert main(["extract", str(file), "--format", "markdown"]) == 0
    assert "its text is not free" in capsys.readouterr().err
    assert main(["site", str(file.parent), "-o", str(tmp_path / "out")]) == 0
    assert "\ndoubt: paywalled\n---\n" in next((tmp_path / "out/pages").rglob("ferry.md")).read_text("utf-8")


def test_a_whole_text_or_a_free_one_is_in_no_doubt() -> None:
    for html in (article(40), article(4, "")):
        main_content = extract(html, url=URL, pages={}).main
        assert main_content.doubt is None
        assert main_content.confidence > 0.5


def test_a_live_page_gives_its_statement_apart_from_its_texts() -> None:
    snapshot = snapshot_of(article(4, ""), URL)
    for given, doubt in ([STATED], Doubt.PAYWALLED), ([], None):
        page = document_from_snapshot(read_snapshot({**snapshot, "json_ld": given}))
        assert extract(page, pages={}).main.doubt is doubt
