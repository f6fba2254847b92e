import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import pyarrow as pa
import pytest
from tests.support.crawls import (
    forging_answer,
    output,
    page,
    pages_of,
    report,
    response,
    small_crawl,
    write_warc,
)

from sitestencil.cli import main
from sitestencil.crawl.engine import run_locally
from sitestencil.crawl.job import open_job
from sitestencil.crawl.plan import CrawlProgress, works_of
from sitestencil.crawl.spill import partition_of
from sitestencil.crawl.work import Options

SMALL = Options(templates_out=True, large_site=5, partition_bytes=2_000, unit_bytes=4_000)


def run(inputs: list[Path], folder: Path, processes: int = 1) -> None:
    run_locally(open_job(inputs, folder, SMALL), lambda _: None, processes)


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("crawl") / "crawl.warc.gz"
    small_crawl(file)
    return file


@pytest.fixture(scope="module")
def expected(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("expected") / "out"
    run([crawl], folder)
    return folder


def test_each_page_comes_out_once_with_its_site(expected: Path) -> None:
    pages, templates, _ = output(expected)
    assert len({(page["source"], page["offset"]) for page in pages}) == len(pages) == 72
    assert all(f"//{page['site']}/" in page["url"] for page in pages)
    assert {template["site"] for template in templates} == {page["site"] for page in pages}
    assert not any("Menu entry" in page["text"] for page in pages)


def test_two_processes_and_other_parts_give_what_one_gives(crawl: Path, expected: Path, tmp_path: Path) -> None:
    run([crawl], tmp_path / "out", processes=2)
    assert output(tmp_path / "out") == output(expected)
    run_locally(open_job([crawl], tmp_path / "whole", Options(templates_out=True)), lambda _: None, 1)
    assert output(tmp_path / "whole") == output(expected)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps the limit")
def test_a_page_that_takes_too_much_memory_costs_itself_on_one_process_and_on_two(tmp_path: Path) -> None:
    large = page("site0.example", "<p><b>word \N{GRINNING FACE}</b> word word word word word word" * 40_000)
    pages = [("https://site0.example/large", large), *pages_of("site0.example", 5), *pages_of("site1.example", 5)]
    write_warc(
        tmp_path / "a.warc", [response(url, html) for url, html in [*pages, ("https://alone.example/", large)]]
    )
    command = [sys.executable, "-c", "import sys; from sitestencil.cli import main; sys.exit(main())"]
    for name, jobs in (("one", "1"), ("two", "2")):
        # In new processes: what earlier tests left free in this one would add to the limit.
        subprocess.run(
            [*command, "crawl", "a.warc", "-o", name, "--jobs", jobs, "--quiet", "--templates-out"],
            cwd=tmp_path,
            env={**os.environ, "SITESTENCIL_MEMORY_GB": "0.025"},
            check=True,
        )
    rows, _, skipped = output(tmp_path / "one")
    assert len(rows) == 10
    assert [json.loads(line)["reason"] for line in skipped.splitlines()] == ["too much memory"] * 2
    assert output(tmp_path / "two") == output(tmp_path / "one")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends processes in another way")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_job_that_is_ended_at_any_moment_goes_on_without_loss_or_repetition(
    crawl: Path, expected: Path, tmp_path: Path, how: signal.Signals
) -> None:
    program = (
        "import sys; from pathlib import Path; from tests.library.crawl.test_jobs import run\n"
        "if __name__ == '__main__': run([Path(sys.argv[1])], Path(sys.argv[2]), 2)"
    )
    script = tmp_path / "job.py"
    script.write_text(program, encoding="utf-8")
    folder, random = tmp_path / "out", Random(how)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    for _ in range(3):
        process = subprocess.Popen(
            [sys.executable, str(script), str(crawl), str(folder)], env=environment, stderr=subprocess.DEVNULL
        )
        # As it begins to write, or some time after.
        while not (folder / ".work" / "job.json").exists() and process.poll() is None:
            time.sleep(0.01)
        time.sleep(random.random() * 2)
        process.send_signal(how)
        process.wait()
    run([crawl], folder)
    assert output(folder) == output(expected)


