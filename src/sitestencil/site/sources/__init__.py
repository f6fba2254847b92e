"""Where pages come from: one small interface, and the sources behind it.

A source is an async context manager with one method. Sources to come (the user's own session, background
tabs, WARC files) need nothing else.
"""

from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self


@dataclass(frozen=True, slots=True)
class Response:
    """A page as it came: its bytes, the address it came from after redirects, the header's charset."""

    url: str
    body: bytes
    charset: str | None = None


class PageSource(Protocol):
    """Something that can fetch the pages of a site."""

    async def fetch(self, url: str) -> Response:
        """Fetch one page.

        Raises:
            PageUnavailable: it could not be had; the text says why.
        """
        ...

    async def __aenter__(self) -> Self:
        """Open what the source needs."""
        ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        ...
