"""The examples run, on a site served by this machine."""

import ast
import asyncio
import io
import json
import subprocess
import sys
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from tests.conftest import ROOT
from tests.support.crawls import article, pages_of
from tests.support.ray_starts import output_of
from tests.support.server import Server
from tests.support.small_site import served
from tests.support.tables import table


@pytest.fixture
def home(server: Server) -> str:
    for path, html in served().items():
        server.add(path, html.encode())
    return f"{server.base}/"


def run(example: str, *arguments: str, folder: Path) -> str:
    command = [sys.executable, str(ROOT / "examples" / example), *arguments]
    return output_of(command, cwd=folder)


def test_save_template_writes_the_template(home: str, tmp_path: Path) -> None:
    out = run("save_template.py", home, folder=tmp_path)
    assert "3 pages loaded" in out
    html = (tmp_path / "template.html").read_text()
    assert "Imprint" in html
    assert "Key story" not in html


def test_learn_once_prints_the_content_of_further_pages_and_loads_no_others(
    home: str, server: Server, tmp_path: Path
) -> None:
    out = run("learn_once.py", home, f"{home}blog", folder=tmp_path)
    assert out == f"{home} (fit 1.00)\n  Key story\n{home}blog (fit 0.62)\n  List\n"
    loaded = len(server.requests)
    run("learn_once.py", f"{home}contact", folder=tmp_path)
    assert len(server.requests) == loaded + 1


def test_pages_to_markdown_writes_a_file_for_each_page_and_tells_which_failed(home: str, tmp_path: Path) -> None:
    out = run("pages_to_markdown.py", f"{home}about", f"{home}blog", f"{home}missing", folder=tmp_path)
    assert "the server answered 404" in out
    assert (tmp_path / "pages" / "blog.md").read_text() == "- List\n"
    assert "Numbers" in (tmp_path / "pages" / "about.md").read_text()


@pytest.mark.parametrize(
    ("example", "words"),
    [
        ("changedetection_plugin.py", "The content did not change.\nThe frame changed: 1 removed, 1 added.\n"),
        ("content_only.py", "A rope is as long as the walk: 300 metres.\nWalk backwards.\n"),
        ("datatrove_step.py", "/knots (template)\nKnots\nThree to begin with:\n"),
        ("jinja_layout.py", "blocks of the layout: title, head, main\n"),
        ("learn_once.py", "Sheet bend"),
        ("menu_links.py", "/knots\n/ropewalk\n"),
        ("pages_to_markdown.py", "ropewalk.md"),
        ("ray_data.py", "/ropewalk (template)\nThe ropewalk\nA rope"),
        ("save_template.py", "of the page's elements are template"),
        ("schema_spider.py", '"title": "Becket rope 15", "image": "https://ropes.example/ropes/15.jpg"'),
        ("scrapy_pipeline.py", "> Walk backwards."),
        ("spark_sites.py", "/ropewalk (template)\nThe ropewalk\nA rope"),
    ],
)
def test_each_example_runs_without_arguments(example: str, words: str, tmp_path: Path) -> None:
    assert words in run(example, folder=tmp_path)


def test_each_example_says_what_to_install(tmp_path: Path) -> None:
    for example in sorted((ROOT / "examples").glob("*.py")):
        if example.name != "small_site.py":
            without_packages: list[str | Path] = [sys.executable, "-S", example]
            ended = subprocess.run(without_packages, cwd=tmp_path, capture_output=True, text=True, check=False)
            assert "pip install" in example.read_text().split('"""')[1], example.name
            assert ended.returncode == 1, example.name
            assert ended.stderr.startswith("This example needs "), ended.stderr
            assert len(ended.stderr.splitlines()) == 1, ended.stderr


def test_the_jinja_example_writes_a_page_in_the_layout_of_the_site(tmp_path: Path) -> None:
    run("jinja_layout.py", folder=tmp_path)
    html = (tmp_path / "page.html").read_text()
    assert "<title>Splices - Museum of ropes</title>" in html
    assert "Two ropes &lt; one rope." in html
    assert "Harbour street 1" in html
    assert "300 metres" not in html


