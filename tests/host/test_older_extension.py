"""An extension older or newer than the host goes on working with what both know (host/PROTOCOL.md)."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.host.conftest import Host, Website

# What the first version of the extension says and reads: no capabilities, no choice of pages, no boxes, no scores.
FIRST_HELLO = {"type": "hello", "id": 1, "protocol": 1}
FIRST_RESULT = {"type", "id", "part", "parts", "template", "content_texts", "summary"}
FIRST_SUMMARY = {"url", "detector", "elements", "candidates", "pages_loaded", "timings_ms"}


def test_the_first_extension_gets_its_answer_and_is_asked_for_nothing(host: "Host", website: "Website") -> None:
    welcome = host.ask(FIRST_HELLO)
    assert {"type", "id", "protocol", "version", "detectors", "default_detector"} <= welcome.keys()
    host.send({"type": "extract", "id": 2, "snapshot": website.snapshot("/")})
    answers = host.end_of(2)
    assert {answer["type"] for answer in answers} == {"progress", "result"}
    assert answers[-1].keys() >= FIRST_RESULT
    assert answers[-1]["summary"].keys() >= FIRST_SUMMARY
    assert answers[-1]["template"]


def test_an_extension_that_says_no_hello_is_answered_too(host: "Host", website: "Website") -> None:
    host.send({"type": "extract", "id": 5, "snapshot": website.snapshot("/"), "detector": "temex"})
    assert host.end_of(5)[-1]["summary"]["detector"] == "temex"


def test_a_newer_extension_is_answered_by_what_the_host_knows(host: "Host", website: "Website") -> None:
    hello = {
        **FIRST_HELLO,
        "client": "sitestencil-extension 99.0",
        "capabilities": ["load", "dream"],
        "mood": "good",
    }
    assert host.ask(hello)["type"] == "hello"
    assert host.ask({"type": "dream", "id": 2, "about": "pages"})["number"] == 101
    snapshot = {**website.snapshot("/"), "dreams": [1, 2, 3]}
    host.send({"type": "extract", "id": 3, "snapshot": snapshot, "depth": "deep"})
    assert host.end_of(3)[-1]["type"] == "result"


def test_the_hello_and_the_result_have_all_that_the_first_version_read_and_of_the_same_kinds(
    host: "Host", website: "Website"
) -> None:
    welcome = host.ask(FIRST_HELLO)
    kinds = {"protocol": int, "version": str, "detectors": list, "default_detector": str}
    assert {name: type(welcome[name]) for name in kinds} == kinds
    host.send({"type": "extract", "id": 2, "snapshot": website.snapshot("/")})
    result = host.end_of(2)[-1]
    kinds = {"part": int, "parts": int, "template": list, "content_texts": list, "summary": dict}
    assert {name: type(result[name]) for name in kinds} == kinds
