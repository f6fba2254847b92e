"""A thousand extractions in flat memory, and a clock that is set back."""

import asyncio
import gc
import itertools
import sys
import time
from pathlib import Path

import pytest
from tests.support.memory_source import MemorySource
from tests.support.small_site import HOME, PAGES

from sitestencil.detectors import DETECTORS, load_detector
from sitestencil.detectors.detection import Detection
from sitestencil.page.parsing import parse
from sitestencil.site.loading import PageLoader

EXTRACTIONS = 1000
MOST_GROWTH = 4_000_000  # bytes, from the hundredth extraction to the last
PAGE_SIZE = 4096


def detect(detector: str) -> Detection:
    key_page = parse(PAGES[HOME], HOME)
    loader = PageLoader(key_page, MemorySource(PAGES))
    return asyncio.run(load_detector(detector).detect(key_page, loader))


def memory() -> int:
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_SIZE


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
@pytest.mark.parametrize("detector", ["stencil", "temex"])
def test_a_thousand_extractions_take_no_more_memory_than_a_hundred(detector: str) -> None:
    expected = list(detect(detector).template)
    for _ in range(EXTRACTIONS // 10):
        detect(detector)
    before = memory()
    for _ in range(EXTRACTIONS - EXTRACTIONS // 10):
        last = detect(detector)
    assert list(last.template) == expected
    assert memory() - before < MOST_GROWTH


@pytest.mark.parametrize("detector", DETECTORS)
def test_a_clock_that_is_set_back_changes_nothing(detector: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = detect(detector)
    backwards = itertools.count(2_000_000_000, -86_400)
    monkeypatch.setattr(time, "time", lambda: float(next(backwards)))
    monkeypatch.setattr(time, "time_ns", lambda: next(backwards) * 10**9)
    found = detect(detector)
    assert list(found.template) == list(expected.template)
    assert found.candidates == expected.candidates
