"""Ten sites of the benchmark, served on this machine with traps: each page once, politely, killed, and updated."""

import json
from collections import Counter
from pathlib import Path
from time import sleep
from urllib.parse import urlsplit

import pytest
from tests.library.whole_site.test_saving import Killed, Waits, files
from tests.support.server import Answer, Handler, Request, SiteServer

from sitestencil.crawl import contents
from sitestencil.site.frontier import Extent
from sitestencil.site.sources import network
from sitestencil.site.sources.stored import StoredSite
from sitestencil.urls import origin
from sitestencil.whole_site import saving
from sitestencil.whole_site.folder import Folder
from sitestencil.whole_site.saving import Saved, save_site
from sitestencil.whole_site.visiting import Loading
from sitestencil.whole_site.writing import Choice

NAMES = "httpx-docs ikiwiki kitty lemonldap pandas privoxy pycon-2024 rust-book winery-dates woven-torah".split()
TRAPS = "gone private/diary calendar?month=1 deep/deep/ away account signin slow"
NOTICE = "<div class=notice><p>From June on our office is at Castle Lane 4, behind the mill</p></div>"
DELAY = 2


class StoredServer(SiteServer):
    """Serves a stored site, whose first page also links to traps, with a version for each page.

    Attributes:
        notice: stands at the top of each page; may be changed.
        answered: the path and status of each answer.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__({})
        self.site = StoredSite(folder)
        self.own = origin(self.site.base_url)
        self.start = urlsplit(self.site.key_url).path
        self.notice = ""
        self.answered: list[tuple[str, int]] = []
        self._was_busy = False
        rules = f"User-agent: *\nDisallow: /trap/private/\nCrawl-delay: {DELAY}\nSitemap: {self.base}/map.xml"
        listed = "".join(f"<url><loc>{self.base}{path}</loc></url>" for path in (self.start, "/trap/slow"))
        away, login = {"Location": "http://other.example/"}, {"Location": "/trap/login?next=account"}
        self.answers = {
            "/robots.txt": Answer(rules.encode(), "text/plain"),
            "/map.xml": Answer(f"<urlset>{listed}</urlset>".encode(), "text/xml"),
            "/trap/away": Answer(b"", status=302, headers=away),
            "/trap/account": Answer(b"", status=302, headers=login),
            "/trap/signin": Answer(b"<form><input type=password name=p></form>", status=401),
        }

    def answer(self, request: Request) -> Answer | Handler:
        """The answer to a request: 304 if the client has this version, and once 429."""
        answer = self._answer(super().answer(request), request)
        assert isinstance(answer, Answer)
        version = f'"{len(answer.body)}"'
        if answer.status == 200 and request.headers.get("If-None-Match") == version:
            answer = Answer(b"", status=304)
        self.answered.append((request.path, answer.status))
        return Answer(answer.body, answer.kind, {"ETag": version, **answer.headers}, answer.status)

    def _answer(self, stored: Answer | Handler, request: Request) -> Answer | Handler:
        parts = urlsplit(request.path)
        if parts.path == "/trap/slow":
            sleep(0.2)
            if not self._was_busy:
                self._was_busy = True
                return Answer(b"Later", "text/plain", {"Retry-After": "7"}, 429)
        if parts.path in {"/trap/slow", "/trap/calendar"} or parts.path.startswith("/trap/deep/"):
            after = f"calendar?month={int(parts.query.partition('=')[2] or 0) + 1}"
            links = f"<a href='/trap/{after}'>Next</a> <a href='{parts.path}deep/'>Deeper</a>"
            return Answer(f"<title>Days</title><h1>Days</h1><p>These days{links}".encode())
        file = self.site.file(f"{self.own}{request.path}")
        if file is None or request.path in self.answers:
            return stored
        body = file.read_bytes().replace(self.own.encode(), self.base.encode())
        if file.suffix in {".js", ".css"}:
            return Answer(body, "text/plain")
        head, tag, rest = body.partition(b"<body")
        attributes, closing, content = rest.partition(b">")
        top = self.notice
        if parts.path == self.start:
            top += "".join(f"<a href='/trap/{trap}'>{trap.partition('?')[0]}</a> " for trap in TRAPS.split())
        return Answer(head + tag + attributes + closing + top.encode() + content)


@pytest.mark.nightly
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", NAMES)
def test_a_site_is_saved_resumed_and_updated(
    benchmark_sites: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(network, "is_public", lambda _: True)
    until = -1

    def step(*_: object) -> None:
        nonlocal until
        until -= 1
        if until == 0:
            raise Killed

    class Stepping(Folder):
        def write(self, name: str, content: str | bytes) -> None:
            super().write(name, content)
            step()

    monkeypatch.setattr(saving, "Folder", Stepping)
    with StoredServer(benchmark_sites / name) as server:

        def save(folder: str) -> tuple[Saved, Waits]:
            waits = Waits()
            loading = Loading(Extent(whole_host=True, most_pages=20), pause=waits)
            server.requests.clear()
            server.answered.clear()
            return save_site(f"{server.base}{server.start}", tmp_path / folder, loading, Choice(), step), waits

        saved, waits = save("whole")
        loaded = [path for path, status in server.answered if status == 200]
        assert Counter(loaded).most_common(1)[0][1] == 1
        repeated = sum(reason == "a copy of another page" for reason in saved.site.left.values())
        assert len(loaded) == len(saved.entries) + repeated + len(["/robots.txt", "/map.xml"])
        asked = Counter(path for path, _ in server.answered)
        assert [path for path, count in asked.items() if count > 1] == ["/trap/slow"]
        assert "/trap/private/diary" not in asked
        assert sum(path.startswith(("/trap/calendar", "/trap/deep")) for path in asked) < 10
        assert (len(waits.seconds), 7 in waits.seconds) == (len(server.answered), True)
        assert sum(seconds < DELAY - 1 for seconds in waits.seconds) <= 1  # robots.txt says the delay
        for moment in range(4, 44, 4):
            until = moment
            with pytest.raises(Killed):
                save("out")
        until = -1
        save("out")
        assert files(tmp_path / "out") == files(tmp_path / "whole")

        again, _ = save("out")
        assert (again.written, any((again.changes or {"none": 1}).values())) == (0, False)
        conditional = [request.path for request in server.requests if "If-None-Match" in request.headers]
        pages = [path for path in loaded if path not in {"/robots.txt", "/map.xml"}]
        assert Counter(conditional) == Counter(pages)
        assert Counter(request.path for request in server.requests).most_common(1)[0][1] == 1

        server.notice = NOTICE
        changes = save("out")[0].changes or {}
        assert changes.pop("frame")
        assert not any(changes.values()), changes
    texts = [getattr(one, "text", None) for one in contents(map(saved.site.full, saved.site.pages))]
    rows = (tmp_path / "whole/pages.jsonl").read_text().splitlines()
    assert [json.loads(row)["text"] for row in rows] == texts
