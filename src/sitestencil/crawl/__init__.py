"""Extract the content of whole crawls: all pages of many sites, by a template for each kind of page."""

from sitestencil.crawl.content import Formats
from sitestencil.crawl.in_memory import SiteContents, contents
from sitestencil.crawl.input.crawled import CrawlPage, Skipped, crawl_page
from sitestencil.crawl.pages import PageContent

__all__ = ["CrawlPage", "Formats", "PageContent", "SiteContents", "Skipped", "contents", "crawl_page"]
