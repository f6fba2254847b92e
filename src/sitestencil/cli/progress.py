"""Progress on a terminal; silence elsewhere."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from sitestencil.progress import Progress, Report, silent


class ProgressBar(Protocol):
    """Shows how much of some work is done."""

    def __call__(self, done: int, total: int | None = None) -> None:
        """Show how many steps are done, and of how many where that is known only now."""


@contextmanager
def progress_bar(what: str, total: int | None = None, *, quiet: bool = False) -> Iterator[ProgressBar]:
    """Show a bar on standard error while the block runs.

    Args:
        what: stands before the bar.
        total: how many steps there are; None where that is not known, or not yet.
        quiet: show nothing.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda _done, _total=None: None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)

        def show(done: int, total: int | None = None) -> None:
            bar.update(task, completed=done, total=total)

        yield show


class LoadingReports(NamedTuple):
    """What is told while one page is worked on.

    Attributes:
        pages: of the site's pages.
        files: of what the template is drawn with.
    """

    pages: Report
    files: Report


SILENT = LoadingReports(silent, silent)


@contextmanager
def loading_progress(*, quiet: bool = False) -> Iterator[LoadingReports]:
    """Give reports that show what is loaded so far while the block runs, or nothing where that is wanted."""
    if quiet or not sys.stderr.isatty():
        yield SILENT
        return
    from rich.console import Console

    with Console(stderr=True).status("Loading the page ...") as status:

        def of_pages(progress: Progress) -> None:
            if progress.stage == "mapping":
                status.update("Comparing the pages ...")
            elif progress.pages_loaded:
                status.update(f"Loading pages of the site: {progress.pages_loaded} ...")

        def of_files(progress: Progress) -> None:
            status.update(
                f"Loading style sheets, images and fonts: {progress.pages_loaded} of {progress.pages_wanted} ..."
            )

        yield LoadingReports(of_pages, of_files)
