"""What the extension keeps of a site: the next page shows before the host has started."""

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.browsers.conftest import Serve, new_browser
from tests.browsers.looking import show_template, text, visible
from tests.browsers.options import open_options, set_memory
from tests.browsers.test_corrections import keep_rules
from tests.browsers.test_memory import BANNER, FIRST, FURTHER, stories
from tests.support.browsers import Browser, wait_until
from tests.support.browsers.processes import host_processes
from tests.support.server import SiteServer

SLOW_S = 5
NO_RULES = '{"sitestencil_rules": 1, "sites": {}}'


@pytest.fixture(scope="module")
def own(kind: str, built: Path) -> Iterator[Browser]:
    """A browser of its own, whose host starts late while a file is there; private windows are allowed."""
    with new_browser(kind, built, private=True) as browser:
        browser.register_host()
        manifest = next(browser.scratch.root.rglob("org.sitestencil.host.json"))
        fields = json.loads(manifest.read_text("utf-8"))
        program = browser.scratch.root / "slow-host"
        program.write_text(f'#!/bin/sh\n[ -e "{slow(browser)}" ] && sleep {SLOW_S}\nexec "{fields["path"]}" "$@"\n')
        program.chmod(0o755)
        manifest.write_text(json.dumps({**fields, "path": str(program)}))
        yield browser


@pytest.fixture
def browser(own: Browser) -> Iterator[Browser]:
    """That browser with a fresh tab in front, a fast host and all as it was."""
    own.only_new_tab()
    yield own
    slow(own).unlink(missing_ok=True)
    set_memory(own, remembers=True, never="")
    keep_rules(own, NO_RULES)


def slow(browser: Browser) -> Path:
    return browser.scratch.root / "slow"


def stored(browser: Browser) -> dict[str, list[str]]:
    """What the extension has stored of templates: the site's names with the ids of their templates."""
    browser.open(browser.extension_address("pages/privacy.html"))
    entries: dict[str, list[str]] = browser.run(
        """async () => {
            const stored = await (globalThis.browser ?? globalThis.chrome).storage.local.get(null);
            const names = Object.keys(stored).filter((name) => name.startsWith("kept:"));
            const ids = (name) => stored[name].templates.map(({ id }) => id);
            return Object.fromEntries(names.map((name) => [name.slice(5), ids(name)]));
        }"""
    )
    return entries


def name_of(server: SiteServer) -> str:
    return server.base.removeprefix("http://")


def visit(browser: Browser, server: SiteServer) -> None:
    """Show a page's template, and wait until it is kept."""
    browser.open(server.base + FIRST)
    show_template(browser)
    wait_until(lambda: name_of(server) in stored(browser), "it is not kept")


def clear_by_command(browser: Browser) -> None:
    command = [str(browser.commands / "sitestencil"), "memory", "--clear"]
    subprocess.run(command, env=browser.scratch.environment(), check=True, capture_output=True)


def sleep(browser: Browser) -> None:
    """Have neither the background nor the host run, and the host take long at its next start."""
    browser.sleep_background()
    wait_until(lambda: not host_processes(browser, with_workers=True), "the host goes on")
    slow(browser).touch()


def click_asleep(browser: Browser, url: str) -> None:
    """Click the button of a page, and return when its content does not show: long before the host has started."""
    browser.open(url)
    sleep(browser)
    clicked = time.monotonic()
    browser.click_button()
    wait_until(lambda: visible(browser, "article *") == [], "it does not show", SLOW_S)
    assert time.monotonic() - clicked < SLOW_S - 1
    assert not host_processes(browser)


def wait_for_the_host(browser: Browser) -> None:
    """Wait until the host has answered."""

    def answered() -> bool:
        timings = browser.kept("timings")
        return bool(timings) and timings["clicked"] / 1000 > time.time() - 2 * SLOW_S and timings["greeted"] > 1000

    wait_until(answered, "the host does not answer", 3 * SLOW_S)


def test_the_next_page_shows_before_the_host_has_started_and_stays_as_it_is_when_it_has(
    browser: Browser, serve: Serve
) -> None:
    server = serve(stories())
    visit(browser, server)
    click_asleep(browser, server.base + FURTHER)
    shown = browser.wait_for_state("template", seconds=1)
    assert text("panel_remembered") in browser.panel_text("[role=status]")
    assert visible(browser, "header a") != []
    wait_for_the_host(browser)
    assert browser.kept("timings")["kept"] < browser.kept("timings")["greeted"]
    assert browser.kept("summary")["remembered"] is True
    assert visible(browser, "article *") == []
    assert browser.wait_for_state("template").title == shown.title
    assert text("panel_remembered") in browser.panel_text("[role=status]")


