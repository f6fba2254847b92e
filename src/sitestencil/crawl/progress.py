"""What a crawl's job tells while it works."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class CrawlProgress:
    """How far a job is.

    Attributes:
        stage: ``reading`` the input and parting it by site, or ``extracting``.
        done: the units of the input, or the pages, that are done.
        total: how many there are.
        pages: how many pages are in the output so far.
    """

    stage: Literal["reading", "extracting"]
    done: int
    total: int
    pages: int


Report = Callable[[CrawlProgress], None]
