"""Files replaced whole, whatever stands in the folder and whatever fails."""

import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sitestencil_host.setup.install import replace_file


def test_a_file_gets_its_content_and_its_permissions_and_nothing_else_stays(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "manifest.json"
    replace_file(file, b"old")
    replace_file(file, b"new", 0o755)
    assert file.read_bytes() == b"new"
    assert sys.platform == "win32" or stat.S_IMODE(file.stat().st_mode) == 0o755
    assert [path.name for path in file.parent.iterdir()] == ["manifest.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
@pytest.mark.parametrize("name", ["manifest.json.new", "manifest.json"])
def test_a_link_planted_in_the_folder_is_not_followed(tmp_path: Path, name: str) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / name).symlink_to(victim)
    replace_file(folder / "manifest.json", b"ours")
    assert victim.read_bytes() == b"precious"
    assert (folder / "manifest.json").read_bytes() == b"ours"
    assert not (folder / "manifest.json").is_symlink()


@pytest.mark.parametrize("stage", ["write", "fsync", "chmod", "replace"])
def test_a_failure_at_any_stage_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    file = tmp_path / "manifest.json"
    file.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    class Full:
        def __init__(self, descriptor: int, _: str) -> None:
            self.descriptor = descriptor

        def __enter__(self) -> "Full":
            return self

        def __exit__(self, *_: object) -> None:
            os.close(self.descriptor)

        write = fail

    if stage == "write":
        monkeypatch.setattr(os, "fdopen", Full)
    elif stage == "fsync":
        monkeypatch.setattr(os, "fsync", fail)
    else:
        monkeypatch.setattr(Path, stage, fail)
    with pytest.raises(OSError, match="No space left"):
        replace_file(file, b"new")
    monkeypatch.undo()
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


REPLACE_FOREVER = """
import sys
from pathlib import Path
from sitestencil_host.setup.install import replace_file
contents = [b"a" * 300_000, b"b" * 300_000]
print("ready", flush=True)
while True:
    for content in contents:
        replace_file(Path(sys.argv[1]), content)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such kill there")
def test_a_kill_at_a_random_moment_leaves_one_content_whole(tmp_path: Path) -> None:
    file = tmp_path / "manifest.json"
    replace_file(file, b"a" * 300_000)
    for attempt in range(10):
        command = [sys.executable, "-c", REPLACE_FOREVER, str(file)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout and process.stdout.readline() == b"ready\n"
            time.sleep(0.001 + 0.003 * attempt)
            process.kill()
        assert file.read_bytes() in {b"a" * 300_000, b"b" * 300_000}
