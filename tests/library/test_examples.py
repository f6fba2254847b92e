"""The examples run, on a site served by this machine."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import ROOT
from tests.support.server import Server
from tests.support.small_site import HOME, PAGES


@pytest.fixture
def home(server: Server) -> str:
    for url, html in PAGES.items():
        server.add(f"/{url.removeprefix(HOME)}", html.encode())
    return f"{server.base}/"


def run(example: str, *arguments: str, folder: Path) -> str:
    command = [sys.executable, str(ROOT / "examples" / example), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


def test_save_template_writes_the_template(home: str, tmp_path: Path) -> None:
    out = run("save_template.py", home, folder=tmp_path)
    assert "3 pages loaded" in out
    html = (tmp_path / "template.html").read_text()
    assert "Imprint" in html
    assert "Key story" not in html


def test_content_only_prints_the_story_and_no_menu(home: str, tmp_path: Path) -> None:
    assert run("content_only.py", home, folder=tmp_path) == "Key story\n"


def test_menu_links_prints_the_menu(home: str, tmp_path: Path) -> None:
    assert run("menu_links.py", home, folder=tmp_path) == "/\n/a\n/b\n/c\n"


def test_learn_once_prints_the_content_of_further_pages_and_loads_no_others(
    home: str, server: Server, tmp_path: Path
) -> None:
    out = run("learn_once.py", "learned.template", home, f"{home}b", folder=tmp_path)
    assert out == f"{home} (fit 1.00)\n  Key story\n{home}b (fit 0.62)\n  List\n"
    loaded = len(server.requests)
    run("learn_once.py", "learned.template", f"{home}c", folder=tmp_path)
    assert len(server.requests) == loaded + 1
