"""No page of a site can end the extraction of another: faults at every load, every parse, every comparison."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.support.memory_source import MemorySource
from tests.support.small_site import HOME, PAGES
from tests.support.tables import table

from sitestencil.detectors import DETECTORS
from sitestencil.detectors.alignment import detector as alignment
from sitestencil.detectors.sitelevel import detector as sitelevel
from sitestencil.detectors.stencil import detector as stencil
from sitestencil.detectors.stencil import page_choice, similarity
from sitestencil.detectors.temex import detector as temex
from sitestencil.detectors.temex import mapping
from sitestencil.errors import NothingLoaded, PageUnavailable
from sitestencil.extraction import extract
from sitestencil.page import candidate_sketch, encoding, parsing
from sitestencil.page.document import Document
from sitestencil.page.parsing import parse
from sitestencil.site import frontier, loaded_page
from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import passing_over
from sitestencil.template import Template

pytestmark = pytest.mark.makes_mistakes

LOADING = sorted(set(DETECTORS) - {"conex", "pagelevel"})
# One that loads a few pages, and one that crawls.
TWO = ("stencil", "sitelevel")
FAULTS = (
    RuntimeError("fault"),
    OSError(5, "fault"),
    UnicodeError(),
    LookupError(),
    RecursionError(),
    MemoryError(),
)
# Where a page goes by on its way: what is called, once or more for each page.
STEPS: dict[str, tuple[Any, str]] = {
    "decoding for a document": (encoding, "_declared"),
    "parsing a document": (parsing, "columns"),
    "making a document": (loaded_page, "document_of"),
    "making a sketch": (loaded_page, "CandidateSketch"),
    "finding a root": (parsing, "LexborHTMLParser"),
    "reading a sketch": (candidate_sketch, "_read"),
    "telling copies": (LoadedPage, "fingerprint"),
    "comparing sketches": (similarity.KeyPage, "compare"),
    "weighing pages": (stencil, "collect_evidence"),
    "reading links of a sketch": (page_choice, "site_links"),
    "reading links of a member": (temex, "linked_pages"),
    "mapping trees": (mapping.Mapper, "map"),
    "reading links of a crawled page": (frontier, "all_site_links"),
    "counting contents": (sitelevel, "node_contents"),
    "cutting into tokens": (alignment.Vocabulary, "tokens"),
}


def answer(detector: str, source: MemorySource) -> Template:
    return extract(parse(PAGES[HOME], HOME), source=source, detector=detector)


def pages_of(detector: str, available: int) -> int:
    """Return how many pages a detector compares with: Alignment takes a power of two, the key page among them."""
    return 1 if detector == "alignment" and available == 2 else available


class FaultySource(MemorySource):
    """Loads pages until one is asked for that brings a fault."""

    def __init__(self, faulty: int, fault: Exception) -> None:
        super().__init__(PAGES)
        self.faulty = faulty
        self.fault = fault

    async def load(self, link: Link) -> LoadedPage:
        page = await super().load(link)
        if len(self.asked) - 1 == self.faulty:
            raise self.fault
        return page


@table("faulty", range(3))
@table("fault", FAULTS)
@table("detector", TWO)
def test_a_fault_at_any_load_costs_that_page_only(detector: str, fault: Exception, faulty: int) -> None:
    source = FaultySource(faulty, fault)
    template = answer(detector, source)
    assert len(template.elements) == len(template.document)
    assert set(template.candidates) <= set(source.asked) - {source.asked[faulty]}
    assert len(template.candidates) == pages_of(detector, 2)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int, Exception], list[int]]:
    """Make a step fail at its nth call from now on, counted from 0; what comes back grows with each call."""

    def fail_at(step: str, faulty: int, fault: Exception) -> list[int]:
        owner, name = STEPS[step]
        original = getattr(owner, name)
        made: list[int] = []

        def faulty_step(*arguments: Any, **options: Any) -> Any:
            made.append(len(made))
            if made[-1] == faulty:
                raise fault
            return original(*arguments, **options)

        monkeypatch.setattr(owner, name, faulty_step)
        return made

    return fail_at


def own_calls(step: str, detector: str) -> int:
    """Return how many of a step's calls a detector makes for the key page, before those for other pages."""
    return {
        ("reading links of a sketch", "stencil"): 1,
        ("reading links of a crawled page", "sitelevel"): 1,
        ("reading links of a crawled page", "alignment"): 1,
        ("counting contents", "sitelevel"): 1,
        ("cutting into tokens", "alignment"): 1,
    }.get((step, detector), 0)


@pytest.mark.parametrize("nth", (0, 3))
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("detector", TWO)
def test_a_fault_at_any_step_of_any_page_costs_that_page_at_the_most(
    detector: str, step: str, nth: int, calls: Callable[[str, int, Exception], list[int]]
) -> None:
    key_page = parse(PAGES[HOME], HOME)
    faulty = own_calls(step, detector) + nth
    made = calls(step, faulty, RuntimeError("fault"))
    template = extract(key_page, source=MemorySource(PAGES), detector=detector)
    assert len(template.elements) == len(key_page)
    assert len(template.candidates) >= pages_of(detector, 2 if len(made) > faulty else 3)


@pytest.mark.parametrize("detector", [name for name in LOADING if name != "stencil"])
def test_faults_at_all_pages_are_told_as_pages_that_could_not_be_loaded(
    detector: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    key_page = parse(PAGES[HOME], HOME)

    read = LoadedPage.document

    def broken(page: LoadedPage, *, scripting: bool = False) -> Document:
        if page.url == HOME:
            return read(page, scripting=scripting)
        raise RuntimeError("fault")

    monkeypatch.setattr(LoadedPage, "document", broken)
    with pytest.raises(NothingLoaded):
        extract(key_page, source=MemorySource(PAGES), detector=detector)


def test_a_deep_page_among_others_is_passed_over() -> None:
    pages = {**PAGES, f"{HOME}b": "<div>" * 100_000}
    for detector in LOADING:
        candidates = answer(detector, MemorySource(pages)).candidates
        assert set(candidates) <= {f"{HOME}a", f"{HOME}c"}
        assert len(candidates) == pages_of(detector, 2)


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    with caplog.at_level(logging.DEBUG):
        yield caplog


def test_a_mistake_is_logged_with_its_traceback_and_an_unavailable_page_without(
    logged: pytest.LogCaptureFixture,
) -> None:
    with passing_over("http://x.test/a"):
        raise PageUnavailable("http://x.test/a: is away.")
    with passing_over("http://x.test/b"):
        raise KeyError("b")
    away, mistake = logged.records
    assert (away.levelname, away.exc_info, away.getMessage()) == ("DEBUG", None, "http://x.test/a: is away.")
    assert mistake.levelname == "ERROR"
    assert mistake.exc_info
    assert "http://x.test/b" in mistake.getMessage()


def test_being_cancelled_is_passed_on() -> None:
    with pytest.raises(asyncio.CancelledError), passing_over("http://x.test/"):
        raise asyncio.CancelledError
