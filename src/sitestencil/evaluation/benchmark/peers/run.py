"""Running a peer over a labelled site."""

import logging
from pathlib import Path
from time import perf_counter

from sitestencil.evaluation.benchmark.peers import PEERS
from sitestencil.evaluation.benchmark.peers.matching import template_of
from sitestencil.evaluation.benchmark.peers.page import PeerPage
from sitestencil.evaluation.benchmark.run import SiteResult, gave_up, key_page, measured
from sitestencil.evaluation.labels import read_labels
from sitestencil.evaluation.metrics import Answer
from sitestencil.site.sources.stored import StoredSite


def run_peer(folder: Path, name: str) -> SiteResult:
    """Run a peer over one stored, labelled site; its time is its own, without the matching.

    Raises:
        SiteError: the site's files are not as they should be.
        PeerMissing: the peer's package is not installed.
    """
    facts, labels = read_labels(folder)
    site = StoredSite(folder)
    page = PeerPage(site, key_page(site), (site.pages / site.key_path).read_bytes())
    keep = PEERS[name].load()
    logging.disable(logging.CRITICAL)
    start = perf_counter()
    try:
        kept = keep(page)
    except Exception as error:  # whatever a peer raises, it gave no answer here
        return gave_up(facts.id, page.document, labels, f"{type(error).__name__}: {error}")
    finally:
        logging.disable(logging.NOTSET)
    milliseconds = 1000 * (perf_counter() - start)
    answer = Answer.of_elements(page.document, template_of(page.document, kept))
    return measured(facts.id, answer, labels, page.pages_loaded, milliseconds)


def run_everything(folder: Path) -> SiteResult:
    """Return the figures of calling every element template: what costs nothing to reach.

    Raises:
        SiteError: the site's files are not as they should be.
    """
    facts, labels = read_labels(folder)
    document = key_page(StoredSite(folder))
    return measured(facts.id, Answer.of_elements(document, [True] * len(document)), labels, 0, 0.0)
