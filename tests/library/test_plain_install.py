"""The package without its extras: finding templates works, and what needs an extra says which one to install."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest
from tests.conftest import ROOT
from tests.support.stored_site import store_small_site

from sitestencil.cli import main
from sitestencil.cli.command import ENTRY_POINTS
from sitestencil.detectors import DETECTORS
from sitestencil.rules.rule_set import to_json

# The packages of the extras, by the modules that they bring; and some that come with them.
MODULES = {
    "lxml": "lxml",
    "rich": "rich",
    "scikit-learn": "sklearn",
    "lightgbm": "lightgbm",
    "selenium": "selenium",
    "trafilatura": "trafilatura",
    "readability-lxml": "readability",
    "jusText": "justext",
    "resiliparse": "resiliparse",
    "deboiler": "deboiler",
    "fastwarc": "fastwarc",
    "pyarrow": "pyarrow",
    "ray": "ray",
    "jinja2": "jinja2",
    "mcp": "mcp",
}
COME_WITH_THEM = {"numpy", "scipy", "threadpoolctl", "joblib"}

# Runs as if none of them were installed: importing one fails, and nothing finds it.
WITHOUT_EXTRAS = f"""
import sys
from importlib.abc import MetaPathFinder

EXTRAS = {sorted({*MODULES.values(), *COME_WITH_THEM})}

class NotInstalled(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in EXTRAS:
            raise ModuleNotFoundError("No module named " + name, name=name)
        return None

sys.meta_path.insert(0, NotInstalled())
import importlib.util
installed = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name in EXTRAS else installed(name, package)
"""
COMMAND = f"{WITHOUT_EXTRAS}\nfrom sitestencil.cli import main\nsys.exit(main())"
EXTRACT = f"""{WITHOUT_EXTRAS}
import sitestencil
folder, detector = sys.argv[1:]
from pathlib import Path
print(sum(sitestencil.extract(Path(folder), detector=detector).elements))
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return store_small_site(tmp_path / "shop")


def test_the_modules_of_all_extras_are_left_out_here() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    packages = {re.split(r"[>=;\[ ]", needed)[0] for extra in extras.values() for needed in extra}
    assert packages == set(MODULES)


def run(program: str, *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("detector", DETECTORS)
def test_each_detector_finds_a_template(site: Path, detector: str) -> None:
    done = run(EXTRACT, site, detector)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0


def test_all_names_can_be_imported_and_a_whole_site_says_what_to_install() -> None:
    done = run(f"{WITHOUT_EXTRAS}\nfrom sitestencil import *\nsite('https://site.example/')")
    assert 'pipx install --force ".[crawl]"' in done.stderr.splitlines()[-1]


def test_the_panel_copies_rules_of_a_site(site: Path) -> None:
    program = f"""{WITHOUT_EXTRAS}
import sitestencil
from sitestencil.rules.formats import text_of
from sitestencil.rules.site_rules import rules_of_pages
menu = "<nav class=menu><a href=/>Home</a></nav><main class=text><h1>{{0}}</h1><p>{{0}} has {{1}} words</main>"
urls = [f"https://site.example/{{name}}" for name in "abcdefgh"]
pages = [sitestencil.parse(menu.format(url[-1] * 9, number), url) for number, url in enumerate(urls)]
detection = sitestencil.extract(pages[0], pages={{page.url: page for page in pages}}).detection
print(text_of(rules_of_pages(pages[0], detection, pages[1:])))
"""
    done = run(program)
    assert ".menu" in done.stdout or "nav" in done.stdout, done.stderr


def test_the_command_helps_and_extracts(site: Path) -> None:
    shown = run(COMMAND, "--help")
    assert shown.returncode == 0, shown.stderr
    assert "extract" in shown.stdout
    extracted = run(COMMAND, "extract", "--site", site)
    assert extracted.returncode == 0, extracted.stderr
    assert "Imprint" in extracted.stdout


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (["train", "{folder}", "-o", "{folder}/model.json"], "train"),
        (["train", "{folder}", "--detector", "stencil", "-o", "{folder}/model.json"], "train"),
        (["benchmark", "{folder}", "--held-out", "--markdown", "--detector", "conex"], "report"),
        (["site", "https://site.example/", "-o", "{folder}/out"], "crawl"),
        (["rebuild", "https://site.example/", "-o", "{folder}/out"], "crawl,rebuild"),
        (["check", "{folder}/rules.json", "https://site.example/"], "crawl"),
        (["mcp"], "crawl,mcp"),
        (["benchmark", "{folder}"], "report"),
        (["classify", "{folder}"], "report"),
        (["cluster", "{folder}", "--generated"], "report"),
        (["duplicates", "{folder}", "--generated"], "report"),
        (["tune", "{folder}", "--fixed", "-n", "1", "--jobs", "1"], "report"),
    ],
    ids=[
        "train",
        "train stencil",
        "held out",
        "site",
        "rebuild",
        "check",
        "agents",
        "measures",
        "classes",
        "clusters",
        "duplicates",
        "heat map",
    ],
)
def test_what_needs_an_extra_says_which_to_install(site: Path, arguments: list[str], extra: str) -> None:
    (site.parent / "rules.json").write_bytes(to_json(()))
    done = run(COMMAND, *(argument.replace("{folder}", str(site.parent)) for argument in arguments))
    assert done.returncode == 1, done.stderr
    assert f'pipx install --force ".[{extra}]"' in done.stderr
    assert "Traceback" not in done.stderr


def test_a_command_of_research_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def of_others(**_: str) -> list[EntryPoint]:
        return [point for point in entry_points(group=ENTRY_POINTS) if "research" not in point.value]

    monkeypatch.setattr("sitestencil.cli.entry_points", of_others)
    for name in ("benchmark", "tune", "train", "segments", "duplicates", "cluster", "classify"):
        assert main([name, "folder"]) == 2
        assert "pipx inject sitestencil ./research" in capsys.readouterr().err


def test_pages_and_crawls_need_no_compiled_module() -> None:
    program = (
        "import sys\n"
        "class Missing:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if '.native_' in name: raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Missing())\n"
        "import sitestencil\n"
        "from sitestencil.crawl import contents\n"
        "frame = '<ul><li>Home<li>Visit</ul><p>Text of page {} in so many words<p>Harbour street'\n"
        "pages = {f'https://site.example/{n}': frame.format(n) for n in range(1, 4)}\n"
        "print(sitestencil.extract(frame.format(0), url='https://site.example/0', pages=pages).content_text())\n"
        "print(next(contents(pages.items())).text)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "Text of page 0" in run.stdout
    assert "Text of page 1" in run.stdout
