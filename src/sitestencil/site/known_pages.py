"""Pages of a site that are known from earlier visits, so that nothing need be loaded to compare with them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sitestencil.page.sketch import Sketch


class KnownPage(NamedTuple):
    """A page known from an earlier visit.

    Attributes:
        url: its address.
        data: its sketch as bytes, for `RememberedPage.of` to read.
    """

    url: str
    data: bytes


@dataclass(slots=True, eq=False)
class KnownPages:
    """The known pages of a site, and the pages to know next time.

    Attributes:
        pages: the known pages, the last seen first.
        seen: the pages that a detection saw: the key page, and those it loaded. Empty after a guess.
        outdated: the addresses of known pages that the site has changed since.
    """

    pages: Sequence[KnownPage] = ()
    seen: Sequence[Sketch] = ()
    outdated: list[str] = field(default_factory=list)
