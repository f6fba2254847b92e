"""Run a peer on a labelled site."""

import logging
from pathlib import Path
from time import perf_counter

from sitestencil.page.parsing import parse
from sitestencil_research.benchmark.peers import PEERS
from sitestencil_research.benchmark.peers.matching import KeptText, template_of
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


def kept_text(name: str, html: bytes, url: str) -> str:
    """Return the text that a peer keeps of a page; an empty one if it fails."""
    try:
        kept = PEERS[name].keep(PeerPage(None, parse(html, url), html))
    except Exception:  # another program may raise anything on a page
        return ""
    assert isinstance(kept, KeptText)
    return "\n".join(text for text, is_kept in kept.pieces if is_kept)


def run_everything(folder: Path) -> SiteResult:
    """Return the baseline: every element is called template.

    Raises:
        UnusableSite: the site's files are missing or invalid.
    """
    site = read_labelled_key_page(folder)
    document, labels = site.page.document, site.page.labels
    return measured(site.id, TemplateAnswer.of_elements(document, [True] * len(document)), labels, 0, 0.0)
