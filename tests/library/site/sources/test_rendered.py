"""Pages that scripts build, rendered by the installed Chromium; and what is said where that cannot be."""

import asyncio
import builtins
import json
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from manifest.build import ROOT, capture_script
from tests.support.browsers import wait_until
from tests.support.server import Answer, SiteServer
from tests.support.tables import table

from sitestencil import PageUnavailable, RenderedSource, SitestencilError, extract
from sitestencil.cli import main
from sitestencil.errors import BrowserMissing, PackageMissing
from sitestencil.site.links import link_to
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources import rendered

CONTENTS = {
    "/page.html": "<h1>The old bridge</h1><p>Rain fell for nine days, and the bridge was closed to carts.</p>",
    "/news.html": "<table><tr><td>Apples</td><td>3</td></tr></table>",
    "/events.html": "<ol><li>Open</li><li>Look</li></ol>",
    "/contact.html": "<figure><svg width='10' height='10'></svg></figure>",
}
APP = """
const contents = %s;
const links = Object.keys(contents).map((path) => `<li><a href="${path}">${path.slice(1)}</a></li>`).join("");
setTimeout(() => {
  document.getElementById("app").innerHTML =
    `<header><ul>${links}</ul></header><main>${contents[location.pathname]}</main><footer>Made by hand.</footer>`;
  %s
}, 200);
"""
SHELL = Answer(b"<!doctype html><title>App</title><div id='app'></div><script src='/app.js'></script>")


def site(then: str = "") -> SiteServer:
    """A site that gives the same few lines at all addresses; a script makes pages of them."""
    app = APP % (json.dumps(CONTENTS), then)
    return SiteServer(dict.fromkeys(CONTENTS, SHELL) | {"/app.js": Answer(app.encode(), "text/javascript")})


@pytest.fixture
def server() -> Iterator[SiteServer]:
    with site() as served:
        yield served


