"""Load a page's files within limits: style sheets first, because they name further files."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress

from sitestencil.outputs.files import File, NeededFile
from sitestencil.progress import Progress, Report, silent
from sitestencil.site.loading import passing_over

MOST_FILES = 200
MOST_BYTES = 30_000_000
SECONDS_IN_ALL = 30.0
_AT_A_TIME = 6

Fetch = Callable[[NeededFile], Awaitable[File]]


async def load_wanted(
    wanted: Callable[[Mapping[str, File]], Iterable[NeededFile]],
    fetch: Fetch,
    *,
    files: Mapping[str, File] | None = None,
    report: Report = silent,
    seconds: float = SECONDS_IN_ALL,
) -> dict[str, File]:
    """Load the files that a page needs, by the addresses in the page.

    A file that fails or is late is left out. At most `MOST_FILES` files and `MOST_BYTES` bytes are loaded.

    Args:
        wanted: returns the files still needed, by those loaded so far: style sheets first.
        fetch: loads one file.
        files: files that are already there.
        report: receives the number of loaded files.
        seconds: the timeout for all files together.
    """
    loading = _Loading(dict(files or {}), fetch, report)
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while batch := loading.next_batch(wanted(loading.files)):
                await asyncio.gather(*map(loading.load, batch))
    return loading.files


class _Loading:
    def __init__(self, files: dict[str, File], fetch: Fetch, report: Report) -> None:
        self.files = files
        self._fetch, self._report = fetch, report
        self._asked = set(files)
        self._loaded = 0
        self._bytes = sum(len(file.content) for file in files.values())
        self._turn = asyncio.Semaphore(_AT_A_TIME)

    def next_batch(self, wanted: Iterable[NeededFile]) -> list[NeededFile]:
        """Return the next batch: all style sheets first, then the rest."""
        new: dict[str, NeededFile] = {}
        for one in wanted:
            if new and one.kind != "sheet" and next(iter(new.values())).kind == "sheet":
                break
            if one.url not in self._asked:
                new[one.url] = one
        batch = list(new.values())[: max(0, MOST_FILES - len(self._asked))]
        self._asked.update(one.url for one in batch)
        return batch

    async def load(self, one: NeededFile) -> None:
        async with self._turn:
            if self._bytes >= MOST_BYTES:
                return
            with passing_over(one.url):
                file = await self._fetch(one)
                self._bytes += len(file.content)
                if self._bytes <= MOST_BYTES:
                    self.files[one.url] = file
        self._loaded += 1
        self._report(Progress("loading", self._loaded, len(self._asked)))
