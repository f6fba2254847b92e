"""A pipeline step for datatrove: content by site templates instead of a single page's extractor.

The step gets documents with ``text`` (here the HTML), ``id`` and ``metadata``, and yields the documents with
content. Put it behind a reader of WARC files, sorted by site if possible. Run as it is, it shows a small site.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from urllib.request import urlopen

from sitestencil.crawl.in_hand import contents
from sitestencil.crawl.pages import PageContent
from sitestencil.site.sources.crawled import CrawlPage, crawl_page
from small_site import addresses


@dataclass
class Document:
    """A document of the pipeline; in datatrove it is ``datatrove.data.Document``."""

    text: str
    id: str
    metadata: dict[str, object] = field(default_factory=dict)


class SiteContent:
    """With datatrove installed, a ``PipelineStep``."""

    def run(self, data: Iterable[Document], rank: int = 0, world_size: int = 1) -> Iterator[Document]:
        waiting: dict[int, Document] = {}

        def pages() -> Iterator[CrawlPage]:
            for number, document in enumerate(data):
                waiting[number] = document
                yield crawl_page(str(document.metadata["url"]), document.text, offset=number)

        for content in contents(pages()):
            document = waiting.pop(content.offset)
            if isinstance(content, PageContent) and content.text:
                document.text = content.text
                document.metadata |= {"way": content.way, "fit": content.fit, "template": content.group}
                yield document


if __name__ == "__main__":
    documents = []
    for url in addresses("/", "/visit", "/knots", "/ropewalk", "/contact"):
        with urlopen(url) as answer:  # noqa: S310 - on this machine
            documents.append(Document(answer.read().decode(), url, {"url": url}))
    for document in SiteContent().run(documents):
        print(f"{document.id} ({document.metadata['way']})\n{document.text}")
