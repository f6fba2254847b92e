"""What several test folders share."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent

# An example that takes long says how busy the machine is, not what is wrong; the tests run on all cores at once.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")


def benchmark_folder() -> Path:
    """Return the folder of the benchmark, whether it is there or not."""
    return Path(os.environ.get("SITESTENCIL_BENCHMARK", ROOT.parent / "shared" / "benchmark"))


def require_benchmark(part: str) -> Path:
    """Return a folder of the benchmark; a machine without it is told how to get it, and CI fails without it."""
    folder = benchmark_folder() / part
    if not folder.is_dir():
        reason = f"no labelled sites at {folder}: set SITESTENCIL_BENCHMARK to the benchmark's folder"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return folder


@pytest.fixture(scope="session")
def benchmark_sites() -> Path:
    """The labelled sites."""
    return require_benchmark("sites")


@pytest.fixture(scope="session")
def opened_sites() -> Path:
    """The labelled sites that were held out once, and home pages of some of them in ``homes`` beside."""
    require_benchmark("homes")
    return require_benchmark("opened")


class _Mistakes(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture(autouse=True)
def no_page_is_passed_over_by_mistake(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test in which a mistake of ours would have cost a page: users get an answer without it, tests do not.

    Tests that make such mistakes on purpose have the mark ``makes_mistakes``.
    """
    logger = logging.getLogger("sitestencil.site.passing_over")
    mistakes = _Mistakes()
    logger.addHandler(mistakes)
    yield
    logger.removeHandler(mistakes)
    if mistakes.records and not request.node.get_closest_marker("makes_mistakes"):
        error = mistakes.records[0].exc_info
        pytest.fail(f"{mistakes.records[0].getMessage()}: {error[1]!r}" if error else "a page was passed over")