def test_the_output_may_be_in_the_folder_of_the_input(tmp_path: Path) -> None:
    small_crawl(tmp_path / "crawl.warc.gz")
    command = ["crawl", str(tmp_path), "-o", str(tmp_path / "out"), "--jobs", "1", "--quiet", "--html"]
    assert main(command) == main(command) == 0
    assert main([*command, "-o", str(tmp_path / "again")]) == 0
    assert report(tmp_path / "out") == {**report(tmp_path / "again"), "folder": str(tmp_path / "out")}


def test_small_files_are_read_as_one_unit_and_keep_their_names(tmp_path: Path) -> None:
    files = [tmp_path / "in" / f"{number:02}.warc.gz" for number in range(20)]
    files[0].parent.mkdir()
    for number, file in enumerate(files):
        write_warc(file, [response(url, html) for url, html in pages_of(f"site{number % 4}.example", 3)])
    with files[7].open("ab") as stream:
        stream.write(b"no record")
    least = sum(file.stat().st_size for file in files) // 3
    job = open_job([tmp_path / "in"], tmp_path / "out", Options(unit_bytes=least))
    assert 3 <= len(job.units) <= 5
    run_locally(job, lambda _: None, 2)
    pages, _, skipped = output(tmp_path / "out")
    assert Counter(page["source"] for page in pages) == {str(file): 3 for file in files}
    assert [json.loads(line)["source"] for line in skipped.splitlines()] == [str(files[7])]
    run_locally(open_job(files, tmp_path / "apart", Options(unit_bytes=1)), lambda _: None, 1)
    assert output(tmp_path / "apart") == (pages, output(tmp_path / "out")[1], skipped)


def test_the_works_with_the_most_pages_come_first_and_have_all_pages() -> None:
    counts = Counter({f"site{number}.example": number for number in range(1, 9)} | {"large.example": 120})
    works = works_of(lambda: [counts], 8, 50)
    of_large = [work for work in works if work.site == "large.example"]
    assert works[:2] == of_large[:2]
    assert [(work.first, work.last) for work in of_large] == [(0, 50), (50, 100), (100, 120)]
    assert {work.partition for work in works if work.site is None} == {
        partition_of(site, 8) for site in counts if site != "large.example"
    }


def test_an_interrupted_job_does_not_wait_for_its_tasks(tmp_path: Path) -> None:
    script = (
        "import os, signal, threading, time\n"
        "from sitestencil.crawl.engine import _Workers\n"
        "if __name__ == '__main__':\n"
        "    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a shell's background\n"
        "    threading.Timer(2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "    with _Workers(2) as workers:\n"
        "        list(workers.results(time.sleep, {1: (1e6,), 2: (1e6,)}))\n"
    )
    file = tmp_path / "interrupted.py"
    file.write_text(script, encoding="utf-8")
    done = subprocess.run([sys.executable, str(file)], check=False, stderr=subprocess.PIPE, text=True)
    assert "KeyboardInterrupt" in done.stderr


def test_pages_in_are_pages_out_and_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bad.warc.gz"
    pages = pages_of("site.example", 6)
    records = [
        *(response(url, html) for url, html in pages),
        response("https://site.example/gone", b"gone", status="404 Not Found"),
        response("https://site.example/deep", b"<div>" * 5000),
        response("https://site.example/lie", pages[0][1], length=50),
        response("https://site.example/last", pages[1][1]),
    ]
    write_warc(file, records)
    command = ["crawl", str(file), "-o", str(tmp_path / "out"), "--jobs", "1", "--quiet", "--templates-out"]
    assert main(command) == 0
    said = report(tmp_path / "out")
    assert (said["pages_in"], said["pages_out"]) == (10, 7)
    assert said["skipped"] == {"error page": 1, "untrue length": 1, "refused": 1}
    captured = capsys.readouterr()
    assert "7 pages of 1 site, by 2 templates; 3 other files" in captured.out
    assert "1 skipped: untrue length" in captured.out
    assert "warning: 2 records were damaged" in captured.err
    assert main([*command, "--strict"]) == 1


