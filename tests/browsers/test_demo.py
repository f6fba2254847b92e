"""`make demo` without a display: it does the clicks itself, writes its three files and leaves nothing behind."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from string import Template

import pytest
from demo.site import assemble, load_site
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def ran(kind: str, built: Path) -> Iterator[Path]:
    """A folder with `home`, `tmp` and `out` after the demo has run with them."""
    folder = Path(tempfile.mkdtemp(prefix="demo-"))  # a short path, as Chromium opens a socket below it
    for name in ("home", "tmp"):
        (folder / name).mkdir()
    variables = {
        name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "DISPLAY", "WAYLAND"))
    }
    done = subprocess.run(
        [sys.executable, "-m", "demo", "--browser", kind, "--dist", built, "--out", folder / "out"],
        cwd=ROOT,
        env=variables | {"HOME": str(folder / "home"), "TMPDIR": str(folder / "tmp")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    yield folder
    shutil.rmtree(folder)


def test_it_writes_the_page_its_template_and_the_saved_template(ran: Path, kind: str) -> None:
    original, template = (Image.open(ran / "out" / f"{kind}-{name}.png") for name in ("original", "template"))

    assert original.size == template.size
    assert original.tobytes() != template.tobytes()
    assert "Plan your visit" in (ran / "out" / f"{kind}-template.html").read_text("utf-8")
    page = (ran / "out" / "index.html").read_text("utf-8")
    assert re.findall(r'src="([^"]+)"', page) == [f"{kind}-original.png", f"{kind}-template.png"]


def test_it_leaves_nothing_in_the_home_and_no_scratch_folder(ran: Path) -> None:
    assert list((ran / "home").rglob("*")) == []
    assert list((ran / "tmp").iterdir()) == []


def test_it_leaves_no_process(ran: Path) -> None:
    needle = f"TMPDIR={ran / 'tmp'}".encode()
    left = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if needle in (folder / "environ").read_bytes():
                left.append((folder / "cmdline").read_bytes())
        except OSError:
            continue
    assert left == []


def test_every_page_of_the_demo_site_links_only_to_what_the_site_has() -> None:
    answers = load_site()
    pages = [answer.body.decode() for answer in answers.values() if answer.kind.startswith("text/html")]
    assert len(pages) >= 12
    for page in pages:
        for piece in page.replace("src=", "href=").split('href="')[1:]:
            address = piece.partition('"')[0]
            assert address.startswith("#") or f"/{address}" in answers, address


def test_a_page_file_without_its_head_is_refused() -> None:
    with pytest.raises(ValueError, match="begins with"):
        assemble(Template("$body"), "<p>No head</p>")
    with pytest.raises(ValueError, match="gives no 'title'"):
        assemble(Template("$title $body"), "kind: story\n\n<p>Text</p>")
