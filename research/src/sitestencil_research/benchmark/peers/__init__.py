"""Run other programs on the same pages (optional dependencies: the extra ``peers``).

Peers keep a page's content, so the benchmark scores the complement of what they keep. Each peer runs with its
defaults, and again with settings that may suit this task better. The report shows all of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from types import MappingProxyType

from sitestencil.errors import PackageMissing, WrongUsage
from sitestencil_research.benchmark.peers import adapters, npm
from sitestencil_research.benchmark.peers.adapters import Adapter


@dataclass(frozen=True, slots=True)
class Peer:
    """A peer with one of its settings.

    Attributes:
        program: the package's name.
        way: the name of the settings; ``defaults`` for the peer's own.
        title: one line that describes the settings.
        needs: the module that must be installed; for a program in JavaScript, the package.
        keep: finds what the peer keeps of a page.
    """

    program: str
    way: str
    title: str
    needs: str
    keep: Adapter

    @property
    def name(self) -> str:
        """The peer's name in the figures."""
        return f"{self.program} ({self.way})"

    def require(self) -> None:
        """Check that its package is installed.

        Raises:
            PackageMissing, WrongUsage: it is not installed.
        """
        if self.is_npm:
            if not npm.installed(self.needs):
                raise WrongUsage(
                    f"The peer {self.program} is not installed. To install it, run: npm ci --prefix {npm.FOLDER}"
                )
        elif find_spec(self.needs) is None:
            raise PackageMissing(
                f"The peer {self.program} is not installed.",
                "peers",
                " (deboiler needs Python 3.12 or older), or leave out --peers",
            )

    @property
    def is_npm(self) -> bool:
        """Whether it is a program in JavaScript."""
        return isinstance(self.keep, partial)


def _peers(program: str, needs: str, *ways: tuple[str, str, Adapter]) -> list[Peer]:
    return [Peer(program, way, title, needs, keep) for way, title, keep in ways]


_ALL = (
    *_peers(
        "trafilatura",
        "trafilatura",
        ("defaults", "text of extract()", adapters.trafilatura()),
        ("recall", "favor_recall=True", adapters.trafilatura(favor_recall=True)),
        ("precision", "favor_precision=True", adapters.trafilatura(favor_precision=True)),
    ),
    *_peers(
        "readability-lxml",
        "readability",
        ("defaults", "text of summary()", adapters.readability),
        ("marked", "elements of summary()", adapters.readability_marked),
    ),
    *_peers(
        "jusText",
        "justext",
        ("defaults", "English stop words", adapters.justext(lambda _: "English")),
        ("language", "the stop words of the page's language", adapters.justext(adapters.declared_language)),
        ("any", "without stop words", adapters.justext(lambda _: None)),
    ),
    *_peers(
        "resiliparse",
        "resiliparse",
        ("defaults", "extract_plain_text(), which keeps all text", adapters.resiliparse()),
        ("main", "main_content=True", adapters.resiliparse(main_content=True)),
    ),
    *_peers(
        "readability.js",
        "@mozilla/readability",
        ("defaults", "text of parse() in jsdom", partial(npm.keep, "readability")),
    ),
    *_peers("Defuddle", "defuddle", ("defaults", "text of content in jsdom", partial(npm.keep, "defuddle"))),
    *_peers(
        "deboiler",
        "deboiler",
        ("defaults", "cleaned_text, fitted on all stored pages", adapters.deboiler),
        ("marked", "elements of cleaned_html", adapters.deboiler_marked(1)),
        ("twice", "elements of cleaned_html, min_occurrence_threshold=2", adapters.deboiler_marked(2)),
    ),
)
PEERS: Mapping[str, Peer] = MappingProxyType({peer.name: peer for peer in _ALL})
