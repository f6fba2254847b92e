"""Ten sites of the benchmark, served on this machine: each page once, and the same files after a kill."""

from collections import Counter
from pathlib import Path

import pytest
from tests.library.whole_site.test_saving import Killed, Waits, files
from tests.support.server import MISSING, Answer, Handler, Request, SiteServer

from sitestencil.site.frontier import Extent
from sitestencil.site.sources import network
from sitestencil.site.sources.stored import StoredSite
from sitestencil.urls import origin
from sitestencil.whole_site.saving import Saved, save_site
from sitestencil.whole_site.visiting import Loading
from sitestencil.whole_site.writing import Choice

NAMES = "httpx-docs ikiwiki kitty lemonldap pandas privoxy pycon-2024 rust-book winery-dates woven-torah".split()


class StoredServer(SiteServer):
    """Serves a stored site, with a version for each page."""

    def __init__(self, folder: Path) -> None:
        super().__init__({})
        self.site = StoredSite(folder)

    def answer(self, request: Request) -> Answer | Handler:
        self.requests.append(request)
        own = origin(self.site.base_url)
        file = self.site.file(f"{own}{request.path}")
        if file is None:
            return MISSING
        version = f'"{file.stat().st_size}"'
        if request.headers.get("If-None-Match") == version:
            return Answer(b"", status=304)
        kind = "text/plain" if file.suffix in {".js", ".css"} else "text/html"
        return Answer(file.read_bytes().replace(own.encode(), self.base.encode()), kind, {"ETag": version})


@pytest.mark.nightly
@pytest.mark.parametrize("name", NAMES)
def test_a_site_is_saved_resumed_and_found_unchanged(
    benchmark_sites: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(network, "is_public", lambda _: True)
    steps = 0

    def killed_later(*_: object) -> None:
        nonlocal steps
        steps += 1
        if steps == 9:
            raise Killed

    with StoredServer(benchmark_sites / name) as server:
        start = server.site.key_url.replace(origin(server.site.base_url), server.base)

        def save(folder: str, report: object = lambda _: None) -> Saved:
            loading = Loading(Extent(whole_host=True, most_pages=20), pause=Waits())
            server.requests.clear()
            return save_site(start, tmp_path / folder, loading, Choice(), report)  # type: ignore[arg-type]

        save("whole")
        assert Counter(request.path for request in server.requests).most_common(1)[0][1] == 1
        with pytest.raises(Killed):
            save("out", killed_later)
        save("out")
        assert files(tmp_path / "out") == files(tmp_path / "whole")
        again = save("out")
    assert (again.written, any((again.changes or {"none": 1}).values())) == (0, False)
