"""Every misbehaviour of the faulty server ends as a page or as one that is not available, in its time."""

import asyncio
import functools
import gc
import ssl
import sys
import time
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet
from tests.support.faulty_server import faulty_server, index_page
from tests.support.misbehaviours import MISBEHAVIOURS

from sitestencil.detectors import DETECTORS
from sitestencil.errors import PageUnavailable, SitestencilError
from sitestencil.extraction import extract
from sitestencil.page.parsing import parse
from sitestencil.site.links import link_to
from sitestencil.site.sources import http as http_source
from sitestencil.site.sources.http import HttpSource

PAGE_SECONDS = 1.0
LATE_SECONDS = 20.0  # also on a busy machine; what never ends takes longer
AT_A_TIME = 48
SITE_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """How loading and reading a page ended: as a page, unavailable with a reason, or with a defect.

    Attributes:
        kind: which of the three.
        text: what was said.
        seconds: the longest time for a load.
        reading_seconds: the longest processor time for reading the page.
    """

    kind: str
    text: str
    seconds: float
    reading_seconds: float = 0.0

    @property
    def late(self) -> bool:
        return max(self.seconds, self.reading_seconds) > LATE_SECONDS


async def load_twice(url: str) -> Outcome:
    """Load a page twice over one source, as an extraction may, and read it in all ways there are."""
    kind, text, seconds, reading_seconds = "", "", 0.0, 0.0
    async with HttpSource(url) as source:
        for _ in range(2):
            start = time.monotonic()
            try:
                page = await source.load(link_to(url))
            except PageUnavailable as error:
                kind, text = "unavailable", str(error)
                seconds = max(seconds, time.monotonic() - start)
                continue
            except Exception as error:
                return Outcome("defect", repr(error), time.monotonic() - start)
            seconds, start = max(seconds, time.monotonic() - start), time.process_time()
            try:
                kind, text = "page", f"{len(page.document())} elements, {len(page.sketch())} compared"
            except PageUnavailable as error:
                kind, text = "unavailable", str(error)
            except Exception as error:
                return Outcome("defect", repr(error), seconds)
            reading_seconds = max(reading_seconds, time.process_time() - start)
    return Outcome(kind, text, seconds, reading_seconds)


async def load_all(root: str, numbers: Iterable[int]) -> dict[int, Outcome]:
    turns = asyncio.Semaphore(AT_A_TIME)

    async def in_turn(number: int) -> tuple[int, Outcome]:
        async with turns:
            return number, await load_twice(f"{root}/{number}/")

    return dict(await asyncio.gather(*map(in_turn, numbers)))


@pytest.fixture(scope="module")
def root() -> Iterator[str]:
    with faulty_server() as root, pytest.MonkeyPatch.context() as patch:
        patch.setattr(http_source, "PAGE_SECONDS", PAGE_SECONDS)
        # To read the certificates anew for each of hundreds of sources would take all the time there is.
        patch.setattr(ssl, "create_default_context", functools.cache(ssl.create_default_context))
        yield root


@contextmanager
def open_connections_collected() -> Iterator[None]:
    """Collect what is left of connections: one whose TLS handshake is cancelled waits for the garbage collector."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        yield
        gc.collect()


def open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))


@pytest.fixture(scope="module")
def outcomes(root: str) -> dict[int, Outcome]:
    """How each misbehaviour ended; many are met at a time."""
    with open_connections_collected():
        return asyncio.run(load_all(root, MISBEHAVIOURS))


def numbered(number: int) -> ParameterSet:
    return pytest.param(number, id=f"{number}-{MISBEHAVIOURS[number].name[:50]}")


@pytest.mark.parametrize("number", list(map(numbered, MISBEHAVIOURS)))
def test_a_misbehaviour_ends_as_a_page_or_as_none_in_its_time(outcomes: dict[int, Outcome], number: int) -> None:
    outcome = outcomes[number]
    assert outcome.kind in {"page", "unavailable"}, outcome.text
    assert not outcome.late, outcome


async def is_public_site(_: HttpSource, key_url: str) -> bool:
    return False


@pytest.mark.skipif(sys.platform == "win32", reason="open files are not listed there")
@pytest.mark.parametrize("detector", DETECTORS)
def test_an_extraction_from_a_site_whose_pages_are_all_faulty_ends_in_its_time_and_leaves_nothing_open(
    root: str, detector: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On this machine only links that look like pages would be followed; a public site's may lead anywhere.
    monkeypatch.setattr(HttpSource, "may_act", is_public_site)
    key_page = parse(index_page(), f"{root}/")
    files_before, start = open_files(), time.monotonic()
    with open_connections_collected():
        try:
            template = extract(key_page, detector=detector, timeout=SITE_SECONDS)
        except SitestencilError as error:
            assert str(error).endswith(".")
        else:
            assert len(template.elements) == len(key_page)
    assert time.monotonic() - start < SITE_SECONDS + LATE_SECONDS
    assert open_files() == files_before
