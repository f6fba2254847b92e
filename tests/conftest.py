"""Fixtures of several test folders."""

import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

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


# What differs between the browsers: starting, clicking, saving, private windows, rendering, payloads, permissions,
# highlights in shadow roots, and what a page does to the extension. All else runs in Firefox at night.
IN_BOTH = frozenset(
    f"test_{name}.py"
    for name in (
        "bursts content_views errors first_view forged last_look legible meddling payloads rendered save "
        "save_offline session shadow_trees slots toggle typed welcome windows"
    ).split()
)
# Tests that take more than ten seconds, by the beginning of their names; a small test of each kind runs each time.
LONG = (
    "research/tests/perturbations/test_floors.py::test_the_answers",
    "research/tests/perturbations/test_floors.py::test_a_perturbation",
    "research/tests/training/test_content_training.py::test_the",
    "research/tests/training/test_content_training.py::test_a_fold",
    "research/tests/training/test_content_training.py::test_blocks",
    "research/tests/training/test_content_training.py::test_labelled_sites_teach",
    "research/tests/training/test_stencil_training.py::test_the_command",
    "research/tests/training/test_stencil_training.py::test_the_cross_validated",
    "research/tests/training/test_stencil_training.py::test_the_detector",
    "research/tests/training/test_stencil_training.py::test_the_same",
    "tests/browsers/test_meddling.py::test_a_page_of_thousands_of_levels",
    "tests/library/crawl/test_ray_engine.py::test_a_cluster",
    "tests/library/test_examples.py::test_each_example_runs_without_arguments[ray_data",
    "tests/test_first_change.py::test_the_tests",
)
# Begun first, so that none is the last that all wait for.
SLOW = (
    "tests/browsers/",
    "tests/packaging/",
    "tests/library/crawl/",
    "tests/library/cli/",
    "tests/host/",
    "research/",
)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each test the time limit of its suite, leave long ones to the night, and begin with slow files."""
    for item in items:
        folder = item.path.relative_to(ROOT).parts
        suite = "library" if folder[0] == "research" else folder[1]
        if item.get_closest_marker("timeout") is None and suite in TIME_LIMITS:
            item.add_marker(pytest.mark.timeout(TIME_LIMITS[suite]))
        in_firefox_alone = suite == "browsers" and "[firefox" in item.name and item.path.name not in IN_BOTH
        if in_firefox_alone or item.nodeid.startswith(LONG):
            item.add_marker("nightly")
    items.sort(key=lambda item: not item.nodeid.startswith(SLOW))


class ByBrowser(LoadScopeScheduling):  # type: ignore[misc]  # of a library without types
    """Gives the tests in each browser to two workers, which start it once; each other file to whoever is free."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        browser = re.search(r"^tests/browsers/.*\[(chromium|firefox)", nodeid)
        return f"{browser[1]} {crc32(file.encode()) % 2}" if browser else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByBrowser:
    """Distribute the tests over workers; the groups of xdist do nothing with pytest 9.2."""
    config.option.loadscopereorder = False  # else the groups of many tests come first, however fast they are
    return ByBrowser(config, log)


def benchmark_folder() -> Path:
    return Path(os.environ.get("SITESTENCIL_BENCHMARK", ROOT.parent / "shared" / "benchmark"))


def require_benchmark(part: str) -> Path:
    """Return a folder of the benchmark; a machine without it skips the test, and fails if `CI` is set."""
    folder = benchmark_folder() / part
    if not folder.is_dir():
        reason = f"no labelled sites at {folder}: set SITESTENCIL_BENCHMARK to the benchmark's folder"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return folder


@pytest.fixture(scope="session")
def benchmark_sites() -> Path:
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
    logger = logging.getLogger("sitestencil.site.loading")
    mistakes = _Mistakes()
    logger.addHandler(mistakes)
    yield
    logger.removeHandler(mistakes)
    if mistakes.records and not request.node.get_closest_marker("makes_mistakes"):
        error = mistakes.records[0].exc_info
        pytest.fail(f"{mistakes.records[0].getMessage()}: {error[1]!r}" if error else "a page was passed over")
