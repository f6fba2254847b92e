"""Show progress on a terminal, and nothing elsewhere."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from sitestencil.progress import Progress, Report, silent


class ProgressBar(Protocol):
    """Shows how much of the work is done."""

    def __call__(self, done: int, total: int | None = None) -> None:
        """Show the number of finished steps, and their total if it is known only now."""


@contextmanager
def progress_bar(what: str, total: int | None = None, *, quiet: bool = False) -> Iterator[ProgressBar]:
    """Show a bar on standard error for the length of the block.

    Args:
        what: the text before the bar.
        total: the number of steps; None if it is not known yet.
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
