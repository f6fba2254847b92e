"""Hosts that are killed, and hosts that work for long: nothing is left, nothing grows."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.support.endurance import repeats

if TYPE_CHECKING:
    from tests.host.conftest import Host, Website

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are read from /proc")

MOST_GROWTH = 8_000_000
PAGE_SIZE = 4096


def family(process: int) -> list[int]:
    """Return a process and all that it started."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if entry.name.isdecimal():
                after_name = (entry / "stat").read_text().rpartition(")")[2].split()
                children.setdefault(int(after_name[1]), []).append(int(entry.name))
    members = [process]
    for member in members:
        members += children.get(member, [])
    return members


def memory(processes: list[int]) -> int:
    """Return the bytes of memory that processes hold together."""
    return sum(int(Path(f"/proc/{process}/statm").read_text().split()[1]) for process in processes) * PAGE_SIZE


def open_files(process: int) -> int:
    return len(list(Path(f"/proc/{process}/fd").iterdir()))


@repeats("extractions", 60, 1000)
def test_a_host_works_for_long_in_flat_memory_with_the_same_answer(
    host: "Host", website: "Website", extractions: int
) -> None:
    answers = []
    measured: list[tuple[int, int]] = []
    for number in range(1, extractions + 1):
        host.send(
            {"type": "extract", "id": number, "detector": "temex", "snapshot": website.snapshot("/index.html")}
        )
        last = host.end_of(number)[-1]
        answers.append((last["type"], last["template"], last["content_texts"]))
        if number in {extractions // 3, extractions}:
            measured.append((memory(family(host.process.pid)), open_files(host.process.pid)))
    assert answers == answers[:1] * extractions
    (memory_before, files_before), (memory_after, files_after) = measured
    assert memory_after - memory_before < MOST_GROWTH
    assert files_after <= files_before
