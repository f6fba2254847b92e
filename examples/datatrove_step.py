"""A pipeline step for datatrove: content by site templates instead of a single page's extractor.

Install first, in the folder of the source: pip install ".[crawl]"

The step gets documents with ``text`` (here the HTML), ``id`` and ``metadata``, and yields the documents with
content. Put it behind a reader of WARC files, sorted by site if possible:
``LocalPipelineExecutor([WarcReader("warcs"), SiteContent(), JsonlWriter("out")])``.
Run as it is, it shows a small site; datatrove need not be installed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.request import urlopen

from small_site import addresses

from sitestencil.crawl import PageContent, contents

try:
    from datatrove.data import Document
    from datatrove.pipeline.base import PipelineStep
except ImportError:

    class PipelineStep:  # type: ignore[no-redef]
        """Stands for datatrove's own."""

    @dataclass
    class Document:  # type: ignore[no-redef]
        """Stands for datatrove's own."""

        text: str
        id: str
        metadata: dict[str, Any] = field(default_factory=dict)


class SiteContent(PipelineStep):  # type: ignore[misc]
    type, name = "EXTRACTOR", "Sitestencil"

    def run(self, data: Iterable[Document], rank: int = 0, world_size: int = 1) -> Iterator[Document]:
        waiting: dict[int, Document] = {}

        def rows() -> Iterator[tuple[str | None, str]]:
            for number, document in enumerate(data):
                waiting[number] = document
                yield document.metadata.get("url"), document.text

        for content in contents(rows()):
            document = waiting.pop(content.offset)
            if isinstance(content, PageContent) and content.text:
                document.text = content.text
                document.metadata |= {"way": content.way, "fit": content.fit, "template": content.kind}
                yield document


if __name__ == "__main__":
    documents = []
    for url in addresses("/", "/visit", "/knots", "/ropewalk", "/contact"):
        with urlopen(url) as answer:  # noqa: S310 - on this machine
            documents.append(Document(answer.read().decode(), url, {"url": url}))
    for document in SiteContent().run(documents):
        print(f"{document.id} ({document.metadata['way']})\n{document.text}")
