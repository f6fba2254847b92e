"""Run a program that starts Ray, on a machine that may be busy."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

# Ray gives its own parts 15 s to start, which cannot be set, and stops on a busy machine: ray-project/ray#65983.
_DID_NOT_START = ("timed out", "Timed out")
_STARTS = 3


def output_of(command: Sequence[str], *, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> str:
    """Return what a program prints; start it again only where Ray itself did not start."""
    for _ in range(_STARTS):
        ended = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=240)
        if ended.returncode == 0 or not any(said in ended.stderr for said in _DID_NOT_START):
            break
    assert ended.returncode == 0, ended.stderr
    return ended.stdout
