"""A whole site: visited politely, resumed, updated, and written as a folder in which each link leads somewhere."""

import asyncio
import html
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from zipfile import ZipFile

import pytest
import yaml
from markdown_it import MarkdownIt
from tests.conftest import ROOT
from tests.support.crawls import response, write_warc
from tests.support.manual_site import FOOTER, KNOTS, START, ManualSite, in_order_of_paths, knot, manual_page
from tests.support.named_files import everything_from
from tests.support.server import Answer, SiteServer

import sitestencil
from sitestencil.cli import main
from sitestencil.crawl import contents
from sitestencil.crawl.plan import CrawlProgress
from sitestencil.errors import PageUnavailable, UnusableOutput
from sitestencil.printable import printable
from sitestencil.site.frontier import Extent
from sitestencil.site.sources import network
from sitestencil.site.sources.headless_browser import start_browser
from sitestencil.site.sources.polite import Fresh, PoliteSource
from sitestencil.template import Template
from sitestencil.whole_site import loaded_files, saving, writing
from sitestencil.whole_site.folder import Folder
from sitestencil.whole_site.saving import Saved, save_site
from sitestencil.whole_site.visiting import Loading
from sitestencil.whole_site.writing import Choice

VISIT = PoliteSource.visit
LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.fixture
def manual(monkeypatch: pytest.MonkeyPatch) -> Iterator[ManualSite]:
    """The manual, on a server that counts as one of the public internet."""
    monkeypatch.setattr(network, "is_public", lambda _: True)
    monkeypatch.setattr(saving, "in_learning_order", in_order_of_paths)
    with ManualSite() as site:
        yield site


class Waits:
    """Notes how long the visitor waits, and does not wait."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def save(
    site: ManualSite,
    folder: Path,
    extent: Extent = Extent(),  # noqa: B008 - it never changes
    report: Callable[[CrawlProgress], None] = lambda _: None,
) -> Saved:
    return save_site(f"{site.base}/manual/", folder, Loading(extent, pause=Waits()), Choice(), report)


def silence(monkeypatch: pytest.MonkeyPatch, is_silent: Callable[[str], bool]) -> None:
    """Let some addresses answer nothing."""

    async def answer(source: PoliteSource, url: str, *version: str) -> Fresh | str | None:
        if is_silent(url):
            raise PageUnavailable(f"{url} did not answer within 10 seconds.", later=True)
        return await VISIT(source, url, *version)

    monkeypatch.setattr(PoliteSource, "visit", answer)


def files(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, with its state."""
    found = (file for file in folder.rglob("*") if file.is_file() and file.name != "lock")
    return {str(file.relative_to(folder)): file.read_bytes() for file in found}


def test_a_site_costs_a_request_a_page_and_two_and_waits_between_them(manual: ManualSite, tmp_path: Path) -> None:
    waits = Waits()
    loading = Loading(pause=waits)
    saved = save_site(f"{manual.base}/manual/", tmp_path / "out", loading, Choice(), lambda _: None)
    assert len(saved.entries) == len(KNOTS) + 2
    assert Counter(manual.paths) == Counter([*manual.texts, "/robots.txt", "/sitemap.xml"])
    assert len(waits.seconds) == len(manual.paths) - 1
    assert min(waits.seconds) > 0.5


def test_traps_errors_and_other_hosts_are_left_and_said(manual: ManualSite, tmp_path: Path) -> None:
    manual.add_traps()
    saved = save(manual, tmp_path / "out")
    assert max(Counter(manual.paths).values()) == 1
    left = {url.removeprefix(f"{manual.base}/manual/"): reason for url, reason in saved.site.left.items()}
    said = {
        "private/diary.html": "robots.txt",
        "logout": "may act",
        "a/a/a/": "endless addresses",
        "gone.html": "404",
        "away": "other.example",
        "big": "larger than 5 MB",
        "start?utm_source=x": "a copy of another page",
    }
    assert {path: left.get(path) for path, words in said.items() if words not in left.get(path, "")} == {}
    assert "nothing new" in left.pop(next(path for path in left if path.startswith("calendar")))
    assert sum(path.startswith("/manual/calendar") for path in manual.paths) < 20
    assert "/manual/private/diary.html" not in manual.paths
    assert "/manual/logout" not in manual.paths
    start = (tmp_path / "out/pages/manual/index.md").read_text()
    assert "[old.html](knots/reef.md)" in start
    report = (tmp_path / "out/report.html").read_text()
    assert "nothing new at such addresses" in report
    assert "404" in report


