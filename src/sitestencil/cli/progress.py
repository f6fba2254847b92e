"""Show progress on a terminal, and nothing elsewhere."""

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from sitestencil.progress import Progress, Report, silent


class ProgressBar(Protocol):
    """Shows how much of the work is done."""

    def __call__(self, done: int, total: int | None = None) -> None:
        """Show the number of finished steps, and their total if it is known only now."""


@contextmanager
def progress_bar(what: str, total: int | None = None, *, quiet: bool = False) -> Iterator[ProgressBar]:
    """Show the progress on standard error for the length of the block.

    Args:
        what: the text before the numbers.
        total: the number of steps; None if it is not known yet.
        quiet: show nothing.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda _done, _total=None: None
        return
    steps = total

    def show(done: int, total: int | None = None) -> None:
        nonlocal steps
        steps = total or steps
        status(f"{what}: {done}" + (f" of {steps}" if steps else ""))

    with _status_line() as status:
        status(f"{what} ...")
        yield show


@contextmanager
def _status_line() -> Iterator[Callable[[str], None]]:
    """Yield what shows a line on standard error, which is gone after the block."""

    def show(text: str) -> None:
        width = shutil.get_terminal_size().columns - 1
        sys.stderr.write(f"\r{text[:width].ljust(width)}")
        sys.stderr.flush()

    try:
        yield show
    finally:
        show("")
        sys.stderr.write("\r")


class LoadingReports(NamedTuple):
    """The progress reports while one page is worked on.

    Attributes:
        pages: reports the site's pages.
        files: reports the template's style sheets, images and fonts.
    """

    pages: Report
    files: Report


SILENT = LoadingReports(silent, silent)


@contextmanager
def loading_progress(*, quiet: bool = False) -> Iterator[LoadingReports]:
    """Yield reports that show the progress for the length of the block, or nothing if `quiet`."""
    if quiet or not sys.stderr.isatty():
        yield SILENT
        return
    with _status_line() as status:
        status("Loading the page ...")

        def of_pages(progress: Progress) -> None:
            if progress.stage == "mapping":
                status("Comparing the pages ...")
            elif progress.pages_loaded:
                status(f"Loading pages of the site: {progress.pages_loaded} ...")

        def of_files(progress: Progress) -> None:
            status(
                f"Loading style sheets, images and fonts: {progress.pages_loaded} of {progress.pages_wanted} ..."
            )

        yield LoadingReports(of_pages, of_files)
