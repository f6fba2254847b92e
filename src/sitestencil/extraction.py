"""From a page to its template: the whole way."""

import asyncio
from pathlib import Path

from sitestencil.detectors import Detector, detector_name, load_detector
from sitestencil.page.document import Document
from sitestencil.progress import Progress, Report, Stopwatch, silent
from sitestencil.site.loading import SECONDS_IN_ALL, PageLoader
from sitestencil.site.sources import Source
from sitestencil.site.sources.stored import StoredSite
from sitestencil.template import Template
from sitestencil.urls import page_address


def extract(url: str, *, detector: str | Detector | None = None, progress: Report | None = None) -> Template:
    """Load a web page and some pages of its site, and return the page's template.

    Args:
        url: the page's address.
        detector: a name of `sitestencil.detectors.DETECTORS`, or a detector; by default the best one.
        progress: is called with a `Progress` while pages load.

    Raises:
        SitestencilError: with a sentence that says what happened and what to do.
    """
    return asyncio.run(extract_url(url, detector=detector, progress=progress))


def extract_site(folder: Path | str, *, detector: str | Detector | None = None) -> Template:
    """Return the template of a stored site's key page; the folder holds ``site.json`` and ``pages/``.

    Raises:
        SitestencilError: with a sentence that says what happened and what to do.
    """
    return asyncio.run(extract_stored(StoredSite(folder), detector=detector))


async def extract_url(
    url: str, *, detector: str | Detector | None = None, progress: Report | None = None
) -> Template:
    """Load a web page and return its template; see `extract`."""
    from sitestencil.site.sources.http import HttpSource

    address = page_address(url)
    load_detector(detector)
    stopwatch = Stopwatch()
    async with HttpSource() as source:
        (progress or silent)(Progress("loading", 0))
        with stopwatch.phase("total"):
            with stopwatch.phase("fetch"):
                page = await source.load_key_page(address)
            with stopwatch.phase("parse"):
                key_page = page.document()
        return await extract_document(
            key_page, source=source, detector=detector, progress=progress, stopwatch=stopwatch
        )


async def extract_stored(site: StoredSite, *, detector: str | Detector | None = None) -> Template:
    """Return the template of a stored site's key page."""
    stopwatch = Stopwatch()
    with stopwatch.phase("total"):
        with stopwatch.phase("fetch"):
            page = site.load_key_page()
        with stopwatch.phase("parse"):
            key_page = page.document()
    return await extract_document(key_page, source=site, detector=detector, stopwatch=stopwatch)


async def extract_document(
    document: Document,
    *,
    source: Source | None = None,
    detector: str | Detector | None = None,
    progress: Report | None = None,
    seconds: float = SECONDS_IN_ALL,
    stopwatch: Stopwatch | None = None,
) -> Template:
    """Return the template of a page that is here already, such as a browser's snapshot.

    Args:
        document: the key page.
        source: where the other pages of its site come from, opened; by default HTTP, same host only.
        detector: a name of `sitestencil.detectors.DETECTORS`, or a detector; by default the best one.
        progress: is called with a `Progress` while pages load.
        seconds: time for all loads together.
        stopwatch: goes on with the times of loading the key page.

    Raises:
        SitestencilError: with a sentence that says what happened and what to do.
    """
    load_detector(detector)
    if source is not None:
        return await _detect(document, source, detector, progress, seconds, stopwatch)
    from sitestencil.site.sources.http import HttpSource

    async with HttpSource(document.url) as own:
        return await _detect(document, own, detector, progress, seconds, stopwatch)


async def _detect(
    document: Document,
    source: Source,
    detector: str | Detector | None,
    progress: Report | None,
    seconds: float,
    stopwatch: Stopwatch | None,
) -> Template:
    stopwatch = stopwatch or Stopwatch()
    loader = PageLoader(document, source, report=progress or silent, seconds=seconds, stopwatch=stopwatch)
    with stopwatch.phase("total"):
        detection = await load_detector(detector).detect(document, loader)
    return Template(document, detection, detector_name(detector), loader.pages_loaded, dict(stopwatch.milliseconds))
