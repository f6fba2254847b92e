"""A page's metadata: where it is read, which source wins, and that hostile pages gain nothing."""

import json
import tracemalloc
from dataclasses import replace
from time import process_time

import yaml
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests.support.hostile_pages import HOSTILE_MARKUP
from tests.support.tables import table

from sitestencil.outputs.content import front_matter
from sitestencil.page.dates import iso_date
from sitestencil.page.metadata import Metadata, metadata
from sitestencil.page.parsing import parse

URL = "https://ropes.example/knots/bowline"


def of(html: str) -> Metadata:
    return metadata(parse(html, URL))


def json_ld(value: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


ARTICLE = {
    "@context": "https://schema.org",
    "@type": "NewsArticle",
    "headline": "How to tie a bowline",
    "author": {"@type": "Person", "name": "Jo Marsh"},
    "datePublished": "2024-05-03T10:00:00+0200",
    "dateModified": "2024-05-04",
    "description": "Four steps &amp; a picture.",
    "inLanguage": "en-GB",
    "publisher": {"@type": "Organization", "name": "Ropes Weekly"},
    "license": "https://creativecommons.org/licenses/by/4.0/",
    "url": URL,
}
WHOLE = Metadata(
    url=URL,
    title="How to tie a bowline",
    author="Jo Marsh",
    published="2024-05-03T10:00:00+02:00",
    modified="2024-05-04",
    site_name="Ropes Weekly",
    language="en-GB",
    description="Four steps & a picture.",
    canonical=URL,
    license="https://creativecommons.org/licenses/by/4.0/",
)
OPEN_GRAPH = (
    '<meta property="og:title" content="How to tie a bowline"><meta property="og:site_name" content="Ropes Weekly">'
    '<meta property="og:description" content="Four steps &amp; a picture.">'
    '<meta property="og:locale" content=en_GB><meta property="og:type" content="article">'
    f'<meta property="og:url" content="{URL}"><meta property="article:author" content="Jo Marsh">'
    '<meta property="article:published_time" content="2024-05-03T10:00:00+02:00">'
    '<meta property="article:modified_time" content="2024-05-04">'
    "<link rel=license href=https://creativecommons.org/licenses/by/4.0/>"
)
DUBLIN_CORE = (
    '<meta name="DC.title" content="How to tie a bowline"><meta name="DC.creator" content="Jo Marsh">'
    '<meta name="DC.date" content="2024-05-03T10:00:00+02:00"><meta name="DCTERMS.modified" content="2024-05-04">'
    '<meta name="DC.publisher" content="Ropes Weekly"><meta name="DC.language" content="en-GB">'
    '<meta name="DC.description" content="Four steps &amp; a picture.">'
    '<meta name="DC.rights" content="https://creativecommons.org/licenses/by/4.0/"><link rel=canonical href="">'
)
OWN_MARKS = (
    "<html lang=en-GB><title>How to tie a bowline | Ropes Weekly</title>"
    "<meta name=application-name content='Ropes Weekly'>"
    "<meta name=description content='Four steps &amp; a picture.'><link rel=canonical href=bowline>"
    "<body><article><a rel=author href=/jo>Jo Marsh</a> <time datetime=2024-05-03T10:00:00+02:00>Friday</time>"
    "<time itemprop=dateModified datetime=2024-05-04>today</time>"
    "<a rel=license href=https://creativecommons.org/licenses/by/4.0/>CC BY</a></article>"
)

NEAR_TITLE = "<main><h1>Bowline</h1><p class=author>Jo Marsh<p>May 3, 2024<section><h2>Other"


@table(("html", "page_type"), [(json_ld(ARTICLE), "NewsArticle"), (OPEN_GRAPH, "article"), (OWN_MARKS, None)])
def test_each_source_alone_gives_all_fields(html: str, page_type: str | None) -> None:
    assert of(html) == replace(WHOLE, page_type=page_type)


def test_a_page_type_is_the_name_of_the_schema_alone() -> None:
    assert of(json_ld({"@type": ["http://schema.org/Product", "Thing"], "name": "Rope"})).page_type == "Product"


def test_a_price_is_that_of_an_offer_with_its_currency() -> None:
    offer = {"@type": "Offer", "price": 12.5, "priceCurrency": "EUR"}
    many = {"@type": "AggregateOffer", "lowPrice": "9.90", "highPrice": "19.90"}
    cases = {
        "12.5 EUR": json_ld({"@type": "Product", "offers": [offer]}),
        "9.90": json_ld({"@type": "Product", "offers": many}),
        "7.00 GBP": "<meta property=product:price:amount content=7.00>"
        "<meta property=product:price:currency content=GBP>",
        "9": json_ld({"@type": "Product", "offers": {"price": 9, "priceCurrency": "US Dollars"}}),
        None: json_ld({"@type": "Product", "offers": {"price": "on request"}}),
    }
    assert [of(html).price for html in cases.values()] == [*cases]


def test_dublin_core_gives_all_but_the_address() -> None:
    found = of(DUBLIN_CORE)
    assert {**found.to_dict(), "canonical": URL} == WHOLE.to_dict()


def test_the_sources_win_in_the_order_of_the_documents_table() -> None:
    other = {**ARTICLE, "headline": "From JSON-LD"}
    graph = '<meta property="og:title" content="From Open Graph">'
    core = '<meta name="dc.title" content="From Dublin Core">'
    citation = '<meta name="citation_title" content="From citation">'
    title = "<title>From the title</title>"
    order = [json_ld(other), citation, graph, core, title]
    names = ["From JSON-LD", "From citation", "From Open Graph", "From Dublin Core", "From the title"]
    for start, name in enumerate(names):
        assert of("".join(reversed(order[start:]))).title == name


def test_nodes_of_graphs_and_arrays_refer_to_each_other() -> None:
    graph = {
        "@graph": [
            {"@type": "WebSite", "@id": "#site", "name": "Ropes Weekly"},
            {"@type": ["WebPage"], "@id": URL, "name": "A page"},
            {
                "@type": "Article",
                "headline": "Bowline",
                "author": [{"@id": "#jo"}, "Kim Lee"],
                "isPartOf": {"@id": "#site"},
            },
            {"@type": "Person", "@id": "#jo", "name": "Jo Marsh"},
        ]
    }
    for value in (graph, [[], [graph]], {"@type": "WebPage", "mainEntity": graph["@graph"]}):
        found = of(json_ld(value))
        assert (found.title, found.author, found.site_name) == ("Bowline", "Jo Marsh, Kim Lee", "Ropes Weekly")


@table(
    "script",
    [
        '<!-- {"@type": "Article", "headline": "Bowline"} -->',
        '//<![CDATA[\n{"@type": "Article", "headline": "Bowline"}\n//]]>',
        '{"@type": "Article", "headline": "Bowline",}',
        '{"@type": "Article", "headline": "Bow\nline"};',
        '{"@type": "Article", "headline": "Bowline"}{"@type": "Article"}',
        '{"@type": "http://schema.org/Article", "headline": ["Bowline"]}',
    ],
)
def test_damaged_json_is_read_as_far_as_it_goes(script: str) -> None:
    title = of(f'<script type="Application/LD+JSON">{script}</script>').title
    assert title is not None
    assert title.replace(" ", "") == "Bowline"


@table("script", ["", "{", "[" * 200_000, '{"a":' * 100_000, "9" * 100_000, "null", '"Article"'])
def test_json_that_cannot_be_read_counts_as_none(script: str) -> None:
    found = of(f"<title>Bowline</title><script type='application/ld+json'>{script}</script>")
    assert found == Metadata(URL, title="Bowline")


def test_a_list_of_teasers_says_nothing_of_the_page() -> None:
    teasers = [
        {"@type": "Article", "headline": f"Knot {n}", "url": f"{URL}/{n}", "author": f"P {n}"} for n in range(3)
    ]
    marks = "".join(
        f"<article><h2>Knot {n}</h2><a rel=author>P {n}</a><time datetime=2024-05-0{n}>x</time></article>"
        for n in (1, 2)
    )
    found = of(f"<title>All knots</title>{json_ld(teasers)}{marks}")
    assert found == Metadata(URL, title="All knots")


def test_of_several_articles_the_one_with_the_pages_address_counts() -> None:
    articles = [
        {"@type": "Article", "headline": f"Knot {n}", "mainEntityOfPage": {"@id": f"{URL}{n}"}} for n in ("", 1)
    ]
    assert of(json_ld(articles)).title == "Knot"


def test_dates_of_comments_are_not_the_articles() -> None:
    article = (
        "<article><time datetime=2024-05-03>a</time><p>Text<div><time datetime=2024-06-01>b</time></div></article>"
    )
    comment = "<article class=comment><time datetime=2024-06-02>c</time></article>"
    assert of(article).published == "2024-05-03"
    assert of(f"<h1>Knots</h1>{article}{comment}").published == "2024-05-03"
    assert of(f"<h1>Knots</h1><article>Text</article>{comment}").published is None


NO_AUTHORS = [
    ". .",
    "-",
    "admin",
    "Site Admin",
    "jo@ropes.example",
    "Ropes Weekly",
    "ropes.example",
    "https://a.example",
]


def test_placeholders_and_the_site_are_no_authors() -> None:
    site = "<meta property=og:site_name content='Ropes Weekly'>"
    named = {name: of(f"{site}<meta name=author content='{name}'>").author for name in NO_AUTHORS}
    assert named == dict.fromkeys(NO_AUTHORS)
    assert of(f"{site}<meta name=author content='Jo Marsh <jo@ropes.example>'>").author == "Jo Marsh"
    script = json_ld({**ARTICLE, "author": ". ."})
    assert of(f"{script}<meta name=author content='Jo Marsh'>").author == "Jo Marsh"


@table(
    ("head", "url", "author"),
    [
        ("<meta name=author content='Ann Lee'>", "https://annlee.blogs.example/a", "Ann Lee"),
        ("<meta name=author content='Ann Lee'>", "https://ann-lee.example/a", "Ann Lee"),
        ("<p class=author>annlee", "https://annlee.blogs.example/a", "annlee"),
        ("<meta name=author content=Ropes>", "https://www.ropes.example/a", None),
        ("<meta name=author content='The Ropes'>", "https://ropes.example/a", None),
        ("<meta name=author content='Knot Press'><p class=byline>By Jo Marsh", URL, "Jo Marsh"),
        (
            "<meta name=author content='Day & Sons'><meta name=copyright content='(c) Day & Sons 2024'>",
            URL,
            "Day & Sons",
        ),
        (
            "<meta name=author content='Day & Sons'><meta name=copyright content='(c) Day & Sons 2024'>"
            "<meta property=article:author content='Jo Marsh'>",
            URL,
            "Jo Marsh",
        ),
        ("<meta name=author content='Ropes Weekly - Jo Marsh'>", URL, "Jo Marsh"),
        ("<meta name=author content='Von Jo Marsh @jomarsh'>", URL, "Jo Marsh"),
        ('<meta name=parsely-page content=\'{"author": "Jo Marsh"}\'>', URL, "Jo Marsh"),
        ("<meta name=author content='No Author'>", URL, None),
    ],
)
def test_persons_come_before_the_site_and_its_publisher(head: str, url: str, author: str | None) -> None:
    site = "<title>The bowline</title><meta property=og:site_name content='Ropes Weekly'><h1>The bowline</h1>"
    assert metadata(parse(site + head, url)).author == author


def test_a_site_with_the_name_of_a_person_has_that_author() -> None:
    person = {"@type": ["Person", "Organization"], "@id": "#jo", "name": "Jo Marsh"}
    graph = {"@graph": [person, {"@type": "WebPage", "publisher": {"@id": "#jo"}}]}
    assert of(f"{json_ld(graph)}<meta name=author content='Jo Marsh'>").author == "Jo Marsh"


@table(
    ("text", "date"),
    [
        ("2024-05-03", "2024-05-03"),
        ("20240503", "2024-05-03"),
        ("2024/05", "2024-05"),
        ("2024", "2024"),
        ("2024-05-03 9:05", "2024-05-03T09:05:00"),
        ("2024-05-03T10:00:00Z", "2024-05-03T10:00:00+00:00"),
        ("2024-05-03T10:00:00.123+0200", "2024-05-03T10:00:00.123000+02:00"),
        ("2024-02-31", None),
        ("2024-05-03T99:00", "2024-05-03"),
        ("yesterday, I think", None),
        ("<script>", None),
        ("2024-05-03\n---\nx: y", None),
        ("May 3, 2024", "2024-05-03"),
        ("Sept. 14th, 2024", "2024-09-14"),
        ("3 december 2024", "2024-12-03"),
        ("February 30, 2024", None),
        ("Maybe 2024", None),
        ("3. Mai 2024", "2024-05-03"),
        ("3 de mayo de 2024", "2024-05-03"),
        ("3 févr. 2024", "2024-02-03"),
        ("1er juillet 2024", "2024-07-01"),
        ("3 czerwca 2024", "2024-06-03"),
        ("03.05.2024", "2024-05-03"),
        ("31/12/2024", "2024-12-31"),
        ("12/31/2024", "2024-12-31"),
        ("5/3/2024", None),
        ("0001-01-01", None),
        ("0001-01-01T00:00:00Z", None),
    ],
)
def test_only_dates_count_as_dates(text: str, date: str | None) -> None:
    assert iso_date(text) == date


def test_addresses_are_of_the_web_and_names_are_no_addresses() -> None:
    found = of(
        "<link rel=canonical href='javascript:alert(1)'><link rel=license href='data:text/html,x'>"
        "<meta property='og:url' content='//cdn.ropes.example/a'><meta name=author content='https://facebook.example/jo'>"
        "<meta property='dc.rights' content='javascript://x'><html lang='en\"><script>'>"
    )
    assert found == Metadata(URL, canonical="https://cdn.ropes.example/a")


def test_texts_are_short_and_without_control_characters() -> None:
    found = of(
        f"<title>Bow\x1b[31mline \u202e{'x' * 10_000}</title><meta name=description content='{'y ' * 9_000}'>"
    )
    assert found.title is not None
    assert found.description is not None
    assert found.title.startswith("Bow[31mline xxx")
    assert (len(found.title), found.title[-1]) == (500, "…")
    assert len(found.description) <= 2_000


HARD = "\"'\\]( # : {x: y} --- <b> &amp; ](javascript:x) \u2028 \u0085 no ~ 😀"


@given(st.text(max_size=50), st.sampled_from(["", HARD]))
def test_front_matter_is_yaml_with_the_same_values(text: str, more: str) -> None:
    found = of(f"<title>{(text + more).replace('<', '&lt;')}</title>")
    read = yaml.safe_load(front_matter(found).removeprefix("---\n").removesuffix("---\n"))
    assert read == {name: value for name, value in found.to_dict().items() if value is not None}


def test_front_matter_has_the_title_first_and_dates_as_dates() -> None:
    text = front_matter(WHOLE)
    lines = text.splitlines()
    assert lines[:4] == ["---", 'title: "How to tie a bowline"', f'url: "{URL}"', 'author: "Jo Marsh"']
    assert lines[4] == "published: 2024-05-03T10:00:00+02:00"
    assert yaml.safe_load(text.strip("-\n"))["modified"].isoformat() == "2024-05-04"


@given(HOSTILE_MARKUP)
def test_a_reader_without_front_matter_sees_no_html_and_no_link_of_it(title: str) -> None:
    hostile = Metadata(URL, title=f"{title}<img src=x onerror=y>[a](javascript:x)![b](javascript:x)<javascript:x>")
    tokens = MarkdownIt("commonmark").parse(f"{front_matter(hostile)}\nText\n")
    inner = [child for token in tokens for child in token.children or ()]
    assert not [
        token for token in [*tokens, *inner] if token.type in {"html_block", "html_inline", "link_open", "image"}
    ]


def test_a_page_of_very_many_statements_takes_no_time() -> None:
    html = "".join(
        [
            "<meta name=author content=Jo>" * 20_000,
            "<article><time datetime=2024-05-03>x</time><a rel=author>Jo</a></article>" * 20_000,
            json_ld([{"@type": "Article", "headline": "x"}] * 20_000),
            f"<script type='application/ld+json'>{',' * 900_000}</script>",
        ]
    )
    document = parse(html, URL)
    started = process_time()
    assert metadata(document).author == "Jo"
    assert process_time() - started < 2


def test_references_to_one_long_text_copy_little_of_it() -> None:
    text = "w" * 60_000 + "&amp;"
    keys = "author creator description publisher headline datePublished license url isPartOf".split()
    page = {"@type": "Article", **{key: [{"@id": "a"}] * 200 for key in keys}}
    named: dict[str, dict[str, object]] = {
        "a name": {"name": text, "url": text},
        "a name in two parts": {"givenName": text, "familyName": text},
        "a list of values": {"name": [{"@value": text}], "url": [text]},
    }
    large = {}
    for name, value in named.items():
        document = parse(json_ld({"@graph": [page, {"@id": "a", **value}]}), URL)
        metadata(document)
        tracemalloc.start()
        metadata(document)
        if (peak := tracemalloc.get_traced_memory()[1]) > 5_000_000:
            large[name] = peak
        tracemalloc.stop()
    assert large == {}


@table(
    "author",
    [
        {"author": {"@type": "Person", "givenName": "Jo", "familyName": "Marsh"}},
        {"author": {"@list": [{"name": "Jo Marsh"}]}},
        {"creator": ["Jo Marsh"]},
    ],
)
def test_authors_are_read_in_each_form_that_json_ld_gives_them(author: dict[str, object]) -> None:
    script = json.dumps({"@type": "Article", "headline": "Bowline", **author})
    page = parse(f"<script type=application/ld+json>{script}</script>", URL)
    assert metadata(page).author == "Jo Marsh"
