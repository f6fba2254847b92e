"""A stage of a Ray Data pipeline: content of batches of pages by site templates, on all machines of a cluster.

Install first, in the folder of the source: pip install ".[crawl,ray]"

Batches are by site: a page's text depends on the pages of its site in the batch. `groupby` brings them together.
Run as it is, it shows a small site on this machine.
"""

import os
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

from small_site import addresses

os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DATA_DISABLE_PROGRESS_BARS": "1", "RAY_AUTH_MODE": "disabled"}

import ray

from sitestencil.crawl import SiteContents


def with_content(site: dict[str, Any]) -> dict[str, list[Any]]:
    return SiteContents()(site)


if __name__ == "__main__":
    rows = []
    for url in addresses("/", "/visit", "/knots", "/ropewalk", "/contact"):
        with urlopen(url) as answer:  # noqa: S310 - on this machine
            rows.append({"url": url, "html": answer.read().decode(), "site": urlsplit(url).hostname})
    ray.init("local", num_cpus=4, include_dashboard=False, log_to_driver=False)
    by_site = ray.data.from_items(rows).groupby("site")
    with_text = by_site.map_groups(with_content, batch_format="numpy")
    for row in with_text.iter_rows():
        print(f"{row['url']} ({row['way']})\n{row['text']}")
