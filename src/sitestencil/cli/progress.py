"""Progress on a terminal; silence elsewhere."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from sitestencil.progress import Progress, Report, silent


@contextmanager
def loading_progress() -> Iterator[Report]:
    """Give a report that shows the pages loaded so far while the block runs."""
    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console

    with Console(stderr=True).status("Loading the page ...") as status:

        def report(progress: Progress) -> None:
            if progress.stage == "mapping":
                status.update("Comparing the pages ...")
            elif progress.pages_loaded:
                status.update(f"Loading pages of the site: {progress.pages_loaded} ...")

        yield report
