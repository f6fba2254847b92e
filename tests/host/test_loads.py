"""Pages that the host asks the extension for, by real frames between a host and a stand-in for the extension."""

import base64
from collections.abc import Callable
from typing import Any

import pytest
from tests.host.conftest import HELLO, Host, Message, Website, page
from tests.support.host_program import patched
from tests.support.time_limits import AT_ONCE

KEY_PATH = "/news/news.html"


class Extension:
    """Answers the host's loads of a website's pages, as a browser would; what it answers can be exchanged."""

    def __init__(self, host: Host, website: Website, page: Callable[[str], str]) -> None:
        self.host = host
        self.website = website
        self.page = page
        self.loads: list[Message] = []
        self.cancelled: list[Message] = []
        host.ask(HELLO)

    def extract(self, request_id: int = 7, way: str = "session", detector: str = "temex") -> None:
        snapshot = self.website.snapshot(KEY_PATH)
        self.host.send(
            {"type": "extract", "id": request_id, "snapshot": snapshot, "detector": detector, "pages": way}
        )

    def bytes_of(self, load: Message, **fields: object) -> Message:
        html = self.page(self.path(load)).encode()
        known = {"url": load["url"], "status": 200, "charset": "utf-8", "content": base64.b64encode(html).decode()}
        return {"type": "page", "id": load["id"], "request": load["request"], **known, **fields}

    def tree_of(self, load: Message, **fields: object) -> Message:
        """Return the answer with a page's element tree."""
        snapshot = {**self.website.snapshot(self.path(load)), **fields}
        return {"type": "page", "id": load["id"], "request": load["request"], "snapshot": snapshot}

    def path(self, load: Message) -> str:
        return str(load["url"].removeprefix(self.website.url))

    def serve(self, answer: Callable[[Message], list[Any]], request_id: int = 7) -> Message:
        """Answer loads until the extraction ends, and return its ending."""
        while True:
            message = self.host.receive()
            if message["type"] == "load":
                self.loads.append(message)
                for page in answer(message):
                    self.host.send(page)
            elif message["type"] == "cancel":
                self.cancelled.append(message)
            elif message["type"] in ("result", "error") and message["id"] == request_id:
                return message


@pytest.fixture
def extension(host: Host, website: Website) -> Extension:
    return Extension(host, website, page)


def template(result: Message) -> object:
    assert result["type"] == "result", result
    return result["template"], result["content_texts"]


def over_http(host: Host, website: Website) -> object:
    """Return the template that the host finds by loading the pages itself."""
    host.send({"type": "extract", "id": 99, "snapshot": website.snapshot(KEY_PATH), "detector": "temex"})
    return template(host.end_of(99)[-1])


def test_pages_come_as_bytes_through_the_extension(extension: Extension, host: Host, website: Website) -> None:
    extension.extract()
    result = extension.serve(lambda load: [extension.bytes_of(load)])
    assert not website.asked
    assert result["summary"]["pages_loaded"] == len(extension.loads) >= 3
    assert [load["request"] for load in extension.loads] == list(range(1, len(extension.loads) + 1))
    assert {(load["id"], load["way"]) for load in extension.loads} == {(7, "session")}
    assert all(load["url"].startswith(f"{website.url}/news/") for load in extension.loads)
    assert set(result["summary"]["candidates"]) <= {load["url"] for load in extension.loads}
    assert template(result) == over_http(host, website)


def test_pages_come_as_trees_through_the_extension(extension: Extension, host: Host, website: Website) -> None:
    extension.extract(way="rendered")
    result = extension.serve(lambda load: [extension.tree_of(load)])
    assert not website.asked
    assert {load["way"] for load in extension.loads} == {"rendered"}
    assert template(result) == over_http(host, website)


