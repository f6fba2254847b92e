"""A job for Spark: content by site templates, with all pages of a site in one partition.

Install first, in the folder of the source: pip install ".[crawl]" pandas

``python spark_sites.py INPUT OUTPUT`` reads Parquet files with the columns url and html, and writes Parquet; Spark
takes both from disks and buckets. Run as it is, it shows a small site; Spark need not be installed for that.
"""

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any
from urllib.request import urlopen

from small_site import addresses

import pandas as pd

from sitestencil.crawl import PageContent, Skipped, contents

COLUMNS = "url string, site string, way string, fit double, text string, skipped string"
SITE = "regexp_extract(lower(url), '^https?://(?:[^/?#]*@)?(?:www[.])?([^/?#]*)', 1)"


def site_contents(batches: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
    """Yield the content of a partition's pages; the pages of a site follow one another."""
    found = contents(page for batch in batches for page in zip(batch["url"], batch["html"], strict=True))
    while rows := [_row(one) for one in islice(found, 1000)]:
        # Spark takes no strings of the type that pandas 3 would choose.
        yield pd.DataFrame(rows, columns=[column.split()[0] for column in COLUMNS.split(", ")], dtype=object)


def _row(one: PageContent | Skipped) -> dict[str, Any]:
    if isinstance(one, Skipped):
        return {"url": one.url, "skipped": f"{one.reason}: {one.detail}"}
    return {"url": one.record.url, "site": one.site, "way": one.way, "fit": one.fit, "text": one.text}


def with_content(pages: Any) -> Any:  # noqa: ANN401 - data frames of Spark, which may be missing
    """Return the content of a data frame's pages."""
    by_site = pages.selectExpr("url", "html", f"{SITE} AS site").repartition("site").sortWithinPartitions("site")
    return by_site.mapInPandas(site_contents, COLUMNS)


def small_site() -> pd.DataFrame:
    """Return the pages of a small site on this machine."""
    rows = []
    for url in addresses("/", "/visit", "/knots", "/ropewalk", "/contact"):
        with urlopen(url) as answer:  # noqa: S310 - on this machine
            rows.append({"url": url, "html": answer.read().decode()})
    return pd.DataFrame(rows)


def show(done: pd.DataFrame) -> None:
    """Print rows."""
    for row in done.itertuples():
        print(f"{row.url} ({row.way})\n{row.text}")


if __name__ == "__main__":
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        show(pd.concat(site_contents([small_site()])))
        sys.exit()
    # A batch of Spark's default of 10,000 pages may not fit into memory.
    spark = SparkSession.builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", 500).getOrCreate()
    if len(sys.argv) == 3:
        with_content(spark.read.parquet(sys.argv[1])).write.parquet(sys.argv[2])
    else:
        show(with_content(spark.createDataFrame(small_site())).toPandas())
    spark.stop()
