"""A worker and an installation prepare ahead, so that the first answer comes soon."""

import os
import subprocess
import sys
from pathlib import Path

FROM_MEMORY = """
import asyncio, sys
from sitestencil_host.worker.readiness import Readiness

async def until_free():
    if "sitestencil_host.worker.remembering" in sys.modules:
        await asyncio.Event().wait()

async def main():
    readiness = Readiness(until_free)
    await asyncio.wait([asyncio.create_task(readiness.get_ready())], timeout=0.5)
    print(readiness.for_network.is_set(), *(name in sys.modules for name in sys.argv[1:]))

asyncio.run(main())
"""
READY = """
import sys
from importlib import import_module
import sitestencil_host.worker.loop
from sitestencil_host.worker.readiness import MODULES
for module in MODULES:
    import_module(module)
print(*(name for name in sys.argv[1:] if name in sys.modules))
"""
COMPILE = """
from sitestencil_host.setup.install import compile_missing
print(compile_missing(), compile_missing())
"""
MODULES = ("sitestencil.memory.store", "sitestencil.site.sources.http", "sitestencil.detectors.stencil.detector")


# What a first answer does without: each of these takes milliseconds that a person waits for.
LATER = (
    *("argparse", "concurrent.futures.thread", "email", "hmac"),
    *("lxml", "markdown_it", "numpy", "random", "tinycss2"),
    *("sitestencil.corrections.rules", "sitestencil.outputs.content", "sitestencil.outputs.markdown"),
    *("sitestencil.page.dates", "sitestencil.page.metadata", "sitestencil.page.page_facts", "sitestencil.saving"),
)


def run(program: str, *arguments: str, **environment: str) -> str:
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **environment})
    return done.stdout.strip()


def test_the_memory_is_read_before_anything_loads_or_compares_pages() -> None:
    assert run(FROM_MEMORY, *MODULES) == "False True False False"


def test_a_first_answer_imports_nothing_that_it_does_without() -> None:
    assert run(READY, *LATER) == ""


def test_bytecode_that_is_missing_is_written_once(tmp_path: Path) -> None:
    written, again = run(COMPILE, PYTHONPYCACHEPREFIX=str(tmp_path), PYTHONDONTWRITEBYTECODE="1").split()
    names = {file.name.partition(".")[0] for file in tmp_path.rglob("*.pyc")}
    assert int(written) > 100
    assert again == "0"
    assert {"loop", "session", "detector", "store", "http"} <= names
