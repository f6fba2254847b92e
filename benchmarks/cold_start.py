"""How long a browser waits for the host: from starting it to its answer to ``hello``.

Run as ``python benchmarks/cold_start.py [RUNS]`` with the interpreter of the installation. Prints medians in
milliseconds beside those of a bare interpreter; the aim is 150 ms.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from sitestencil_host.handshake import shake_hands

AIM_MS = 150.0


def main() -> int:
    """Measure, print, and return 1 where the aim is missed."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    host = str(Path(sys.executable).with_name("sitestencil-host"))
    with tempfile.TemporaryDirectory() as logs:
        os.environ["SITESTENCIL_LOG_DIR"] = logs
        starts = [_cold_start(host) for _ in range(runs)]
    bare = [_bare_start() for _ in range(runs)]
    sys.stdout.write(
        f"host, start to hello answered   {median(starts):6.1f} ms  (median of {runs}; aim {AIM_MS:.0f})\n"
        f"bare `python -c pass`           {median(bare):6.1f} ms\n"
        f"ratio                           {median(starts) / median(bare):6.1f}\n"
    )
    return 1 if median(starts) > AIM_MS else 0


def _cold_start(host: str) -> float:
    handshake = shake_hands(host, "chromium")
    if handshake.fault:
        raise SystemExit(f"{host}: {handshake.fault}")
    return handshake.milliseconds


def _bare_start() -> float:
    start = perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return 1000 * (perf_counter() - start)


if __name__ == "__main__":
    raise SystemExit(main())
