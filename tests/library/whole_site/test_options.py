"""The options of ``sitestencil site``, each tried on a served site."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.manual_site import KNOTS, START, ManualSite, knot, manual_page
from tests.support.server import Answer, Handler, Request

from sitestencil.cli import main
from sitestencil.page.parsing import parse
from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources import network
from sitestencil.whole_site import visiting

LOGIN = "sid=31b7"


class MemberSite(ManualSite):
    """The manual, whose knots only members see."""

    def answer(self, request: Request) -> Answer | Handler:
        """The answer to a request; without the cookie, knots are forbidden."""
        is_open = "/knots/" not in request.path or LOGIN in request.headers.get("Cookie", "")
        return super().answer(request) if is_open else Answer(b"Members only", status=403)


@pytest.fixture
def manual(monkeypatch: pytest.MonkeyPatch) -> Iterator[ManualSite]:
    monkeypatch.setattr(network, "is_public", lambda _: True)
    with MemberSite() as site:
        yield site


def saved(name: str, folder: Path, *options: str) -> dict[str, str]:
    """Save a site by the command; return the texts of its pages by their files."""
    delay = ["--delay", "0.001"] if name.startswith("http") else []
    assert main(["site", name, "-o", str(folder), "--quiet", *delay, *options]) == 0
    pages = folder / "pages"
    return {file.relative_to(pages).as_posix(): file.read_text() for file in pages.rglob("*.md")}


def test_cookies_of_a_file_open_pages_for_members(manual: ManualSite, tmp_path: Path) -> None:
    cookies = tmp_path / "cookies.txt"
    cookies.write_text("# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t31b7\n")
    start = f"{manual.base}/manual/"
    assert len(saved(start, tmp_path / "out")) == 2
    assert len(saved(start, tmp_path / "in", "--cookie-file", str(cookies))) == len(manual.texts)
    assert "31b7" not in "".join(file.read_text() for file in (tmp_path / "in").rglob("*.*") if file.is_file())


def test_patterns_choose_pages(tmp_path: Path, manual: ManualSite) -> None:
    manual.texts = {path.replace("/knots/", "/ties/"): text for path, text in manual.texts.items()}
    links = "".join(f"<a href={path}>{path}</a> " for path in manual.texts)
    manual.texts["/manual/"] = ("Start", f"<p>{START}{links}")
    start = f"{manual.base}/manual/"
    only = saved(start, tmp_path / "a", "--include", "/manual/ties/b*", "--include", "*/reef.html")
    assert {*only} == {"manual/index.md", "manual/ties/bowline.md", "manual/ties/reef.md"}
    assert len(saved(start, tmp_path / "b", "--exclude", "*/ties/*", "--exclude", "*unlinked*")) == 1


def test_rendered_pages_have_what_their_scripts_made(
    tmp_path: Path, manual: ManualSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Browser:
        """Runs the one script of these pages."""

        def __init__(self, browser: str | None = None) -> None:
            self.name = browser

        async def __aenter__(self) -> "Browser":
            return self

        async def __aexit__(self, *_: object) -> None:
            """End."""

        async def load(self, link: Link) -> LoadedPage:
            made = "<p>A script wrote this paragraph of twelve words about knots and ropes."
            page = manual_page("Made", f"{knot('reef')}{made}<p>{link.url}")
            return LoadedPage(link.url, parse(page, link.url), "rendered")

    monkeypatch.setattr(visiting, "RenderedSource", Browser)
    pages = saved(f"{manual.base}/manual/", tmp_path / "out", "--render", "--most-pages", "3")
    assert len(pages) == 3
    assert all("A script wrote this paragraph" in text for text in pages.values())


def test_a_mirror_of_wget_gives_its_pages_with_all_or_a_part_of_their_content(tmp_path: Path) -> None:
    for name in KNOTS:
        file = tmp_path / "mirror/ropes.example" / f"{name}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        teasers = "".join(f"<li><a href={one}.html>More of {name}: {one}</a>" for one in [*KNOTS][:3])
        aside = f"<aside class=related><ul>{teasers}</ul></aside>"
        figure = f"<figure><img src=a.png alt=Knot><figcaption>Drawn by {name}</figcaption></figure>"
        file.write_text(manual_page(name, f"{knot(name)}{figure}").replace("</main>", f"</main>{aside}"))
    mirror = str(tmp_path / "mirror")
    pages = saved(mirror, tmp_path / "plain")
    assert {*pages} == {f"{name}.md" for name in KNOTS}
    assert all("Drawn by" in text for text in pages.values())
    without = saved(mirror, tmp_path / "without", "--without", "captions")
    assert not any("Drawn by" in text for text in without.values())
    around = saved(mirror, tmp_path / "around", "--with-around")
    assert all("More of" in text for text in around.values())
    assert not any("More of" in text for text in pages.values())
    assert all(re.search(r"^url: .https?://ropes.example/", text, re.MULTILINE) for text in pages.values())
