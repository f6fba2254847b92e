"""Show progress on a terminal, and say in a line what an extraction found, and how sure that is."""

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from sitestencil.cli.command import complain
from sitestencil.detectors.detection import GUESS_BELOW
from sitestencil.progress import Progress, Report

if TYPE_CHECKING:
    from sitestencil.crawl.plan import CrawlProgress
    from sitestencil.crawl.plan import Report as CrawlReport
    from sitestencil.template import Template

_LINE_SECONDS = 60.0
_OF_PAGES = ("extracting", "loading")


@contextmanager
def progress_bar(what: str, total: int | None = None, *, quiet: bool = False) -> Iterator[Callable[..., None]]:
    """Show the progress on standard error for the length of the block.

    The bar takes the number of finished steps, and their total if it is known only now.

    Args:
        what: the text before the numbers.
        total: the number of steps; None if it is not known yet.
        quiet: show nothing.
    """
    steps = total or 0
    with steps_progress(quiet=quiet) as status:

        def show(done: int, total: int | None = None) -> None:
            nonlocal steps
            steps = total or steps
            status(what, done, steps)

        status(what, 0, 0)
        yield show


@contextmanager
def steps_progress(*, quiet: bool = False) -> Iterator[Callable[[str, int, int], None]]:
    """Show what is done, and how many of all steps, on a terminal for the length of the block."""
    with _status_line(quiet=quiet) as status:

        def show(what: str, done: int, of: int) -> None:
            status(f"{what}: {done:,}" + (f" of {of:,}" if of else "") if done or of else f"{what} ...")

        yield show


@contextmanager
def _status_line(*, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """Yield what shows a line on a terminal, which is gone after the block, and elsewhere nothing."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return

    def show(text: str) -> None:
        width = shutil.get_terminal_size().columns - 1
        sys.stderr.write(f"\r{text[:width].ljust(width)}")
        sys.stderr.flush()

    try:
        yield show
    finally:
        show("")
        sys.stderr.write("\r")


@contextmanager
def loading_progress(*, quiet: bool = False) -> Iterator[tuple[Report, Report]]:
    """Yield reports of the site's pages and of the template's files, shown for the block, or not if `quiet`."""
    with _status_line(quiet=quiet) as status:
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

        yield of_pages, of_files


@contextmanager
def crawl_progress(*, quiet: bool) -> "Iterator[CrawlReport]":
    """Yield a report of a crawl's progress: a line on a terminal that changes, elsewhere a line a minute."""
    if quiet:
        yield lambda _: None
    elif sys.stderr.isatty():
        with _status_line() as status:
            rate = _Rate()
            yield lambda progress: status(rate.told(progress))
    else:
        rate, last = _Rate(), monotonic()

        def show(progress: "CrawlProgress") -> None:
            nonlocal last
            line = rate.told(progress)
            if monotonic() - last >= _LINE_SECONDS:
                last = monotonic()
                complain(line)

        yield show


class _Rate:
    """The speed of each stage since its first report; earlier work does not count."""

    def __init__(self) -> None:
        self._first: dict[str, tuple[int, float]] = {}

    def told(self, progress: "CrawlProgress") -> str:
        """Return the progress in words, of pages with their speed and the remaining time."""
        now, stage = monotonic(), progress.stage
        done, start = self._first.setdefault(stage, (progress.done, now))
        counts = f"{stage.capitalize()}: {progress.done:,} of {progress.total:,}"
        if stage not in _OF_PAGES:
            return f"{counts} parts"
        speed = (progress.done - done) / max(1e-3, now - start)
        left = (progress.total - progress.done) / max(1e-3, speed)
        return f"{counts} pages" + (f", {speed:,.1f} a second, about {left / 60:,.0f} min left" if speed else "")


# As the extension's panel has them (background/confidence.js).
_HIGH_FROM = 0.96
_MAIN_LOW_BELOW = 0.8
_MAIN_HIGH_FROM = 0.95


def found(template: "Template", *, of_content: bool) -> str:
    """Return what was found, and the confidence in it.

    Args:
        template: the answer.
        of_content: the main content was written, not the template.
    """
    elements = template.main.elements if of_content else template.elements
    kind, compared = "main content" if of_content else "template", len(template.candidates)
    pages = f"{compared} other page{'' if compared == 1 else 's'}" if compared else "no other page"
    return (
        f"{sum(elements)} of {len(elements)} elements are {kind}; compared with {pages}. "
        f"{_confidence(template, of_content=of_content)}"
    ).rstrip()


def _confidence(template: "Template", *, of_content: bool) -> str:
    confidence = template.main.confidence if of_content else template.confidence
    low, high = (_MAIN_LOW_BELOW, _MAIN_HIGH_FROM) if of_content else (GUESS_BELOW, _HIGH_FROM)
    if template.doubt is not None or (confidence is not None and confidence < low):
        return "Low confidence: this may be wrong."
    if confidence is None:
        return ""
    return "High confidence." if confidence >= high else "Medium confidence."
