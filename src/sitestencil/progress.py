"""Report the progress and the timings of an extraction."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Literal

Stage = Literal["loading", "mapping"]
Phase = Literal["fetch", "parse", "candidates", "mapping", "total"]


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of an extraction.

    Attributes:
        stage: ``loading`` pages, or ``mapping`` the key page to them.
        pages_loaded: the number of pages loaded.
        pages_wanted: the least number of pages to load, if known.

    Example:
        >>> from sitestencil import extract
        >>> pages = {"https://site.example/": "<h1>S</h1><a href='/a'>A", "https://site.example/a": "<h1>S</h1>"}
        >>> template = extract("https://site.example/", pages=pages, detector="temex", progress=print)
        Progress(stage='loading', pages_loaded=0, pages_wanted=None)
        Progress(stage='loading', pages_loaded=1, pages_wanted=1)
        Progress(stage='mapping', pages_loaded=1, pages_wanted=None)
    """

    stage: Stage
    pages_loaded: int
    pages_wanted: int | None = None


Report = Callable[[Progress], None]


def silent(_: Progress) -> None:
    """Report nothing."""


@dataclass(slots=True)
class Stopwatch:
    """Wall time per phase of an extraction, in milliseconds; ``fetch`` is the time spent waiting."""

    milliseconds: dict[Phase, float] = field(
        default_factory=lambda: {"fetch": 0.0, "parse": 0.0, "candidates": 0.0, "mapping": 0.0, "total": 0.0}
    )

    @contextmanager
    def phase(self, phase: Phase) -> Iterator[None]:
        """Add the time of the block to a phase."""
        start = perf_counter()
        try:
            yield
        finally:
            self.milliseconds[phase] += 1000 * (perf_counter() - start)
