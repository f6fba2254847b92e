"""A stage of a Ray Data pipeline: site-aware content of batches of pages, on as many machines as the cluster has.

Each worker holds the templates of the sites that it has met. Pages of one site should come in one batch. Run as it
is, it shows a small site, on this machine.
"""

import os
from urllib.request import urlopen

os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DATA_DISABLE_PROGRESS_BARS": "1", "RAY_AUTH_MODE": "disabled"}

import ray

from sitestencil.crawl.in_hand import SiteContents
from small_site import addresses

if __name__ == "__main__":
    rows = []
    for url in addresses("/", "/visit", "/knots", "/ropewalk", "/contact"):
        with urlopen(url) as answer:  # noqa: S310 - this machine's own
            rows.append({"url": url, "html": answer.read().decode()})
    ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)
    # Where pages of many sites come mixed, `.sort("site")` brings those of one together.
    pages = ray.data.from_items(rows, override_num_blocks=1)
    with_text = pages.map_batches(SiteContents, batch_format="numpy", compute=ray.data.ActorPoolStrategy(size=1))
    for row in with_text.iter_rows():
        print(f"{row['url']} ({row['way']})\n{row['text']}")
