"""One door for each effect: the modules that may use the network, start programs, write files or set limits."""

import ast
import re
from collections.abc import Iterator, Mapping

import pytest
from tests.conftest import ROOT

# What an import or a call looks like, as text, in the product's code.
EFFECTS: Mapping[str, str] = {
    "network": r"import (socket|ssl|http\.client|urllib\.request|h11|httpx|requests|aiohttp|websockets|selenium)\b"
    r"|asyncio\.(open_connection|open_unix_connection|start_server)\(|\.create_(connection|datagram_endpoint)\(",
    "programs": r"import (subprocess|multiprocessing|webbrowser|pty)\b|ProcessPoolExecutor\("
    r"|os\.(fork|system|popen|startfile|exec\w+|spawn\w+|posix_spawn\w*)\(|\.create_subprocess_\w+\(",
    "files": r"import (shutil|tempfile|sqlite3)\b|\.(write_text|write_bytes|touch|unlink|rename)\("
    r"|\.(symlink_to|hardlink_to|extractall)\(|\.(open|opener)\(.*O_(WRONLY|RDWR|CREAT|APPEND)"
    r"|\b(open|ZipFile|TarFile)\((.*, )?(mode=)?'[rbtU]*[wax+][rbwaxt+]*'|^os\.(remove|replace)\("
    r"|\.replace\([^,=]*\)$|\.(ParquetWriter|CSVWriter|write_table|write_csv|write_feather|OSFile)\b",
    "limits": r"\.(setrlimit|prlimit|setitimer|alarm)\(",
}
HOST, CRAWL = "sitestencil_host", "sitestencil.crawl"
DOORS: Mapping[str, Mapping[str, str]] = {
    "network": {
        "sitestencil.site.sources": "the door",
        f"{CRAWL}.input.stores": "a crawl's files in buckets and on web servers",
        f"{CRAWL}.ray_engine": "asks whether the cluster answers",
        "sitestencil.whole_site.loaded_files": "catches what the door's browser raises",
    },
    "programs": {
        "sitestencil.processes": "the door to processes of our own",
        "sitestencil.rebuild.programs": "lets Hugo or Eleventy build the pages that are proved",
        f"{HOST}.worker.start": "a worker for each extraction",
        f"{HOST}.setup.handshake": "starts the host as a browser does",
        f"{HOST}.setup.extension_steps": "opens the person's browser",
        f"{HOST}.setup.browsers": "asks browsers for their versions",
    },
    "files": {
        "sitestencil.kept_files": "the door",
        "sitestencil.records.files": "tables, into the door's streams",
        f"{CRAWL}.rows": "tables, into the door's streams",
        f"{CRAWL}.job": "removes its own unfinished and spilled files",
        f"{CRAWL}.notes": "of the page at work, written in place, for a process that is killed",
        f"{CRAWL}.folder_lock": "the lock",
        f"{CRAWL}.input.places": "where a bucket's files lie until they are stored",
        f"{CRAWL}.input.wacz": "an unpacked copy without a name",
        f"{CRAWL}.input.warc": "an unpacked copy in a scratch folder",
        "sitestencil.whole_site.folder": "a list that grows, and removing only what a run wrote",
        "sitestencil.whole_site.visits": "a list that grows, so that a killed run goes on",
        "sitestencil.whole_site.pages": "a scratch folder",
        "sitestencil.whole_site.writing": "removes its own table, which is copied",
        "sitestencil.whole_site.loaded_files": "a scratch folder, for the browser that draws",
        "sitestencil.site.sources.headless_browser": "finds programs by shutil, and writes nothing",
        "sitestencil.cli.progress": "asks shutil for the terminal's width",
        "sitestencil.rebuild.programs": "a scratch folder, where a generator builds",
        "sitestencil.rebuild.jinja_build": "is copied into a project, which it builds",
        "sitestencil.memory.store": "SQLite",
        f"{HOST}.log": "a log that grows",
        f"{HOST}.worker.saving": "a zip in memory",
        f"{HOST}.setup.browsers": "finds programs by shutil, and writes nothing",
        f"{HOST}.setup.extension_package": "unpacks into the door's folder, and uninstalls",
        f"{HOST}.setup.install": "uninstalls",
    },
    "limits": {
        "sitestencil.page.memory_limit": "the door to memory",
        f"{CRAWL}.limits": "the clock",
        f"{HOST}.serving": "ends the host where a signal is lost",
        f"{HOST}.worker.limits": "of a worker's whole process, which the system keeps",
    },
}


def effects(source: str) -> Iterator[tuple[str, str]]:
    """Yield the effects of a module, each with the code that has it."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import():
                codes = [f"import {name.name}" for name in node.names]
            case ast.ImportFrom(module=str(module), level=0):
                codes = [f"import {module}.{name.name}" for name in node.names]
            case ast.Call() | ast.Attribute():
                codes = [ast.unparse(node)]
            case _:
                continue
        for code in codes:
            for effect, pattern in EFFECTS.items():
                if "devnull" not in code and re.search(pattern, code):
                    yield effect, code


def modules() -> Iterator[tuple[str, str]]:
    """Yield the name and source of each module of the product."""
    for folder in ("src", "host"):
        for file in (ROOT / folder).rglob("*.py"):
            yield ".".join(file.relative_to(ROOT / folder).with_suffix("").parts), file.read_text("utf-8")


def test_each_effect_has_its_doors_and_each_door_its_effect() -> None:
    used = {(effect, name, code) for name, source in modules() for effect, code in effects(source)}
    assert len(used) > 50
    allowed = {(effect, door) for effect, doors in DOORS.items() for door in doors}
    met = {(effect, door_of(effect, name), code) for effect, name, code in used}
    assert {one for one in met if one[:2] not in allowed} == set(), "use a door, or name the module with its reason"
    assert allowed - {one[:2] for one in met} == set(), "the module has this effect no more"


def door_of(effect: str, name: str) -> str:
    """Return the room that is the door of a module's effect, or the module."""
    return next((door for door in DOORS[effect] if name.startswith(f"{door}.")), name)


@pytest.mark.parametrize(
    ("source", "effect"),
    [
        ("import socket", "network"),
        ("from http.client import HTTPSConnection", "network"),
        ("from urllib import request", "network"),
        ("async def f():\n    await asyncio.open_connection('a.example', 443)", "network"),
        ("def f():\n    from subprocess import run", "programs"),
        ("open(x, 'w')", "files"),
        ("Path(x).open(mode='r+b')", "files"),
        ("file.open('ab')", "files"),
        ("os.open(x, os.O_CREAT | os.O_WRONLY)", "files"),
        ("(folder / name).write_bytes(b'')", "files"),
        ("part.replace(file)", "files"),
        ("from shutil import rmtree", "files"),
        ("ZipFile(file, 'w', ZIP_DEFLATED)", "files"),
        ("pq.write_table(table, file)", "files"),
        ("resource.setrlimit(what, (1, 1))", "limits"),
    ],
)
def test_a_new_use_of_an_effect_is_seen(source: str, effect: str) -> None:
    assert {of for of, _ in effects(source)} == {effect}


@pytest.mark.parametrize(
    "source",
    ["open(x)", "file.open('rb')", "text.replace('w', 'a')", "replace(page, url='')", "until.replace(tzinfo=UTC)"],
)
def test_reading_and_replacing_in_a_text_are_no_effects(source: str) -> None:
    assert list(effects(source)) == []