def test_every_file_reads_and_every_link_between_files_leads_to_one(manual: ManualSite, tmp_path: Path) -> None:
    manual.add_traps()
    saved = save(manual, tmp_path / "out")
    folder = tmp_path / "out"
    broken = []
    for file in folder.rglob("*.md"):
        text = file.read_text()
        assert FOOTER not in text
        broken += [(file, link) for link in LINK.findall(text) if not _leads_somewhere(file, link)]
    assert broken == []
    page = (folder / "pages/manual/knots/reef.md").read_text()
    _, head, body = page.split("---\n", 2)
    facts = yaml.safe_load(head)
    assert (facts["title"], facts["url"]) == ("Reef", f"{manual.base}/manual/knots/reef.html")
    assert facts["kind"] == "kind-1"
    assert 0 < facts["confidence"] <= 1
    assert "[the start](../index.md)" in body
    rows = [json.loads(line) for line in (folder / "pages.jsonl").read_text().splitlines()]
    assert [(row["file"], row["title"]) for row in rows] == [(one.file, one.title) for one in saved.entries]
    kinds = json.loads((folder / "kinds.json").read_text())
    assert "Harbour Press" in (folder / kinds[0]["template"]).read_text()
    assert "pages/manual/knots/reef.md" in kinds[0]["pages"]
    index = (folder / "index.md").read_text()
    assert index.startswith("# Rope Manual\n\n- [Start](pages/manual/index.md)\n  - [Bowline](")
    assert "- [Reef](pages/manual/knots/reef.md): All about Reef\n" in (folder / "llms.txt").read_text()
    full = (folder / "llms-full.txt").read_text()
    assert [text for text in KNOTS.values() if text not in full] == []


def _leads_somewhere(file: Path, link: str) -> bool:
    return link.startswith(("http://", "https://")) or (file.parent / unquote(link)).is_file()


class Killed(BaseException):
    """Ends a run as a kill does: no code of ours expects it."""


