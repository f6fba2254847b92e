"""What several test folders share."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent

# An example that takes long says how busy the machine is, not what is wrong; the tests run on all cores at once.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")


def benchmark_folder() -> Path:
    """Return the folder of the benchmark, whether it is there or not."""
    return Path(os.environ.get("SITESTENCIL_BENCHMARK", ROOT.parent / "shared" / "benchmark"))


@pytest.fixture(scope="session")
def benchmark_sites() -> Path:
    """The labelled sites; a machine without them is told how to get them, and CI fails without them."""
    folder = benchmark_folder() / "sites"
    if not folder.is_dir():
        reason = f"no labelled sites at {folder}: set SITESTENCIL_BENCHMARK to the benchmark's folder"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return folder
