"""Run peers that are programs in JavaScript, each in one process of Node.js for all pages.

Install them in this folder: ``npm ci --prefix research/src/sitestencil_research/benchmark/peers/npm``.
"""

import atexit
import json
import shutil
import subprocess
from functools import cache
from pathlib import Path

from sitestencil.page.parsing import parse
from sitestencil_research.benchmark.peers.matching import KeptText
from sitestencil_research.benchmark.peers.page import PeerPage

FOLDER = Path(__file__).parent


def installed(package: str) -> bool:
    """Tell whether Node.js and the package are there."""
    return shutil.which("node") is not None and (FOLDER / "node_modules" / package).is_dir()


def keep(program: str, page: PeerPage) -> KeptText:
    """Keep the text of the HTML that the program returns of a page; nothing where it fails."""
    node = _started(program)
    assert node.stdin is not None
    assert node.stdout is not None
    node.stdin.write(json.dumps({"html": page.raw.decode("utf-8", "replace"), "url": page.document.url}) + "\n")
    node.stdin.flush()
    kept = parse(json.loads(node.stdout.readline()), page.document.url)
    return KeptText([(run.text, True) for run in kept.texts])


@cache
def _started(program: str) -> subprocess.Popen[str]:
    executable, pipe = shutil.which("node"), subprocess.PIPE
    assert executable is not None
    node = subprocess.Popen(  # noqa: S603 - a program of this folder
        [executable, str(FOLDER / "kept.js"), program],
        stdin=pipe,
        stdout=pipe,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    atexit.register(node.communicate)
    return node
