"""Extract the content of whole crawls: all pages of many sites, by a template for each kind of page."""

from sitestencil.crawl.native import check_compiled

check_compiled()  # before the imports that need the compiled modules

from sitestencil.crawl.content import Wanted  # noqa: E402
from sitestencil.crawl.in_hand import SiteContents, contents  # noqa: E402
from sitestencil.crawl.input.crawled import CrawlPage, Skipped, crawl_page  # noqa: E402
from sitestencil.crawl.pages import PageContent  # noqa: E402

__all__ = ["CrawlPage", "PageContent", "SiteContents", "Skipped", "Wanted", "contents", "crawl_page"]
