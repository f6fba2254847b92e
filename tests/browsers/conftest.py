"""One browser of each kind for the whole run, with the extension as built and the host as installed."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.support.browsers import BROWSERS, Browser, wait_until
from tests.support.browsers.processes import host_processes
from tests.support.browsers.programs import ensure_browser
from tests.support.server import Answer, Handler, SiteServer

Serve = Callable[[Mapping[str, Answer | Handler]], SiteServer]
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the unpacked extensions, built from the sources as they stand."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, ROOT / "manifest/build.py", "--output", folder], check=True, capture_output=True
    )
    return folder


@pytest.fixture(scope="session", params=list(BROWSERS))
def kind(request: pytest.FixtureRequest) -> str:
    """The name of the browser under test."""
    name: str = request.param
    return name


@pytest.fixture(scope="session")
def started(kind: str, built: Path) -> Iterator[Browser]:
    with new_browser(kind, built) as browser:
        browser.register_host()
        yield browser


@pytest.fixture
def browser(started: Browser, request: pytest.FixtureRequest) -> Iterator[Browser]:
    """The browser with one tab, and the detector whose answers the tests work out by hand, unless they guess."""
    started.choose_detector("stencil" if "guessing" in request.fixturenames else "temex")
    started.forget_downloads()
    yield started
    started.only_new_tab()


@pytest.fixture
def guessing(browser: Browser) -> Browser:
    """The browser with the default detector, which always answers and gives its reasons."""
    return browser


@pytest.fixture(scope="session")
def own(kind: str, built: Path) -> Iterator[Browser]:
    """A second browser, for the tests that need one without the host."""
    with new_browser(kind, built) as browser:
        yield browser


@pytest.fixture
def bare(own: Browser) -> Iterator[Browser]:
    """The second browser with one tab, in which no host is registered and none runs."""
    yield own
    own.only_new_tab()
    own.unregister_host()
    own.sleep_background()
    wait_until(lambda: not host_processes(own), "the host stays")


def new_browser(kind: str, built: Path, *, private: bool = False) -> Browser:
    """A browser of its own, for a test that changes what it has installed, or what the extension may do."""
    return BROWSERS[kind](built / kind, ensure_browser(kind), private=private)


@pytest.fixture
def serve() -> Iterator[Serve]:
    """A function that serves answers until the test ends, each time as another site."""
    with ExitStack() as stack:
        yield lambda answers: stack.enter_context(SiteServer(answers))
