"""Coverage-guided fuzzing: ``python -m tests.fuzz --seconds 60``.

What the fuzzer learns is kept in ``out/fuzz/`` and used by the next run; the corpus beside this file is where all
runs begin. An input that raises, takes more than 5 seconds, or makes the process grow over 1 GB is saved and named,
and ends its target's run.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

from tests.conftest import ROOT
from tests.fuzz.targets import TARGETS

CORPUS = Path(__file__).parent / "corpus"
LEARNED = ROOT / "out" / "fuzz"
MOST_SECONDS = 5
MOST_MEGABYTES = 1024
LONGEST_INPUT = 16_384
_FOUND = re.compile(r"Test unit written to (\S+)")
_EXECUTIONS = re.compile(r"^(?:stat::number_of_executed_units:|Done|#)\s*(\d+)", re.MULTILINE)
_BRANCHES = re.compile(r"cov: (\d+)")


@dataclass(frozen=True, slots=True)
class Run:
    """How fuzzing a target went: its inputs, the branches that they reached, and files with those that failed."""

    target: str
    executions: int
    branches: int
    faults: tuple[Path, ...]
    output: str


def fuzz(
    name: str,
    seconds: float,
    *,
    runs: int = -1,
    folder: Path = LEARNED,
    seed: int | None = None,
) -> Run:
    """Fuzz one target for some seconds, or `runs` inputs; a folder keeps what is learned and found."""
    learned, kept, found = folder / name, CORPUS / name, folder / "found" / name
    for made in (learned, found):
        made.mkdir(parents=True, exist_ok=True)
    return _run(
        name,
        [
            f"-max_total_time={max(1, round(seconds))}",
            f"-runs={runs}",
            f"-timeout={MOST_SECONDS}",
            f"-rss_limit_mb={_most_megabytes()}",
            f"-max_len={LONGEST_INPUT}",
            f"-artifact_prefix={found}/",
            "-print_final_stats=1",
            *([f"-seed={seed}"] if seed is not None else []),
            *_dictionary(name),
            str(learned),
            *([str(kept)] if kept.is_dir() else []),
        ],
    )


def replay(name: str, inputs: Sequence[Path]) -> Run:
    """Run a target on saved inputs only; its faults are those of them that it fails on."""
    options = [f"-timeout={MOST_SECONDS}", f"-rss_limit_mb={_most_megabytes()}"]
    runs = [_run(name, [*options, str(file)], file) for file in inputs]
    faults = tuple(fault for run in runs for fault in run.faults)
    return Run(name, len(runs), 0, faults, "\n".join(run.output for run in runs if run.faults))


def _most_megabytes() -> int:
    """Return the limit beyond the peak of this process: a child begins with the peak of its parent."""
    return MOST_MEGABYTES + (getrusage(RUSAGE_SELF).ru_maxrss >> 10)


def _dictionary(name: str) -> list[str]:
    file = CORPUS / f"{name}.dict"
    return [f"-dict={file}"] if file.is_file() else []


def _run(name: str, options: Sequence[str], replayed: Path | None = None) -> Run:
    command = [sys.executable, "-m", "tests.fuzz.run_target", f"tests.fuzz.targets:{name}", *options]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
    output = ended.stdout + ended.stderr
    faults = tuple(map(Path, _FOUND.findall(output)))
    if ended.returncode and replayed is not None:
        faults = (replayed,)
    elif ended.returncode and not faults:
        raise SystemExit(f"{name} ended with status {ended.returncode}:\n{output[-3000:]}")
    return Run(name, _last(_EXECUTIONS, output), _last(_BRANCHES, output), faults, _telling(output))


def _telling(output: str) -> str:
    """Return an output without what the fuzzer says of its progress."""
    return "\n".join(
        line for line in output.splitlines() if not line.startswith(("INFO:", "WARNING:", "#", "stat::"))
    )


def _last(pattern: re.Pattern[str], output: str) -> int:
    return max(map(int, pattern.findall(output)), default=0)


def main() -> int:
    """Fuzz the targets one after the other and print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Coverage-guided fuzzing.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"default: all of {', '.join(TARGETS)}")
    parser.add_argument("--seconds", type=float, default=60, help="for all targets together (default: 60)")
    parser.add_argument("--replay", type=Path, nargs="+", metavar="FILE", help="run one target on saved inputs")
    options = parser.parse_args()
    if unknown := set(options.targets) - set(TARGETS):
        parser.error(f"unknown target {', '.join(sorted(unknown))}: one of {', '.join(TARGETS)}")
    if options.replay:
        if len(options.targets) != 1:
            parser.error("--replay needs one target")
        replayed = replay(options.targets[0], options.replay)
        print(f"{replayed.output}\n{len(replayed.faults)} of {replayed.executions} inputs make it fail")
        return int(bool(replayed.faults))
    chosen = options.targets or list(TARGETS)
    runs = []
    print(f"{'target':20}{'executions':>12}{'branches':>10}{'faults':>8}", flush=True)
    for name in chosen:
        run = fuzz(name, options.seconds / len(chosen))
        runs.append(run)
        print(f"{name:20}{run.executions:12,}{run.branches:10,}{len(run.faults):8}", flush=True)
        for file in run.faults:
            print(f"\n{run.output[:3000]}\npython -m tests.fuzz {name} --replay {file}", flush=True)
    print(f"{'in all':20}{sum(run.executions for run in runs):12,}")
    return int(any(run.faults for run in runs))


if __name__ == "__main__":
    sys.exit(main())
