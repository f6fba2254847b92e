"""Peers that return the content as text."""

import trafilatura
from resiliparse.extract.html2text import extract_plain_text

from sitestencil.evaluation.benchmark.peers.matching import KeptText
from sitestencil.evaluation.benchmark.peers.page import PeerPage


def trafilatura_defaults(page: PeerPage) -> KeptText:
    """Return what ``trafilatura.extract`` keeps."""
    return _kept(trafilatura.extract(page.raw))


def trafilatura_recall(page: PeerPage) -> KeptText:
    """Return what it keeps when in doubt."""
    return _kept(trafilatura.extract(page.raw, favor_recall=True))


def trafilatura_precision(page: PeerPage) -> KeptText:
    """Return what it keeps when sure."""
    return _kept(trafilatura.extract(page.raw, favor_precision=True))


def resiliparse(page: PeerPage) -> KeptText:
    """Return what ``extract_plain_text`` keeps, called without options: all text."""
    return _kept(extract_plain_text(page.html))


def resiliparse_main(page: PeerPage) -> KeptText:
    """Return what it keeps as main content."""
    return _kept(extract_plain_text(page.html, main_content=True))


def _kept(text: str | None) -> KeptText:
    return KeptText([(text or "", True)])