@pytest.mark.parametrize("detector", ["stencil", "hybex", "sitelevel", "alignment"])
def test_every_detector_takes_bytes_and_trees_from_the_extension(extension: Extension, detector: str) -> None:
    extension.extract(detector=detector)
    pages = (extension.bytes_of, extension.tree_of)
    result = extension.serve(lambda load: [pages[load["request"] % 2](load)])
    assert result["type"] == "result"
    assert result["summary"]["pages_loaded"] == len(extension.loads) >= 1


def test_a_page_comes_in_parts(extension: Extension, host: Host, website: Website) -> None:
    def in_parts(load: Message) -> list[Message]:
        html = extension.page(extension.path(load)).encode()
        cuts = [html[:100], html[100:101], html[101:]]
        return [
            extension.bytes_of(load, part=part, parts=3, content=base64.b64encode(cut).decode())
            for part, cut in enumerate(cuts, start=1)
        ]

    extension.extract()
    assert template(extension.serve(in_parts)) == over_http(host, website)


def test_two_tabs_with_the_same_numbers_of_loads_are_not_confused(extension: Extension) -> None:
    extension.extract(7)
    extension.extract(8)
    held: dict[int, list[Message]] = {7: [], 8: []}
    ended: dict[int, Message] = {}
    while len(ended) < 2:
        message = extension.host.receive()
        if message["type"] == "load":
            held[message["id"]].append(message)
        elif message["type"] == "result":
            ended[message["id"]] = message
        # The newest first, so that answers come in another order than they were asked for.
        if all(held[number] for number in held if number not in ended):
            for loads in held.values():
                while loads:
                    extension.host.send(extension.bytes_of(loads.pop()))
    assert template(ended[7]) == template(ended[8])


def test_an_address_is_read_after_redirects(extension: Extension) -> None:
    extension.extract()
    result = extension.serve(lambda load: [extension.bytes_of(load, url=f"{load['url']}?to=here")])
    assert result["type"] == "result"
    assert all(candidate.endswith("?to=here") for candidate in result["summary"]["candidates"])


def test_a_page_that_the_extension_cannot_load_is_done_without(extension: Extension) -> None:
    def all_but_the_first(load: Message) -> list[Message]:
        if load["request"] == 1:
            return [{"type": "page", "id": 7, "request": 1, "error": "The page is not HTML."}]
        return [extension.bytes_of(load)]

    extension.extract()
    result = extension.serve(all_but_the_first)
    assert result["type"] == "result"
    assert extension.loads[0]["url"] not in result["summary"]["candidates"]


