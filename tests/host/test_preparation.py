"""Connections to a page's server while the page is captured: by the rules of loading, and closed in the end."""

import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.request import urlopen

import pytest
from tests.host.conftest import MENU, Host, Website, page
from tests.support.counting_server import CERTIFICATE
from tests.support.host_program import patched

from sitestencil.detectors.stencil.comparison import BUDGET
from sitestencil_host.worker.readiness import CONNECTIONS

PATIENCE = 60.0
KEY_PATH = "/news/news.html"


@dataclass
class Connections:
    """How many connections a website has had, their TLS handshakes over, and how many have been closed."""

    made: int = 0
    closed: int = 0

    def wait_for(self, *, made: int = 0, closed: int = 0) -> None:
        """Wait until there were so many."""
        end = time.monotonic() + PATIENCE
        while self.made < made or self.closed < closed:
            assert time.monotonic() < end, self
            time.sleep(0.01)


@contextmanager
def counted(website: Website) -> Iterator[Connections]:
    """Count a website's connections."""
    connections, server = Connections(), website._server
    process_request, shutdown_request = server.process_request, server.shutdown_request

    def process(request: Any, address: Any) -> None:
        connections.made += 1
        process_request(request, address)

    def shut_down(request: Any) -> None:
        connections.closed += 1
        shutdown_request(request)

    server.process_request, server.shutdown_request = process, shut_down  # type: ignore[method-assign, assignment]
    yield connections


def prepare(url: str) -> dict[str, Any]:
    return {"type": "prepare", "id": 1, "url": url}


def extract(website: Website, path: str = KEY_PATH, **asked: Any) -> dict[str, Any]:
    return {"type": "extract", "id": 7, "snapshot": website.snapshot(path, website.pages.get(path)), **asked}


def test_as_many_connections_are_opened_as_pages_are_loaded_at_first() -> None:
    assert BUDGET.rounds[0] == CONNECTIONS


def test_the_first_pages_come_over_connections_that_were_open_before_the_snapshot_came(
    start_host: Callable[..., Host], website: "Website"
) -> None:
    with counted(website) as connections:
        host = start_host()
        host.send(prepare(website.url + KEY_PATH))
        connections.wait_for(made=CONNECTIONS)
        assert not website.asked
        host.send({"type": "prepare", "id": 7, "url": website.url + KEY_PATH})
        host.send(extract(website))
        assert host.end_of(7)[-1]["summary"]["pages_loaded"] == CONNECTIONS
        assert connections.made == CONNECTIONS
        connections.wait_for(closed=CONNECTIONS)


def test_tls_handshakes_are_over_before_the_snapshot_comes(
    start_host: Callable[..., Host], website: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    website._server.socket = context.wrap_socket(website._server.socket, server_side=True)
    key_url = website.url.replace("http:", "https:") + KEY_PATH
    with counted(website) as connections:
        host = start_host()
        host.send(prepare(key_url))
        connections.wait_for(made=CONNECTIONS)
        assert not website.asked
        host.send({**extract(website), "snapshot": {**website.snapshot(KEY_PATH), "url": key_url, "base": key_url}})
        assert host.end_of(7)[-1]["summary"]["pages_loaded"] == CONNECTIONS
        assert connections.made == CONNECTIONS


def test_a_site_of_which_something_is_remembered_is_not_connected_to(
    start_host: Callable[..., Host], website: "Website"
) -> None:
    website.pages = {path: page("/").replace("<p>Nothing yet.</p>", f"<p>All about {path}.</p>") for path in MENU}
    host = start_host()
    for asked in ({"memory": "use"}, {}):  # the next one is taken when all of the first has been kept
        host.send(extract(website, **asked))
        host.end_of(7)
    host.rest()
    # The server takes connections in their order: after this one, none of the first host's is left.
    with urlopen(website.url + MENU[0]) as answer:
        answer.read()
    website.requests.clear()
    with counted(website) as connections:
        host = start_host()
        host.send(prepare(website.url + "/news/events.html"))
        time.sleep(1.0)
        host.send(extract(website, "/news/events.html", memory="use"))
        assert host.end_of(7)[-1]["summary"]["remembered"]
        assert connections.made == 0


def test_connections_that_nothing_comes_over_are_closed(
    start_host: Callable[..., Host], website: "Website"
) -> None:
    soon = "import sitestencil_host.worker.readiness as p; p.SECONDS_KEPT = 0.2"
    with counted(website) as connections:
        host = start_host(command=patched(worker=soon))
        host.send(prepare(website.url + KEY_PATH))
        connections.wait_for(made=CONNECTIONS, closed=CONNECTIONS)
        host.send(extract(website))
        assert host.end_of(7)[-1]["type"] == "result"


@pytest.mark.parametrize("url", ["file:///etc/passwd", "not an address", ""])
def test_what_is_no_web_page_is_passed_over(start_host: Callable[..., Host], website: Website, url: str) -> None:
    host = start_host()
    host.send(prepare(url))
    assert host.ask({"type": "hello", "id": 2, "protocol": 1})["type"] == "hello"
    host.send(extract(website))
    assert host.end_of(7)[-1]["type"] == "result"


def test_an_answer_that_fails_before_it_loads_anything_closes_its_connections(
    start_host: Callable[..., Host], website: "Website"
) -> None:
    with counted(website) as connections:
        host = start_host()
        host.send(prepare(website.url + KEY_PATH))
        connections.wait_for(made=CONNECTIONS)
        host.send(extract(website, detector="none"))
        assert host.end_of(7)[-1]["number"] == 304
        connections.wait_for(closed=CONNECTIONS)
