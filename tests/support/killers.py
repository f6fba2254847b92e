"""Pages that end the process that works on them, as the system or a crash would."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.crawls import article, pages_of, response, warcinfo, write_warc

from sitestencil.crawl.content import SiteExtractor
from sitestencil.crawl.input import tables, warc
from sitestencil.crawl.learning import _Learner


def install() -> None:
    """Make a page end its process in each stage that its HTML names."""
    _replace(warc, "page_of_record", b"kills-reading", lambda record, *_: record.content)
    _replace(tables, "_json_row", b"kills-reading", lambda line: line)
    _replace(_Learner, "add", b"kills-learning", lambda _, sample, *__: sample.page.html)
    _replace(SiteExtractor, "content", b"kills-extracting", lambda _, page: page.html)


def _replace(owner: Any, name: str, mark: bytes, html: Callable[..., bytes]) -> None:
    original = getattr(owner, name)

    def ending(*arguments: Any) -> Any:
        if mark in html(*arguments):
            os._exit(9)
        return original(*arguments)

    setattr(owner, name, ending)


# A file, since the processes that it starts run it too.
_SCRIPT = """
import sys
from tests.support.killers import install
install()
if __name__ == "__main__":
    from sitestencil.cli import main
    sys.exit(main(sys.argv[1:]))
"""


def crawl(file: Path, folder: Path, jobs: int) -> int:
    """Run a crawl in which pages end processes; return the exit status."""
    script = file.parent / "crawl.py"
    script.write_text(_SCRIPT, encoding="utf-8")
    command = [sys.executable, str(script), "crawl", str(file), "-o", str(folder), "--jobs", str(jobs), "--quiet"]
    command.append("--templates-out")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.run(command, env=environment, check=False, stdout=subprocess.DEVNULL).returncode


def killer(site: str, stage: str) -> tuple[str, bytes]:
    """Return a page's address and HTML."""
    html = article(site, 90).replace(b"</article>", f"<p>kills-{stage}</p></article>".encode())
    return f"https://{site}/{stage}", html


KILLERS = [
    killer("site0.example", "reading"),
    killer("site1.example", "learning"),
    killer("site2.example", "extracting"),
]


def killing_crawl(file: Path) -> list[int]:
    """Write a crawl with a killer for each stage, and a site without; return where the killers' records begin."""
    sites = [pages_of(f"site{site}.example", 9) for site in range(4)]
    pages = [*sites[0], *KILLERS, *sites[1], *sites[2], *sites[3]]
    return write_warc(file, [warcinfo(), *(response(url, html, of=b"1") for url, html in pages)])[10:13]