UNUSABLE: dict[str, Callable[[Extension, Message], Any]] = {
    "an error": lambda _, load: {"type": "page", "id": 7, "request": load["request"], "error": "Not loaded."},
    "not found": lambda extension, load: extension.bytes_of(load, status=404),
    "a redirect that was not followed": lambda extension, load: extension.bytes_of(load, status=302),
    "no status at all": lambda extension, load: extension.bytes_of(load, status=7),
    "a status that is text": lambda extension, load: extension.bytes_of(load, status="200"),
    "another host": lambda extension, load: extension.bytes_of(load, url="https://example.org/news/events.html"),
    "another port": lambda extension, load: extension.bytes_of(load, url="http://127.0.0.1:1/news/events.html"),
    "the address of a file": lambda extension, load: extension.bytes_of(load, url="file:///etc/passwd"),
    "no address": lambda extension, load: extension.bytes_of(load, url=None),
    "bytes that are no base64": lambda extension, load: extension.bytes_of(load, content="<html>"),
    "bytes that are a number": lambda extension, load: extension.bytes_of(load, content=5),
    "neither bytes nor tree": lambda extension, load: extension.bytes_of(load, content=None),
    "bytes and tree": lambda extension, load: {**extension.bytes_of(load), **extension.tree_of(load)},
    "a part that does not begin": lambda extension, load: extension.bytes_of(load, part=2, parts=2),
    "a part beyond the last": lambda extension, load: extension.bytes_of(load, part=2, parts=1),
    "part nought": lambda extension, load: extension.bytes_of(load, part=0),
    "a tree in parts": lambda extension, load: {**extension.tree_of(load), "part": 1, "parts": 2},
    "a tree of another host": lambda extension, load: extension.tree_of(load, url="https://example.org/a"),
    "a tree of no address": lambda extension, load: extension.tree_of(load, url="about:blank"),
    "a tree that is none": lambda extension, load: extension.tree_of(load, parents=[0]),
    "a tree of another shape": lambda extension, load: extension.tree_of(load, tags="html"),
    "a tree of null": lambda extension, load: {**extension.tree_of(load), "snapshot": None},
    "too many bytes": lambda extension, load: extension.bytes_of(
        load, content=base64.b64encode(b" " * 5_000_001).decode()
    ),
    "too large a tree": lambda extension, load: extension.tree_of(load, more="x" * 20_000_001),
    "lists in lists": lambda _, load: (
        b'{"type":"page","id":7,"request":%d,"snapshot":' % load["request"] + b"[" * 900 + b"]" * 900 + b"}"
    ),
    "bytes that are no UTF-8": lambda _, load: (
        b'{"type":"page","id":7,"request":%d,"error":"\xff"}' % load["request"]
    ),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_a_page_that_cannot_be_used_is_none_and_the_extraction_ends_as_it_has_to(
    extension: Extension, name: str
) -> None:
    extension.extract()
    ending = extension.serve(lambda load: [UNUSABLE[name](extension, load)])
    assert (ending["number"], ending["name"]) == (302, "nothing-loaded")
    assert len(extension.loads) >= 4
    assert extension.host.ask(HELLO)["type"] == "hello"


def test_parts_that_do_not_follow_each_other_are_no_page(extension: Extension) -> None:
    def out_of_order(load: Message) -> list[Message]:
        return [extension.bytes_of(load, part=part, parts=3) for part in (1, 3, 2)]

    def of_another_whole(load: Message) -> list[Message]:
        return [extension.bytes_of(load, part=1, parts=2), extension.bytes_of(load, part=2, parts=3)]

    for request_id, answer in ((7, out_of_order), (8, of_another_whole)):
        extension.extract(request_id)
        assert extension.serve(answer, request_id)["number"] == 302


def test_answers_that_nobody_waits_for_are_passed_over(extension: Extension) -> None:
    def with_others(load: Message) -> list[Any]:
        right = extension.bytes_of(load)
        wrong = base64.b64encode(b"<!doctype html><p>Wrong").decode()
        return [
            {**right, "request": 4711, "content": wrong},
            {**right, "request": 0, "content": wrong},
            {**right, "request": "1", "content": wrong},
            {**right, "id": 4711, "content": wrong},
            right,
            {**right, "content": wrong},
        ]

    extension.extract()
    assert extension.serve(with_others)["type"] == "result"
    extension.host.send({"type": "page", "id": 7, "request": 1, "error": "Late."})
    assert extension.host.ask(HELLO)["type"] == "hello"
    assert extension.host.rest() == []


def test_a_page_that_does_not_come_is_cancelled_and_done_without(
    start_host: Callable[..., Host], website: "Website"
) -> None:
    soon = "import sitestencil_host.worker.extension_source as s; s.SECONDS.update(session=0.3)"
    extension = Extension(start_host(command=patched(worker=soon)), website, page)
    extension.extract()
    result = extension.serve(lambda load: [] if load["request"] == 1 else [extension.bytes_of(load)])
    assert result["type"] == "result"
    assert [(message["id"], message["request"]) for message in extension.cancelled] == [(7, 1)]
    assert extension.loads[0]["url"] not in result["summary"]["candidates"]


def test_cancel_while_the_extension_loads_ends_at_once(extension: Extension) -> None:
    extension.extract()
    while extension.host.receive()["type"] != "load":
        continue
    extension.host.send({"type": "cancel", "id": 7})
    assert extension.host.end_of(7, seconds=AT_ONCE)[-1]["number"] == 300
    extension.host.send({"type": "page", "id": 7, "request": 1, "error": "Late."})
    extension.extract(8)
    assert extension.serve(lambda load: [extension.bytes_of(load)], 8)["type"] == "result"
    assert {load["id"] for load in extension.loads} == {8}
    assert extension.loads[0]["request"] == 1


@pytest.mark.parametrize("pages", ["telepathy", "", 5, ["session"]])
def test_a_way_of_loading_that_is_not_known_is_refused(extension: Extension, pages: object) -> None:
    request = {"type": "extract", "id": 7, "snapshot": extension.website.snapshot(KEY_PATH), "pages": pages}
    answer = extension.host.ask(request)
    assert (answer["number"], answer["id"]) == (102, 7)


def test_the_log_names_no_page_that_the_extension_loads(extension: Extension, website: Website) -> None:
    extension.extract()
    extension.serve(lambda load: [extension.bytes_of(load, status=404)])
    extension.host.rest()
    extension.host.process.wait(2)
    assert "extraction 7: nothing-loaded" in extension.host.log.read_text()
    assert website.url not in extension.host.log.read_text()


def test_what_stands_in_no_menu_and_no_list_is_not_asked_for(host: Host, extension: Extension) -> None:
    snapshot = extension.website.snapshot(
        KEY_PATH,
        "<!doctype html><nav><a href=/news/events.html>Two</a></nav><p>See <a href=/news/contact.html>three</a>, "
        "<a href=/news/team.html>four</a>.",
    )
    host.send({"type": "extract", "id": 7, "snapshot": snapshot, "pages": "session"})
    extension.serve(lambda load: [extension.bytes_of(load)])
    assert [extension.path(load) for load in extension.loads] == ["/news/events.html"]


def test_where_strangers_get_nothing_the_result_says_what_could_be_loaded_in_the_session(
    host: Host, website: "Website"
) -> None:
    links = {"/gone/news.html": "A", "/gone/events.html": "B", "/logout": "Log out"}.items()
    menu = f"<!doctype html><ul>{''.join(f'<li><a href={path}>{name}</a>' for path, name in links)}</ul>"
    website.pages = {"/index.html": menu}
    host.send({"type": "extract", "id": 7, "snapshot": website.snapshot("/index.html", menu)})
    summary = host.end_of(7)[-1]["summary"]
    assert summary["doubt"] == "nothing_loaded"
    assert summary["session_links"] == [website.url + "/gone/news.html", website.url + "/gone/events.html"]
    host.send({"type": "extract", "id": 8, "snapshot": website.menu_of()})
    assert host.end_of(8)[-1]["summary"]["session_links"] is None


def test_where_links_may_act_the_person_is_shown_those_like_the_page_and_no_other_is_asked_for(
    host: Host, website: "Website"
) -> None:
    names = [f"/gauge{number}7" for number in range(6)]
    menu = "".join(f"<a href={path}>{path}</a>" for path in [*names, "/logout"])
    website.pages = {path: f"<!doctype html><div>{menu}</div><h1>{path}</h1><p>All about {path}." for path in names}
    snapshot = website.snapshot(names[0], website.pages[names[0]])
    host.send({"type": "extract", "id": 7, "snapshot": snapshot})
    summary = host.end_of(7)[-1]["summary"]
    assert (summary["doubt"], website.asked) == ("links_may_act", [])
    assert summary["session_links"] == [website.url + path for path in names[1:]]
    extension = Extension(host, website, website.pages.__getitem__)
    chosen = [website.url + path for path in (*names[1:4], "/logout")]
    host.send({"type": "extract", "id": 8, "snapshot": snapshot, "pages": "session", "links": chosen})
    result = extension.serve(lambda load: [extension.bytes_of(load)], 8)
    assert {load["url"] for load in extension.loads} == {*chosen[:3]}
    assert result["summary"]["doubt"] != "links_may_act"
