"""A stage of a Ray Data pipeline: content of batches of pages by site templates, on all machines of a cluster.

Each worker keeps the templates of the sites it has met. Put the pages of one site into one batch. Run as it is, it
shows a small site on this machine.
"""

import os
from urllib.request import urlopen

os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DATA_DISABLE_PROGRESS_BARS": "1", "RAY_AUTH_MODE": "disabled"}

import ray

from sitestencil.crawl import SiteContents
from small_site import addresses

if __name__ == "__main__":
    rows = []
    for url in addresses("/", "/visit", "/knots", "/ropewalk", "/contact"):
        with urlopen(url) as answer:  # noqa: S310 - on this machine
            rows.append({"url": url, "html": answer.read().decode()})
    ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)
    # If pages of many sites are mixed, `.sort("site")` brings each site's pages together.
    pages = ray.data.from_items(rows, override_num_blocks=1)
    with_text = pages.map_batches(SiteContents, batch_format="numpy", compute=ray.data.ActorPoolStrategy(size=1))
    for row in with_text.iter_rows():
        print(f"{row['url']} ({row['way']})\n{row['text']}")
