"""Find, load and crawl the other pages of a page's site, from several sources."""
