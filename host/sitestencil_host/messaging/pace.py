"""Limits progress to ten messages a second; the last one always goes out."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

_T = TypeVar("_T")


class Pace(Generic[_T]):
    """Forwards at most one value per interval, the latest. For one event loop."""

    def __init__(self, send: Callable[[_T], None], seconds: float = 0.1) -> None:
        self._send = send
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None
        self._waiting: list[_T] = []

    def __call__(self, value: _T) -> None:
        """Send the value now, or after the interval unless a newer one comes."""
        self._waiting = [value]
        if self._timer is None:
            self._next()

    def finish(self) -> None:
        """Send the waiting value, and no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for value in self._waiting:
            self._send(value)
        self._waiting = []

    def _next(self) -> None:
        self._timer = None
        if self._waiting:
            self._send(self._waiting.pop())
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._next)
