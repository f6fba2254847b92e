"""Two builds in two places give the same bytes."""

from pathlib import Path

from supply.reproducible import build


def test_wheel_source_and_extension_packages_are_the_same_bytes_wherever_they_are_built(tmp_path: Path) -> None:
    first = build(tmp_path / "here", {"TZ": "UTC", "PYTHONHASHSEED": "1"}, 0o022)
    second = build(tmp_path / "another place", {"TZ": "Asia/Kathmandu", "PYTHONHASHSEED": "2"}, 0o077)
    assert first == second
    kinds = sorted(name.partition("-")[0] + Path(name).suffix for name in first)
    assert kinds == ["sitestencil.gz", "sitestencil.whl", "sitestencil.zip", "sitestencil.zip"]
