"""The tests themselves: time limits, the same examples each time, and one direction of imports."""

from pathlib import Path

import pytest
from hypothesis import settings
from tests.conftest import ROOT, TIME_LIMITS, ByBrowser

TESTS = ROOT / "tests"


def test_each_suite_has_a_time_limit(request: pytest.FixtureRequest) -> None:
    suites = {file.relative_to(TESTS).parts[0] for file in TESTS.rglob("*/test_*.py")}
    assert suites == set(TIME_LIMITS)
    assert float(request.config.getini("timeout")) > 0


def test_random_tests_draw_the_same_examples_in_each_run() -> None:
    assert settings.get_profile("same").derandomize
    assert settings.get_current_profile_name() == "same"


def test_a_hunt_draws_new_examples_and_saves_what_fails() -> None:
    hunt = settings.get_profile("hunt")
    assert not hunt.derandomize
    assert hunt.database is not None


@pytest.mark.parametrize(
    ("nodeid", "group"),
    [
        ("tests/browsers/test_save.py::test_a[chromium]", "chromium"),
        ("tests/browsers/test_save.py::test_a[firefox-removed-0.001]", "firefox"),
        ("tests/browsers/test_programs.py::test_b", "tests/browsers/test_programs.py"),
        ("tests/host/test_browsers.py::test_c[firefox]", "tests/host/test_browsers.py"),
    ],
)
def test_one_worker_has_all_tests_in_one_browser(nodeid: str, group: str) -> None:
    assert ByBrowser._split_scope(ByBrowser.__new__(ByBrowser), nodeid) == group


def test_what_supports_tests_imports_nothing_of_the_demo() -> None:
    lines = [line for file in (TESTS / "support").rglob("*.py") for line in Path(file).read_text().splitlines()]
    assert [line for line in lines if line.startswith(("from demo", "import demo"))] == []
