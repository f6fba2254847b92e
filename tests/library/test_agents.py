"""The server for agents, asked by the official client."""

import asyncio
import re
import sys
from collections import Counter
from multiprocessing import active_children
from pathlib import Path
from urllib.parse import quote

import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.types import TextContent, TextResourceContents
from tests.support.browsers.browser import wait_until
from tests.support.manual_site import FOOTER, KNOTS, ManualSite

from sitestencil import agents
from sitestencil.agents import Reader, server
from sitestencil.crawl.folder_lock import folder_lock
from sitestencil.site.sources import network


async def ask(client: Client, tool: str, **arguments: object) -> str:
    result = await client.call_tool(tool, arguments)
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def test_an_agent_reads_pages_and_sites_and_the_second_page_costs_one_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "is_public", lambda _: True)

    async def talk(site: ManualSite) -> None:
        async with Client(server(Reader(tmp_path, delay=0))) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert tools == {"read_page", "read_site", "read_saved_page", "find_in_site"}
            page = await ask(client, "read_page", url=f"{site.base}/manual/knots/reef.html")
            assert KNOTS["reef"] in page
            assert FOOTER not in page
            assert page.startswith("---\nconfidence: ")
            before = len(site.requests)
            assert KNOTS["anchor"] in await ask(client, "read_page", url=f"{site.base}/manual/knots/anchor.html")
            assert len(site.requests) == before + 1
            site.requests.clear()
            found = await ask(client, "find_in_site", url=f"{site.base}/manual/", words="climbers weight")
            assert max(Counter(site.paths).values()) == 1
            assert "loaded so far" not in found
            title, address, *_ = found.splitlines()
            assert (title, address) == ("Prusik", f"{site.base}/manual/knots/prusik.html")
            site.requests.clear()
            assert found == await ask(client, "find_in_site", url=address, words="climbers weight")
            assert KNOTS["prusik"] in await ask(client, "read_saved_page", url=address)
            assert site.requests == []
            name = f"site://{Reader(tmp_path)._folder_of(f'{site.base}/manual/').name}"
            (resource,) = (await client.read_resource(f"{name}/pages/manual/knots/prusik.md")).contents
            assert isinstance(resource, TextResourceContents)
            assert KNOTS["prusik"] in resource.text
            with pytest.raises(MCPError):
                await client.read_resource(f"{name}/.work/visits")
            listed = await ask(client, "read_site", url=f"{site.base}/manual/", most_pages=50)
            assert re.search(rf"^- {address}: Prusik \(kind-\d, \d+ words\)$", listed, re.MULTILINE)
            fewer = await ask(client, "read_site", url=f"{site.base}/manual/", most_pages=3)
            assert fewer.count("\n- http") == listed.count("\n- http") == len(site.texts)
            assert "not reached" in fewer
            assert (await client.call_tool("read_page", {"url": f"{site.base}/gone"})).is_error

    with ManualSite() as site:
        asyncio.run(talk(site))


def test_sites_with_like_addresses_have_folders_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "is_public", lambda _: True)
    paths = ("a/b/", "a-b/", "A-b/", *(quote(f"{'漢字' * 12}/" * count) for count in (4, 5)))

    async def talk(site: ManualSite) -> None:
        async with Client(server(Reader(tmp_path, delay=0))) as client:
            for path in paths:
                listed = await ask(client, "read_site", url=f"{site.base}/{path}", most_pages=1)
                assert re.match(r"\d+ addresses are left out: ", listed)
            text = await ask(client, "read_saved_page", url=f"{site.base}/{paths[-1]}")
            assert [*KNOTS.values()][len(paths) - 1] in text

    with ManualSite() as site:
        site.texts |= {
            f"/{path}": (path, f"<p>{path}: {text}") for path, text in zip(paths, KNOTS.values(), strict=False)
        }
        asyncio.run(talk(site))
    assert len({folder.name.casefold() for folder in tmp_path.iterdir()}) == len(paths)


def test_the_command_serves_on_standard_streams_and_reads_no_private_network(tmp_path: Path) -> None:
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "sitestencil", "mcp", "--folder", str(tmp_path)]
    )

    async def talk(site: ManualSite) -> None:
        async with Client(command) as client:
            told = await ask(client, "read_page", url=f"{site.base}/manual/")
            assert "private network" in told
            assert site.requests == []

    with ManualSite() as site:
        asyncio.run(talk(site))


