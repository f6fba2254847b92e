"""Save sites in processes of their own, for a server: calls for one site share one, and may end before it does."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sitestencil.errors import WorkerLost
from sitestencil.processes import ProcessPool
from sitestencil.whole_site.folder import STATE
from sitestencil.whole_site.report import short_reason
from sitestencil.whole_site.saving import save_site
from sitestencil.whole_site.visiting import Loading
from sitestencil.whole_site.visits import NEW_VISITS
from sitestencil.whole_site.writing import Choice

_LOOK_AGAIN = 1.0  # seconds
_MOST_REASONS = 3


@dataclass(eq=False)
class _Work:
    """A site that is being saved: its process, sentences about what is not, and how many callers wait."""

    pool: ProcessPool
    said: "asyncio.Future[list[str]]"
    waiting: int = 0


class SitesAtWork:
    """The sites that are being saved, by their folders."""

    def __init__(self) -> None:
        self._works: dict[Path, _Work] = {}

    async def save(
        self, address: str, folder: Path, loading: Loading, seconds: float, told: Callable[[int], Awaitable[None]]
    ) -> list[str] | None:
        """Save a site, or wait for a call that does; say which pages are not as they are, None after the time.

        If it is cancelled and nobody else waits, the work ends; what was loaded is kept.

        Raises:
            SitestencilError: the site cannot be saved.
        """
        # Limits of a page need a main thread.
        if folder not in self._works or self._works[folder].said.done():
            pool = ProcessPool(1)
            self._works[folder] = _Work(pool, asyncio.wrap_future(pool.submit(_save, address, folder, loading)))
            self._works[folder].said.add_done_callback(lambda done: _end(pool, done))
        work = self._works[folder]
        work.waiting += 1
        try:
            for _ in range(int(seconds / _LOOK_AGAIN)):
                await asyncio.wait({work.said}, timeout=_LOOK_AGAIN)
                if work.said.done():
                    return work.said.result()
                await told(pages_so_far(folder))
        except BrokenProcessPool:
            raise WorkerLost(
                f"{address} is not saved: the process was killed. Pages are kept: ask again."
            ) from None
        except asyncio.CancelledError:
            if work.waiting == 1:
                work.pool.kill()
            raise
        finally:
            work.waiting -= 1
        return None


def pages_so_far(folder: Path) -> int:
    """Return the number of addresses that a run at work has answers for."""
    with suppress(OSError):
        return (folder / STATE / NEW_VISITS).read_bytes().count(b"\n")
    return 0


def _save(address: str, folder: Path, loading: Loading) -> list[str]:
    site = save_site(address, folder, loading, Choice(), lambda _: None).site
    said = [f"{len(site.unreached):,} pages were not reached, and are as they were."] if site.unreached else []
    reasons = Counter(short_reason(url, why) for url, why in site.left.items()).most_common(_MOST_REASONS)
    told = "; ".join(f"{why} ({count:,})" for why, count in reasons)
    return [*said, f"{len(site.left):,} addresses are left out: {told}."] if told else said


def _end(pool: ProcessPool, said: "asyncio.Future[list[str]]") -> None:
    """End a process whose work is done, also where nobody waits for its answer any more."""
    pool.kill()
    if not said.cancelled():
        said.exception()
