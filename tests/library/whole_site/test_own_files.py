"""What a person has in a site's folder stays: own files, edited pages, folders of others."""

import re
from pathlib import Path

import pytest
from tests.library.whole_site.test_saving import Waits, files, manual, save  # noqa: F401 - a fixture
from tests.support.manual_site import ManualSite, knot
from tests.support.server import Answer

from sitestencil.cli import main
from sitestencil.errors import UnusableOutput
from sitestencil.whole_site.folder import Folder
from sitestencil.whole_site.saving import save_site
from sitestencil.whole_site.visiting import Loading
from sitestencil.whole_site.writing import Choice

LISTS = "index.md pages.jsonl pages.parquet changes.json report.html kinds.json llms.txt llms-full.txt".split()
PART = f".notes.txt.{'0' * 32}.part"


def test_a_page_takes_no_name_of_a_persons_file(manual: ManualSite, tmp_path: Path) -> None:  # noqa: F811
    save(manual, tmp_path / "out")
    own = {
        "pages/manual/notes.md": b"My notes",
        "pages/manual/More": b"More notes",
        f"pages/manual/{PART}": b"half",
        "x/.y/report.html": b"mine",
    }
    for name, data in own.items():
        (tmp_path / "out" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "out" / name).write_bytes(data)
    manual.texts["/manual/notes.html"] = ("Notes", knot("reef", " These are notes of the site."))
    manual.texts["/manual/More/more.html"] = ("More", knot("anchor", " There is more."))
    manual.texts["/manual/"] = ("Start", "<a href=notes.html>Notes</a> <a href=More/more.html>More</a>")
    for _ in range(2):
        saved = save(manual, tmp_path / "out")
        found = files(tmp_path / "out")
        assert {name: found.get(name) for name in own} == own
        (file,) = [one.file for one in saved.entries if one.url.endswith("/notes.html")]
        assert b"These are notes of the site" in found[file]
        assert [b"There is more" in found[one.file] for one in saved.entries if "/More/" in one.url] == [True]


@pytest.mark.parametrize("name", LISTS)
def test_a_persons_file_with_a_lists_name_is_an_error_before_anything_is_written(
    manual: ManualSite,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    monkeypatch.setattr(Folder, "write", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        save(manual, tmp_path / "out")
    (tmp_path / "out" / name).write_text("mine")
    before = files(tmp_path / "out")
    with pytest.raises(UnusableOutput) as raised:
        save(manual, tmp_path / "out")
    assert f"{tmp_path / 'out' / name} is a file of your own" in str(raised.value)
    assert files(tmp_path / "out") == before


def test_a_folder_with_somebody_elses_state_is_refused_as_it_is(manual: ManualSite, tmp_path: Path) -> None:  # noqa: F811
    for name in (".work/todo.txt", ".work/sub/x", "index.md", "report.html"):
        (tmp_path / "out" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "out" / name).write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UnusableOutput) as raised:
        save(manual, tmp_path / "out")
    assert "has other files in it" in str(raised.value)
    assert sorted(tmp_path.rglob("*")) == before


def test_an_edited_file_is_kept_and_named(
    manual: ManualSite,  # noqa: F811
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    save(manual, tmp_path / "out")
    edited = {
        "pages/manual/knots/reef.md": b"\xff mine",
        "pages/manual/knots/square.md": b"my square",
        "index.md": b"i",
    }
    for name, data in edited.items():
        (tmp_path / "out" / name).write_bytes(data)
    manual.texts["/manual/knots/reef.html"] = ("Reef", knot("reef", " It slips on nylon, so tie it twice."))
    del manual.texts["/manual/knots/square.html"]
    gone = f"{manual.base}/manual/knots/square.html"
    command = ["site", f"{manual.base}/manual/", "-o", str(tmp_path / "out"), "--quiet", "--delay", "0.001"]
    assert main(command) == 0
    assert "Edited: kept index.md, pages/manual/knots/reef.md" in capsys.readouterr().out
    report = (tmp_path / "out/report.html").read_text()
    assert [name for name in edited if f"<li>{name}" not in report.partition("Edited: kept")[2]] == []
    assert f"<li>{gone}" in report.partition("<h2>Gone")[2]
    assert "404" in report.partition("<h2>Gone")[2].partition("<h2>Edited")[0]
    for _ in range(2):
        save(manual, tmp_path / "out")
        found = files(tmp_path / "out")
        assert {name: found[name] for name in edited} == edited


def test_pictures_stay_while_a_file_names_them_or_a_run_loads_none(manual: ManualSite, tmp_path: Path) -> None:  # noqa: F811
    def saved(*, pictures: bool) -> set[str]:
        loading = Loading(pictures=pictures, pause=Waits())
        save_site(f"{manual.base}/manual/", tmp_path / "out", loading, Choice(), lambda _: None)
        return {file.name for file in (tmp_path / "out/pictures").glob("*")}

    texts = {name: manual.texts[f"/manual/knots/{name}.html"] for name in ("reef", "square", "anchor")}
    for name, (title, text) in texts.items():
        shown = f"<p>So it looks in the end, as drawn by hand: <img src='/manual/{name}.png' alt='The knot {name}'>"
        manual.texts[f"/manual/knots/{name}.html"] = (title, f"{text}{shown}")
        manual.answers[f"/manual/{name}.png"] = Answer(b"\x89PNG and more", "image/png")
    assert len(all_three := saved(pictures=True)) == 3
    frames = {*(tmp_path / "out/templates").iterdir()}
    page = tmp_path / "out/pages/manual/knots/reef.md"
    page.write_text(page.read_text() + "\nMy own line.\n")
    for name, (title, text) in texts.items():
        if name != "anchor":
            manual.texts[f"/manual/knots/{name}.html"] = (title, text)
        manual.answers[f"/manual/{name}.png"] = Answer(b"", status=404)
    assert saved(pictures=False) == all_three
    assert frames <= {*(tmp_path / "out/templates").iterdir()}
    left = saved(pictures=True)
    assert len(left) == 2
    for name in ("reef", "anchor"):
        (shown,) = re.findall(r"pictures/(\w+\.png)", (page.parent / f"{name}.md").read_text())
        assert shown in left


@pytest.mark.parametrize(("name", "advice"), [("visits", "Give a new folder"), ("visits.new", "Delete it")])
def test_the_advice_about_a_damaged_state_helps(
    manual: ManualSite,  # noqa: F811
    tmp_path: Path,
    name: str,
    advice: str,
) -> None:
    save(manual, tmp_path / "out")
    state = tmp_path / "out/.work" / name
    state.write_bytes((tmp_path / "out/.work/visits").read_bytes()[:-100] + b"\n")
    with pytest.raises(UnusableOutput) as raised:
        save(manual, tmp_path / "out")
    assert f"{state} is damaged. {advice}" in str(raised.value)
    if advice == "Delete it":
        state.unlink()
    again = save(manual, tmp_path / ("out" if advice == "Delete it" else "new"))
    assert len(again.entries) == len(manual.texts)


def test_notes_of_a_foreign_folder_reach_nothing_outside(manual: ManualSite, tmp_path: Path) -> None:  # noqa: F811
    save(manual, tmp_path / "out")
    (tmp_path / "letter.txt").write_text("Dear")
    (tmp_path / "out/.work/written").write_text(" ../letter.txt\n /etc/x\nno line\n")
    save(manual, tmp_path / "out")
    assert (tmp_path / "letter.txt").read_text() == "Dear"
