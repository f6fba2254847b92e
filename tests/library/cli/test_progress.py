"""Progress is one line on a terminal, gone at the end, and nothing elsewhere."""

import io
from contextlib import redirect_stderr

import pytest

from sitestencil.cli.progress import crawl_progress, loading_progress, progress_bar
from sitestencil.crawl.plan import CrawlProgress
from sitestencil.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.getvalue().split("\r")]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("COLUMNS", "24")
    return Terminal()


def test_a_terminal_sees_one_line_that_is_erased(terminal: Terminal) -> None:
    with redirect_stderr(terminal), progress_bar("Sites", 3) as bar:
        bar(1)
        bar(2, 4)
        bar(3)
    assert terminal.lines() == ["", "Sites ...", "Sites: 1 of 3", "Sites: 2 of 4", "Sites: 3 of 4", "", ""]


def test_loading_says_what_it_does_in_the_width_of_the_terminal(terminal: Terminal) -> None:
    with redirect_stderr(terminal), loading_progress() as (of_pages, _):
        of_pages(Progress("loading", 2, 9))
        of_pages(Progress("mapping", 3, 9))
    seen = ["Loading the page ...", "Loading pages of the si", "Comparing the pages ..."]
    assert terminal.lines() == ["", *seen, "", ""]


def test_nothing_is_shown_on_request(terminal: Terminal) -> None:
    with (
        redirect_stderr(terminal),
        progress_bar("Sites", 3, quiet=True) as bar,
        loading_progress(quiet=True) as (_, of_files),
    ):
        bar(1)
        of_files(Progress("loading", 2, 9))
    assert terminal.getvalue() == ""


def test_a_crawl_tells_pages_with_speed_parts_without(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    seconds = iter((0.0, 10.0, 12.0))
    monkeypatch.setattr("sitestencil.cli.progress.monotonic", lambda: next(seconds))
    with redirect_stderr(terminal), crawl_progress(quiet=False) as show:
        show(CrawlProgress("reading", 1, 3, 0))
        show(CrawlProgress("extracting", 100, 1_300, 100))
        show(CrawlProgress("extracting", 120, 1_300, 120))
    pages = "Extracting: 120 of 1,300 pages, 10.0 a second, about 2 min left"
    assert terminal.lines() == ["", "Reading: 1 of 3 parts", "Extracting: 100 of 1,300 pages", pages, "", ""]


def test_where_there_is_no_terminal_a_crawl_writes_a_line_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter((0.0, 5.0, 30.0, 30.0, 90.0, 90.0, 91.0, 91.0))
    monkeypatch.setattr("sitestencil.cli.progress.monotonic", lambda: next(seconds))
    with redirect_stderr(io.StringIO()) as log, crawl_progress(quiet=False) as show:
        for done in (1, 2, 3):
            show(CrawlProgress("reading", done, 3, 0))
    assert log.getvalue() == "Reading: 2 of 3 parts\n"
