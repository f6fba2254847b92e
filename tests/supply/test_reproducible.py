"""Two builds in two places give the same bytes."""

from pathlib import Path

import pytest
from supply.reproducible import build

QUICK = {"research": ["sitestencil_research.whl"], "extension": ["sitestencil.zip", "sitestencil.zip"]}
COMPILED = {"product": ["sitestencil.gz", "sitestencil.whl"]}


@pytest.mark.parametrize("parts", [QUICK, pytest.param(COMPILED, marks=pytest.mark.nightly)], ids=["quick", "all"])
def test_what_is_built_has_the_same_bytes_wherever_it_is_built(tmp_path: Path, parts: dict[str, list[str]]) -> None:
    first = build(tmp_path / "here", {"TZ": "UTC", "PYTHONHASHSEED": "1"}, 0o022, parts)
    second = build(tmp_path / "another place", {"TZ": "Asia/Kathmandu", "PYTHONHASHSEED": "2"}, 0o077, parts)
    assert first == second
    kinds = sorted(name.partition("-")[0] + Path(name).suffix for name in first)
    assert kinds == sorted(kind for of_part in parts.values() for kind in of_part)
