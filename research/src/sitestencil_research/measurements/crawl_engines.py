"""Compare the engines from and to a bucket: ``python -m sitestencil_research.measurements.crawl_engines WARC``.

A store on this machine, which speaks S3's protocol, gets the file. Each engine crawls it into the store, is killed
once a quarter of its works are done, and is started again with the same command. All files of pages and templates,
and the list of skipped records, must be equal byte by byte. crawl_corpus.py makes a corpus of any size.
"""

import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sitestencil_research.measurements.crawl import memory_of

ROOT = Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT))

from tests.support.store import Store  # noqa: E402 - the tests are no package that is installed

ENGINES = ("local", "ray")
KILLED_AT = 0.25
# Ray's workers are nice, and so much slower on a busy machine.
RAY = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"}


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a crawl: its seconds, its largest memory in MB, and whether it was killed."""

    seconds: float
    memory: float
    is_killed: bool


def main() -> int:
    """Print a row for each run, and whether the files are equal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warc", type=Path, metavar="WARC", help="a corpus")
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=ENGINES, help="default: both")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="keep the store here; a finished crawl stays")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = options.folder or Path(made)
        bucket = folder / "store" / "harbour"
        (bucket / "in").mkdir(parents=True, exist_ok=True)
        if not (bucket / "in" / options.warc.name).exists():
            shutil.copy(options.warc, bucket / "in")
        (folder / "scratch").mkdir(exist_ok=True)
        store = Store(folder / "store")
        environment = {**os.environ, **store.environment, **RAY, "TMPDIR": str(folder / "scratch")}
        print("| engine | works done | seconds | peak MB |\n|---|---:|---:|---:|", flush=True)
        with store.serving():
            for engine in options.engines:
                crawl(engine, options.warc.name, bucket, environment)
        return print_comparison([bucket / engine for engine in options.engines])


def crawl(engine: str, name: str, bucket: Path, environment: dict[str, str]) -> None:
    """Crawl a file of the bucket into the bucket; kill the first run on the way."""
    command = [
        sys.executable,
        "-m",
        "sitestencil",
        "crawl",
        f"s3://harbour/in/{name}",
        "-o",
        f"s3://harbour/{engine}",
    ]
    command += ["--engine", engine, "--quiet"]
    for is_last in (False, True):
        run = run_until(command, environment, 1 if is_last else KILLED_AT, bucket / engine)
        done, works = works_done(bucket / engine)
        killed = ", killed" if run.is_killed else ""
        print(f"| {engine}{killed} | {done} of {works} | {run.seconds:,.0f} | {run.memory:,.0f} |", flush=True)


def run_until(command: Sequence[str], environment: dict[str, str], share: float, out: Path) -> Run:
    """Run a command until it ends, or kill it with its children once this share of the works is done."""
    start, memory, is_killed = time.monotonic(), 0.0, False
    job = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, start_new_session=True)
    while job.poll() is None:
        memory = max(memory, memory_of(job.pid))
        done, works = works_done(out)
        if share < 1 and works and done >= share * works:
            os.killpg(job.pid, signal.SIGKILL)
            is_killed = True
            break
        time.sleep(1)
    if job.wait() and not is_killed:
        raise RuntimeError(f"{command} failed")
    return Run(time.monotonic() - start, memory, is_killed)


def works_done(out: Path) -> tuple[int, int]:
    """Return how many works of a crawl are done, and about how many there are: one for each partition."""
    works = 0
    with suppress(FileNotFoundError, json.JSONDecodeError):
        works = json.loads((out / ".work" / "job.json").read_bytes())["job"]["partitions"]
    return len(list((out / ".work" / "done").glob("*.json"))), works


def print_comparison(outputs: Sequence[Path]) -> int:
    """Print how many files of the outputs are equal; return 1 if any differs."""
    digests = [digests_of(out) for out in outputs]
    names = sorted({name for of_output in digests for name in of_output})
    unlike = [name for name in names if len({of_output.get(name) for of_output in digests}) > 1]
    print(f"\n{len(names) - len(unlike)} of {len(names)} files are equal. {' '.join(unlike)}")
    return 1 if unlike else 0


def digests_of(out: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of an output's tables, and of its list of skipped records."""
    files = [*(out / "pages").iterdir(), *(out / "templates").iterdir(), out / "skipped.jsonl"]
    return {
        str(file.relative_to(out)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
        if not file.name.startswith(".")
    }


if __name__ == "__main__":
    sys.exit(main())
