"""Kinds of pages: what pages state of themselves, and what their blocks look like."""

from sitestencil import extract
from sitestencil.content.page_kind import KINDS, STATEMENTS, statements_of, surest_kind
from sitestencil.crawl.in_memory import contents
from sitestencil.crawl.pages import PageContent
from sitestencil.crawl.rows import row_of
from sitestencil.page.parsing import parse

URL = "https://site.example/a"


def test_a_page_states_its_kind_in_its_head_and_in_its_markup() -> None:
    cases = {
        "<meta property=og:type content=article>": {"states_article"},
        '<script type="application/ld+json">{"@type": ["NewsArticle"], "datePublished": "x"}</script>': {
            "states_article",
            "states_date",
        },
        "<div itemscope itemtype=https://schema.org/Product>": {"states_product"},
        '<script type=application/ld+json>{"@graph":[{"@type":"QAPage"},{"@type":"WebSite"}]}</script>': {
            "states_thread"
        },
        "<meta name=og:type content=website>": {"states_site"},
        '<script>{"@type": "Product"}</script><p>Product': set(),
    }
    for html, stated in cases.items():
        found = statements_of(parse(html, URL))
        assert {name for name, value in zip(STATEMENTS, found, strict=True) if value} == stated, html


def test_a_kind_is_said_where_it_is_likely() -> None:
    assert surest_kind([0.7, 0.1, 0.1, 0.1, 0, 0]) == KINDS[0]
    assert surest_kind([0.4, 0.3, 0.1, 0.1, 0.1, 0]) is None


def test_an_article_says_its_kind_and_an_odd_page_none() -> None:
    text = "<p>The rope walk of the town was four hundred feet long. Ropes were made in it for a century.</p>" * 12
    article = f"<meta property=og:type content=article><title>Ropes</title><h1>Ropes</h1><article>{text}</article>"
    template = extract(article, url=URL, pages={})
    assert template.to_dict()["page_kind"] == "article"
    assert 'page_kind: "article"\n---\n' in template.content_markdown(front_matter=True)
    (crawled,) = contents([(URL, article)])
    assert isinstance(crawled, PageContent)
    assert row_of(crawled)["page_kind"] == "article"
    assert extract("<p>One word", url=URL, pages={}).to_dict()["page_kind"] in {*KINDS, None}


def test_of_much_json_ld_only_the_beginning_counts() -> None:
    long, product = " " * 200_000, '{"@type": "Product"}'
    script = "<script type=application/ld+json>{}</script>"
    assert not any(statements_of(parse(script.format(long) + script.format(product), URL)))
    assert not any(statements_of(parse(script.format(long + product), URL)))
    assert any(statements_of(parse(script.format(product + long), URL)))
