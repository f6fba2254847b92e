"""The progress that a crawl's job reports."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class CrawlProgress:
    """The progress of a job.

    Attributes:
        stage: ``reading`` while the input is parted by site, then ``extracting``, and ``comparing`` with an earlier
            crawl.
        done: the number of finished units, pages or partitions.
        total: the number of all of them.
        pages: the number of pages in the output so far.
    """

    stage: Literal["reading", "extracting", "comparing"]
    done: int
    total: int
    pages: int


Report = Callable[[CrawlProgress], None]
