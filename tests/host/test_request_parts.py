"""Pages that come as text in parts: answered as the whole would be, and held to the same limits."""

import io
import json

import pytest
from tests.host.conftest import Host, Message, Website

from sitestencil_host.errors import HostError
from sitestencil_host.messaging.frames import FrameWriter
from sitestencil_host.messaging.messages import MOST_PARTS, MOST_WAITING_BYTES, RequestParts, Work
from sitestencil_host.worker.jobs import Jobs

HELLO = {"type": "hello", "id": 1, "protocol": 1}
MEBIBYTE = 1024 * 1024


def in_parts(message: Message, text: str, count: int) -> list[Message]:
    """Return a request whose page is this text, cut into so many parts."""
    size = -(-len(text) // count)
    texts = [text[start : start + size] for start in range(0, len(text), size)]
    return [{**message, "part": number, "parts": len(texts), "text": part} for number, part in enumerate(texts, 1)]


def extract_parts(request_id: int, snapshot: Message, count: int) -> list[Message]:
    text = json.dumps(snapshot, ensure_ascii=False)
    return in_parts({"type": "extract", "id": request_id, "detector": "temex"}, text, count)


def ending(host: Host, request_id: int) -> Message:
    return host.end_of(request_id)[-1]


def without_times(result: Message) -> Message:
    return {**result, "id": 0, "summary": {**result["summary"], "timings_ms": {}}}


@pytest.mark.parametrize("count", [1, 2, 7])
def test_a_snapshot_in_parts_is_answered_as_the_snapshot_is(host: Host, website: Website, count: int) -> None:
    snapshot = website.snapshot("/news/news.html")
    snapshot["texts"][0][2] = '\N{GRINNING FACE} "\\ é \x01'
    host.send({"type": "extract", "id": 6, "detector": "temex", "snapshot": snapshot})
    whole = ending(host, 6)
    for message in extract_parts(7, snapshot, count):
        host.send(message)
    assert without_times(ending(host, 7)) == without_times(whole)


def test_parts_of_two_requests_may_come_by_turns_and_others_between(host: Host, website: Website) -> None:
    snapshot = website.snapshot("/news/news.html")
    first, second = extract_parts(7, snapshot, 2), extract_parts(8, snapshot, 2)
    for message in (first[0], second[0], HELLO, first[1], second[1]):
        host.send(message)
    kinds: dict[int, str] = {}
    while len(kinds) < 3:
        answer = host.receive()
        if answer["type"] in ("hello", "result"):
            kinds[answer["id"]] = answer["type"]
    assert kinds == {1: "hello", 7: "result", 8: "result"}


def test_a_capture_in_parts_is_saved(host: Host, tiny: Message) -> None:
    capture = {**tiny, "template": [[0, 5]], "template_texts": [[0, 2]]}
    for message in in_parts({"type": "save", "id": 3}, json.dumps(capture), 3):
        host.send(message)
    assert "<title>Template of example.org</title>" in ending(host, 3)["text"]


BAD_PARTS: dict[str, list[Message]] = {
    "the second part first": [{"part": 2, "parts": 2}],
    "a part that is left out": [{"part": 1, "parts": 3}, {"part": 3, "parts": 3}],
    "a part that comes twice": [{"part": 1, "parts": 3}, {"part": 1, "parts": 3}],
    "part nought": [{"part": 0, "parts": 2}],
    "a part beyond the last": [{"part": 2, "parts": 1}],
    "a part that is text": [{"part": "1", "parts": 1}],
    "a part that is true": [{"part": True, "parts": 1}],
    "parts without number": [{"part": 1, "parts": None}],
    "more parts than any page has": [{"part": 1, "parts": MOST_PARTS + 1}],
    "text that is a list": [{"part": 1, "parts": 1, "text": ["{}"]}],
    "text that is null": [{"part": 1, "parts": 1, "text": None}],
    "text missing in one part": [{"part": 1, "parts": 2}, {"part": 2, "parts": 2, "text": None}],
}


@pytest.mark.parametrize("name", BAD_PARTS)
def test_bad_parts_are_answered_by_their_number_and_the_host_lives_on(host: Host, name: str) -> None:
    for part in BAD_PARTS[name]:
        host.send({"type": "extract", "id": 4, "text": "{}", **part})
    assert (ending(host, 4)["number"], host.ask(HELLO)["type"]) == (102, "hello")


@pytest.mark.parametrize(
    ("text", "number"),
    [("", 100), ("{", 100), ("[" * 100_000, 102), ("3", 102), ('{"url": null}', 102), ("{}", 102)],
)
def test_text_that_is_no_snapshot_is_answered_by_its_number(host: Host, text: str, number: int) -> None:
    host.send({"type": "extract", "id": 4, "part": 1, "parts": 1, "text": text})
    assert (ending(host, 4)["number"], host.ask(HELLO)["type"]) == (number, "hello")


def test_parts_of_over_64_mib_together_are_refused_and_forgotten(host: Host) -> None:
    for number in range(1, 5):
        host.send({"type": "extract", "id": 4, "part": number, "parts": 9, "text": "x" * 16 * MEBIBYTE})
    assert host.receive()["number"] == 103
    host.send({"type": "extract", "id": 4, "part": 5, "parts": 9, "text": "x"})
    assert host.receive()["number"] == 102


def test_what_has_come_of_a_request_is_forgotten_when_it_is_cancelled(host: Host) -> None:
    host.send({"type": "extract", "id": 4, "part": 1, "parts": 2, "text": "{}"})
    host.send({"type": "cancel", "id": 4})
    assert host.receive()["number"] == 300
    host.send({"type": "extract", "id": 4, "part": 2, "parts": 2, "text": "{}"})
    assert host.receive()["number"] == 102


def test_requests_that_wait_have_a_limit_together_and_an_ended_one_makes_room() -> None:
    def first_part(request_id: int) -> Work:
        return Work(request_id, 1, 2, (frame,))

    def refused(gathered: RequestParts) -> list[int]:
        numbers = []
        for request_id in range(30):
            try:
                assert gathered.add(first_part(request_id)) is None
            except HostError as error:
                assert (error.id, error.kind.number) == (request_id, 108)
                numbers.append(request_id)
        return numbers

    frame = bytes(60 * MEBIBYTE)
    room = MOST_WAITING_BYTES // len(frame)
    gathered = RequestParts(tuple)
    assert refused(gathered) == list(range(room, 30))
    assert gathered.forget(0)
    assert gathered.add(first_part(30)) is None
    assert refused(RequestParts(lambda: [len(frame)] * (room - 1))) == list(
        range(1, 30)
    )  # whole ones that wait count too
    tiny = RequestParts(tuple)
    with pytest.raises(HostError):  # empty ones are not free
        for request_id in range(2000):
            tiny.add(Work(request_id, 1, 2, (b"",)))


def test_a_job_that_no_worker_has_taken_counts_as_waiting() -> None:
    jobs = Jobs(FrameWriter(io.BytesIO()))
    job = jobs.add(Work(1, 1, 1, (b"{}",)))
    assert jobs.waiting_lengths() == [2]
    job.take_payloads()
    assert jobs.waiting_lengths() == []