def test_a_call_that_is_cancelled_ends_its_work_and_frees_the_folder(tmp_path: Path) -> None:
    async def talk(site: ManualSite) -> None:
        async with Client(server(Reader(tmp_path, private=True, delay=0))) as client:
            slow, url = "/manual/knots/reef.html", f"{site.base}/manual/"
            with site.holding(slow):
                call = asyncio.create_task(ask(client, "read_site", url=url))
                await asyncio.to_thread(wait_until, lambda: slow in site.paths, "nobody asks for the page")
                call.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await call
                await asyncio.to_thread(wait_until, lambda: not active_children(), "its process goes on")
                with folder_lock(Reader(tmp_path)._folder_of(url)):
                    assert "Another crawl is at work" in await ask(client, "read_site", url=url)
                site.requests.clear()
                call = asyncio.create_task(ask(client, "read_site", url=url))
                await asyncio.to_thread(wait_until, lambda: slow in site.paths, "nobody asks for the page")
                active_children()[0].kill()
                assert "the process was killed" in await call
            assert (await ask(client, "read_site", url=url)).count("\n- http") == len(site.texts)
            with folder_lock(Reader(tmp_path)._folder_of(url)):
                listed = await ask(client, "read_site", url=url)
            assert "as they were" in listed
            assert listed.count("\n- http") == len(site.texts)

    with ManualSite() as site:
        asyncio.run(talk(site))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps the limit")
def test_a_page_that_takes_too_much_memory_costs_an_agent_that_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITESTENCIL_MEMORY_GB", "0.01")

    async def talk(site: ManualSite) -> str:
        async with Client(server(Reader(tmp_path, private=True, delay=0))) as client:
            return await ask(client, "read_site", url=f"{site.base}/manual/")

    with ManualSite() as site:
        large = "<p><b>word \N{GRINNING FACE}</b> word word word word word word" * 10_000
        site.texts["/manual/unlinked.html"] = ("Large", large)
        listed = asyncio.run(talk(site))
    assert listed.count("\n- http") == len(site.texts) - 1
    assert "unlinked" not in listed


def test_answers_come_in_parts_and_once(tmp_path: Path) -> None:
    async def talk(site: ManualSite) -> None:
        async with Client(server(Reader(tmp_path, private=True, delay=0))) as client:
            for tool in (await client.list_tools()).tools:
                given = tool.input_schema["properties"]
                assert {name for name, one in given.items() if not one.get("description")} == set()
            url, parts, offset = f"{site.base}/manual/knots/reef.html", [], 0
            result = await client.call_tool("read_page", {"url": url})
            assert result.structured_content is None
            whole = await ask(client, "read_page", url=url)
            assert 60_000 > len(site.texts["/manual/knots/reef.html"][1]) > len(whole) == 20_000 + len(_note(whole))
            while True:
                part = await ask(client, "read_page", url=url, offset=offset, limit=30_000)
                parts.append(part.removesuffix(_note(part)))
                if not (found := re.search(r"offset=(\d+)", _note(part))):
                    break
                offset = int(found[1])
            assert "".join(parts).count("word") == 10_000
            assert len(parts) == 2
            listed = await ask(client, "read_site", url=f"{site.base}/manual/", limit=200)
            rest = await ask(client, "read_site", url=f"{site.base}/manual/", offset=200)
            assert f"of {200 + len(rest.removesuffix(_note(rest))):,}." in _note(listed)

    def _note(text: str) -> str:
        return (re.search(r"\n\n\[characters [^]]*\]$", text) or [""])[0]

    with ManualSite() as site:
        site.texts["/manual/knots/reef.html"] = ("Reef", f"<p>{'word ' * 10_000}")
        asyncio.run(talk(site))


def test_robots_keep_an_agent_out(tmp_path: Path) -> None:
    async def talk(site: ManualSite) -> str:
        async with Client(server(Reader(tmp_path, private=True, delay=0))) as client:
            return await ask(client, "read_page", url=f"{site.base}/manual/private/diary.html")

    with ManualSite() as site:
        assert "robots.txt asks robots" in asyncio.run(talk(site))
        assert site.paths == ["/robots.txt"]


def test_long_work_answers_with_what_it_has_and_tells_its_progress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agents, "_SECONDS", 2.0)
    told: list[float] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append(progress)

    async def talk(site: ManualSite) -> None:
        async with Client(server(Reader(tmp_path, private=True, delay=0))) as client:
            slow, url = "/manual/knots/reef.html", f"{site.base}/manual/"
            with site.holding(slow):
                answer = await client.call_tool("read_site", {"url": url}, progress_callback=note)
                assert "to go on" in str(answer.content)
                both = [asyncio.create_task(ask(client, "read_site", url=url)) for _ in range(2)]
                assert ["to go on" in text for text in await asyncio.gather(*both)] == [True, True]
            monkeypatch.setattr(agents, "_SECONDS", 60.0)
            assert (await ask(client, "read_site", url=url)).count("\n- http") == len(site.texts)
            assert max(Counter(site.paths).values()) == 1

    with ManualSite() as site:
        asyncio.run(talk(site))
    assert told and told == sorted(told)
