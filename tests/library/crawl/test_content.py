import pickle
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from tests.support.crawls import article, page, pages_of
from tests.support.tables import table

from sitestencil.content.main_content import MAIN_CONTENT, ContentChoice
from sitestencil.crawl.content import Formats, SiteExtractor, content_or_skipped
from sitestencil.crawl.in_memory import SiteContents, contents
from sitestencil.crawl.input.crawled import CrawlPage, Skipped
from sitestencil.crawl.kinds import SamplePage
from sitestencil.crawl.learning import ReadPages, SiteTemplates, learn_site
from sitestencil.crawl.pages import PageContent
from sitestencil.crawl.rows import template_row
from sitestencil.crawl.spill import Entry, Located
from sitestencil.crawl.work import contents_of, site_sample
from sitestencil.detectors.detection import Detection
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.detectors.stencil.detector import Stencil
from sitestencil.errors import WrongArgument
from sitestencil.outputs.judged_page import JudgedPage
from sitestencil.outputs.selectors import selectors
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.metadata import metadata
from sitestencil.page.parsing import parse
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.labels import labelled_sites


def crawl_pages(site: str = "site.example", count: int = 12) -> list[CrawlPage]:
    return [CrawlPage(url, html, "a.warc", number) for number, (url, html) in enumerate(pages_of(site, count))]


@pytest.fixture(scope="module")
def templates() -> SiteTemplates:
    return learn_site("site.example", crawl_pages())


def test_a_site_of_two_kinds_of_pages_gives_two_templates(templates: SiteTemplates) -> None:
    articles = {group.key_page.html.count(b"<article") for group in templates.groups if group.key_page}
    assert len(templates.groups) == 2
    assert articles == {0, 1}


def test_classes_that_tools_make_tell_no_kinds() -> None:
    """Each page is in a box whose class is its own hash; no two pages have a class path in common."""
    pages = [
        replace(one, html=one.html.replace(b"<body>", f"<body><div class='page sc-{letter * 3}Xyz'>".encode()))
        for one, letter in zip(crawl_pages(), "abcdefghijkl", strict=True)
    ]
    assert len(learn_site("site.example", pages).groups) == 2


def test_the_links_that_count_are_those_of_the_content(templates: SiteTemplates) -> None:
    page = next(page for page in crawl_pages() if page.html.count(b"<article") == 1)
    linked = replace(page, html=page.html.replace(b"</article>", b"<p>See <a href=/a>sails</a>.</p></article>"))
    assert b"<a " in page.html
    for formats in (Formats(), Formats(choice=ContentChoice(around=True))):
        extractor = SiteExtractor(templates, formats)
        assert extractor.content(linked).links == extractor.content(page).links + 1
        assert extractor.content(page).links == 0


def test_a_template_has_one_row_whether_its_page_is_read_again_or_not() -> None:
    read: ReadPages = {}
    for group in learn_site("site.example", crawl_pages(), read=read).groups:
        row = template_row(group, 12, read)
        assert row == template_row(group, 12) == template_row(pickle.loads(pickle.dumps(group)), 12)
        assert "Menu entry 0\n" in row["header"]


def test_the_selectors_of_a_template_are_of_the_content_that_its_pages_give(benchmark_sites: Path) -> None:
    for folder in labelled_sites(benchmark_sites)[::6]:
        site = StoredSite(folder)
        files = sorted(site.pages.rglob("*.html"))[:6]
        pages = [
            CrawlPage(site.url_of(file.relative_to(site.pages).as_posix()), file.read_bytes(), "", number)
            for number, file in enumerate(files)
        ]
        for group in learn_site(folder.name, pages).groups:
            assert group.key_page is not None
            document = parse(group.key_page.html, group.key_page.url)
            rest = MAIN_CONTENT.rest(document, group.learned.apply(document))
            found = selectors(JudgedPage(document, rest.template, rest.template_texts))
            assert template_row(group, 6)["content_selectors"] == list(found.content)


def test_further_pages_give_their_content_and_nothing_of_the_frame(templates: SiteTemplates) -> None:
    new = CrawlPage("https://site.example/new", article("site.example", 77))
    content = SiteExtractor(templates).content(new)
    assert content.way == "template"
    assert content.fit is not None and 0.5 < content.fit < 1
    assert content.text.startswith("Story 77 of site.example\n")
    assert content.text.count("site.example77") == 4
    assert "Menu entry" not in content.text
    assert "All rights reserved" not in content.text


