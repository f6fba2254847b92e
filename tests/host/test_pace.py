"""Progress at a pace a browser can draw."""

import asyncio
from itertools import pairwise
from time import monotonic

from sitestencil_host.messaging.pace import Pace


def test_a_flood_is_thinned_and_the_last_value_comes() -> None:
    sent: list[tuple[float, int]] = []

    async def flood() -> None:
        pace: Pace[int] = Pace(lambda value: sent.append((monotonic(), value)), seconds=0.05)
        for value in range(200):
            pace(value)
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.12)

    asyncio.run(flood())
    times = [time for time, _ in sent]
    assert sent[0][1] == 0
    assert sent[-1][1] == 199
    assert len(sent) >= 3
    assert all(after - before > 0.045 for before, after in pairwise(times))


def test_finishing_sends_what_waits_once() -> None:
    sent: list[int] = []

    async def finish() -> None:
        pace: Pace[int] = Pace(sent.append, seconds=0.02)
        for value in range(10):
            pace(value)
        pace.finish()
        await asyncio.sleep(0.05)

    asyncio.run(finish())
    assert sent == [0, 9]