def test_a_click_meanwhile_shows_the_page_at_once_and_the_next_ones_its_views(
    browser: Browser, serve: Serve
) -> None:
    server = serve(stories())
    visit(browser, server)
    click_asleep(browser, server.base + FURTHER)
    browser.wait_for_state("template", seconds=1)
    for state in ("original", "content", "template"):
        browser.click_button()
        browser.wait_for_state(state, seconds=2)
    assert not host_processes(browser)
    assert visible(browser, "article *") == []


def test_a_site_that_has_changed_is_corrected_in_place(browser: Browser, serve: Serve) -> None:
    server = serve(stories())
    visit(browser, server)
    server.answers |= stories(BANNER)
    click_asleep(browser, server.base + FURTHER)
    assert visible(browser, ".campaign") == []
    assert text("panel_looking") in browser.panel_text("[role=status]")
    wait_for_the_host(browser)
    browser.wait_for_state("template")
    assert visible(browser, ".campaign") != []
    assert visible(browser, "article *") == []


def test_a_correction_holds_in_what_is_kept(browser: Browser, serve: Serve) -> None:
    server = serve(stories())
    visit(browser, server)
    rule = {"selector": "footer", "is": "content"}
    keep_rules(browser, json.dumps({"sitestencil_rules": 1, "sites": {name_of(server): [rule]}}))
    click_asleep(browser, server.base + FURTHER)
    assert visible(browser, "footer, footer *") == []


@pytest.mark.parametrize("way", ["button", "switch", "list", "command"])
def test_what_is_cleared_is_not_kept_and_the_page_is_looked_at_anew(
    browser: Browser, serve: Serve, way: str
) -> None:
    server = serve(stories())
    visit(browser, server)
    if way == "command":
        clear_by_command(browser)
        # The extension hears of it at its next word with the host.
        open_options(browser)
    elif way == "button":
        open_options(browser)
        browser.click("#forget")
    else:
        set_memory(browser, remembers=way == "list", never=server.base if way == "list" else "")
    wait_until(lambda: name_of(server) not in stored(browser), "it is kept")
    browser.open(server.base + FURTHER)
    show_template(browser)
    assert browser.kept("summary")["remembered"] is False


def test_after_the_command_a_page_of_the_site_is_shown_as_the_host_finds_it(browser: Browser, serve: Serve) -> None:
    server = serve(stories())
    visit(browser, server)
    (before,) = stored(browser)[name_of(server)]
    clear_by_command(browser)
    browser.open(server.base + FURTHER)
    show_template(browser)
    wait_until(lambda: before not in stored(browser).get(name_of(server), [before]), "what was cleared is kept")


def test_a_damaged_entry_costs_no_answer_and_is_mended(browser: Browser, serve: Serve) -> None:
    server = serve(stories())
    visit(browser, server)
    ids = stored(browser)[name_of(server)]
    for damage in (
        "'{'",
        "text.slice(0, -40)",
        "text.replace('version\":1', 'version\":2')",
        "text + ' '.repeat(3e5)",
    ):
        browser.run(
            f"""async (name) => {{
                const {{ storage }} = globalThis.browser ?? globalThis.chrome;
                const entry = (await storage.local.get(name))[name];
                entry.templates = entry.templates.map(({{ id, text }}) => ({{ id, text: {damage} }}));
                await storage.local.set({{ [name]: entry }});
            }}""",
            f"kept:{name_of(server)}",
        )
        browser.open(server.base + FURTHER)
        show_template(browser)
        assert visible(browser, "article *") == []
        wait_until(lambda: stored(browser).get(name_of(server)) == ids, "it is not mended")


def test_of_a_private_window_nothing_is_kept(browser: Browser, serve: Serve) -> None:
    server = serve(stories())
    front = browser.tabs()[0]
    private = browser.new_window(server.base + FIRST, private=True)
    show_template(browser)
    time.sleep(1)
    browser.switch_to(front)
    browser.close_tab(private)
    assert name_of(server) not in stored(browser)
