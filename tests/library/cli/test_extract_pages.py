"""``sitestencil extract`` for programs: standard input, files, several pages, formats, headers, bounds."""

import io
import json
import os
import pty
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from tests.support.server import Answer, Server, SiteServer
from tests.support.small_site import SERVED_AS, served
from tests.support.stored_site import store_small_site
from tests.support.tables import table

from sitestencil import Doubt
from sitestencil.cli import main
from sitestencil.cli.extract import _file_name
from sitestencil.cli.extracting import FORMATS


@pytest.fixture
def home(server: Server) -> str:
    for path, html in served().items():
        server.add(path, html.encode())
    return f"{server.base}/"


def test_html_from_standard_input_is_not_asked_for(
    home: str, server: Server, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    html = served()["/"].replace("Key story", "From the pipe").encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(html)))
    assert main(["extract", "-", "--url", home, "--format", "text"]) == 0
    assert capfd.readouterr().out == "From the pipe\n"
    assert "/" not in [request.path for request in server.requests]


ALONE = "<nav><a href='/about'>About</a></nav><article><h1>Rope</h1><p>As long as <a href='walk.html'>the walk</a>."


@pytest.mark.parametrize("name", ["-", "{folder}/saved.html", "/dev/fd/0"])
def test_html_without_its_address_is_judged_alone_and_its_links_stay(name: str, tmp_path: Path) -> None:
    (tmp_path / "saved.html").write_text(ALONE)
    command = [sys.executable, "-m", "sitestencil", "extract", name.replace("{folder}", str(tmp_path))]
    for form, link in (
        ("markdown", "[the walk](walk.html)"),
        ("annotated", 'href="walk.html"'),
        ("html", 'href="/about"'),
    ):
        done = subprocess.run([*command, "--format", form], input=ALONE, capture_output=True, text=True, check=True)
        assert link in done.stdout
        assert "invalid" not in done.stdout
        assert (
            done.stderr == "sitestencil: without --url the page is judged alone, and its links stay as they are.\n"
        )


def test_of_several_files_without_addresses_it_is_said_once(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "one.html", tmp_path / "two.html"]
    for file in files:
        file.write_text(ALONE)
    assert main(["extract", *map(str, files), "--format", "text"]) == 0
    out, err = capfd.readouterr()
    assert out.count("As long as the walk.") == 2
    assert err.count("--url") == err.count("\n") == 1


LOGIN = "<!doctype html><form class='login'><p>Who are you?</p><input name='who'><button>Sign in</button></form>"


