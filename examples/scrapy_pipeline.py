"""An item pipeline for Scrapy: adds to each item the content of its page, as text and as Markdown.

The template of a kind of pages is learned once, from a handful of pages of the site that Sitestencil loads itself;
every further page of that kind is judged without loading anything. In a Scrapy project's settings:

    ITEM_PIPELINES = {"scrapy_pipeline.ContentPipeline": 300}

An item has the page's address in `url` and its HTML in `html`, as a spider puts them there:

    yield {"url": response.url, "html": response.text}

Scrapy is not needed to try it: without arguments this program runs the pipeline over a small site.
"""

import asyncio
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import sitestencil
from small_site import addresses

# Below this a page is of another kind than the one that was learned from, and its own kind is learned.
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
        with urlopen(url) as answer:  # noqa: ASYNC210, S310 - in Scrapy's place, which loads the pages
            item = {"url": url, "html": answer.read().decode()}
        item = await pipeline.process_item(item)
        print(f"{url} (fit {item['fit']:.2f})\n{item['markdown']}")


if __name__ == "__main__":
    asyncio.run(main(addresses("/knots", "/ropewalk", "/visit")))
