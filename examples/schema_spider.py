"""A spider that reads pages by the schema of `sitestencil records`, with parsel and without Sitestencil.

Install first, in the folder of the source: pip install ".[crawl]" parsel

    sitestencil records shop.example -o records
    scrapy runspider schema_spider.py -a schema=records/schema.json -a start=https://shop.example/ -O items.jsonl

To try it, Scrapy is not needed: without arguments, this program learns the schema of a small shop's files, and
reads another page of it.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

try:
    from parsel import Selector
except ModuleNotFoundError:
    sys.exit("This example needs parsel, which is not installed: its first lines say what to install.")

try:
    from scrapy import Spider
except ModuleNotFoundError:
    Spider = object

# A page with fewer of a table's fields is of another kind.
LEAST_FILLED = 0.5


def field(within: Selector, query: str) -> str | None:
    found = within.xpath(query.removeprefix("xpath:")) if query.startswith("xpath:") else within.css(query)
    return " ".join((found.get() or "").split()) or None


def record(within: Selector, url: str, table: dict[str, Any]) -> dict[str, Any]:
    values = {name: field(within, query) for name, query in table["fields"].items()}
    for column in table["columns"]:
        if column["type"] in {"link", "picture"} and values.get(column["name"]):
            values[column["name"]] = urljoin(url, values[column["name"]])
    return {"url": url, **values}


def records(page: Selector, url: str, tables: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the record of a page, then those of its lists."""
    own = [(record(page, url, table), table) for table in tables]
    shares = [sum(value is not None for value in one.values()) / max(2, len(one)) for one, _ in own]
    if not own or max(shares) < LEAST_FILLED:
        return
    best, table = own[shares.index(max(shares))]
    yield {"table": table["table"], **best}
    for rows in table.get("lists", ()):
        for row in page.css(rows["row"]):
            yield {"table": rows["table"], **record(row, url, rows)}


class SchemaSpider(Spider):  # type: ignore[misc]
    name = "schema"

    def __init__(self, schema: str, start: str, **options: str) -> None:
        super().__init__(**options)
        self.tables = json.loads(Path(schema).read_text())
        self.start_urls = [start]

    def parse(self, response: Any) -> Iterator[Any]:  # noqa: ANN401 - Scrapy's
        yield from records(response.selector, response.url, self.tables)
        yield from response.follow_all(xpath="//a[not(contains(@href, ':')) or starts-with(@href, 'http')]")


def rope(number: int) -> str:
    """Return a page of a small shop."""
    names = ["Bowline", "Sheet bend", "Clove hitch", "Reef knot", "Prusik", "Splice", "Lashing", "Becket"]
    offers = "".join(f"<li><b>{length} m</b> <i>{length * number + 5}.00 €</i></li>" for length in (5, 10, 20))
    return (
        "<header><a href=/>Ropes and knots</a><ul><li>Home<li>Shop<li>Visit us</ul></header><main>"
        f"<h1>{names[number % 8]} rope {number}</h1><img class=photo src=/ropes/{number}.jpg alt=''>"
        f"<p class=price>{number + 4}.50 €</p>"
        f"<dl><dt>Made of</dt><dd>{'hemp' if number % 2 else 'cotton'}</dd></dl>"
        f"<p>A rope of {number + 2} strands, laid in our walk number {number}.</p><ul class=offers>{offers}</ul>"
        "</main><footer>Harbour street 1, open daily</footer>"
    )


def try_it() -> None:
    from sitestencil.cli import main

    with tempfile.TemporaryDirectory() as temporary:
        site, out = Path(temporary, "ropes.example"), Path(temporary, "records")
        site.mkdir()
        for number in range(10):
            Path(site, f"rope{number}.html").write_text(rope(number), encoding="utf-8")
        if main(["records", str(site), "-o", str(out)]):
            sys.exit(1)
        tables = json.loads(Path(out, "schema.json").read_text(encoding="utf-8"))
    for one in records(Selector(rope(15)), "https://ropes.example/rope15.html", tables):
        print(json.dumps(one, ensure_ascii=False))


if __name__ == "__main__":
    try_it()