def test_pages_give_their_metadata_whichever_way_they_are_read(templates: SiteTemplates) -> None:
    told = b"<title>Story 77 | Site</title><meta property=og:site_name content=Site><base href=/kept/>"
    told += b"<link rel=canonical href=77><script type=application/ld+json>{'</script>"
    html = article("site.example", 77).replace(b"<head>", b"<head>" + told, 1)
    assert told in html
    page = CrawlPage("https://site.example/new", html)
    for own in (templates, SiteTemplates("site.example")):
        found = SiteExtractor(own).content(page).metadata
        assert found == metadata(parse(html, page.url))
        assert found is not None
        assert (found.title, found.canonical) == ("Story 77", "https://site.example/kept/77")


def test_titles_of_a_crawl_are_without_what_the_site_shares(templates: SiteTemplates) -> None:
    def titled(page: CrawlPage, title: str) -> CrawlPage:
        return replace(page, html=page.html.replace(b"<head>", f"<head><title>{title} - Tied</title>".encode(), 1))

    others = tuple(titled(page, f"Story {number}") for number, page in enumerate(templates.companions))
    assert len(others) > 1
    page = titled(CrawlPage("https://site.example/new", article("site.example", 77)), "The bowline")
    found = SiteExtractor(replace(templates, companions=others)).content(page).metadata
    assert found is not None
    assert found.title == "The bowline"


def test_the_ranges_number_the_elements_as_the_document_does(templates: SiteTemplates) -> None:
    html = article("site.example", 77)
    content = SiteExtractor(templates).content(CrawlPage("https://site.example/new", html))
    document = parse(html, "https://site.example/new")
    numbers = {element for first, last in content.template for element in range(first, last)}
    assert content.elements == len(document)
    assert [tag for element, tag in enumerate(document.tags) if element not in numbers] == "h1 p p p p".split()


def test_a_page_of_no_known_kind_is_compared_with_others_of_the_site(templates: SiteTemplates) -> None:
    own = "".join(f"<section class='odd{number}'><em>Quite unlike {number}</em></section>" for number in range(40))
    strange = CrawlPage("https://site.example/odd", b"<body class='x'>" + own.encode() + page("s", ""))
    content = SiteExtractor(templates).content(strange)
    assert content.way == "compared"
    assert content.fit is not None
    assert "Quite unlike 7" in content.text


def test_the_text_of_an_only_page_is_that_of_a_program_for_single_pages() -> None:
    paragraphs = "<p>It is said of ropes that they hold.</p>" * 30
    only = CrawlPage("https://site.example/", page("site.example", f"<article><h1>One</h1>{paragraphs}</article>"))
    content = SiteExtractor(SiteTemplates("site.example")).content(only)
    assert content.way == "alone"
    assert "It is said of ropes that they hold.\n" in content.text
    assert "Menu entry" not in content.text


@table("hosts", [frozenset(), frozenset({"div"})])
def test_a_page_with_shadow_trees_has_the_answer_of_its_template(hosts: frozenset[str]) -> None:
    card = "<div><template shadowrootmode=open><nav>Menu</nav><p>Of {}</p></template></div><p>Of {}"
    key_page = parse(card.format(0, 0), "https://site.example/0")
    template = [tag not in {"p"} for tag in key_page.tags]
    answer = Detection(template, [template[run.parent] for run in key_page.texts], ())
    learned = LearnedTemplate.of("stencil", KeySketch(key_page, hosts), answer)
    for number in range(2):
        page = CrawlPage(f"https://site.example/{number}", card.format(number, number).encode())
        applied = learned.apply(parse(page.html, page.url))
        found = SamplePage(page).answer(learned)
        assert (found.template, list(found.template_texts)) == (applied.template, list(applied.template_texts))


def test_a_page_that_learning_read_is_not_read_again() -> None:
    pages, asked = crawl_pages(count=30), list[int]()

    class Spilled:
        def page(self, _number: int, entry: Entry) -> CrawlPage:
            asked.append(entry.offset)
            return pages[entry.offset]

        def entries(self, _partition: int) -> Iterator[Located]:
            return ((0, Entry("site.example", page.url, page.source, page.offset, None, 0, 0, 0)) for page in pages)

        def of_site(self, partition: int, _site: str) -> Iterator[tuple[int, Located]]:
            return enumerate(self.entries(partition))

    spilled, read = Spilled(), ReadPages()
    located = list(spilled.entries(0))
    learned = learn_site("site.example", site_sample(located, spilled), read=read)
    found = list(contents_of(SiteExtractor(learned, read=read), located, spilled))
    assert 0 < len(read) < 29
    assert set(asked) == set(range(30))
    assert len(asked) == 31  # learning takes the next page before it sees that it is done
    assert found == [SiteExtractor(learned).content(page) for page in pages]


