"""The kept corpus, and some thousand new inputs."""

import sys
from pathlib import Path

import pytest
from tests.fuzz.__main__ import CORPUS, fuzz
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
