"""Pages that end their processes: each costs itself, three cost their site, and the crawl goes on."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.support.crawls import output, pages_of, response, write_warc
from tests.support.killers import KILLERS, crawl, killer, killing_crawl

from sitestencil.crawl import engine
from sitestencil.crawl.engine import _Workers, run, run_locally
from sitestencil.crawl.job import Job, open_job
from sitestencil.crawl.notes import Stage, TaskNotes
from sitestencil.crawl.work import Options
from sitestencil.errors import WorkerLost


def skipped_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "skipped.jsonl").read_text(encoding="utf-8").splitlines()]


def test_a_page_that_ends_its_process_costs_itself_in_the_stage_where_it_does(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    reading, _, extracting = killing_crawl(file)
    run_locally(open_job([file], tmp_path / "whole", Options(templates_out=True)), lambda _: None, 1)
    assert crawl(file, tmp_path / "out", 2) == 0
    assert list((tmp_path / "out").rglob("*.part")) == []
    lines = skipped_of(tmp_path / "out")
    assert [(line["offset"], line["reason"]) for line in lines] == [(reading, "killed"), (extracting, "killed")]
    rows, templates, _ = output(tmp_path / "out")
    # The page that ends extracting was learned from, as in a crawl that it does not end.
    gone = {KILLERS[0][0], KILLERS[2][0]}
    whole = [row for row in output(tmp_path / "whole")[0] if row["url"] not in gone]
    assert [row["url"] for row in rows] == [row["url"] for row in whole]
    assert [row["text"] for row in rows[-18:]] == [row["text"] for row in whole[-18:]]
    (of_learning,) = (one["pages"] for one in templates if one["id"] == "site1.example/0")
    assert KILLERS[1][0] not in of_learning


def test_the_same_command_goes_on_when_a_page_ends_the_only_process(tmp_path: Path) -> None:
    pages = [*pages_of("site.example", 5), killer("site.example", "extracting")]
    write_warc(tmp_path / "a.warc", [response(*page) for page in pages])
    assert [crawl(tmp_path / "a.warc", tmp_path / "out", 1) for _ in range(2)] == [9, 0]
    assert [line["url"] for line in skipped_of(tmp_path / "out")] == ["https://site.example/extracting"]
    assert len(output(tmp_path / "out")[0]) == 5


def lose(job: Job, task: str, stage: Stage, site: str, source: str = "", offset: int = 0, run: int = 1) -> None:
    """Note what a task does, as an attempt that lost its process."""
    file = job.spill / f"{task}.notes"
    assert isinstance(file, Path)
    file.touch()
    with file.open("r+b", buffering=0) as stream:
        assert TaskNotes(stream, run).may_begin(stage, site, source, offset)


def finished(job: Job) -> None:
    with _Workers(1, here=True) as workers:
        run(job, lambda _: None, workers)


def test_three_pages_that_end_processes_cost_their_site_and_others_only_themselves(tmp_path: Path) -> None:
    pages = [one for site in "abcd" for one in pages_of(f"{site}.example", 5)]
    at = write_warc(tmp_path / "a.warc.gz", [response(*page) for page in pages])
    job = open_job([tmp_path / "a.warc.gz"], tmp_path / "out", Options(templates_out=True))
    source = str(tmp_path / "a.warc.gz")
    for number in range(3):
        for _ in range(2):
            lose(job, "00000", Stage.EXTRACTING, "a.example", source, at[number])
        lose(job, "00000", Stage.EXTRACTING, "c.example", source, at[10 + number])  # once, in each of three runs
        lose(job, "00000", Stage.EXTRACTING, "c.example", source, at[10], run=10 + number)
    for number in (5, 6):
        for stage in (Stage.LEARNING, Stage.EXTRACTING):
            lose(job, "00000", stage, "b.example", source, at[number])
            lose(job, "00000", stage, "b.example", source, at[number])
    for number in range(12):
        lose(job, "00000", Stage.LEARNING, "d.example", source, number)
    finished(job)
    assert [line["offset"] for line in skipped_of(tmp_path / "out")] == [*at[:7], *at[15:]]
    assert {line["reason"] for line in skipped_of(tmp_path / "out")} == {"killed"}
    assert list((tmp_path / "out" / ".work").glob("**/*.notes")) == []


def test_a_table_is_left_out_from_the_row_on_that_ends_its_process(tmp_path: Path) -> None:
    rows = [{"url": url, "html": html.decode()} for url, html in pages_of("site.example", 6)]
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    job = open_job([tmp_path / "a.jsonl", tmp_path / "b.jsonl"], tmp_path / "out", Options(templates_out=True))
    source = str(tmp_path / "a.jsonl")
    for _ in range(2):
        lose(job, "000000", Stage.READING, source, source, 4)
    finished(job)
    assert [(line["source"], line["offset"]) for line in skipped_of(tmp_path / "out")] == [(source, 4)]
    assert len(output(tmp_path / "out")[0]) == 10


def test_processes_that_end_before_any_page_end_the_crawl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_MOST_LOST", 3)
    with _Workers(2) as workers, pytest.raises(WorkerLost):
        list(workers.results(os._exit, dict.fromkeys(range(2), (9,))))
