"""Compare a crawl with an earlier one: templates that changed, and pages whose content did.

Both crawls put a site into a partition by a hash, and the later one has a multiple of the earlier one's partitions.
So a partition is compared with one partition of the earlier crawl.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from xxhash import xxh3_128_digest

from sitestencil.crawl.input.tables import batches
from sitestencil.crawl.known_templates import KnownTemplates, tables_of
from sitestencil.crawl.limits import MOST_SECONDS, TimeIsUp, page_limits
from sitestencil.crawl.plan import CrawlProgress, Report
from sitestencil.crawl.regions import template_changes
from sitestencil.crawl.rows import ParquetFile
from sitestencil.crawl.spill import partition_of
from sitestencil.errors import OutOfMemory, UnusableInput

CHANGES = pa.schema(
    [
        ("site", pa.string()),
        ("change", pa.string()),
        ("url", pa.string()),
        ("same_template", pa.bool_()),
        ("kinds", pa.list_(pa.string())),
        ("region", pa.string()),
        ("region_before", pa.string()),
        ("elements", pa.int32()),
    ]
)
_ROW_BYTES = 300  # assumed for a row in memory
_BUFFER = 1 << 20


class _Answer(NamedTuple):
    """A page's text as a digest, and the template that it was found by."""

    digest: bytes
    way: str
    kind: str


@dataclass(slots=True)
class _Site:
    """A site in both crawls: the earlier one first; a page's answer is None where its crawl lacks it."""

    templates: tuple[dict[str, bytes], dict[str, bytes]] = field(default_factory=lambda: ({}, {}))
    answers: dict[str, list[_Answer | None]] = field(default_factory=dict)

    @property
    def is_changed(self) -> bool:
        """Whether a template of the earlier crawl was learned anew, because one of the site changed."""
        before, after = self.templates
        return any(before[kind] != after[kind] for kind in before.keys() & after.keys())


def write_changes(later: KnownTemplates, earlier: KnownTemplates, show: Report) -> dict[str, int]:
    """Write ``changes.parquet`` into a crawl's folder; return the numbers of changes.

    Args:
        later: the crawl, whose tables are complete; it has a multiple of the earlier one's partitions.
        earlier: the earlier crawl.
        show: receives the progress.

    Raises:
        UnusableInput: a file of either crawl is damaged.
    """
    counts: Counter[str] = Counter()
    batch = partial(pa.RecordBatch.from_pylist, schema=CHANGES)
    with ParquetFile[dict[str, Any]](
        later.folder / "changes.parquet", CHANGES, batch, lambda _: _ROW_BYTES
    ) as file:
        for partition in range(later.partitions):
            show(CrawlProgress("comparing", partition, later.partitions, 0))
            for site, answers in sorted(_sites(earlier, later, partition).items()):
                of_template = _template_rows(site, earlier, later) if answers.is_changed else []
                counts["sites"] += 1
                counts["sites changed"] += any("kinds" in row for row in of_template)
                for row in (*of_template, *_page_rows(site, answers)):
                    counts["content alone" if row.get("same_template") else row["change"]] += 1
                    file.add(row)
    return dict(sorted(counts.items()))


def _sites(earlier: KnownTemplates, later: KnownTemplates, partition: int) -> dict[str, _Site]:
    """Return the sites of a partition of the later crawl."""
    sites: dict[str, _Site] = {}

    def site_of(row: dict[str, Any]) -> _Site | None:
        is_own = partition_of(row["site"], later.partitions) == partition
        return sites.setdefault(row["site"], _Site()) if is_own else None

    for number, crawl in enumerate((earlier, later)):
        for row in _rows(crawl, "templates", partition, ["id", "site", "learned"]):
            if site := site_of(row):
                site.templates[number][row["id"]] = xxh3_128_digest(row["learned"])
        for row in _rows(crawl, "pages", partition, ["site", "normalized_url", "way", "kind", "text"]):
            if site := site_of(row):
                # Of several records of an address the last one counts.
                answers = site.answers.setdefault(row["normalized_url"], [None, None])
                answers[number] = _Answer(xxh3_128_digest(row["text"].encode()), row["way"], row["kind"])
    return sites


def _rows(crawl: KnownTemplates, table: str, partition: int, columns: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a partition's files, in the order of their names."""
    for file in tables_of(crawl.folder, table).get(f"{partition % crawl.partitions:05}", ()):
        try:
            with file.open("rb") as data, pq.ParquetFile(data, buffer_size=_BUFFER, pre_buffer=False) as parquet:
                for group in range(parquet.num_row_groups):
                    for batch in batches(parquet, group, columns):
                        yield from batch.select(columns).to_pylist()
        except (OSError, pa.ArrowException, ValueError, KeyError) as error:
            raise UnusableInput(f"{file} is damaged, so the crawls cannot be compared: {error}") from None


def _template_rows(site: str, earlier: KnownTemplates, later: KnownTemplates) -> list[dict[str, Any]]:
    """Return the changes of a site's templates, or a row that says that they take too long or too much memory."""
    try:
        with page_limits(MOST_SECONDS):
            before, after = earlier.of_site(site), later.of_site(site)
            key_pages = {group.id: group.pages[0] for group in (*before, *after)}
            return [
                {
                    "site": site,
                    "change": one.change,
                    "url": key_pages[one.kinds[0]],
                    "kinds": one.kinds,
                    "region": one.region,
                    "region_before": one.before,
                    "elements": one.elements,
                }
                for one in template_changes(before, after)
            ]
    except (OutOfMemory, TimeIsUp):
        return [{"site": site, "change": "not compared"}]


def _page_rows(name: str, site: _Site) -> Iterator[dict[str, Any]]:
    for url, (before, after) in sorted(site.answers.items()):
        row = {"site": name, "url": url}
        if before is None or after is None:
            yield {**row, "change": "page added" if before is None else "page removed"}
        elif before.digest != after.digest:
            is_same = before[1:] == after[1:] and after.way != "compared" and not site.is_changed
            yield {**row, "change": "content changed", "same_template": is_same}
