"""The kept corpus, some thousand new inputs, and the fuzzer itself: it finds, saves and names what goes wrong."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.fuzz.__main__ import CORPUS, fuzz, replay
from tests.fuzz.__main__ import MOST_SECONDS as MOST_SECONDS_OF_AN_INPUT
from tests.fuzz.targets import TARGETS

# The same inputs in each run: so many from one seed, however fast the machine is. `make fuzz` draws new ones.
SEED, RUNS = 1, 2000
MOST_SECONDS = 200
needs_atheris = pytest.mark.skipif(
    sys.platform != "linux" or sys.version_info >= (3, 14), reason="atheris has wheels for Linux, up to Python 3.13"
)


@pytest.mark.parametrize("target", TARGETS)
def test_no_input_of_the_kept_corpus_makes_a_target_fail(target: str) -> None:
    inputs = sorted((CORPUS / target).iterdir())
    assert inputs
    for file in inputs:
        TARGETS[target](file.read_bytes())


@pytest.mark.parametrize("target", TARGETS)
def test_any_bytes_of_one_letter_are_an_input(target: str) -> None:
    for data in (b"", b"\0", b"\0" * 999, b"\xff" * 999, b"<" * 999):
        TARGETS[target](data)


@needs_atheris
@pytest.mark.parametrize("target", TARGETS)
def test_new_inputs_make_no_target_fail(target: str, tmp_path: Path) -> None:
    run = fuzz(target, MOST_SECONDS, runs=RUNS, folder=tmp_path, seed=SEED)
    assert not run.faults, run.output
    assert run.executions >= RUNS
    assert run.branches > 20


def raises(data: bytes) -> None:
    if data[:1] == b"x":
        raise ValueError("an x")


class SlowToGo:
    """Holds up the end of a process for longer than the fuzzer's alarm takes to come again."""

    def __init__(self) -> None:
        self.cycle = self  # collected only when Python has given up its signal handlers

    def __del__(self, sleep: Callable[[float], None] = time.sleep) -> None:
        sleep(MOST_SECONDS_OF_AN_INPUT)


def raises_and_ends_slowly(data: bytes) -> None:
    if data[:1] == b"x":
        SlowToGo()
        raise ValueError("an x")


def hangs(data: bytes) -> None:
    if data[:1] == b"x":
        time.sleep(60)


def grows(data: bytes) -> None:
    if data[:1] == b"x":
        grown = bytearray(os.urandom(1 << 20) * 1500)
        time.sleep(3)
        del grown


@needs_atheris
@pytest.mark.parametrize("defect", [raises, raises_and_ends_slowly, hangs, grows])
def test_an_input_that_raises_hangs_or_grows_is_saved(tmp_path: Path, defect: Callable[[bytes], None]) -> None:
    name = defect.__name__
    run = fuzz(name, 60, function=f"tests.fuzz.test_fuzz:{name}", folder=tmp_path)
    (saved,) = run.faults
    assert saved.read_bytes()[:1] == b"x"
    assert saved.parent == tmp_path / "found" / name


@needs_atheris
def test_saved_inputs_can_be_run_again() -> None:
    saved = sorted((CORPUS / "addresses").iterdir())[:2]
    run = replay("addresses", saved)
    assert run.faults == ()
    assert run.executions == len(saved)