def test_no_example_is_left_out_here() -> None:
    programs = {file.name for file in (ROOT / "examples").glob("*.py")} - {"small_site.py"}
    (mark,) = test_each_example_runs_without_arguments.pytestmark  # type: ignore[attr-defined]
    assert {example for example, _ in mark.args[1]} == programs


@pytest.fixture
def example_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))


@pytest.mark.usefixtures("example_modules")
def test_the_function_that_spark_maps_finds_the_same_content_however_a_site_is_cut_into_batches() -> None:
    site_contents = import_module("spark_sites").site_contents
    pages = [page for site in ("museum.example", "shop.example") for page in pages_of(site, 9)]
    frame = pd.DataFrame([*pages, ("ftp://museum.example/", b"<p>x")], columns=["url", "html"])
    whole = pd.concat(site_contents([frame]))
    cut = pd.concat(site_contents(frame[first : first + 4] for first in range(0, len(frame), 4)))
    assert whole.to_dict() == cut.to_dict()
    assert list(whole["url"]) == list(frame["url"])
    assert list(whole["site"][:18]) == [host for host in ("museum.example", "shop.example") for _ in range(9)]
    assert not whole["text"][:18].str.contains("Menu entry").any()
    assert whole["skipped"].iloc[-1].startswith("no web address")


@pytest.mark.usefixtures("example_modules")
def test_the_pipeline_adds_the_content_and_learns_each_kind_of_page_once(home: str, server: Server) -> None:
    scrapy_pipeline = import_module("scrapy_pipeline")
    pipeline = scrapy_pipeline.ContentPipeline()
    names = ("", "about", "blog")
    items = [{"url": f"{home}{name}", "html": served()[f"/{name}"]} for name in names]

    async def process() -> list[dict[str, Any]]:
        return list(await asyncio.gather(*(pipeline.process_item(item) for item in items)))

    done = asyncio.run(process())
    assert [item["text"] for item in done] == ["Key story\n", "Numbers\n", "List\n"]
    assert [item["markdown"] for item in done][2] == "- List\n"
    assert len(server.requests) == 3  # the pages that the first one was compared with


@pytest.mark.usefixtures("example_modules")
def test_an_item_whose_page_has_no_template_says_why() -> None:
    scrapy_pipeline = import_module("scrapy_pipeline")
    item = {"url": "ftp://example.org/", "html": "<p>x"}
    done = asyncio.run(scrapy_pipeline.ContentPipeline().process_item(item))
    assert "not an http or https address" in done["content_error"]


@pytest.mark.usefixtures("example_modules")
@table(
    ["old", "new", "changed"],
    [("All rights", "Some rights", False), ("Story 1", "Another story", True), ("Menu entry", "Entry", False)],
)
def test_the_plugin_for_changedetection_tells_changes_of_the_content_alone(
    old: str, new: str, changed: bool
) -> None:
    html = article("site.example", 1).decode()
    watch = SimpleNamespace(link="https://site.example/", newest_history_key="1", get_fetched_html=lambda _: html)
    handler = SimpleNamespace(fetcher=SimpleNamespace(content=html.replace(old, new)))
    handler.run_changedetection = lambda watch: (True, {"previous_md5": watch.link}, b"x")
    import_module("changedetection_plugin").update_handler_alter(handler, watch, None)
    assert handler.run_changedetection(watch=watch) == (changed, {"previous_md5": watch.link}, b"x")


@pytest.mark.usefixtures("example_modules")
def test_the_notebook_prints_what_it_says_it_prints() -> None:
    notebook = json.loads((ROOT / "examples" / "notebook.ipynb").read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) == 5
    names: dict[str, Any] = {}
    for cell in cells:
        printed = io.StringIO()
        with redirect_stdout(printed):
            value = _value_of("".join(cell["source"]), names)
        told = "".join(
            "".join(output.get("text", output.get("data", {}).get("text/plain"))) for output in cell["outputs"]
        )
        assert printed.getvalue() + ("" if value is None else repr(value)) == told


def _value_of(source: str, names: dict[str, Any]) -> object:
    """Run a cell as a notebook does: what its last line gives is its value."""
    *before, last = ast.parse(source).body
    exec(compile(ast.Module(before, []), "cell", "exec"), names)
    if isinstance(last, ast.Expr):
        value: object = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
        return value
    exec(compile(ast.Module([last], []), "cell", "exec"), names)
    return None
