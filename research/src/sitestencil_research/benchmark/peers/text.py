"""Adapt peers that return the content as text."""

import trafilatura
from resiliparse.extract.html2text import extract_plain_text

from sitestencil_research.benchmark.peers.matching import KeptText
from sitestencil_research.benchmark.peers.page import PeerPage


def trafilatura_defaults(page: PeerPage) -> KeptText:
    """Return the text that ``trafilatura.extract`` keeps."""
    return _kept(trafilatura.extract(page.raw))


def trafilatura_recall(page: PeerPage) -> KeptText:
    """Return the text that trafilatura keeps with ``favor_recall``."""
    return _kept(trafilatura.extract(page.raw, favor_recall=True))


def trafilatura_precision(page: PeerPage) -> KeptText:
    """Return the text that trafilatura keeps with ``favor_precision``."""
    return _kept(trafilatura.extract(page.raw, favor_precision=True))


def resiliparse(page: PeerPage) -> KeptText:
    """Return all text: the result of ``extract_plain_text`` without options."""
    return _kept(extract_plain_text(page.html))


def resiliparse_main(page: PeerPage) -> KeptText:
    """Return the text that resiliparse calls main content."""
    return _kept(extract_plain_text(page.html, main_content=True))


def _kept(text: str | None) -> KeptText:
    return KeptText([(text or "", True)])
