"""Run a peer on a labelled site."""

import logging
from pathlib import Path
from time import perf_counter

from sitestencil_research.benchmark.peers import PEERS
from sitestencil_research.benchmark.peers.matching import template_of
from sitestencil_research.benchmark.peers.page import PeerPage
from sitestencil_research.benchmark.run import SiteResult, gave_up, measured
from sitestencil_research.labels import read_labelled_key_page
from sitestencil_research.metrics import TemplateAnswer


def run_peer(folder: Path, name: str) -> SiteResult:
    """Run a peer on one stored, labelled site. The time covers the peer alone, without the matching.

    Raises:
        UnusableSite: the site's files are missing or invalid.
        PackageMissing: the peer's package is not installed.
    """
    site = read_labelled_key_page(folder)
    page = PeerPage(site.source, site.page.document, site.source.key_page_bytes())
    PEERS[name].require()
    logging.disable(logging.CRITICAL)
    start = perf_counter()
    try:
        kept = PEERS[name].keep(page)
    except Exception as error:  # a peer may raise anything; it then gave no answer
        return gave_up(site.id, page.document, site.page.labels, f"{type(error).__name__}: {error}")
    finally:
        logging.disable(logging.NOTSET)
    milliseconds = 1000 * (perf_counter() - start)
    answer = TemplateAnswer.of_elements(page.document, template_of(page.document, kept))
    return measured(site.id, answer, site.page.labels, page.pages_loaded, milliseconds)


def run_everything(folder: Path) -> SiteResult:
    """Return the baseline: every element is called template.

    Raises:
        UnusableSite: the site's files are missing or invalid.
    """
    site = read_labelled_key_page(folder)
    document, labels = site.page.document, site.page.labels
    return measured(site.id, TemplateAnswer.of_elements(document, [True] * len(document)), labels, 0, 0.0)