def test_a_page_that_takes_too_long_is_skipped_and_the_next_is_not(templates: SiteTemplates) -> None:
    long_page = CrawlPage("https://site.example/long", page("s", "<p><b>word</b> word" * 90_000), "a.warc", 7)
    extractor = SiteExtractor(templates)
    skipped = content_or_skipped(extractor, long_page, 0.02)
    assert isinstance(skipped, Skipped)
    assert (skipped.reason, skipped.offset) == ("too slow", 7)
    following = content_or_skipped(extractor, crawl_pages()[0], 30)
    assert isinstance(following, PageContent)


def test_the_crawl_gives_all_content_or_leaves_parts_out_where_that_is_asked_for() -> None:
    def text(choice: ContentChoice) -> str:
        learned = learn_site("site.example", crawl_pages())
        content = SiteExtractor(learned, Formats(choice=choice)).content(new)
        assert content.way == "template"
        assert (content.fit is None) == choice.around
        return content.text

    new = CrawlPage("https://site.example/new", article("site.example", 78))
    main, around, untitled = map(
        text, (MAIN_CONTENT, ContentChoice(around=True), ContentChoice(without=("title",)))
    )
    assert len(around) >= len(main)
    assert main.startswith("Story 78")
    assert untitled == main.removeprefix("Story 78\n")


def test_markdown_and_html_are_given_where_they_are_asked_for(templates: SiteTemplates) -> None:
    new = CrawlPage("https://site.example/new", article("site.example", 78))
    content = SiteExtractor(templates, Formats(markdown=True, html=True)).content(new)
    assert content.markdown is not None
    assert content.markdown.startswith("# Story 78")
    assert content.html is not None
    assert "Story 78" in content.html
    assert "Menu entry" not in content.html


def test_content_where_the_page_learned_from_had_none_is_found(templates: SiteTemplates) -> None:
    bare = [CrawlPage(f"https://bare.example/{number}", page("bare", "")) for number in range(2)]
    bare += [
        CrawlPage(f"https://bare.example/n{number}", page("bare", f"<p>Note {number}</p>")) for number in range(4)
    ]
    learned = learn_site("bare.example", bare)
    content = SiteExtractor(learned).content(CrawlPage("https://bare.example/s", article("bare", 5)))
    assert "Story 5" in content.text


REVIEW = "<h3>A review</h3><blockquote>The splice held all summer, through three storms.</blockquote>"


@table(
    ("usual", "unusual", "last_line"),
    [
        ("", REVIEW, "The splice held all summer, through three storms."),
        ("<ul><li>Tides<li>Winds<li>Charts</ul>", REVIEW, "The splice held all summer, through three storms."),
        ("<ul><li>High tides<li>Strong winds<li>New charts</ul>", "<h3>Sold</h3><em>In May</em>", "In May"),
    ],
)
def test_content_where_most_pages_have_frame_is_found(usual: str, unusual: str, last_line: str) -> None:
    def story(number: int, aside: str) -> bytes:
        return article("knots.example", number).replace(b"</main>", f"<aside>{aside}</aside></main>".encode())

    def text_of(html: bytes) -> str:
        page = CrawlPage("https://knots.example/7", html)
        content = SiteExtractor(learned, Formats(choice=ContentChoice(around=True))).content(page)
        assert content.way == "template"
        return content.text

    pages = [CrawlPage(f"https://knots.example/{number}", story(number, usual)) for number in range(6)]
    learned = learn_site("knots.example", pages)
    assert text_of(story(7, unusual)).endswith(f"\n{last_line}\n")
    assert "winds" not in text_of(story(7, usual)).lower()


