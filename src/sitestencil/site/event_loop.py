"""Run a coroutine to its end from any caller."""

import asyncio
from collections.abc import Coroutine
from contextvars import copy_context
from typing import Any, TypeVar

from sitestencil.errors import SitestencilError

_T = TypeVar("_T")


def run(work: Coroutine[Any, Any, _T]) -> _T:
    """Run a coroutine to its end; if an event loop is running, use a thread."""
    results: list[_T] = []

    async def kept() -> None:
        # When a task ends, asyncio asks for the text of its result, for which a Template computes all.
        results.append(await work)

    try:
        if not _is_in_loop():
            asyncio.run(kept())
        else:
            from concurrent.futures import ThreadPoolExecutor

            with ThreadPoolExecutor(1) as thread:
                thread.submit(copy_context().run, asyncio.run, kept()).result()
        return results[0]
    except SitestencilError as error:
        # The sentence says it all; the frames of the event loop would bury it.
        raise error.with_traceback(None) from None


def _is_in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
