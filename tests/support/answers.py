"""Record the detectors' answers on the benchmark's pages, one digest each.

Tests compare with ``tests/library/recorded_answers.json``. If a change must change answers, record again in the
same commit and say so there:

    python -m tests.support.answers > tests/library/recorded_answers.json
"""

import json
import subprocess
import sys
from collections.abc import Iterable
from hashlib import blake2b
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.conftest import benchmark_folder

from sitestencil import SitestencilError
from sitestencil.detectors import DETECTORS
from sitestencil.extraction import extract
from sitestencil.template import Template
from sitestencil_research.running import results_as_done

Answers = dict[str, dict[str, str]]

# Time that no load of the machine uses up: what a detector has compared by then would decide its answer.
SECONDS = 3600.0


def digest_of(template: Template) -> str:
    """Return a digest of everything a detector says: elements, texts, scores to the last bit, compared pages."""
    detection = template.detection
    scores = (detection.scores, detection.text_scores)
    parts = (
        bytes(map(bool, detection.template)),
        bytes(map(bool, detection.template_texts)),
        "\n".join(detection.candidates).encode(),
        *(b"-" if column is None else " ".join(map(repr, column)).encode() for column in scores),
        f"{template.loads} {detection.more_pages}".encode(),
    )
    return blake2b(b"|".join(parts), digest_size=12).hexdigest()


def answer_of(folder: Path, detector: str) -> str:
    """Return the digest of a detector's answer on a stored site's key page, or the name of its error."""
    try:
        return digest_of(extract(folder, detector=detector, timeout=SECONDS))
    except SitestencilError as error:
        return type(error).__name__


def labelled_folders(benchmark: Path, scratch: Path) -> list[Path]:
    """Return all labelled sites, old and opened, and the home pages' folders, which are made in ``scratch``."""
    homes = scratch / "homes"
    subprocess.run([sys.executable, str(benchmark / "make_homes.py"), str(homes)], check=True)
    groups = (benchmark / "sites", benchmark / "opened", homes)
    return [folder for group in groups for folder in sorted(group.iterdir()) if (folder / "site.json").is_file()]


def answers(folders: Iterable[Path], detectors: Iterable[str]) -> Answers:
    wanted = {pair: pair for pair in product(folders, detectors)}
    by_site: Answers = {}
    for (folder, detector), digest in results_as_done(answer_of, wanted):
        by_site.setdefault(site_name(folder), {})[detector] = digest
    return by_site


def site_name(folder: Path) -> str:
    """Return what the recording calls a site: its group and its id."""
    return f"{folder.parent.name}/{folder.name}"


def main() -> None:
    """Print the answers of all detectors on all labelled pages."""
    with TemporaryDirectory() as scratch:
        folders = labelled_folders(benchmark_folder(), Path(scratch))
        json.dump(answers(folders, DETECTORS), sys.stdout, indent=1, sort_keys=True)


if __name__ == "__main__":
    main()
