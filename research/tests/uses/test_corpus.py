"""Corpora of stored pages, and of contents planted into other sites' templates."""

from pathlib import Path

import pytest

from sitestencil.errors import SitestencilError, UnknownDetector
from sitestencil.page.parsing import parse
from sitestencil_research.uses.corpus import (
    FULL_TEXT,
    CorpusPage,
    alphanumeric_words,
    clean_corpora,
    clean_site,
    known_content,
    page_text,
    stored_pages,
)
from sitestencil_research.uses.duplicates import judge, known_pairs
from sitestencil_research.uses.synthetic_corpus import ContentPage, synthetic_articles, synthetic_topics


def test_stored_pages_have_their_section_and_their_address(benchmark_sites: Path) -> None:
    pages = stored_pages(benchmark_sites / "libtiff")
    assert len(pages) == 120
    page = next(page for page in pages if page.name == "libtiff/functions/TIFFError.html")
    assert page.label == "functions"
    assert page.url.endswith("/functions/TIFFError.html")
    assert len(stored_pages(benchmark_sites / "libtiff", 7)) == 7


def test_templates_are_removed_from_every_page_and_the_pages_stay_in_order(benchmark_sites: Path) -> None:
    pages = [*stored_pages(benchmark_sites / "winery-dates", 4), *stored_pages(benchmark_sites / "agfirst", 3)]
    alone = clean_corpora(pages, ["temex"])
    together = clean_corpora(pages, ["temex"], processes=2)
    assert [corpus.detector for corpus in alone] == [FULL_TEXT, "temex"]
    full, temex = alone
    assert [page.words for page in temex.pages] == [page.words for page in together[1].pages]
    assert full.pages[5].words == tuple(alphanumeric_words(page_text(parse(pages[5].html, pages[5].url))))
    assert all(len(ours.words) <= len(whole.words) for ours, whole in zip(temex.pages, full.pages, strict=True))
    assert temex.size < full.size


def test_a_page_that_a_detector_gives_no_answer_for_keeps_its_text(benchmark_sites: Path) -> None:
    page = CorpusPage("lonely", benchmark_sites / "agfirst", "http://nowhere.test/", b"<p>no links here")
    (clean,) = clean_site(page.site, [page], "temex")
    assert not clean.answered
    assert clean.words == ("no", "links", "here")


def test_an_unknown_detector_is_named_before_any_work(benchmark_sites: Path) -> None:
    with pytest.raises(UnknownDetector):
        clean_corpora(stored_pages(benchmark_sites / "agfirst", 1), ["nosuch"])


def test_planted_content_replaces_the_labelled_content(benchmark_sites: Path) -> None:
    host = ContentPage(benchmark_sites / "pandas")
    before = alphanumeric_words(page_text(host.document))
    page = parse(host.with_content("<p>entirely planted content"), host.url)
    after = alphanumeric_words(page_text(page))
    assert "planted" in after
    assert len(after) < len(before) / 2
    assert page.tags.count("nav") == host.document.tags.count("nav")


def test_every_labelled_site_can_take_other_content(benchmark_sites: Path) -> None:
    for folder in sorted(benchmark_sites.iterdir()):
        host = ContentPage(folder)
        assert host.is_host
        assert b"<p>entirely planted content" in host.with_content("<p>entirely planted content")


def test_passages_divide_the_content_and_lead_nowhere_on_the_host(benchmark_sites: Path) -> None:
    passages = ContentPage(benchmark_sites / "rust-book").passages(150)
    assert len(passages) > 5
    assert all(len(passage.words) >= 150 for passage in passages)
    assert all(alphanumeric_words(page_text(parse(p.html, "http://x.test/"))) == list(p.words) for p in passages)
    assert not any('href="' in p.html and 'href="http' not in p.html and 'href="#' not in p.html for p in passages)


def test_each_article_stands_on_other_sites_than_its_own(benchmark_sites: Path) -> None:
    folders = [benchmark_sites / name for name in ("rust-book", "libtiff", "pandas", "agfirst", "kitty")]
    pages = synthetic_articles(folders, articles=6, copies=3)
    assert len(pages) == 18
    assert all(page.article.rpartition("-")[0] != page.site.name for page in pages)
    assert pages == synthetic_articles(folders, articles=6, copies=3)
    pairs = known_pairs(pages)
    assert len(pairs.duplicates) == 6 * 3
    assert judge(known_content(pages), pairs) == (len(pairs.duplicates), len(pairs.others))


def test_topics_are_planted_alike_on_every_host(benchmark_sites: Path) -> None:
    folders = sorted(benchmark_sites.iterdir())
    pages = synthetic_topics(folders, topics=3, hosts=2, pages=4)
    assert len(pages) == 24
    assert len({page.article for page in pages}) == 24
    assert not {page.site.name for page in pages} & {page.label for page in pages}
    again = synthetic_topics(folders, topics=3, hosts=2, pages=4, repeat=True)
    assert len({page.article for page in again}) == 12
    with pytest.raises(SitestencilError, match="30 are needed"):
        synthetic_topics(folders, topics=30)
