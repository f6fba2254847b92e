"""An item pipeline for Scrapy that adds the content of its page to each item, as text and as Markdown.

Install first, in the folder of the source: pip install .

Sitestencil learns a template once per kind of page, from a few pages of the site that it loads itself. Every
further page of that kind needs no other page. In a Scrapy project's settings:

    ITEM_PIPELINES = {"scrapy_pipeline.ContentPipeline": 300}

An item has the page's address in `url` and its HTML in `html`; the spider sets them:

    yield {"url": response.url, "html": response.text}

To try it, Scrapy is not needed: without arguments, this program runs the pipeline on a small site.
"""

import asyncio
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

from small_site import addresses

import sitestencil

# A page with a lower fit is of another kind, and that kind is then learned.
LEAST_FIT = 0.5
MOST_KINDS = 20


class ContentPipeline:
    def __init__(self) -> None:
        self._learned: dict[str, list[sitestencil.LearnedTemplate]] = {}
        self._learning = asyncio.Lock()

    async def process_item(self, item: dict[str, Any], spider: object = None) -> dict[str, Any]:
        page = sitestencil.parse(item["html"], item["url"])
        try:
            template = await self._template(page)
        except sitestencil.SitestencilError as error:
            item["content_error"] = str(error)
            return item
        item["text"], item["markdown"] = template.content_text(), template.content_markdown()
        item["fit"] = template.fit
        return item

    async def _template(self, page: sitestencil.Document) -> sitestencil.Template:
        kinds = self._learned.setdefault(urlsplit(page.url).netloc, [])
        async with self._learning:
            detections = [kind.apply(page) for kind in kinds]
            best = max(detections, key=lambda detection: detection.fit, default=None)
            if best is None or (best.fit < LEAST_FIT and len(kinds) < MOST_KINDS):
                kinds.append(await sitestencil.learn_async(page))
                best = kinds[-1].apply(page)
        return sitestencil.Template(page, best)


async def main(urls: list[str]) -> None:
    pipeline = ContentPipeline()
    for url in urls:
        with urlopen(url) as answer:  # noqa: ASYNC210, S310 - in Scrapy's place
            item = {"url": url, "html": answer.read().decode()}
        item = await pipeline.process_item(item)
        print(f"{url} (fit {item['fit']:.2f})\n{item['markdown']}")


if __name__ == "__main__":
    asyncio.run(main(addresses("/knots", "/ropewalk", "/visit")))
