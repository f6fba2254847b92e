"""Adapt readability-lxml, which returns the article as HTML."""

from readability import Document

from sitestencil.page.parsing import parse
from sitestencil_research.benchmark.peers.matching import KeptElements, KeptText
from sitestencil_research.benchmark.peers.page import PeerPage, marks


def defaults(page: PeerPage) -> KeptText:
    """Return the text of ``summary()``."""
    summary = parse(Document(page.raw).summary(), page.document.url)
    return KeptText([(run.text, True) for run in summary.texts])


def marked(page: PeerPage) -> KeptElements:
    """Return the elements of ``summary()``."""
    return KeptElements(marks(Document(page.marked).summary()))
