"""Results do not depend on who answers first, on the hash seed, or on how many work at them."""

import asyncio
import os
import random
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT
from tests.support.memory_source import MemorySource
from tests.support.small_site import HOME, PAGES
from tests.support.tables import table

from sitestencil.detectors import DETECTORS, load_detector
from sitestencil.detectors.detection import Detection
from sitestencil.page.parsing import parse
from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader
from sitestencil.site.sources import Source
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.benchmark.comparison import compare, entrants
from sitestencil_research.labels import labelled_sites

DIGEST = """
import asyncio, hashlib, sys
from pathlib import Path
from sitestencil.detectors import DETECTORS
from tests.library.detectors.test_independence import detect_stored, shown
told = [shown(asyncio.run(detect_stored(Path(sys.argv[1]), name))) for name in DETECTORS]
print(hashlib.sha256("".join(told).encode()).hexdigest())
"""


class SlowSource(MemorySource):
    """Answers each load after a time by chance, so that another page is there first each time."""

    def __init__(self, seed: int) -> None:
        super().__init__(PAGES)
        self._chance = random.Random(seed)
        self.answered: list[str] = []

    async def load(self, link: Link) -> LoadedPage:
        await asyncio.sleep(0.003 * self._chance.randrange(5))
        self.answered.append(link.url)
        return await super().load(link)


def shown(detection: Detection) -> str:
    columns = (detection.template, detection.template_texts, detection.scores, detection.text_scores)
    return repr((*(None if column is None else list(column) for column in columns), detection.candidates))


async def detect_small(source: Source, detector: str) -> Detection:
    key_page = parse(PAGES[HOME], HOME)
    return await load_detector(detector).detect(key_page, PageLoader(key_page, source))


async def detect_stored(folder: Path, detector: str) -> Detection:
    site = StoredSite(folder)
    key_page = site.load_key_page().document()
    return await load_detector(detector).detect(key_page, PageLoader(key_page, site))


@table("detector", DETECTORS)
def test_the_order_in_which_pages_arrive_makes_no_difference(detector: str) -> None:
    expected = shown(asyncio.run(detect_small(MemorySource(PAGES), detector)))
    for seed in range(8):
        assert shown(asyncio.run(detect_small(SlowSource(seed), detector))) == expected


def test_the_hash_seed_of_the_process_makes_no_difference(benchmark_sites: Path) -> None:
    smallest = min(labelled_sites(benchmark_sites), key=lambda folder: sum(1 for _ in folder.rglob("*.html")))
    digests = set()
    for seed in ("0", "1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
        command = [sys.executable, "-c", DIGEST, str(smallest)]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stderr
        digests.add(ended.stdout)
    assert len(digests) == 1


def test_the_number_of_workers_makes_no_difference(benchmark_sites: Path) -> None:
    folders = labelled_sites(benchmark_sites)[:6]
    by_jobs = [compare(folders, entrants("temex"), processes=jobs) for jobs in (1, 3)]
    figures = [
        [(site.site, site.score.f1, site.pages_loaded) for site in comparison.rows[0].result.sites]
        for comparison in by_jobs
    ]
    assert figures[0] == figures[1]
    assert len(figures[0]) == 6
