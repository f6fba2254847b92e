"""The readers of a crawl: WARC files, tables and folders, on this machine, in buckets and on web servers."""
