"""All captures of one address in the files of a crawl, and what changed from each to the next."""

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from sitestencil.crawl.input.crawled import CrawlPage, Skipped
from sitestencil.crawl.input.places import place
from sitestencil.crawl.input.reading import read_unit
from sitestencil.crawl.input.units import units_of
from sitestencil.errors import NothingFound, PageUnavailable
from sitestencil.extraction import extract
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.template import Template
from sitestencil.urls import page_address
from sitestencil.versions import Comparison, compare_templates

_MOST_BYTES = 600_000_000  # of pages in memory
_NEAR = 8  # pages of the site before and behind a capture in the files, which tell its frame


class Capture(NamedTuple):
    """A capture of a page.

    Attributes:
        date: its date, as the file has it; empty if that has none.
        comparison: what changed since the capture before; None if it is no page.
        is_first: whether there is none before, so that nothing changed.
        skipped: why a record of the address is no page; else empty.
    """

    date: str
    comparison: Comparison | None = None
    is_first: bool = False
    skipped: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the capture as plain data."""
        changes = {} if self.comparison is None else self.comparison.to_dict()
        return {"date": self.date, "first": self.is_first, "skipped": self.skipped or None, **changes}


class _Stored(NamedTuple):
    page: CrawlPage
    near: list[CrawlPage]


def captures(url: str, inputs: Sequence[str]) -> Iterator[Capture]:
    """Yield the captures of an address by their dates, then its records that are no page.

    Addresses with ``http`` or ``https``, with ``www.`` or without, are one.

    Args:
        url: the address.
        inputs: files and folders as ``sitestencil crawl`` reads them.

    Raises:
        InvalidAddress: the address is not an http or https URL.
        UnusableInput: an input is missing, or has no readable format.
        NothingFound: there is no capture of the address.
    """
    found, skipped = _found(_key(page_address(url)), inputs)
    if not found and not skipped:
        raise NothingFound(f"{', '.join(inputs)}: no capture of {url} is in there.")
    last: Template | None = None
    for one in sorted(found, key=lambda one: one.page.record.date or ""):
        page, date = one.page, one.page.record.date or ""
        try:
            loaded = LoadedPage(page.url, page.html, "given", charset=page.charset)
            template = extract(loaded, pages={near.url: near.html for near in one.near})
        except PageUnavailable as error:
            yield Capture(date, skipped=str(error))
            continue
        yield Capture(date, compare_templates(last or template, template), is_first=last is None)
        last = template
    yield from (Capture("", skipped=f"{one.reason}: {one.detail}") for one in skipped)


def _found(key: str, inputs: Sequence[str]) -> tuple[list[_Stored], list[Skipped]]:
    """Return the captures of an address, each with pages of its site near it, and the other records of it."""
    captured, skipped = list[_Stored](), list[Skipped]()
    host, before = key.partition("/")[0], deque[CrawlPage](maxlen=_NEAR)
    size = 0  # of the pages that are kept; one near several captures counts for each
    units = units_of([place(name) for name in inputs])
    for record in chain.from_iterable(map(read_unit, units)):
        if _key(record.url) == key:
            if isinstance(record, Skipped):
                skipped.append(record)
            elif size > _MOST_BYTES:
                said = f"captures and their pages before it have more than {_MOST_BYTES:,} bytes"
                skipped.append(Skipped(record.source, record.offset, "too many captures", said, record.url))
            else:
                captured.append(_Stored(record, list(before)))
                size += sum(len(page.html) for page in (record, *before))
        elif isinstance(record, CrawlPage) and _key(record.url).partition("/")[0] == host:
            before.append(record)
            for one in captured[-_NEAR:]:
                if len(one.near) < 2 * _NEAR:
                    one.near.append(record)
                    size += len(record.html)
    return captured, skipped


def _key(url: str) -> str:
    """Return the form that the addresses of one page share."""
    return url.partition("://")[2].removeprefix("www.").partition("#")[0]