def test_a_run_that_is_killed_at_any_moment_goes_on_and_ends_as_any_other(
    manual: ManualSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manual.add_traps()
    save(manual, tmp_path / "whole")
    whole = files(tmp_path / "whole")
    steps: Iterator[int] = iter(())

    def step(*_: object) -> None:
        if next(steps, None) == 0:
            raise Killed

    class Stepping(Folder):
        def write(self, name: str, content: str | bytes) -> None:
            super().write(name, content)
            step()

    monkeypatch.setattr("sitestencil.whole_site.saving.Folder", Stepping)
    wrong = []
    for moment in range(1, 51, 5):
        folder = tmp_path / str(moment)
        manual.requests.clear()
        steps = iter(range(moment, -1, -1))
        with pytest.raises(Killed):
            save(manual, folder, report=step)
        new = folder / ".work/visits.new"
        new.write_bytes(new.read_bytes() + b'{"page":"half')  # what a kill within a write leaves
        (folder / f".report.html.{'0' * 32}.part").write_bytes(b"half")
        save(manual, folder)
        again = {path for path, count in Counter(manual.paths).items() if count > 1}
        if files(folder) != whole or not again <= {"/robots.txt", "/sitemap.xml"}:
            wrong.append(moment)
    assert wrong == []


def test_where_nothing_changed_each_page_costs_a_conditional_request_and_no_file_is_written(
    manual: ManualSite, tmp_path: Path
) -> None:
    save(manual, tmp_path / "out")
    manual.requests.clear()
    stamps = {file: file.stat().st_mtime_ns for file in (tmp_path / "out").rglob("*") if file.is_file()}
    saved = save(manual, tmp_path / "out")
    conditional = [request.path for request in manual.requests if "If-None-Match" in request.headers]
    assert Counter(conditional) == Counter([*manual.texts])
    assert len(manual.requests) == len(manual.texts) + 2
    assert (saved.written, any((saved.changes or {"none": 1}).values())) == (0, False)
    lock = tmp_path / "out/.work/lock"
    after = {file: file.stat().st_mtime_ns for file in (tmp_path / "out").rglob("*") if file.is_file()}
    assert {file for file in stamps.keys() | after if stamps.get(file) != after.get(file)} <= {lock}


@pytest.mark.parametrize("version", ['"v\u20131"', '"版本 1"', f'"{"v" * 60_000}"'])
def test_a_version_in_any_letters_goes_back_as_it_came_unless_it_is_long(
    manual: ManualSite, tmp_path: Path, version: str
) -> None:
    sent = version.encode().decode("latin-1")
    for path in ("/manual/", "/manual/knots/reef.html"):
        manual.answers[path] = Answer(manual_page(*manual.texts.pop(path)).encode(), headers={"ETag": sent})
    save(manual, tmp_path / "out")
    count = len(manual.requests)
    assert (save(manual, tmp_path / "out").changes or {})["not reached"] == []
    asked = [
        request.headers.get("If-None-Match")
        for request in manual.requests[count:]
        if request.path in manual.answers
    ]
    assert asked.count(sent) == (0 if len(version) > 1000 else 2)


def test_a_kill_at_the_very_end_does_not_hide_what_changes_later(manual: ManualSite, tmp_path: Path) -> None:
    save(manual, tmp_path / "out")
    *lines, _ = (tmp_path / "out/.work/visits").read_bytes().splitlines(keepends=True)
    (tmp_path / "out/.work/visits.new").write_bytes(b"".join(lines))
    manual.texts["/manual/knots/reef.html"] = ("Reef", knot("reef", " It slips on nylon, so tie it twice."))
    assert (save(manual, tmp_path / "out").changes or {})["content"] == [f"{manual.base}/manual/knots/reef.html"]


def test_a_change_of_the_frame_is_told_from_one_of_the_content(manual: ManualSite, tmp_path: Path) -> None:
    save(manual, tmp_path / "out")
    manual.footer = "The Castle Press, 9 Hill Road"
    frame = save(manual, tmp_path / "out").changes or {}
    assert [change["change"] for change in frame.pop("frame")] == ["text changed"]
    assert frame == {"content": [], "added": [], "removed": [], "not reached": []}
    manual.texts["/manual/knots/reef.html"] = ("Reef", knot("reef", " It slips on nylon, so tie it twice."))
    del manual.texts["/manual/unlinked.html"]
    manual.texts["/manual/new.html"] = ("New", "<p>A knot that nobody knew before the last summer.")
    manual.texts["/manual/"] = ("Start", manual.texts["/manual/"][1] + "<a href=new.html>New</a>")
    saved = save(manual, tmp_path / "out")
    addresses = {
        "frame": [],
        "content": [f"{manual.base}/manual/", f"{manual.base}/manual/knots/reef.html"],
        "added": [f"{manual.base}/manual/new.html"],
        "removed": [f"{manual.base}/manual/unlinked.html"],
        "not reached": [],
    }
    assert saved.changes == addresses == json.loads((tmp_path / "out/changes.json").read_text())
    assert not (tmp_path / "out/pages/manual/unlinked.md").exists()


def test_a_server_that_asks_to_wait_is_waited_for(manual: ManualSite, tmp_path: Path) -> None:
    manual.answers["/robots.txt"] = Answer(b"User-agent: *\nCrawl-delay: 3", "text/plain")
    manual.busy["/manual/knots/reef.html"] = 2
    waits = Waits()
    saved = save_site(f"{manual.base}/manual/", tmp_path / "out", Loading(pause=waits), Choice(), lambda _: None)
    assert len(saved.entries) == len(manual.texts)
    assert waits.seconds.count(7) == 2
    assert min(waits.seconds) > 2
    assert manual.paths.count("/manual/knots/reef.html") == 3


def test_a_server_that_falls_silent_ends_the_run_and_the_next_one_goes_on(
    manual: ManualSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silence(monkeypatch, lambda _: len(manual.requests) > 6)
    with pytest.raises(PageUnavailable) as raised:
        save(manual, tmp_path / "out")
    assert "run this command again" in str(raised.value)
    silence(monkeypatch, lambda _: False)
    assert len(save(manual, tmp_path / "out").entries) == len(manual.texts)
    assert max(count for path, count in Counter(manual.paths).items() if path in manual.texts) == 1


def test_a_page_stays_and_is_named_unless_the_server_says_that_it_is_gone(
    manual: ManualSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(manual, tmp_path / "out")
    before = files(tmp_path / "out")
    statuses = {"anchor": 500, "prusik": 503, "figure": 403, "square": 404, "bowline": 410}
    for name, status in statuses.items():
        del manual.texts[f"/manual/knots/{name}.html"]
        manual.answers[f"/manual/knots/{name}.html"] = Answer(b"", status=status)
    manual.answers["/sitemap.xml"] = Answer(b"", status=500)
    silence(monkeypatch, lambda url: url.endswith("reef.html"))
    changes = save(manual, tmp_path / "out").changes or {}
    stay, gone = (
        [f"{manual.base}/manual/knots/{name}.html" for name in names]
        for names in (("anchor", "figure", "prusik", "reef"), ("bowline", "square"))
    )
    assert {what: sorted(urls) for what, urls in changes.items() if urls} == {"removed": gone, "not reached": stay}
    after = files(tmp_path / "out")
    pages = {name for name in before if name.startswith("pages/")}
    assert {name for name in pages if after.get(name) != before[name]} == {
        f"pages/manual/knots/{name}.md" for name in ("bowline", "square")
    }
    report = after["report.html"].decode()
    assert [url for url in [*stay, *gone, f"{manual.base}/sitemap.xml"] if f"<li>{url}" not in report] == []


def test_a_login_that_ended_removes_no_page(manual: ManualSite, tmp_path: Path) -> None:
    save(manual, tmp_path / "out")
    before = files(tmp_path / "out/pages")
    start = manual.texts.pop("/manual/")
    texts, manual.texts = manual.texts, {"/manual/": start, "/manual/login": ("Log in", "<p>Say who you are.")}
    for path in texts:
        manual.answers[path] = Answer(b"", status=302, headers={"Location": f"/manual/login?next={path}"})
    changes = save(manual, tmp_path / "out").changes or {}
    assert (changes["removed"], len(changes["not reached"])) == ([], len(texts))
    assert files(tmp_path / "out/pages") == before
    del manual.texts["/manual/"]
    manual.answers["/manual/"] = Answer(b"", status=302, headers={"Location": "/manual/login"})
    with pytest.raises(PageUnavailable) as raised:
        save(manual, tmp_path / "out")
    assert "/manual/login" in str(raised.value)
    manual.texts["/manual/"] = start
    manual.texts |= texts
    assert save(manual, tmp_path / "out").changes == {what: [] for what in changes}
    assert files(tmp_path / "out/pages") == before


def test_a_page_that_is_silent_in_the_first_run_is_named(
    manual: ManualSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silence(monkeypatch, lambda url: url.endswith(("reef.html", "unlinked.html")))
    for _ in range(2):
        left = save(manual, tmp_path / "out").site.left
        names = sorted(url.rpartition("/")[2] for url, why in left.items() if "did not answer" in why)
        assert names == ["reef.html", "unlinked.html"]


def test_another_site_does_not_replace_a_finished_folder(manual: ManualSite, tmp_path: Path) -> None:
    pages = [f"<p>{text}" for text in KNOTS.values()]
    for host in ("one", "two"):
        rows = (json.dumps({"url": f"https://{host}.example/{at}", "html": page}) for at, page in enumerate(pages))
        (tmp_path / f"{host}.jsonl").write_text("\n".join(rows))
    save(manual, tmp_path / "web")
    _saved_from(tmp_path / "one.jsonl", "file")
    before = files(tmp_path)
    requests = len(manual.requests)
    addresses = (f"{manual.base}/manual/knots/reef.html", f"{manual.base}/", "http://other.example/manual/")
    for folder, names in {"web": (*addresses, tmp_path / "one.jsonl"), "file": (tmp_path / "two.jsonl",)}.items():
        for name in names:
            with pytest.raises(UnusableOutput) as raised:
                save_site(str(name), tmp_path / folder, Loading(), Choice(), lambda _: None)
            assert "another folder" in str(raised.value)
    assert len(manual.requests) == requests
    assert {name: data for name, data in files(tmp_path).items() if data} == before


def test_sitemaps_are_waited_for_and_a_named_one_that_is_missing_is_said(
    manual: ManualSite, tmp_path: Path
) -> None:
    lines = f"User-agent: *\nSitemap: {manual.base}/manual/map.xml\nSitemap: {manual.base}/sitemap.xml"
    manual.answers["/robots.txt"] = Answer(lines.encode(), "text/plain")
    manual.busy["/sitemap.xml"] = 1
    waits = Waits()
    saved = save_site(f"{manual.base}/manual/", tmp_path / "out", Loading(pause=waits), Choice(), lambda _: None)
    assert "/manual/unlinked.html" in manual.paths
    assert waits.seconds.count(7) == 1
    assert "404" in saved.site.left[f"{manual.base}/manual/map.xml"]


def test_only_wanted_pages_are_loaded(manual: ManualSite, tmp_path: Path) -> None:
    cases = {
        "few": (Extent(most_pages=3), 3),
        "near": (Extent(depth=0), 1),
        "some": (Extent(include=("/manual/knots/b*",)), 2),
        "others": (Extent(exclude=("*/knots/*",)), 2),
    }
    found = {name: len(save(manual, tmp_path / name, extent).entries) for name, (extent, _) in cases.items()}
    assert found == {name: number for name, (_, number) in cases.items()}
    rows = [
        json.dumps({"url": f"{manual.base}{path}", "html": manual_page(*manual.texts[path])})
        for path in manual.texts
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(rows))
    options = {"few": "--most-pages=3", "some": "--include=/manual/knots/b*", "others": "--exclude=*/knots/*"}
    for name, option in options.items():
        folder = tmp_path / f"{name} of a file"
        assert main(["site", str(tmp_path / "a.jsonl"), "-o", str(folder), "--quiet", option]) == 0
        assert len(list((folder / "pages").rglob("*.md"))) == {**found, "some": 1}[name]


def test_on_a_private_network_links_look_like_pages_or_are_listed_unless_a_person_says_otherwise(
    tmp_path: Path,
) -> None:
    with ManualSite() as site:
        links = "<a href='/manual/open-door'>Open</a> <a href='/manual/gate'>Gate</a> <a href=logout>Log out</a>"
        site.texts["/manual/"] = ("Start", f"<nav>{links}</nav>")
        site.texts["/manual/gate"] = ("Gate", "<p>It is open.")
        saved = save(site, tmp_path / "out")
        reasons = {"open-door": "may act", "gate": "does not look like a page", "logout": "may act"}
        assert saved.site.left == {f"{site.base}/manual/{name}": reason for name, reason in reasons.items()}
        assert "/manual/unlinked.html" in site.paths
        assert "/manual/gate" not in site.paths
        save(site, tmp_path / "all", Extent(all_links=True))
        assert "/manual/gate" in site.paths
        assert {"/manual/open-door", "/manual/logout"}.isdisjoint(site.paths)


def test_a_person_at_a_terminal_sees_the_links_that_may_act_and_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def confirms(question: str) -> bool:
        asked.append(question)
        return True

    monkeypatch.setattr("sitestencil.cli.site.confirms", confirms)
    with ManualSite() as site:
        site.texts["/manual/"] = ("Start", "<nav><a href='/manual/gate'>Gate</a></nav>")
        site.texts["/manual/gate"] = ("Gate", "<p>It is open.")
        command = ["site", f"{site.base}/manual/", "--delay", "0.001"]
        assert main([*command, "--quiet", "-o", str(tmp_path / "quiet")]) == 0
        assert not asked
        assert main([*command, "-o", str(tmp_path / "out")]) == 0
        assert f"{site.base}/manual/gate\nLoad it, too?" in asked[0]
        assert "/manual/gate" in site.paths


def test_a_crawl_in_place_of_an_address_gives_the_same_pages_and_the_texts_are_a_crawls(
    manual: ManualSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = save(manual, tmp_path / "web")
    pages = {f"{manual.base}{path}": manual_page(*text) for path, text in manual.texts.items()}
    (tmp_path / "a.jsonl").write_text("\n".join(json.dumps({"url": url, "html": pages[url]}) for url in pages))
    write_warc(tmp_path / "a.warc.gz", [response(url, html.encode()) for url, html in pages.items()])
    with ZipFile(tmp_path / "a.wacz", "w") as zipped:
        zipped.write(tmp_path / "a.warc.gz", "archive/a.warc.gz")
    written = {
        folder: {name: data for name, data in files(tmp_path / folder).items() if name.startswith("pages/")}
        for folder in ["web", *(_saved_from(tmp_path / name) for name in ("a.jsonl", "a.warc.gz", "a.wacz"))]
    }
    assert [folder for folder, found in written.items() if found != written["web"]] == []
    monkeypatch.setattr("sitestencil.crawl.in_memory.in_learning_order", in_order_of_paths)
    texts = [getattr(one, "text", None) for one in contents(map(saved.site.full, saved.site.pages))]
    rows = [json.loads(line) for line in (tmp_path / "web/pages.jsonl").read_text().splitlines()]
    assert [row["text"] for row in rows] == texts


def _saved_from(crawl: Path, folder: str = "") -> str:
    folder = folder or f"from {crawl.name}"
    save_site(str(crawl), crawl.parent / folder, Loading(), Choice(), lambda _: None)
    return folder


def test_pictures_are_saved_beside_the_pages_and_what_is_none_stays_where_it_is(
    manual: ManualSite, tmp_path: Path
) -> None:
    title, text = manual.texts["/manual/knots/reef.html"]
    names = ("knot.png", "fake.png", "gone.jpg", "drawn.svg", "private/x.gif")
    shown = "".join(
        f"<p>So it looks at last: <img src='/manual/{name}' alt='A knot: {name[:5]}'>" for name in names
    )
    manual.texts["/manual/knots/reef.html"] = (title, text + shown)
    manual.answers["/manual/knot.png"] = Answer(b"\x89PNG and more", "image/png")
    manual.answers["/manual/fake.png"] = Answer(b"<script>", "image/png")
    manual.answers["/manual/private/x.gif"] = Answer(b"GIF89a", "image/gif")
    manual.answers["/robots.txt"] = Answer(b"User-agent: *\nCrawl-delay: 3\nDisallow: */private/", "text/plain")
    waits = Waits()
    loading = Loading(pictures=True, pause=waits)
    for _ in range(2):
        save_site(f"{manual.base}/manual/", tmp_path / "out", loading, Choice(), lambda _: None)
    page = tmp_path / "out/pages/manual/knots/reef.md"
    pictures = dict(re.findall(r"!\[([^]]*)\]\(([^)]*)\)", page.read_text()))
    assert (page.parent / pictures.pop("A knot: knot.")).read_bytes() == b"\x89PNG and more"
    assert pictures == {f"A knot: {name[:5]}": f"{manual.base}/manual/{name}" for name in names[1:]}
    assert manual.paths.count("/manual/knot.png") == 1
    assert min(waits.seconds) > 2
    report = (tmp_path / "out/report.html").read_text()
    for frame in (tmp_path / "out/templates").glob("*.png"):  # where a browser is there
        assert frame.read_bytes().startswith(b"\x89PNG")
        assert f"<img src='templates/{frame.name}'" in report
    assert "/manual/private/x.gif" not in manual.paths


def test_frames_are_drawn_from_files_that_one_judge_let_in(
    manual: ManualSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("selenium")
    monkeypatch.setattr(network, "is_public", lambda address: address == "127.0.0.1")
    drawn: list[str] = []

    def start(*_: object, online: bool = True) -> Any:
        browser = start_browser(None, 20, online=online)
        look = browser.get

        def get(url: str) -> None:
            drawn.append(Path(unquote(urlsplit(url).path)).read_text())
            look(url)

        monkeypatch.setattr(browser, "get", get)
        return browser

    monkeypatch.setattr(loaded_files, "start_browser", start)
    red = Answer(b"body { background: #f00 }", "text/css")
    manual.answers |= {"/manual/red.css": red, "/manual/private/blue.css": red}
    with SiteServer({}, "127.0.0.2") as private:
        manual.footer = (
            FOOTER
            + everything_from(private.base)
            + ("<link rel=stylesheet href=/manual/red.css><link rel=stylesheet href=/manual/private/blue.css>")
        )
        loading = Loading(pictures=True, pause=Waits())
        save_site(f"{manual.base}/manual/", tmp_path / "out", loading, Choice(), lambda _: None)
        assert private.requests == []
    frames = list((tmp_path / "out/templates").iterdir())
    if drawn:  # a browser is there
        assert {file.suffix for file in frames} == {".html", ".png"}
    assert manual.paths.count("/manual/red.css") == 1
    assert "/manual/private/blue.css" not in manual.paths
    assert [page for page in drawn if "#f00" not in page or "default-src 'none'" not in page] == []


def test_what_cannot_be_is_said_in_a_sentence(
    manual: ManualSite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other/letter.txt").write_text("Dear")
    for output, words in (("other", "has other files"), ("other/letter.txt", "is a file")):
        with pytest.raises(UnusableOutput) as unusable:
            save(manual, tmp_path / output)
        assert words in str(unusable.value)
    for name, words in (("site.example", "write https://site.example"), ("a.warc", "no such file")):
        assert main(["site", name, "-o", str(tmp_path / "none")]) == 1
        assert words in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
    for option in ("--depth=2", "--whole-host", "--all-links", "--render", "--delay=3", "--cookie-file=a.txt"):
        assert main(["site", "crawl.warc.gz", "-o", str(tmp_path / "file"), option]) == 2
        assert f"{option.partition('=')[0]} is for an address" in capsys.readouterr().err
    manual.answers["/robots.txt"] = Answer(b"User-agent: *\nDisallow: /", "text/plain")
    with pytest.raises(PageUnavailable) as raised:
        save(manual, tmp_path / "forbidden")
    assert "robots.txt" in str(raised.value)
    assert main(["site", f"{manual.base}/", "-o", str(tmp_path / "cli"), "--quiet"]) == 1
    assert "robots.txt" in capsys.readouterr().err
    manual.answers["/robots.txt"] = Answer(b"", status=503)
    for address, words in ((manual.base, "503"), ("http://nowhere.invalid", "is not known")):
        assert main(["site", f"{address}/", "-o", str(tmp_path / words), "--quiet"]) == 1
        assert words in capsys.readouterr().err
    del manual.answers["/robots.txt"]
    for _ in range(2):  # a first page that is missing may be there the next time
        assert main(["site", f"{manual.base}/gone", "-o", str(tmp_path / "gone"), "--quiet"]) == 1
        assert "404" in capsys.readouterr().err
    assert manual.paths.count("/gone") == 2
    assert main(["crawl", f"{manual.base}/", "-o", str(tmp_path / "crawl"), "--quiet"]) == 1
    assert "sitestencil site" in capsys.readouterr().err


def test_the_command_saves_a_site_and_says_what_to_open(
    manual: ManualSite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["site", f"{manual.base}/manual/", "-o", str(tmp_path / "out"), "--quiet", "--delay", "0.001"]
    for form, ending in (("markdown", "md"), ("text", "txt"), ("html", "html")):
        assert main([*command, "--format", form, "--parquet"]) == 0
        endings = {file.suffix for file in (tmp_path / "out/pages").rglob("*") if file.is_file()}
        assert endings == {f".{ending}"}
    told = capsys.readouterr().out
    assert f"Open {tmp_path / 'out/report.html'}" in told
    assert "Since the last run: nothing changed." in told
    assert (tmp_path / "out/pages.parquet").stat().st_size > 0
    assert main(["site", str(tmp_path / "out"), "-o", str(tmp_path / "other")]) == 1
    assert f"sitestencil site {manual.base}/manual/ -o {tmp_path / 'out'}" in capsys.readouterr().err


def test_programs_get_each_page_with_its_template(manual: ManualSite) -> None:
    pages = list(sitestencil.site(f"{manual.base}/manual/", delay=0))
    assert Counter(manual.paths) == Counter([*manual.texts, "/robots.txt", "/sitemap.xml"])
    reef = next(page for page in pages if page.url.endswith("/reef.html"))
    assert (reef.kind, reef.template.metadata.title) == ("kind-1", "Reef")
    assert KNOTS["reef"] in reef.template.content_text()
    assert FOOTER not in reef.template.content_text()

    async def urls() -> list[str]:
        return [page.url async for page in sitestencil.site(f"{manual.base}/manual/", delay=0)]

    assert asyncio.run(urls()) == [page.url for page in pages]


def test_several_pages_of_a_site_in_one_call_load_it_once(
    manual: ManualSite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    addresses = [f"{manual.base}/manual/knots/{name}.html" for name in KNOTS]
    templates = sitestencil.extract(addresses)
    assert [template.url for template in templates] == addresses
    assert max(Counter(manual.paths).values()) == 1
    manual.requests.clear()
    assert main(["extract", *addresses, "--format", "markdown", "-o", str(tmp_path), "--quiet"]) == 0
    assert max(Counter(manual.paths).values()) == 1
    assert len(list(tmp_path.glob("*.md"))) == len(KNOTS)


PROGRAM = """
import resource, sys
from tests.conftest import ROOT
from tests.support.manual_site import in_order_of_paths
from sitestencil.whole_site import loaded_files, saving
from sitestencil.cli import main
from sitestencil.crawl import contents
from sitestencil.site.sources import network
from sitestencil.site.sources.headless_browser import start_browser
if __name__ == "__main__":
    network.is_public = lambda _: True
    saving.in_learning_order = in_order_of_paths
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
    sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends processes in another way")
def test_the_command_loses_nothing_on_a_full_disk_a_signal_or_a_kill(manual: ManualSite, tmp_path: Path) -> None:
    save(manual, tmp_path / "whole")
    manual.requests.clear()
    script, folder = tmp_path / "program.py", tmp_path / "out"
    script.write_text(PROGRAM, encoding="utf-8")
    command = ["site", f"{manual.base}/manual/", "-o", str(folder), "--quiet", "--delay", "0.001"]
    full = [sys.executable, str(script), "2500", *command]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(full, check=False, capture_output=True, text=True, env=environment)
    assert (done.returncode, "The disk is full." in done.stderr) == (1, True), done.stderr
    for name, how, status in (("anchor", signal.SIGTERM, 130), ("square", signal.SIGKILL, -signal.SIGKILL)):
        path = f"/manual/knots/{name}.html"
        with manual.holding(path):
            before = manual.paths.count(path)
            process = subprocess.Popen([sys.executable, str(script), str(10**9), *command], env=environment)
            while manual.paths.count(path) == before and process.poll() is None:
                time.sleep(0.01)
            process.send_signal(how)
            assert process.wait() == status
    assert main(command) == 0
    assert files(folder) == files(tmp_path / "whole")
    # Each end costs the page that was on its way.
    assert sum(count > 1 for path, count in Counter(manual.paths).items() if path in manual.texts) <= 3


def test_no_file_of_a_site_has_a_token_of_its_addresses(manual: ManualSite, tmp_path: Path) -> None:
    names = "", "a.html?view=2&sid=S3CRET", "b.html;jsessionid=S3CRET", "logout?csrf_token=S3CRET"
    links = "".join(f'<a href="{name}">{name[:4]}</a> ' for name in names)
    manual.answers["/i.png?token=S3CRET"] = Answer(b"\x89PNG", "image/png")
    for more in ("", "It changed."):
        image = "<link rel=canonical href='?sid=S3CRET'><img src='/i.png?token=S3CRET' alt='A picture'>"
        manual.texts["/manual/"] = ("Start", f"<p>{START} {links}{image} {more}")
        rows = [
            {
                "url": f"{manual.base}/{name}",
                "html": manual_page(name[:1], f"{knot('reef')}{more}{name[:1]}{image}"),
            }
            for name in names
        ]
        (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
        for start, pictures_too in ((f"{manual.base}/manual/", True), (str(tmp_path / "a.jsonl"), False)):
            loading = Loading(pictures=pictures_too, pause=Waits())
            folder = tmp_path / f"out {pictures_too}"
            save_site(start, folder, loading, Choice(parquet=True), lambda _: None)
            found = {name: data for name, data in files(folder).items() if not name.startswith(".work")}
            assert [name for name in found if "S3CRET" in name or b"S3CRET" in found[name]] == []
            assert b"csrf_token=" in found["report.html"]
    assert b"view=2&sid=" in found["pages.jsonl"]


def test_a_page_brings_neither_html_nor_foreign_links_into_the_lists_of_its_site(tmp_path: Path) -> None:
    words = "[x](https://foreign.example/) <script>alert(1)</script> <b>\N{RIGHT-TO-LEFT OVERRIDE}\x07"
    hostile = {"Rope Manual": words, "Start": words, "All about": words}
    pages = []
    for name in KNOTS:
        page = manual_page(name, knot(name))
        for own, other in hostile.items():
            page = page.replace(own, html.escape(other))
        pages.append(response(f"https://site.example/[{name}](https:/foreign.example/)", page.encode()))
    write_warc(tmp_path / "a.warc.gz", pages)
    save_site(str(tmp_path / "a.warc.gz"), tmp_path / "out", Loading(), Choice(), lambda _: None)
    for file in ("llms.txt", "llms-full.txt", "index.md"):
        text = (tmp_path / "out" / file).read_text()
        tokens = MarkdownIt("commonmark").parse(text)
        found = [one for token in tokens for one in (token, *(token.children or []))]
        links = {str(one.attrs["href"]) for one in found if one.type == "link_open"}
        assert (printable(text), [one for one in found if one.type.startswith("html")]) == (text, []), file
        assert not [link for link in links if not link.startswith(("pages/", "https://site.example/"))], file


def test_a_kind_that_takes_too_long_to_write_costs_itself(
    manual: ManualSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(_: Template, **__: object) -> str:
        while True:
            pass

    monkeypatch.setattr(Template, "to_html", endless)
    monkeypatch.setattr(writing, "MOST_SECONDS", 0.5)
    saved = save(manual, tmp_path / "out")
    kinds = json.loads((tmp_path / "out/kinds.json").read_text())
    assert kinds and saved.entries
    assert {(kind["template"], kind["detail"]) for kind in kinds} == {(None, "This page takes too long to write.")}
