"""Read sitemaps (sitemaps.org): XML with addresses or with further sitemaps, or an address on each line."""

import re
from html import unescape

from sitestencil.errors import InvalidAddress
from sitestencil.urls import page_address

MOST_BYTES = 50_000_000  # the standard's most
MOST_SITEMAPS = 50
_MOST_ADDRESSES = 50_000  # the standard's most in a file
_LOCATION = re.compile(r"<(?:\w+:)?loc>\s*(?:<!\[CDATA\[)?([^<\]]{1,2048})")


def sitemap_addresses(content: bytes) -> tuple[list[str], list[str]]:
    """Return the addresses of pages in a sitemap, and those of further sitemaps.

    >>> sitemap_addresses(b"<urlset><url><loc>https://site.example/a?b&amp;c</loc></url></urlset>")
    (['https://site.example/a?b&c'], [])
    >>> sitemap_addresses(b"<sitemapindex><sitemap><loc> https://site.example/1.xml </loc>")
    ([], ['https://site.example/1.xml'])
    """
    text = content[:MOST_BYTES].decode("utf-8-sig", "replace")
    written = map(unescape, _LOCATION.findall(text)) if "<" in text else text.splitlines()
    found: list[str] = []
    for one in written:
        if len(found) >= _MOST_ADDRESSES:
            break
        try:
            found.append(page_address(one))
        except InvalidAddress:
            continue
    return ([], found) if "sitemapindex" in text[:2000] else (found, [])