def programs_with(mark: str) -> list[str]:
    """Return the names of the running programs that have a variable with this value."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark.encode() in (process / "environ").read_bytes():
                found.append((process / "comm").read_text())
    return found


def test_the_template_of_a_site_that_scripts_build_is_found_by_rendering_and_not_without(
    server: SiteServer,
) -> None:
    url = server.base + "/page.html"
    rendered = extract(url, source=RenderedSource(browser="chromium"), timeout=60)
    tags = rendered.document.tags
    template = [tag for tag, is_template in zip(tags, rendered.elements, strict=True) if is_template]
    assert {"header", "ul", "footer"} <= set(template)
    assert "h1" in tags
    assert "h1" not in template
    assert rendered.doubt is None
    assert rendered.document.boxes is not None
    assert extract(url, detector="stencil").doubt is not None


def test_the_command_renders(server: SiteServer, capsys: pytest.CaptureFixture[str]) -> None:
    url = server.base + "/page.html"
    assert main(["extract", url, "--render", "--browser", "chromium", "--format", "markdown", "--quiet"]) == 0
    out, err = capsys.readouterr()
    assert "The old bridge" in out
    assert "Made by hand" not in out
    assert err == ""


def test_a_page_that_never_settles_is_taken_when_its_time_is_over() -> None:
    never = "setInterval(() => document.querySelector('main').append(Date.now()), 20);"
    with site(never) as server:

        async def load() -> LoadedPage:
            async with RenderedSource(browser="chromium", page_seconds=2) as source:
                return await source.load(link_to(server.base + "/page.html"))

        assert "h1" in asyncio.run(load()).document().tags


HOSTILE = {
    "its own JSON writes 500 MB": """
        JSON.stringify = () => 'x'.repeat(500e6); Object.prototype.toJSON = JSON.stringify;""",
    "its own prototypes say other things": """
        Element.prototype.getAttributeNames = () => { throw new Error("no"); };
        Array.prototype.push = () => 0; Map.prototype.set = () => null;
        Object.defineProperty(Node.prototype, "firstChild", { get: () => document });""",
    "a field of a form has the name of what is read": """
        document.querySelector("main").innerHTML +=
          "<form><input name=attributes><input name=childNodes><input name=localName></form>";""",
}


@table("script", HOSTILE.values())
def test_a_page_has_no_say_in_how_it_is_captured(script: str) -> None:
    with site(script) as server:

        async def load() -> None:
            async with RenderedSource(browser="chromium", page_seconds=60) as source:
                page = await source.load(link_to(server.base + "/page.html"))
                assert "The old bridge" in "".join(text for _, _, text in page.document().texts)

        asyncio.run(load())


def test_a_page_of_thirty_megabytes_is_told_and_the_next_one_comes() -> None:
    large = "if (location.pathname === '/news.html') document.body.append('x'.repeat(3e7));"
    with site(large) as server:

        async def load() -> None:
            async with RenderedSource(browser="chromium", page_seconds=300) as source:  # a busy machine takes long
                with pytest.raises(PageUnavailable, match="larger than 20,000,000 bytes"):
                    await source.load(link_to(server.base + "/news.html"))
                await source.load(link_to(server.base + "/page.html"))

        asyncio.run(load())


def test_a_page_that_holds_the_browser_up_costs_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mark = str(tmp_path)
    monkeypatch.setenv("STARTED_BY", mark)
    monkeypatch.setattr(rendered, "_SECONDS_BEYOND", 2.0)
    endless = "if (location.pathname === '/news.html') setTimeout(() => { for (;;); }, 100);"
    with site(endless) as server:

        async def load() -> None:
            async with RenderedSource(browser="chromium", page_seconds=15) as source:
                with pytest.raises(PageUnavailable):
                    await source.load(link_to(server.base + "/news.html"))
                await source.load(link_to(server.base + "/page.html"))

        asyncio.run(load())
    wait_until(lambda: not programs_with(mark), lambda: f"still running: {programs_with(mark)}")


def test_the_capture_is_the_extensions_own() -> None:
    built = files("sitestencil.site.sources").joinpath("capture.js").read_bytes()
    assert built == capture_script(ROOT / "extension"), "run `make extension`"


def test_what_leads_to_another_site_is_not_had_nor_is_a_page_that_is_missing(server: SiteServer) -> None:
    async def load(*paths: str) -> None:
        async with RenderedSource(server.base, browser="chromium", page_seconds=3) as source:
            for address in paths:
                with pytest.raises(PageUnavailable):
                    await source.load(link_to(address))

    asyncio.run(load("http://localhost:1/", server.base + "/nothing.html"))


def test_a_site_that_no_browser_can_reach_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", "--render", "http://127.0.0.1:9/"]) == 1
    told = "sitestencil: http://127.0.0.1:9/ could not be loaded. Look whether a browser can reach it.\n"
    assert capsys.readouterr().err.endswith(told)


def test_the_browser_is_ended_also_where_the_time_runs_out_while_a_page_loads(
    server: SiteServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mark = str(tmp_path)
    monkeypatch.setenv("STARTED_BY", mark)

    async def load() -> None:
        with server.holding("/news.html"):
            async with asyncio.timeout(None) as limit, RenderedSource(server.base, browser="chromium") as source:
                loading = asyncio.create_task(source.load(link_to(server.base + "/news.html")))
                await asyncio.to_thread(wait_until, lambda: bool(server.requests), "nobody asks for the page")
                assert "chromedriver\n" in programs_with(mark)
                limit.reschedule(0)
                await loading

    with pytest.raises(TimeoutError):
        asyncio.run(load())
    wait_until(lambda: not programs_with(mark), lambda: f"still running: {programs_with(mark)}")


def test_without_selenium_a_sentence_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    import_module = builtins.__import__

    def without_selenium(name: str, *others: Any) -> Any:
        if name.startswith("selenium"):
            raise ImportError(name)
        return import_module(name, *others)

    monkeypatch.setattr(builtins, "__import__", without_selenium)
    with pytest.raises(PackageMissing, match=r'"\.\[render\]"'):
        extract("http://127.0.0.1:9/", source=RenderedSource())


def test_without_a_browser_a_sentence_says_what_to_install_and_nothing_is_downloaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("a program is started"))
    with pytest.raises(BrowserMissing, match=r"chromedriver .*geckodriver"):
        extract("http://127.0.0.1:9/", source=RenderedSource())


def test_a_browser_that_does_not_start_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("chromium", "chromedriver"):
        program = tmp_path / name
        program.write_text("#!/bin/sh\nexit 3\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BrowserMissing, match="does not start"):
        extract("http://127.0.0.1:9/", source=RenderedSource())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["http://127.0.0.1:9/", "--browser", "firefox"], "--browser needs --render"),
        (["--site", "/nowhere", "--render"], "--render loads the page in a browser: give its address"),
        (["http://127.0.0.1:9/", "--render", "--header", "A: b"], "takes no --header and no --cookie-file"),
    ],
)
def test_options_that_do_not_go_with_rendering_are_said(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["extract", *arguments]) != 0
    assert message in capsys.readouterr().err


def test_a_browser_of_another_name_is_refused() -> None:
    with pytest.raises(SitestencilError, match="chromium, firefox"):
        extract("http://127.0.0.1:9/", source=RenderedSource(browser="lynx"))
