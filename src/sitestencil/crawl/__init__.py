"""Extract the content of whole crawls: all pages of many sites, by a template for each kind of page."""

from sitestencil.crawl.content import Wanted
from sitestencil.crawl.in_hand import SiteContents, contents
from sitestencil.crawl.pages import PageContent
from sitestencil.site.sources.crawled import CrawlPage, Skipped, crawl_page

__all__ = ["CrawlPage", "PageContent", "SiteContents", "Skipped", "Wanted", "contents", "crawl_page"]
