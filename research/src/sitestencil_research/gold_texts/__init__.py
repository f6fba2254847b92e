"""Compare the text of pages with gold texts that others wrote (research/docs/benchmark.md)."""

# The public sets, as the command's help and errors name them.
FORMS = """\
  html/ID.html or ID.html.gz; ground-truth.json with articleBody and url of each ID:
    https://github.com/scrapinghub/article-extraction-benchmark (MIT)
  html/ID.html or ID.html.gz; ground-truth/ID.json:
    https://github.com/Murrough-Foley/web-content-extraction-benchmark, folder dev (CC BY 4.0)
  html/NAME; reference/NAME with lines of <p>; doc_lg.json with the language of each NAME:
    https://github.com/rundimeco/waddle, folder Corpus_daniel_v2.0 (GPL 3)
  NAME.jsonl.xz, a file: test suites; each line has set, name, url, html, and gold_html or gold_md"""
