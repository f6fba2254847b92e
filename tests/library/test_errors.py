"""One tree of errors, in one file."""

import re

import pytest
from tests.conftest import ROOT
from tests.support.tables import table

from sitestencil import errors
from sitestencil.errors import PackageMissing, SitestencilError, shown

SOURCE = ROOT / "src" / "sitestencil"
# A `BaseException` of ours is no error but an interruption, which no caller sees.
_CLASS_OF_ERROR = re.compile(r"^class (\w+)\((?:\w+, )*(?:\w*Error|Exception)(?:, \w+)*\)", re.MULTILINE)


def test_every_error_of_the_library_is_defined_in_one_file_and_is_of_one_tree() -> None:
    defined = [value for value in vars(errors).values() if isinstance(value, type)]
    assert len(defined) > 10
    assert all(issubclass(error, SitestencilError) for error in defined)
    elsewhere = [file for file in SOURCE.rglob("*.py") if _CLASS_OF_ERROR.search(file.read_text())]
    assert elsewhere == [SOURCE / "errors.py"]


@table(
    ("value", "expected"),
    [("a word", "'a word'"), (3, "3 (int)"), ("x" * 200, f"'{'x' * 96}..."), ("half \ud83d", "'half \\ud83d'")],
)
def test_a_value_in_a_sentence_is_short_and_printable(value: object, expected: str) -> None:
    assert shown(value) == expected


def test_beside_a_package_of_the_system_the_command_of_pipx_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.prefix", "/usr/lib/sitestencil")
    assert str(PackageMissing("Crawls need it.", "crawl")).endswith(
        '".[crawl]". Then run ~/.local/bin/sitestencil.'
    )
