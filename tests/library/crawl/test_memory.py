import gc

from tests.support.crawls import article, pages_of

from sitestencil.crawl.content import SiteExtractor
from sitestencil.crawl.learning import ReadPages, learn_site
from sitestencil.crawl.pages import CrawlPage


def test_a_site_that_is_done_leaves_nothing_for_the_collector() -> None:
    pages = [
        CrawlPage(url, html, "a.warc", number) for number, (url, html) in enumerate(pages_of("site.example", 20))
    ]
    # A page that no template fits is compared with others; that makes other objects.
    other = b"<body>" + b"<section><h3>Alone</h3><pre>text</pre></section>" * 9
    pages += [CrawlPage("https://site.example/other", other), CrawlPage("https://b.example/", article("b", 1))]
    _do(pages)  # what is made once stays
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        _do(pages)
        gc.collect()
        assert [thing for thing in gc.garbage if _is_ours(thing)] == []
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


def test_pages_are_kept_by_their_size() -> None:
    filler = "<p>knot</p>" * 100_000
    pages = [CrawlPage(url, html + filler.encode(), url) for url, html in pages_of("site.example", 30)]
    read: ReadPages = {}
    templates = learn_site("site.example", pages, read=read)
    assert templates.groups
    assert 0 < sum(len(sample.page.html) for sample in read.values()) <= 16 << 20


def _do(pages: list[CrawlPage]) -> None:
    read: ReadPages = {}
    extractor = SiteExtractor(learn_site("site.example", pages[:18], read=read), read=read)
    assert {extractor.content(page).way for page in pages} >= {"template", "compared"}


def _is_ours(thing: object) -> bool:
    return type(thing).__module__.startswith(("sitestencil", "selectolax"))
