"""The progress that a crawl's job reports."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class CrawlProgress:
    """The progress of a job.

    Attributes:
        stage: ``reading`` while the input is parted by site, then ``extracting``.
        done: the number of finished units or pages.
        total: the number of all units or pages.
        pages: the number of pages in the output so far.
    """

    stage: Literal["reading", "extracting"]
    done: int
    total: int
    pages: int


Report = Callable[[CrawlProgress], None]