def test_a_page_saved_behind_a_login_is_a_guess_that_says_so_on_standard_error_and_in_json(
    home: str, server: Server, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "saved.html"
    file.write_text(served()["/"])
    for name in SERVED_AS.values():
        server.add(f"/{name}", f"{LOGIN}<h1>Sign in to see {name}</h1><i>{name}</i>".encode())
    server.add("/", LOGIN.encode())
    assert main(["extract", str(file), "--url", home, "--format", "json"]) == 0
    out, err = capfd.readouterr()
    assert json.loads(out)["doubt"] == "not_the_served_page"
    assert err.endswith(f": {Doubt.NOT_THE_SERVED_PAGE.sentence}\n")
    assert [request.path for request in server.requests].count("/") == 1


def test_a_file_of_html_is_a_page(home: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "saved.html"
    file.write_bytes("<meta charset=koi8-r><nav>меню</nav><p>Слово".encode("koi8-r"))
    assert (
        main(
            [
                "extract",
                str(file),
                "--url",
                home,
                "--format",
                "markdown",
                "--most-pages",
                "0",
                "--detector",
                "pagelevel",
            ]
        )
        == 0
    )
    assert "Слово" in capfd.readouterr().out


def test_each_format_is_printed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    site = str(store_small_site(tmp_path / "shop"))
    printed = {}
    for name in {name for name, form in FORMATS.items() if not form.is_folder}:
        assert main(["extract", "--site", site, "--format", name]) == 0
        printed[name] = capfd.readouterr().out
    assert printed["text"] == "Key story\n"
    head, _, body = printed["markdown"].partition("---\n\n")
    assert (head.splitlines()[0], body) == ("---", "Key story\n")
    assert f"url: {json.dumps(json.loads(printed['json'])['url'])}" in head.splitlines()
    assert main(["extract", "--site", site, "--format", "markdown", "--no-front-matter"]) == 0
    assert capfd.readouterr().out == "Key story\n"
    assert "Key story" in printed["content-html"]
    assert "Imprint" not in printed["content-html"]
    assert "content\tarticle\n" in printed["selectors"]
    assert json.loads(printed["jsonl"].splitlines()[0])["selector"] == ":root"
    assert '<base href="http' in printed["annotated"]
    assert "{% block main %}{% endblock %}" in printed["jinja"]
    assert len(set(printed.values())) == sum(not form.is_folder for form in FORMATS.values())


def test_a_folder_is_written_and_is_named_with_o(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    sheet = b"<link rel=stylesheet href=/a.css>"
    answers = {path: Answer(sheet + html.encode()) for path, html in served().items()}
    with SiteServer({**answers, "/a.css": Answer(b"p { color: red }", "text/css")}) as server:
        assert main(["extract", f"{server.base}/", "--format", "folder"]) == 2
        assert "name it with -o" in capfd.readouterr().err
        assert main(["extract", f"{server.base}/", "--format", "folder", "-o", str(tmp_path / "out")]) == 0
        assert main(["extract", f"{server.base}/", "--offline", "-o", str(tmp_path / "one.html")]) == 0
        assert "Loading" not in capfd.readouterr().err
    names = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert names == {"out/index.html", "out/css/a.css", "one.html"}
    assert "<style>p { color: red; }</style>" in (tmp_path / "one.html").read_text()


def test_on_a_terminal_the_files_that_are_loaded_are_counted(tmp_path: Path) -> None:
    sheets = b"<link rel=stylesheet href=/a.css><link rel=stylesheet href=/b.css>"
    answers = {path: Answer(sheets + html.encode()) for path, html in served().items()}
    css = Answer(b"p { color: red }", "text/css")
    terminal, end = pty.openpty()
    with SiteServer({**answers, "/a.css": css, "/b.css": css}) as server, os.fdopen(terminal, "rb", 0) as screen:
        command = [sys.executable, "-m", "sitestencil", "extract", f"{server.base}/", "--offline", "-o", "one.html"]
        with server.holding("/b.css"):
            program = subprocess.Popen(command, cwd=tmp_path, stderr=end, env={**os.environ, "TERM": "xterm"})
            shown = b""
            while b"fonts: 1 of 2" not in shown:
                shown += screen.read(1024)
        assert program.wait(60) == 0
        os.close(end)
    assert "color: red" in (tmp_path / "one.html").read_text()


def shown_on_a_terminal(command: list[str], folder: Path) -> str:
    program, screen = pty.fork()
    if not program:
        os.chdir(folder)
        os.execv(command[0], command)
    shown = b""
    with suppress(OSError):  # Linux reports the end of a terminal as an error
        while piece := os.read(screen, 4096):
            shown += piece
    os.waitpid(program, 0)
    os.close(screen)
    return shown.decode()


def test_on_a_terminal_the_last_line_says_what_was_found_and_how_sure(home: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sitestencil", "extract", home]
    line = re.compile(
        r"sitestencil: \d+ of \d+ elements are (.+); compared with 3 other pages\. (\w+) confidence.*\s*"
    )
    for options, kind in ((["--format", "text"], "main content"), (["-o", "out.html"], "template")):
        last = shown_on_a_terminal([*command, *options], tmp_path).splitlines()[-1]
        found = line.search(last)
        assert found is not None, last
        assert found[1] == kind
        assert found[2] in {"High", "Medium", "Low"}
    assert "confidence" not in shown_on_a_terminal([*command, "--quiet"], tmp_path)


@pytest.mark.parametrize("parallel", ["1", "2"])
def test_several_pages_are_printed_in_their_order_and_one_that_fails_is_told(
    home: str, parallel: str, capfd: pytest.CaptureFixture[str]
) -> None:
    pages = [home, f"{home}missing", f"{home}about"]
    assert main(["extract", *pages, "--parallel", parallel, "--format", "text"]) == 1
    out, err = capfd.readouterr()
    assert out == f"==> {home} <==\nKey story\n\n==> {home}about <==\nNumbers\n\n"
    assert err.startswith(f"sitestencil: {home}missing: the server answered 404")


def test_several_pages_as_json_are_a_line_each(home: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", home, f"{home}blog", "--format", "json"]) == 0
    answers = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [answer["url"] for answer in answers] == [home, f"{home}blog"]
    assert main(["extract", home, f"{home}blog", "--format", "jsonl"]) == 0
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert {line["url"] for line in lines} == {home, f"{home}blog"}


def test_several_pages_go_into_a_folder_a_file_each(home: str, tmp_path: Path) -> None:
    folder = tmp_path / "made" / "pages"
    assert main(["extract", f"{home}about", f"{home}about?", f"{home}../blog", "-o", str(folder)]) == 0
    names = sorted(file.name for file in folder.iterdir())
    stem = home.partition("://")[2].rstrip("/").replace(":", "-")
    assert names == [f"{stem}-about-2.html", f"{stem}-about.html", f"{stem}-blog.html"]
    assert all("Imprint" in file.read_text() for file in folder.iterdir())


@table(
    ("address", "name"),
    [
        ("https://example.org/news/a.html", "example.org-news-a.html"),
        ("https://example.org/index.HTM?page=2", "example.org-index.HTM-page-2.html"),
        ("https://example.org/a.xhtml", "example.org-a.html"),
        ("https://example.org/", "example.org.html"),
    ],
)
def test_a_pages_own_ending_is_not_repeated(address: str, name: str) -> None:
    assert _file_name(address, ".html", set()) == name


def test_headers_and_cookies_are_sent_to_the_site(home: str, server: Server, tmp_path: Path) -> None:
    cookies = tmp_path / "cookies.txt"
    cookies.write_text("# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\tmine\n")
    options = ["--header", "Accept-Language: es", "--header", "X-A: b", "--cookie-file", str(cookies)]
    assert main(["extract", home, *options, "-o", str(tmp_path / "out.html")]) == 0
    assert len(server.requests) > 2
    for request in server.requests:
        assert request.headers["Accept-Language"] == "es"
        assert request.headers["X-A"] == "b"
        assert request.headers["Cookie"] == "session=mine"


def test_a_file_without_cookies_is_told(home: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cookies.json"
    file.write_text("{}")
    assert main(["extract", home, "--cookie-file", str(file)]) == 1
    assert "it is not in the form of Netscape's cookies.txt" in capsys.readouterr().err
    assert main(["extract", home, "--cookie-file", str(tmp_path / "none")]) == 1
    assert "No such file" in capsys.readouterr().err


def test_no_more_pages_are_loaded_than_wanted(home: str, server: Server, tmp_path: Path) -> None:
    out = ["--force", "-o", str(tmp_path / "out.html")]
    assert main(["extract", home, "--most-pages", "1", *out]) == 0
    assert len(server.requests) == 2
    assert main(["extract", home, "--most-pages", "0", *out]) == 0
    assert len(server.requests) == 3
    assert main(["extract", home, "--most-pages", "0", "--detector", "temex", *out]) == 1


def test_a_site_that_takes_longer_than_the_timeout_is_left(
    home: str, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    with server.holding("/"):
        assert main(["extract", home, "--timeout", "0.6"]) == 1
    assert "did not answer within 0.2 seconds" in capsys.readouterr().err


def test_without_a_terminal_only_the_output_is_told(home: str) -> None:
    for quiet in ([], ["--quiet"]):
        command = [sys.executable, "-m", "sitestencil", "extract", home, "--format", "text", *quiet]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert (done.stdout, done.stderr) == ("Key story\n", "")
