"""The pages around a page: its links, loading them, crawling on, and the sources they come from."""
