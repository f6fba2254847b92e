"""How large a page of a crawl may be."""

MOST_BYTES = 8 * 1024 * 1024  # no honest page is as large
