"""The content of a table of pages with Ray Data: ``python examples/ray_map_batches.py [PAGES.parquet OUT]``.

The table has the columns ``url`` and ``html``. It is sorted by address, so that a site's pages come together. Run
without arguments, it makes a small table of its own.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

os.environ.setdefault("RAY_AUTH_MODE", "disabled")  # a cluster of this machine alone

import pyarrow as pa
import pyarrow.parquet as pq
import ray

from sitestencil.crawl.in_hand import SiteContents
from small_site import html


def content_of(pages: Path, out: Path) -> None:
    ray.init(log_to_driver=False, configure_logging=False, include_dashboard=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    table = ray.data.read_parquet(str(pages)).sort("url")
    step: Any = SiteContents()
    table.map_batches(step, batch_size=1000, batch_format="numpy").write_parquet(str(out))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        if len(sys.argv) > 1:
            source, out = Path(sys.argv[1]), Path(sys.argv[2])
        else:
            source, out = Path(scratch) / "pages.parquet", Path(scratch) / "out"
            paths = ("/", "/visit", "/knots", "/ropewalk", "/contact")
            rows = [{"url": f"https://museum.example{path}", "html": html(path)} for path in paths]
            pq.write_table(pa.Table.from_pylist(rows), source)
        content_of(source, out)
        for row in pq.read_table(out).sort_by("url").to_pylist():
            print(f"{row['url']} ({row['way']})\n{row['text']}")