def test_ordinary_records_that_are_no_pages_are_no_failure(tmp_path: Path) -> None:
    file = tmp_path / "good.warc.gz"
    moved = response("https://site.example/old", b"", status="301 Moved")
    write_warc(file, [moved, *(response(url, html) for url, html in pages_of("site.example", 3))])
    command = ["crawl", str(file), "-o", str(tmp_path / "out"), "--jobs", "1", "--quiet", "--templates-out"]
    assert (main(command), main([*command, "--strict"])) == (0, 1)


def test_a_crawl_without_a_page_fails_and_says_why_last(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    gone, moved = (response("https://site.example/", b"x", status=status) for status in ("404 Gone", "301 Moved"))
    cases = {
        "error page": [moved, gone, gone],
        "no page": [gone.replace(b"response", b"request", 1)] * 3,
        "broken record": [b"<p>a page"],
    }
    for reason, records in cases.items():
        write_warc(tmp_path / "a.warc", records)
        out = tmp_path / reason
        assert main(["crawl", str(tmp_path / "a.warc"), "-o", str(out), "--jobs", "1", "--quiet", "--strict"]) == 3
        assert reason in capfd.readouterr().err.splitlines()[-1]
    (tmp_path / "a.warc").write_bytes(b"")
    assert (
        main(
            [
                "crawl",
                str(tmp_path / "a.warc"),
                "-o",
                str(tmp_path / "out"),
                "--jobs",
                "1",
                "--quiet",
                "--templates-out",
            ]
        )
        == 0
    )


def test_the_readme_of_an_output_names_files_that_there_are(expected: Path) -> None:
    lines = (expected / "README.md").read_text(encoding="utf-8").splitlines()
    patterns = [line.split()[1] for line in lines if line.startswith("  data_files:")]
    assert [len(list(expected.glob(pattern))) > 0 for pattern in patterns] == [True]


def test_the_same_command_again_tells_what_was_done(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["crawl", str(crawl), "-o", str(tmp_path / "out"), "--jobs", "1", "--quiet", "--templates-out"]
    assert main(command) == 0
    before = {file: file.stat().st_mtime_ns for file in (tmp_path / "out" / "pages").iterdir()}
    first = capsys.readouterr().out
    assert main(command) == 0
    assert capsys.readouterr().out == first
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "out" / "pages").iterdir()} == before


