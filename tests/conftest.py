"""Fixtures of several test folders."""

import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.database import DirectoryBasedExampleDatabase
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

ROOT = Path(__file__).resolve().parent.parent

# LightGBM's threads wait for each other busily, which takes a third of the processor from the other workers.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

# The same examples in each run. `make hunt` draws new ones, saves an example that fails, and replays it next time.
settings.register_profile("same", deadline=None, derandomize=True)
# Hypothesis has other defaults where it sees a CI.
settings.register_profile(
    "hunt",
    deadline=None,
    print_blob=True,
    derandomize=False,
    database=DirectoryBasedExampleDatabase(ROOT / ".hypothesis"),
)
settings.load_profile("same")

# Seconds until a test counts as hung, by the folder of its suite. A test with the mark `timeout` has its own.
TIME_LIMITS = {"library": 600, "host": 300, "browsers": 300, "fuzz": 300, "packaging": 600, "supply": 600}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each test the time limit of its suite."""
    for item in items:
        folder = item.path.relative_to(ROOT).parts
        suite = "library" if folder[0] == "research" else folder[1]
        if item.get_closest_marker("timeout") is None and suite in TIME_LIMITS:
            item.add_marker(pytest.mark.timeout(TIME_LIMITS[suite]))


class ByBrowser(LoadScopeScheduling):  # type: ignore[misc]  # of a library without types
    """Gives all tests in one browser to one worker, which starts it once; each other file to whoever is free."""

    def _split_scope(self, nodeid: str) -> str:
        browser = re.search(r"^tests/browsers/.*\[(chromium|firefox)", nodeid)
        return browser[1] if browser else nodeid.partition("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByBrowser:
    """Distribute the tests over workers; the groups of xdist do nothing with pytest 9.2."""
    return ByBrowser(config, log)


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
