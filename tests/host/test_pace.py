"""Progress at a pace a browser can draw."""

import asyncio
from itertools import pairwise
from time import monotonic

import msgspec
import pytest

from sitestencil.progress import Progress, Stage
from sitestencil_host.messaging.frames import FrameWriter
from sitestencil_host.messaging.results import ProgressAnswer
from sitestencil_host.worker import job


class Job(job.WorkerJob):
    """A job that keeps its messages, each with its time."""

    def __init__(self) -> None:
        super().__init__(7, FrameWriter(None))  # type: ignore[arg-type]
        self.sent: list[tuple[float, Stage, int]] = []

    def tell(self, answer: msgspec.Struct) -> None:
        assert isinstance(answer, ProgressAnswer)
        self.sent.append((monotonic(), answer.stage, answer.pages_loaded))


def test_a_flood_is_thinned_and_each_new_stage_and_the_last_value_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "SECONDS_BETWEEN_PROGRESS", 0.05)
    asked = Job()

    async def flood() -> None:
        with asked.progress() as report:
            for value in range(200):
                report(Progress("loading", value))
                await asyncio.sleep(0.001)
            await asyncio.sleep(0.12)
            report(Progress("loading", 200))
            report(Progress("mapping", 200))
            for value in range(201, 210):
                report(Progress("mapping", value))
        await asyncio.sleep(0.12)

    asyncio.run(flood())
    times, stages, values = zip(*asked.sent, strict=True)
    assert values[0] == 0
    assert 199 in values
    assert [*zip(stages, values, strict=True)][-3:] == [("loading", 200), ("mapping", 200), ("mapping", 209)]
    assert len(times) >= 6
    assert all(after - before > 0.045 for before, after in pairwise(times[:-2]))
