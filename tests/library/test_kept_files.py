"""Files written whole, whatever stands in the folder and whatever fails."""

import errno
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sitestencil.kept_files import check_writable, write_file, write_named, written, written_folder


def test_a_file_gets_its_content_and_its_permissions_and_nothing_else_stays(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "manifest.json"
    write_file(file, b"old")
    write_file(file, b"new", 0o755)
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
    write_file(folder / "manifest.json", b"ours")
    assert victim.read_bytes() == b"precious"
    assert (folder / "manifest.json").read_bytes() == b"ours"
    assert not (folder / "manifest.json").is_symlink()


@pytest.mark.parametrize("stage", ["open", "fsync", "chmod", "replace"])
def test_a_failure_at_any_stage_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    file = tmp_path / "manifest.json"
    file.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    if stage == "fsync":
        monkeypatch.setattr(os, "fsync", fail)
    else:
        monkeypatch.setattr(Path, stage, fail)
    with pytest.raises(OSError, match="No space left"):
        write_file(file, b"new", 0o644, sync=True)
    monkeypatch.undo()
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_block_that_fails_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_bytes(b"old")
    with pytest.raises(ZeroDivisionError), written(file) as stream:
        stream.write(b"half")
        raise ZeroDivisionError
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif(sys.platform == "win32", reason="no links and pipes there")
def test_a_named_link_stays_and_its_file_keeps_its_permissions(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    file, link = tmp_path / "folder" / "page.html", tmp_path / "link"
    file.write_bytes(b"old")
    file.chmod(0o640)
    link.symlink_to(file)
    check_writable(link)
    assert file.read_bytes() == b"old"
    write_named(link, b"new")
    assert link.is_symlink()
    assert file.read_bytes() == b"new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.skipif(sys.platform == "win32", reason="no links and pipes there")
def test_a_named_pipe_gets_the_content(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        write_named(pipe, b"content")
        assert reader.communicate()[0] == b"content"
    assert pipe.is_fifo()


REPLACE_FOREVER = """
import sys
from pathlib import Path
from sitestencil.kept_files import write_file
contents = [b"a" * 300_000, b"b" * 300_000]
print("ready", flush=True)
while True:
    for content in contents:
        write_file(Path(sys.argv[1]), content)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such kill there")
def test_a_kill_at_a_random_moment_leaves_one_content_whole(tmp_path: Path) -> None:
    file = tmp_path / "manifest.json"
    write_file(file, b"a" * 300_000)
    for attempt in range(10):
        command = [sys.executable, "-c", REPLACE_FOREVER, str(file)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout and process.stdout.readline() == b"ready\n"
            time.sleep(0.001 + 0.003 * attempt)
            process.kill()
        assert file.read_bytes() in {b"a" * 300_000, b"b" * 300_000}


def test_a_file_that_cannot_be_replaced_is_written_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounted, full = tmp_path / "mounted", tmp_path / "full"
    for file in (mounted, full):
        file.write_bytes(b"old")

    def replace(_: Path, target: Path) -> Path:
        raise OSError(errno.EBUSY if Path(target) == mounted else errno.ENOSPC, "no")

    monkeypatch.setattr(Path, "replace", replace)
    check_writable(mounted)
    write_named(mounted, b"new")
    with pytest.raises(OSError, match="no"):
        write_named(full, b"new")

    assert (mounted.read_bytes(), full.read_bytes()) == (b"new", b"old")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["full", "mounted"]


def test_a_name_of_as_many_bytes_as_a_system_takes_is_written(tmp_path: Path) -> None:
    write_named(tmp_path / ("\u7d50" * 85), b"new")
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"new"]


def test_a_link_keeps_its_place_though_its_file_does_not_exist_yet(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_named(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"new"


def test_a_folder_that_was_moved_away_comes_back_after_an_interrupt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, rename = tmp_path / "folder", Path.rename
    folder.mkdir()
    (folder / "mine").touch()

    def interrupted(file: Path, target: Path) -> Path:
        if file.name == "new":
            raise KeyboardInterrupt
        return rename(file, target)

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt), written_folder(folder) as new:
        new.mkdir()
    assert [file.name for file in folder.iterdir()] == ["mine"]