def test_a_folder_with_something_else_is_refused(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    assert main(["crawl", str(crawl), "-o", str(tmp_path), "--quiet", "--templates-out"]) == 1
    assert "is not empty" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [tmp_path / "mine.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_disk_that_is_full_is_told_and_the_same_command_goes_on_later(
    crawl: Path, expected: Path, tmp_path: Path, jobs: str
) -> None:
    program = (
        "import resource, sys; from sitestencil.cli import main\n"
        "if __name__ == '__main__':\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))\n"
        "    sys.exit(main(sys.argv[1:]))\n"
    )
    script, folder = tmp_path / "limited.py", tmp_path / "out"
    script.write_text(program, encoding="utf-8")
    command = ["crawl", str(crawl), "-o", str(folder), "--jobs", jobs, "--quiet", "--templates-out"]
    for limit in (2_000, 30_000):
        full = subprocess.run(
            [sys.executable, str(script), str(limit), *command], check=False, capture_output=True, text=True
        )
        assert full.returncode == 1
        assert full.stderr.startswith("sitestencil: The crawl cannot go on: The disk is full.")
        assert "Traceback" not in full.stderr
    assert main(command) == 0
    assert output(folder) == output(expected)


def test_a_crawl_of_other_options_is_refused_and_kept(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["crawl", str(crawl), "-o", str(tmp_path / "out"), "--jobs", "1", "--quiet", "--templates-out"]
    assert main(command) == 0
    before = output(tmp_path / "out")
    assert main([*command, "--markdown"]) == 1
    assert "other options" in capsys.readouterr().err
    assert output(tmp_path / "out") == before


FIRST = "<urn:uuid:00000000-0000-4000-8000-000000000001>"


def test_a_row_keeps_its_record_as_it_stands(tmp_path: Path) -> None:
    url, html = (
        "https://site.example/café?a b",
        "<title>Café</title><p>Un <a href=/x>café</a> noir".encode(),
    )
    head = f"WARC-Record-ID: {FIRST}\r\nWARC-Date: 2026-03-01T10:00:00Z\r\nWARC-Payload-Digest: sha1:ABC\r\n"
    record = response(url, html, content_type="text/html; charset=iso-8859-1").replace(
        b"WARC-Type", f"{head}WARC-Truncated: length\r\nWARC-Type".encode(), 1
    )
    write_warc(tmp_path / "a.warc.gz", [record])
    row = {"uri": "https://site.example/Café", "html": html.decode(), "label": 3}
    (tmp_path / "b.jsonl").write_text(json.dumps(row), encoding="utf-8")
    command = ["crawl", str(tmp_path / "a.warc.gz"), str(tmp_path / "b.jsonl"), "-o", str(tmp_path / "out")]
    assert main([*command, "--json-lines", "--jobs", "1", "--quiet", "--templates-out"]) == 0
    first, second = sorted(output(tmp_path / "out")[0], key=lambda page: str(page["source"]))
    known = tuple("url normalized_url record_id date status digest truncated declared_charset charset".split())
    assert [first[name] for name in known] == [
        *(url, "https://site.example/caf%C3%A9?a%20b", FIRST, "2026-03-01T10:00:00Z", 200, "sha1:ABC", "length"),
        *("iso-8859-1", "utf-8"),
    ]
    assert (first["words"], first["links"], first["way"], first["kind"]) == (3, 1, "alone", "")
    assert (second["url"], second["input"], second["status"]) == (row["uri"], '{"label":3}', None)
    lines = [line for file in (tmp_path / "out" / "lines").iterdir() for line in unpacked(file).splitlines()]
    written = [json.loads(line) for line in lines]
    assert {line["text"] for line in written} == {"Un café noir\n"}
    assert {line["record_id"] for line in written} == {FIRST, None}


def unpacked(file: Path) -> str:
    with pa.CompressedInputStream(pa.OSFile(str(file)), "zstd") as stream:
        return bytes(stream.read()).decode()


def test_a_large_warc_gives_no_record_that_lies_in_a_body_by_one_process_and_by_two(tmp_path: Path) -> None:
    file = tmp_path / "forged.warc.gz"
    honest = [response(url, html) for url, html in pages_of("site.example", 12)]
    write_warc(file, [*honest[:6], forging_answer(file.name), *honest[6:]])
    for processes in (1, 2):
        folder = tmp_path / f"out{processes}"
        run([file], folder, processes)
        assert report(folder)["sites"] == 2
        assert {page["site"] for page in output(folder)[0]} == {"site.example", "evil.example"}


AT_WORK = """
import sys, time
from pathlib import Path
from sitestencil.crawl.folder_lock import folder_lock
with folder_lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_crawl_into_a_folder_says_that_the_first_is_at_work(
    crawl: Path, expected: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    command = ["crawl", str(crawl), "-o", str(folder), "--jobs", "1", "--quiet", "--templates-out"]
    first = subprocess.Popen([sys.executable, "-c", AT_WORK, str(folder)], stdout=subprocess.PIPE, text=True)
    assert first.stdout is not None
    assert first.stdout.readline() == "held\n"
    assert main(command) == 1
    assert "Another crawl is at work" in capsys.readouterr().err
    first.kill()  # its lock ends with it
    first.wait()
    first.stdout.close()
    assert main(command) == 0
    assert output(folder) == output(expected)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_crawl_that_is_terminated_ends_as_an_interrupted_one(crawl: Path, tmp_path: Path, jobs: str) -> None:
    command = [
        # Not `python -m`: that ends by the signal itself where it interrupts an import.
        str(Path(sys.executable).with_name("sitestencil")),
        "crawl",
        str(crawl),
        "-o",
        str(tmp_path / "out"),
        "--jobs",
        jobs,
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "out" / ".work" / "job.json").exists():
        assert process.poll() is None
        time.sleep(0.01)
    process.terminate()
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.splitlines() == [
        "Finished work is kept: to resume, run the same command again.",
        "sitestencil: interrupted",
    ]


def interrupted_after_reading(crawl: Path, folder: Path) -> None:
    """Do a crawl's first half."""

    class StopError(Exception): ...

    def stop(progress: CrawlProgress) -> None:
        if progress.stage == "extracting" and progress.done:
            raise StopError

    with pytest.raises(StopError):
        run_locally(open_job([crawl], folder, Options(templates_out=True)), stop, 1)


@pytest.mark.parametrize("pattern", ["job.json", "spill/*.read", "spill/*.index", "spill/*.pages"])
@pytest.mark.parametrize("damage", ["emptied", "cut", "overwritten"])
def test_a_crawl_whose_state_is_damaged_says_so_and_what_to_do(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], pattern: str, damage: str
) -> None:
    folder = tmp_path / "out"
    interrupted_after_reading(crawl, folder)
    for file in (folder / ".work").glob(pattern):
        whole = file.read_bytes()
        instead = {"emptied": b"", "cut": whole[: len(whole) // 2], "overwritten": b"\xff" * len(whole)}
        file.write_bytes(instead[damage])
    for report_of_work in (folder / ".work" / "done").iterdir():
        report_of_work.unlink()
    assert main(["crawl", str(crawl), "-o", str(folder), "--jobs", "1", "--quiet", "--templates-out"]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"is damaged, so this crawl cannot go on. Delete {folder}, and run the same command again." in said


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff", b'{"pages": 0, "ways": {}}'])
def test_a_damaged_report_of_a_finished_crawl_is_told(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], damage: bytes
) -> None:
    command = ["crawl", str(crawl), "-o", str(tmp_path / "out"), "--jobs", "1", "--quiet", "--templates-out"]
    assert main(command) == 0
    (tmp_path / "out" / "report.json").write_bytes(damage)
    assert main(command) == 1
    assert "report.json is damaged" in capsys.readouterr().err


FORGED = [
    b"",
    b"\xff",
    b"{}",
    b'{"pages": 0, "ways": {}, "templates": 0, "sites": 0, "text_bytes": 0, "skipped": []}',
    b'{"pages": 999, "ways": {}, "templates": 0, "sites": 0, "text_bytes": 0, "skipped": []}',
]


@pytest.mark.parametrize("forged", FORGED)
def test_a_work_whose_report_is_not_true_is_done_again(
    crawl: Path, expected: Path, tmp_path: Path, forged: bytes
) -> None:
    folder = tmp_path / "out"
    interrupted_after_reading(crawl, folder)
    done = list((folder / ".work" / "done").iterdir())
    assert done
    for file in done:
        file.write_bytes(forged)
    assert main(["crawl", str(crawl), "-o", str(folder), "--jobs", "1", "--quiet", "--templates-out"]) == 0
    assert output(folder) == output(expected)


def test_a_file_in_the_place_of_a_folder_is_told_in_a_sentence(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes").write_text("mine", encoding="utf-8")
    for folder in (tmp_path / "notes", tmp_path / "notes" / "out"):
        assert main(["crawl", str(crawl), "-o", str(folder), "--quiet", "--templates-out"]) == 1
        assert capsys.readouterr().err.endswith("must be a folder. Give another folder.\n")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may read and write everything")
def test_a_folder_without_permission_is_told_in_a_sentence(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "locked").mkdir(mode=0o555)
    assert main(["crawl", str(crawl), "-o", str(tmp_path / "locked" / "out"), "--quiet", "--templates-out"]) == 1
    assert "You may not read or write" in capsys.readouterr().err
