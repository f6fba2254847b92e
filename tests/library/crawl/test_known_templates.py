"""A crawl that is given the templates of an earlier one knows its sites, learns new kinds, and hands all on."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.support.crawls import article, listing, output, response, write_warc

from sitestencil.cli import main
from sitestencil.content.main_content import ContentChoice
from sitestencil.crawl.content import Formats
from sitestencil.crawl.engine import run_locally
from sitestencil.crawl.job import open_job
from sitestencil.crawl.known_templates import KnownTemplates
from sitestencil.crawl.work import Options
from sitestencil.errors import UnusableInput

SITE = "ropes.example"


def crawl(pages: list[tuple[str, bytes]], folder: Path, *templates: Path) -> Path:
    file = folder.with_suffix(".warc.gz")
    write_warc(file, [response(url, html) for url, html in pages])
    run_locally(open_job([file], folder, Options(templates=templates, templates_out=True)), lambda _: None, 1)
    return folder


def articles(first: int, last: int) -> list[tuple[str, bytes]]:
    return [(f"https://{SITE}/story{number}", article(SITE, number)) for number in range(first, last)]


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return crawl(articles(0, 12), tmp_path_factory.mktemp("earlier") / "out")


def test_a_single_page_of_a_known_site_is_as_right_as_one_of_many(earlier: Path, tmp_path: Path) -> None:
    together, _, _ = output(crawl(articles(0, 13), tmp_path / "together"))
    ((page,), templates, _) = output(crawl(articles(12, 13), tmp_path / "again", earlier))
    assert page["way"] == "template"
    assert page["text"] == next(one["text"] for one in together if one["url"] == page["url"])
    assert page["kind"] == templates[0]["id"]


def test_the_known_templates_are_handed_on_and_new_kinds_are_added(earlier: Path, tmp_path: Path) -> None:
    lists = [(f"https://{SITE}/list{number}", listing(SITE, number)) for number in range(4)]
    _, before, _ = output(earlier)
    pages, templates, _ = output(crawl([*articles(20, 22), *lists], tmp_path / "again", earlier))
    assert {page["way"] for page in pages} == {"template"}
    assert [one["learned"] for one in templates][: len(before)] == [one["learned"] for one in before]
    assert len({one["id"] for one in templates}) == len(templates) == len(before) + 1
    third, _, _ = output(crawl(articles(30, 31), tmp_path / "third", tmp_path / "again"))
    assert [page["way"] for page in third] == ["template"]


def test_of_several_earlier_crawls_the_last_that_knows_a_site_counts(earlier: Path, tmp_path: Path) -> None:
    lists = [(f"https://knots.example/{number}", listing("knots.example", number)) for number in range(9)]
    other = crawl(lists, tmp_path / "other")
    newer = crawl([(url, html.replace(b"Menu", b"Card")) for url, html in articles(0, 12)], tmp_path / "newer")
    pages, templates, _ = output(crawl([*articles(12, 13), lists[8]], tmp_path / "out", earlier, newer, other))
    assert {page["way"] for page in pages} == {"template"}
    known = [*output(other)[1], *output(newer)[1]]
    assert {one["learned"] for one in templates} == {one["learned"] for one in known}


def test_a_site_that_was_known_by_few_pages_is_learned_anew_from_more(tmp_path: Path) -> None:
    few = crawl(articles(0, 4), tmp_path / "few")
    _, before, _ = output(few)
    _, templates, _ = output(crawl(articles(4, 20), tmp_path / "more", few))
    assert before[0]["site_pages"] == 4
    assert templates[0]["site_pages"] == 16
    assert templates[0]["key_page"] != before[0]["key_page"]


def test_a_damaged_file_of_templates_costs_only_its_templates(earlier: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    for part in ("templates", ".work"):
        (copy / part).mkdir(parents=True)
    for name in ("report.json", ".work/job.json"):
        (copy / name).write_bytes((earlier / name).read_bytes())
    for file in (earlier / "templates").iterdir():
        (copy / "templates" / file.name).write_bytes(b"PAR1 damaged")
    pages, _, _ = output(crawl(articles(12, 13), tmp_path / "again", copy))
    assert [page["way"] for page in pages] == ["alone"]


def test_a_wrong_table_of_templates_costs_only_its_templates(
    earlier: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (file,) = [file for file in (earlier / "templates").iterdir() if pq.read_metadata(file).num_rows]
    table = pq.read_table(file)

    def used(changed: pa.Table) -> int:
        (folder := tmp_path / str(len(list(tmp_path.iterdir()))) / "templates").mkdir(parents=True)
        pq.write_table(changed, folder / file.name)
        return len(KnownTemplates(folder.parent, partitions).of_site(SITE))

    def with_value(name: str, value: object) -> pa.Table:
        field, number = table.schema.field(name), table.schema.get_field_index(name)
        return table.set_column(number, field, pa.array([value] * len(table), field.type))

    partitions = json.loads((earlier / ".work" / "job.json").read_bytes())["job"]["partitions"]
    assert used(pa.concat_tables([table] * 100)) == 24
    needed = ("id", "site", "pages", "confidence", "learned", "site_pages")
    cases = {f"without {name}": table.drop_columns([name]) for name in needed}
    for name in table.column_names:
        number = table.schema.get_field_index(name)
        cases[f"numbers as {name}"] = table.set_column(number, name, pa.array([1.5] * len(table)))
    for name in ("id", "site", "pages", "learned", "site_pages"):
        cases[f"no {name}"] = with_value(name, None)
    escape = chr(27)
    values = {
        "id": f"{SITE}/{escape}[31m",
        "pages": [None],
        "of_kind": 2**31 - 1,
        "stands_on": bytes([255]),
        "confidence": float("nan"),
        "learned": b"x",
        "site_pages": -1,
    }
    cases |= {f"{name} {value!r}": with_value(name, value) for name, value in values.items() if name != "id"}
    assert used(table) == len(table)
    assert [name for name, changed in cases.items() if used(changed)] == []
    number = table.schema.get_field_index("learned")
    used(
        with_value("id", values["id"]).set_column(
            number, "learned", pa.array([b"x"] * len(table), pa.large_binary())
        )
    )
    assert caplog.records
    assert escape not in caplog.text


def test_a_folder_without_a_finished_crawl_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_warc(tmp_path / "a.warc.gz", [response(*articles(0, 1)[0])])
    arguments = ["crawl", str(tmp_path / "a.warc.gz"), "-o", str(tmp_path / "out"), "--templates", str(tmp_path)]
    assert main(arguments) == 1
    assert "holds no finished crawl" in capsys.readouterr().err
    assert not (tmp_path / "out" / "pages").exists()


def test_templates_are_written_where_a_later_crawl_can_use_them(earlier: Path, tmp_path: Path) -> None:
    write_warc(tmp_path / "a.warc.gz", [response(*page) for page in articles(0, 12)])

    def crawl_to(folder: str, *options: str) -> Path:
        assert main(["crawl", str(tmp_path / "a.warc.gz"), "-o", str(tmp_path / folder), "-q", *options]) == 0
        return tmp_path / folder

    plain, written = crawl_to("plain"), crawl_to("written", "--templates-out")
    assert not (plain / "templates").exists()
    assert output(plain)[0] == output(written)[0]
    assert output(written)[1] == output(earlier)[1] != []
    for option in ("--templates", "--against"):
        assert output(crawl_to(f"next{option}", option, str(written)))[1]
    for options in (Options(templates=(plain,)), Options(against=plain)):
        with pytest.raises(UnusableInput, match="--templates-out"):
            open_job([tmp_path / "a.warc.gz"], tmp_path / "no", options)


def test_a_crawl_of_other_content_is_refused_and_its_templates_serve(earlier: Path, tmp_path: Path) -> None:
    write_warc(tmp_path / "a.warc.gz", [response(*articles(0, 1)[0])])
    wanted = Formats(choice=ContentChoice(around=True))
    with pytest.raises(UnusableInput, match="other content"):
        open_job([tmp_path / "a.warc.gz"], tmp_path / "out", Options(wanted=wanted, against=earlier))
    open_job([tmp_path / "a.warc.gz"], tmp_path / "out", Options(wanted=wanted, templates=(earlier,)))
