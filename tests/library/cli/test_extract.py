"""The ``sitestencil`` command, as a person or a script calls it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.small_site import HOME
from tests.support.stored_site import store_small_site

from sitestencil import Doubt
from sitestencil.cli import commands, main
from sitestencil.cli.command import GROUPS


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return store_small_site(tmp_path / "shop")


def test_extract_prints_the_template(site: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["extract", "--site", str(site)]) == 0
    out, err = capfdbinary.readouterr()
    assert b"Imprint" in out
    assert b"Key story" not in out
    assert err == b""


@pytest.mark.makes_mistakes
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps the limit")
def test_extract_ends_at_its_limit_of_memory_and_names_it(tmp_path: Path) -> None:
    large, small = tmp_path / "large.html", tmp_path / "small.html"
    large.write_text("<p><b>word</b> word" * 120_000)
    small.write_text("<h1>Title</h1><p>Some words of a small page.")

    def run(limit: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        # A process of its own: a test worker may hold enough freed memory to stay below the limit.
        return subprocess.run(
            [sys.executable, "-m", "sitestencil", *map(str, arguments)],
            env={**os.environ, "SITESTENCIL_MEMORY_GB": limit},
            capture_output=True,
            text=True,
            check=False,
        )

    for pages in ([large], [large, small]):
        ended = run("0.15", "extract", "--format", "text", "--quiet", *pages)
        assert ended.returncode == 1
        assert "0.15 GB" in ended.stderr
        assert "SITESTENCIL_MEMORY_GB" in ended.stderr
        assert ("small page" in ended.stdout) == (small in pages)
    assert run("much", "crawl", small, "-o", tmp_path / "out").returncode == 2


def test_a_wrong_limit_of_memory_is_a_wrong_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.html"
    page.write_text("<h1>Title</h1><p>Some words of a small page.")
    for wrong in ("0", "-1", "nan", "inf", "much"):
        monkeypatch.setenv("SITESTENCIL_MEMORY_GB", wrong)
        assert main(["extract", "--format", "text", "--quiet", str(page)]) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["extract", "saved.htm"], "saved.htm: no such file."),
        (["extract", "{site}/picture.png"], "picture.png is not HTML."),
        (["extract", "{site}/notes.txt"], "notes.txt is not HTML."),
        (["extract", "--site", "{site}", "-o", "{site}"], "is a folder: name a file"),
        (["extract", "--site", "{site}", "-o", "{site}/none/a.html"], "there is no folder"),
        (
            ["extract", "--site", "{site}", "--format", "folder", "-o", "{site}/site.json"],
            "is a file: name a folder",
        ),
        (["extract", "pages/saved"], "pages/saved: no such file."),
        (["extract", "example.org/a"], "no such file. For a page on the web, write https://example.org/a"),
        (["extract", "http://127.0.0.1:9/"], "could not be loaded"),
        (["extract", "--site", "/nowhere"], "no stored site"),
        (["extract", "--site", "{site}", "-o", "{site}/site.json"], "To overwrite it, add --force"),
        (["extract", "--site", "{site}", "-o", "{site}/site.json/x"], "cannot be written"),
        (["benchmark", "/nowhere"], "holds no sites"),
        (["benchmark", "{site}", "--json", "{site}/site.json/x"], "cannot be written"),
    ],
)
def test_bad_input_is_a_sentence_and_no_success(
    site: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (site / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0<")
    (site / "notes.txt").write_text("a line of text")
    status = main([argument.replace("{site}", str(site)) for argument in arguments])
    assert status == (3 if "is not HTML" in message else 1)
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["extract", "ftp://example.org/"], "not an http or https address"),
        (["extract", "http://"], "not a web address"),
        (["extract", "{site}"], "is a folder. If it is a stored site, write --site"),
        (["extract", "-", "-"], "only once"),
        (["extract", "{site}/pages/a.html", "--offline"], "give it with --url"),
        (["extract", ""], "Name a page"),
        (["extract", "{site}/pages/a.html", "--without", "title"], "--without is for --format text, markdown,"),
        (["extract", "{site}/pages/a.html", "--no-front-matter"], "is for --format markdown, not for html"),
        (["extract", "--site", "{site}", "--format", "json", "--own-scripts"], "folder, jinja or jinja-folder,"),
        (
            ["extract", "--site", "{site}", "--format", "jinja", "--content", "lorem"],
            "unrecognized arguments: --content",
        ),
        (["benchmark", "{site}", "--detector", "magic"], "There is no detector 'magic'"),
        (["train", "{site}", "--theta", "2"], "--theta must be above 0"),
        (["benchmark", "{site}", "--perturbed", "--peers"], "leave out --peers"),
        (["install", "--user-data-dir", "x", "--browser", "firefox"], "Firefox has no --user-data-dir"),
        (["crawl", "{site}", "-o", "{site}/out", "--jobs", "0"], "'0' is not a whole number of at least 1"),
        (["crawl"], "-o"),
        (["crawl", "x.warc", "-o", "out", "--against", "a", "--templates", "b"], "excludes --templates"),
        (["extract", "{site}/pages/a.html", "--detector", "magic"], "invalid choice: 'magic'"),
        (["extract", "--nothing"], "--nothing"),
        (["extract", "--site", "x", "http://a.test/"], "leave out the other pages and --url"),
        (["extract", "http://a.test/", "http://b.test/"], "go into a folder: name one with -o"),
        (["extract", "http://a.test/", "--url", "http://b.test/"], "--url is the address of one page's HTML"),
        (["extract", "http://a.test/", "--header", "nothing"], "--header"),
        (["extract", "http://a.test/", "--header", "Host: x"], "--header"),
        (["extract", "http://a.test/", "--timeout", "soon"], "--timeout"),
        (["extract", "http://a.test/", "--most-pages", "-1"], "--most-pages"),
        (["extract", "http://a.test/", "--parallel", "0"], "--parallel"),
        (["extrakt"], "extrakt"),
    ],
)
def test_wrong_use_is_a_sentence_and_status_2(
    site: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status: object = main([argument.replace("{site}", str(site)) for argument in arguments])
    except SystemExit as stopped:
        status = stopped.code
    error = capsys.readouterr().err
    assert status == 2, error
    assert message in error
    assert error.count("\n") == 1


def test_nothing_is_overwritten_without_force(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, folder = tmp_path / "out.html", tmp_path / "out"
    folder.mkdir()
    for place in (file, folder / "notes.txt"):
        place.write_text("mine")
    ways = (["--format", "html", "-o", str(file)], ["--format", "folder", "-o", str(folder)])
    for way in ways:
        assert main(["extract", "--site", str(site), *way]) == 1
        assert "exists already" in capsys.readouterr().err
        assert file.read_text() == (folder / "notes.txt").read_text() == "mine"
        assert not (folder / "index.html").exists()
    for way in ways:
        assert main(["extract", "--site", str(site), *way, "--force"]) == 0
    assert "Imprint" in file.read_text()
    assert "Imprint" in (folder / "index.html").read_text()
    assert main(["extract", "--site", str(site), "-o", "/dev/null"]) == 0


def test_the_help_lists_the_commands_by_groups(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    words = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
    places = [words.index(word) for word in "use: extract setup: install crawl: crawl research: tune".split()]
    assert places == sorted(places)
    assert all(command.group in GROUPS for command in commands())


def test_the_help_gives_each_value_of_an_option_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["extract", "--help"])
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    begins = ("folder: the template", "markdown: the main content", "sitelevel: SiteLevel")
    assert all(any(line.startswith(begin) for line in lines) for begin in begins)


@pytest.mark.parametrize(
    ("redirection", "message"),
    [
        ("> /dev/full", "Standard output cannot be written: No space left on device."),
        (">&-", "Standard output is closed."),
    ],
)
@pytest.mark.parametrize("command", ["extract --site {site}", "completion fish"])
def test_an_output_that_takes_nothing_is_told(site: Path, command: str, redirection: str, message: str) -> None:
    line = f"{sys.executable} -u -m sitestencil {command.replace('{site}', str(site))} {redirection}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, f"sitestencil: {message}\n")


def test_a_closed_input_is_told() -> None:
    line = f"{sys.executable} -m sitestencil extract - <&-"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "sitestencil: Standard input is closed.\n")


def test_a_reader_that_stops_early_is_no_error(site: Path) -> None:
    command = f"{sys.executable} -m sitestencil extract --site {site} --format annotated | head -c 1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, check=False)
    assert done.stderr == b""


def test_a_guess_is_told_on_standard_error_and_in_json_and_is_no_failure(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for other in "abc":
        (site / "pages" / f"{other}.html").unlink()
    assert main(["extract", "--site", str(site), "--format", "json"]) == 0
    out, err = capsys.readouterr()
    answer = json.loads(out)
    assert answer["doubt"] == "nothing_loaded"
    assert answer["pages_loaded"] == 0
    assert err == f"sitestencil: {site}: {Doubt.NOTHING_LOADED.sentence}\n"


EMPTY, SHELL = "<title>Soon</title><p>", "<title>App</title><div id=app></div><script src=/app.js></script>"


@pytest.mark.parametrize(("html", "doubt"), [(EMPTY, Doubt.ALMOST_EMPTY), (SHELL, Doubt.BUILT_BY_SCRIPTS)])
@pytest.mark.parametrize("form", ["text", "markdown", "content-html", "html", "jinja"])
def test_a_page_that_shows_nothing_is_no_success_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], html: str, doubt: Doubt, form: str
) -> None:
    page, out = tmp_path / "page.html", tmp_path / "out"
    page.write_text(html)
    arguments = ["extract", str(page), "--url", "http://127.0.0.1:9/", "--format", form, "-o", str(out)]
    assert main(arguments) == 3
    error = capsys.readouterr().err
    assert doubt.sentence in error
    assert "nothing is written" in error
    assert not out.exists()


@pytest.mark.parametrize("detector", ["stencil", "temex"])
def test_where_all_is_template_each_detector_s_answer_comes_with_a_word(
    site: Path, capsys: pytest.CaptureFixture[str], detector: str
) -> None:
    home = site / "pages" / "index.html"
    home.write_text(home.read_text().replace("<p>Key story</p>", ""))
    assert main(["extract", "--site", str(site), "--detector", detector]) == 0
    assert capsys.readouterr().err == f"sitestencil: {site}: {Doubt.ALL_TEMPLATE.sentence}\n"
    assert main(["extract", "--site", str(site), "--detector", detector, "--format", "text"]) == 3


def test_no_doubt_is_null_in_json_and_silent(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", "--site", str(site), "--format", "json", "--detector", "temex"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["doubt"] is None
    assert err == ""


def test_rules_of_a_file_win_over_the_detector(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = {"sitestencil_rules": 1, "sites": {HOME.split("/")[2]: [{"selector": "footer", "is": "content"}]}}
    (tmp_path / "rules.json").write_text(json.dumps(rules))
    arguments = ["extract", "--site", str(site), "--format", "text"]
    assert main(arguments) == 0
    assert "Imprint" not in capsys.readouterr().out
    assert main([*arguments, "--rules", str(tmp_path / "rules.json")]) == 0
    assert "Imprint" in capsys.readouterr().out


def test_rules_that_cannot_be_used_are_told_with_their_file(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rules.json"
    for content, sentence in (("{}", "no file of rules"), (None, "cannot be read")):
        if content is None:
            file.unlink()
        else:
            file.write_text(content)
        assert main(["extract", "--site", str(site), "--rules", str(file)]) == 1
        error = capsys.readouterr().err
        assert sentence in error
        assert str(file) in error
