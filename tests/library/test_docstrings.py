"""The examples in docstrings show what they say."""

import doctest
from importlib import import_module
from pathlib import Path

from tests.support.tables import table

import sitestencil
import sitestencil_research

SOURCES = [Path(package.__path__[0]).parent for package in (sitestencil, sitestencil_research)]


def module_name(source: Path, file: Path) -> str:
    return ".".join(file.relative_to(source).with_suffix("").parts).removesuffix(".__init__")


EXAMPLES = sorted(
    module_name(source, file)
    for source in SOURCES
    for file in source.glob("sitestencil*/**/*.py")
    if ">>> " in file.read_text()
)


@table("name", EXAMPLES)
def test_the_examples_of_a_module_run_as_they_are_printed(name: str) -> None:
    results = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS)
    assert results.attempted > 0
    assert results.failed == 0


@table("name", sorted(set(sitestencil.__all__) - {"DETECTORS", "Link", "Reason", "TextRun"}))
def test_each_public_function_and_class_has_an_example(name: str) -> None:
    value = getattr(sitestencil, name)
    if isinstance(value, type) and issubclass(value, sitestencil.SitestencilError):
        value = sitestencil.SitestencilError
    assert ">>> " in (value.__doc__ or "")
