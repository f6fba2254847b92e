"""Crawls from and to a bucket, by the command."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyarrow import fs
from tests.support.crawls import output, small_crawl
from tests.support.google_store import google_store
from tests.support.store import Store

from sitestencil.cli import main
from sitestencil.crawl.engine import run_locally
from sitestencil.crawl.input.places import place
from sitestencil.crawl.input.stores import store_at
from sitestencil.crawl.job import open_job
from sitestencil.crawl.plan import CrawlProgress
from sitestencil.crawl.work import Options

SMALL = Options(templates_out=True, large_site=5, partition_bytes=2_000, unit_bytes=4_000)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    (tmp_path / "store" / "harbour" / "in").mkdir(parents=True)
    (tmp_path / "scratch").mkdir()
    store = Store(tmp_path / "store")
    small_crawl(store.folder / "harbour" / "in" / "a.warc.gz")
    for name, value in {**store.environment, "TMPDIR": str(tmp_path / "scratch")}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("tempfile.tempdir", None)  # it is looked up once
    store_at.cache_clear()
    with store.serving():
        yield store


def crawl(*arguments: str, jobs: int = 1) -> int:
    return main(["crawl", *arguments, "--jobs", str(jobs), "--quiet"])


def rows(folder: Path) -> tuple[str, ...]:
    """Return a crawl's rows without the names of the folders that they were read from."""
    bucket = re.compile("s3://harbour/|gs://harbour/in/")
    return tuple(bucket.sub("", json.dumps(part, default=repr)) for part in output(folder))


def test_a_crawl_from_and_to_a_bucket_writes_what_one_in_folders_writes(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl("s3://harbour/in", "-o", "s3://harbour/out", "--json-lines", jobs=2) == 0
    assert "Written to s3://harbour/out." in capsys.readouterr().out
    monkeypatch.chdir(store.folder / "harbour")
    assert crawl("in/a.warc.gz", "-o", str(tmp_path / "out"), "--json-lines") == 0
    bucket = store.folder / "harbour" / "out"
    assert rows(bucket) == rows(tmp_path / "out")
    names = [sorted(file.name for file in (out / "lines").iterdir()) for out in (bucket, tmp_path / "out")]
    assert names[0] == names[1]
    asked = len(store.requests)
    assert crawl("s3://harbour/in", "-o", "s3://harbour/out", "--json-lines") == 0
    assert not any(method == "PUT" for method, _ in store.requests[asked:])
    assert list((tmp_path / "scratch").iterdir()) == []


def copy_folder(bucket: fs.FileSystem, folder: str, to: Path) -> None:
    for info in bucket.get_file_info(fs.FileSelector(folder, recursive=True)):
        if info.is_file:
            file = to / info.path.removeprefix(f"{folder}/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(bucket.open_input_stream(info.path).read())


def test_a_crawl_from_and_to_a_bucket_of_google_writes_what_one_in_folders_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small_crawl(tmp_path / "a.warc.gz")
    store_at.cache_clear()
    with google_store() as environment:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        bucket, _ = fs.FileSystem.from_uri("gs://anonymous@harbour")
        fs.copy_files(str(tmp_path / "a.warc.gz"), "harbour/in/a.warc.gz", fs.LocalFileSystem(), bucket)
        for _ in range(2):
            assert crawl("gs://anonymous@harbour/in", "-o", "gs://anonymous@harbour/out") == 0
        assert crawl("gs://anonymous@harbour/none", "-o", "gs://anonymous@harbour/other") == 1
        copy_folder(bucket, "harbour/out", tmp_path / "copy")
    assert "does not exist" in capsys.readouterr().err
    monkeypatch.chdir(tmp_path)
    assert crawl("a.warc.gz", "-o", "out") == 0
    assert rows(tmp_path / "copy") == rows(tmp_path / "out")


def test_templates_of_a_crawl_in_a_bucket_are_used(store: Store, tmp_path: Path) -> None:
    assert crawl("s3://harbour/in", "-o", "s3://harbour/out", "--templates-out") == 0
    for option in ("--templates", "--against"):
        assert crawl("s3://harbour/in", "-o", f"s3://harbour/again{option}", option, "s3://harbour/out") == 0
    known = output(store.folder / "harbour" / "again--templates")[1]
    assert [row["id"] for row in known] == [row["id"] for row in output(store.folder / "harbour" / "out")[1]]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_a_crawl_that_is_killed_goes_on_in_its_bucket_even_on_another_machine(store: Store, tmp_path: Path) -> None:
    source, script = place("s3://harbour/in"), tmp_path / "job.py"
    run_locally(open_job([source], place("s3://harbour/whole"), SMALL), lambda _: None, 1)
    script.write_text(
        "import os, signal\n"
        "from tests.library.crawl.test_buckets import *\n"
        "def kill(progress):\n"
        "    if progress.stage == 'extracting' and progress.done > 30:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "if __name__ == '__main__':\n"
        "    run_locally(open_job([place('s3://harbour/in')], place('s3://harbour/killed'), SMALL), kill, 1)\n",
        encoding="utf-8",
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    whole, killed = (store.folder / "harbour" / name for name in ("whole", "killed"))
    assert subprocess.run([sys.executable, str(script)], env=environment, check=False).returncode < 0
    (tmp_path / "scratch").rename(tmp_path / "left")  # the other machine does not see it
    (tmp_path / "scratch").mkdir()
    done = {file: file.stat().st_mtime_ns for file in killed.glob("pages/*")}
    run_locally(open_job([source], place("s3://harbour/killed"), SMALL), lambda _: None, 1)
    assert output(killed) == output(whole)
    assert done
    assert all(file.stat().st_mtime_ns == changed for file, changed in done.items())


def test_pages_of_an_earlier_job_in_the_same_place_are_not_taken(store: Store) -> None:
    class StopError(Exception): ...

    def stop(progress: CrawlProgress) -> None:
        if progress.stage == "extracting":
            raise StopError

    out = place("s3://harbour/out")
    with pytest.raises(StopError):
        run_locally(open_job([place("s3://harbour/in")], out, Options()), stop, 1)
    (store.folder / "harbour" / "out" / ".work" / "job.json").unlink()
    small_crawl(store.folder / "harbour" / "in" / "a.warc.gz", sites=2)
    assert crawl("s3://harbour/in", "-o", "s3://harbour/out") == 0
    assert len(output(store.folder / "harbour" / "out")[0]) == 2 * 12


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        ("s3://no-bucket/out", "the bucket does not exist"),
        ("s3://harbour/in", "s3://harbour/in is not empty, and holds no unfinished crawl"),
        ("https://museum.example/out", "a web server takes no files"),
        ("ftp://museum.example/out", "addresses of files begin with s3://"),
    ],
)
def test_an_output_that_cannot_be_is_told_in_a_sentence(
    store: Store, capsys: pytest.CaptureFixture[str], output: str, sentence: str
) -> None:
    assert crawl("s3://harbour/in", "-o", output) == 1
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("AWS_ACCESS_KEY_ID", "another", "access is denied; check the credentials"),
        ("AWS_ENDPOINT_URL", "http://127.0.0.1:9", "it cannot be reached; check the network"),
    ],
)
def test_a_store_that_cannot_be_used_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str, sentence: str
) -> None:
    store_at.cache_clear()
    monkeypatch.setenv(name, value)
    assert crawl("s3://harbour/in", "-o", "s3://harbour/out") == 1
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1
