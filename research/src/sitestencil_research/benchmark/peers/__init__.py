"""Run other programs on the same pages (optional dependencies: the extra ``peers``).

Peers keep a page's content, so the benchmark scores the complement of what they keep. Each peer runs with its
defaults, and again with settings that may suit this task better. The report shows all of them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import cast

from sitestencil.errors import PackageMissing
from sitestencil_research.benchmark.peers.matching import Kept
from sitestencil_research.benchmark.peers.page import PeerPage


@dataclass(frozen=True, slots=True)
class Peer:
    """A peer with one of its settings.

    Attributes:
        program: the package's name.
        way: the name of the settings; ``defaults`` for the peer's own.
        title: one line that describes the settings.
        module: the module of the adapter in this folder.
        needs: the module that must be installed.
        keep: the adapter's function.
    """

    program: str
    way: str
    title: str
    module: str
    needs: str
    keep: str

    @property
    def name(self) -> str:
        """The peer's name in the figures."""
        return f"{self.program} ({self.way})"

    def load(self) -> Callable[[PeerPage], Kept]:
        """Return the function that finds what the peer keeps of a page.

        Raises:
            PackageMissing: its package is not installed.
        """
        if find_spec(self.needs) is None:
            raise PackageMissing(
                f"The peer {self.program} is not installed.",
                "peers",
                " (deboiler needs Python 3.12 or older), or leave out --peers",
            )
        module = import_module(f"sitestencil_research.benchmark.peers.{self.module}")
        return cast("Callable[[PeerPage], Kept]", getattr(module, self.keep))


_ALL = (
    Peer("trafilatura", "defaults", "text of extract()", "text", "trafilatura", "trafilatura_defaults"),
    Peer("trafilatura", "recall", "favor_recall=True", "text", "trafilatura", "trafilatura_recall"),
    Peer("trafilatura", "precision", "favor_precision=True", "text", "trafilatura", "trafilatura_precision"),
    Peer("readability-lxml", "defaults", "text of summary()", "readability", "readability", "defaults"),
    Peer("readability-lxml", "marked", "elements of summary()", "readability", "readability", "marked"),
    Peer("jusText", "defaults", "English stop words", "paragraphs", "justext", "defaults"),
    Peer("jusText", "language", "the stop words of the page's language", "paragraphs", "justext", "own_language"),
    Peer("jusText", "any", "without stop words", "paragraphs", "justext", "any_language"),
    Peer(
        "resiliparse",
        "defaults",
        "extract_plain_text(), which keeps all text",
        "text",
        "resiliparse",
        "resiliparse",
    ),
    Peer("resiliparse", "main", "main_content=True", "text", "resiliparse", "resiliparse_main"),
    Peer("deboiler", "defaults", "cleaned_text, fitted on all stored pages", "boilers", "deboiler", "defaults"),
    Peer("deboiler", "marked", "elements of cleaned_html", "boilers", "deboiler", "marked"),
    Peer(
        "deboiler",
        "twice",
        "elements of cleaned_html, min_occurrence_threshold=2",
        "boilers",
        "deboiler",
        "marked_twice",
    ),
)
PEERS: Mapping[str, Peer] = MappingProxyType({peer.name: peer for peer in _ALL})
