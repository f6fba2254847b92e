"""The server for agents, asked by the official client."""

import asyncio
import re
import sys
from collections import Counter
from multiprocessing import active_children
from pathlib import Path
from urllib.parse import quote

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import TextContent, TextResourceContents
from tests.support.browsers.browser import wait_until
from tests.support.manual_site import FOOTER, KNOTS, ManualSite

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
            assert tools == {"read_page", "read_site", "find_in_site"}
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
            title, address, *_ = found.splitlines()
            assert title == "Prusik"
            (resource,) = (await client.read_resource(address)).contents
            assert isinstance(resource, TextResourceContents)
            assert KNOTS["prusik"] in resource.text
            listed = await ask(client, "read_site", url=f"{site.base}/manual/", most_pages=50)
            assert address in listed
            fewer = await ask(client, "read_site", url=f"{site.base}/manual/", most_pages=3)
            assert fewer.count("site://") == listed.count("site://")
            assert "not reached" in fewer
            assert (await client.call_tool("read_page", {"url": f"{site.base}/gone"})).is_error

    with ManualSite() as site:
        asyncio.run(talk(site))


def test_sites_with_like_addresses_have_folders_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "is_public", lambda _: True)
    paths = ("a/b/", "a-b/", "A-b/", *(quote(f"{'漢字' * 12}/" * count) for count in (4, 5)))

    async def talk(site: ManualSite) -> set[str]:
        async with Client(server(Reader(tmp_path, delay=0))) as client:
            listed = [await ask(client, "read_site", url=f"{site.base}/{path}", most_pages=1) for path in paths]
            (address,) = re.findall(r"site://\S+", listed[-1])
            (resource,) = (await client.read_resource(address)).contents
            assert isinstance(resource, TextResourceContents)
            assert [*KNOTS.values()][len(paths) - 1] in resource.text
            return {text.partition("site://")[2].partition("/")[0].casefold() for text in listed}

    with ManualSite() as site:
        site.texts |= {
            f"/{path}": (path, f"<p>{path}: {text}") for path, text in zip(paths, KNOTS.values(), strict=False)
        }
        assert len(asyncio.run(talk(site))) == len(paths)


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
            assert (await ask(client, "read_site", url=url)).count("site://") == len(site.texts)

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
    assert listed.count("site://") == len(site.texts) - 1
    assert "unlinked" not in listed