def test_batches_of_columns_come_back_with_the_content_in_another_process(templates: SiteTemplates) -> None:
    pages = pages_of("site.example", 12)
    batch = {"url": ["https://a.example/", *(url for url, _ in pages)], "html": [b"", *(html for _, html in pages)]}
    columns = pickle.loads(pickle.dumps(SiteContents()))({**batch, "row": list(range(13))})
    expected = [SiteExtractor(templates).content(each).text for each in crawl_pages()]
    assert columns["text"] == [None, *expected]
    assert columns["skipped"] == ["empty: It has no bytes but white space.", *[None] * 12]
    assert columns["row"] == list(range(13))
    assert set(columns["way"][1:]) == {"template"}


def test_rows_of_every_form_give_the_same_texts() -> None:
    rows = [(url, html) for url, html in pages_of("site.example", 12)]
    named = [{"url": url, "html": html.decode()} for url, html in rows]
    arrow = pa.Table.from_pylist(named)
    forms = [rows, named, iter(rows), arrow, arrow.to_batches()[0], pd.DataFrame(named)]
    forms += [arrow.to_reader(), arrow.to_batches(max_chunksize=5), arrow.to_pydict()]
    texts = [[found.text for found in contents(form) if isinstance(found, PageContent)] for form in forms]
    assert len(texts[0]) == 12
    assert all(one == texts[0] for one in texts)
    assert SiteContents()(arrow)["text"] == SiteContents()(pd.DataFrame(named))["text"] == texts[0]


def test_other_columns_of_a_batch_come_back_as_they_are() -> None:
    urls, htmls = (list(column) for column in zip(*pages_of("site.example", 2), strict=True))
    vectors = [np.zeros(3), np.ones(3)]
    times = np.array(["2024-01-01T00:00:00.000000001"] * 2, "datetime64[ns]")
    columns = SiteContents()({"url": np.array(urls), "html": htmls, "vector": vectors, "time": times})
    assert (columns["vector"][1] == vectors[1]).all()
    assert columns["time"] == list(times)


@table(
    "pages",
    [
        "crawl.warc.gz",
        None,
        {"url": "https://a.example/", "html": "<p>"},
        pa.table({"address": ["x"], "html": ["y"]}),
    ],
)
def test_anything_but_rows_and_tables_is_a_wrong_argument(pages: object) -> None:
    with pytest.raises(WrongArgument, match="columns url and html"):
        next(contents(pages))


def test_a_batch_without_the_columns_is_a_wrong_argument() -> None:
    with pytest.raises(WrongArgument, match=r"this one has \['html'\]"):
        SiteContents()({"html": ["<p>"]})


def test_a_bad_row_costs_itself_and_says_so() -> None:
    rows: list[object] = [
        *pages_of("site.example", 9),
        ("https://site.example/x", None),
        {"url": 7},
        "row",
        ("", "<p>"),
        ("https://site.example/x", np.zeros(2)),
    ]
    found = list(contents(rows))
    assert [type(one) for one in found] == [PageContent] * 9 + [Skipped] * 5
    reasons = [(one.reason, one.offset) for one in found if isinstance(one, Skipped)]
    broken = [("broken record", number) for number in (9, 10, 11, 13)]
    assert reasons == [*broken[:3], ("no web address", 12), broken[3]]


def test_a_text_does_not_depend_on_other_sites_in_its_batch() -> None:
    of_sites = [pages_of(site, 9) for site in ("one.example", "two.example", "three.example")]
    mixed = [page for pages in zip(*of_sites, strict=True) for page in reversed(pages)]

    def texts(pages: list[tuple[str, bytes]]) -> dict[str, str]:
        columns = SiteContents()({"url": [url for url, _ in pages], "html": [html for _, html in pages]})
        return dict(zip(columns["url"], columns["text"], strict=True))

    assert texts(mixed) == {url: text for pages in of_sites for url, text in texts(pages).items()}


def test_a_text_does_not_depend_on_the_number_of_pages_held() -> None:
    rows = [row for site in ("a.example", "b.example", "c.example") for row in pages_of(site, 12)]
    few, many = (
        [one.text for one in contents(rows, at_a_time=size) if isinstance(one, PageContent)] for size in (10, 1000)
    )
    assert few == many


def test_what_goes_wrong_while_a_site_is_learned_costs_no_more_than_its_templates() -> None:
    class Failing(Stencil):
        def decide(self, *_: object, **__: object) -> Detection:
            raise ZeroDivisionError

    templates = learn_site("site.example", crawl_pages(), stencil=Failing())
    assert templates.groups == ()
    assert templates.companions
