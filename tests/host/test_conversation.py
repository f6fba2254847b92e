"""The host's conversation with a browser, by real frames through a process."""

import logging
import os
import signal
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from tests.host.conftest import HELLO, Host, Message
from tests.support.tables import table
from tests.support.time_limits import AT_ONCE

from sitestencil import __version__
from sitestencil.detectors import DEFAULT_DETECTOR, DETECTORS
from sitestencil_host.log import start_log


@pytest.fixture
def clean_logging() -> Iterator[None]:
    """Undo what a started log does to this process."""
    root = logging.getLogger()
    before, raising = list(root.handlers), logging.raiseExceptions
    yield
    logging.captureWarnings(capture=False)
    logging.raiseExceptions = raising
    for handler in set(root.handlers) - set(before):
        root.removeHandler(handler)
        handler.close()


def test_hello_tells_protocol_version_and_detectors(host: Host) -> None:
    assert host.ask(HELLO) == {
        "type": "hello",
        "id": 1,
        "protocol": 1,
        "version": __version__,
        "detectors": [{"name": info.name, "title": info.title} for info in DETECTORS.values()],
        "default_detector": DEFAULT_DETECTOR,
    }


def test_firefox_style_arguments_are_taken_too(start_host: Callable[..., Host]) -> None:
    host = start_host("/home/me/.mozilla/native-messaging-hosts/x.json", "sitestencil@sitestencil.org")
    assert host.ask(HELLO)["type"] == "hello"


@pytest.mark.parametrize(("protocol", "older"), [(7, "helper program"), (0, "extension")])
def test_another_protocol_is_refused_and_it_is_said_what_to_update(host: Host, protocol: int, older: str) -> None:
    answer = host.ask({**HELLO, "id": 5, "protocol": protocol})
    assert (answer["id"], answer["number"], answer["name"]) == (5, 105, "protocol-version")
    assert answer["detail"] == f"update the {older}: {protocol} was asked for, and this one speaks 1"


EXTRACT = b'{"type":"extract","id":4,"text":'
BAD_FRAMES = {
    "no bytes": (b"", 100, None),
    "words": (b"hello", 100, None),
    "half an object": (b'{"type":"hello"', 100, None),
    "two objects": (b'{"type":"cancel","id":1}{}', 100, None),
    "bytes that are no UTF-8": (b'{"type":"hello","id":4,"protocol":1,"client":"\xff\xfe"}', 100, None),
    "bytes that are no UTF-8 in a field nobody reads": (b'{"type":"cancel","id":4,"more":"\xff"}', 100, None),
    "UTF-8 of a surrogate": (b'{"type":"cancel","id":4,"more":"\xed\xa0\x80"}', 100, None),
    "NaN": (b'{"type":"hello","id":4,"protocol":NaN}', 100, None),
    "infinity": (b'{"type":"hello","id":4,"protocol":Infinity}', 100, None),
    "a list": (b"[]", 102, None),
    "a number": (b"17", 102, None),
    "null": (b"null", 102, None),
    "no fields": (b"{}", 102, None),
    "no type": (b'{"id":4}', 102, 4),
    "a type that is a number": (b'{"type":5,"id":4}', 102, 4),
    "an unknown type": (b'{"type":"dance","id":4}', 101, 4),
    "an unknown type of two million letters": (b'{"type":"' + b"a" * 2_000_000 + b'","id":4}', 101, 4),
    "no id": (b'{"type":"hello","protocol":1}', 102, None),
    "an id that is text": (b'{"type":"hello","id":"4","protocol":1}', 102, None),
    "an id that is a truth value": (b'{"type":"hello","id":true,"protocol":1}', 102, None),
    "a negative id": (b'{"type":"hello","id":-4,"protocol":1}', 102, None),
    "an id with a fraction": (b'{"type":"hello","id":4.5,"protocol":1}', 102, None),
    "a huge id": (b'{"type":"hello","id":1' + b"0" * 400 + b',"protocol":1}', 102, None),
    "no protocol": (b'{"type":"hello","id":4}', 102, 4),
    "a protocol that is text": (b'{"type":"hello","id":4,"protocol":"1"}', 102, 4),
    "a client that is null": (b'{"type":"hello","id":4,"protocol":1,"client":null}', 102, 4),
    "a huge protocol": (b'{"type":"hello","id":4,"protocol":9' + b"9" * 400 + b"}", 105, 4),
    "lists in lists without end": (b'{"type":"hello","id":4,"more":' + b"[" * 300_000, 102, None),
    "lists in lists": (b'{"type":"hello","id":' + b"[" * 300_000 + b"]" * 300_000 + b"}", 102, None),
    "no text": (b'{"type":"extract","id":4}', 102, 4),
    "a text that is a number": (EXTRACT + b"3}", 102, 4),
    "a text that is null": (EXTRACT + b"null}", 102, 4),
    "a snapshot that is a number": (EXTRACT + b'"3"}', 102, 4),
    "a snapshot without fields": (EXTRACT + b'"{}"}', 102, 4),
    "a snapshot of lists in lists": (EXTRACT + b'"' + b"[" * 900 + b"]" * 900 + b'"}', 102, 4),
    "a detector that is a number": (EXTRACT + b'"{}","detector":1}', 102, 4),
}


@table("name", BAD_FRAMES)
def test_a_bad_frame_is_answered_by_its_number_and_the_host_lives_on(host: Host, name: str) -> None:
    frame, number, request_id = BAD_FRAMES[name]
    answer = host.ask(frame)
    assert (answer["type"], answer["number"], answer["id"]) == ("error", number, request_id)
    assert answer["message"].endswith(".")
    assert host.ask(HELLO)["type"] == "hello"


# tests/library/page/test_snapshot.py has more trees that are none.
BAD_SNAPSHOTS: dict[str, tuple[Message, int]] = {
    "no url": ({"url": None}, 102),
    "a parent that is a fraction": ({"parents": [-1, 0, 0.5, 0, 3]}, 102),
    "no element": ({"tags": [], "parents": [], "attributes": [], "texts": []}, 200),
    "a parent that comes later": ({"parents": [-1, 4, 1, 0, 3]}, 200),
    "a huge parent": ({"parents": [-1, 0, 1, 0, 10**400]}, 200),
    "the address of a file": ({"url": "file:///etc/passwd"}, 201),
}


@table("name", BAD_SNAPSHOTS)
def test_a_bad_snapshot_is_answered_by_its_number(host: Host, tiny: Message, name: str) -> None:
    change, number = BAD_SNAPSHOTS[name]
    answer = host.ask({"type": "extract", "id": 4, "snapshot": {**tiny, **change}})
    assert (answer["type"], answer["number"], answer["id"]) == ("error", number, 4)
    assert host.ask(HELLO)["type"] == "hello"


@pytest.mark.parametrize(("length", "number"), [(2**32 - 1, 103), (64 * 1024 * 1024 + 1, 103), (2**24, 100)])
def test_behind_a_false_length_the_host_answers_once_and_ends(host: Host, length: int, number: int) -> None:
    """Its input stays open: the browser has more to say, and hears that nobody listens."""
    random = Random(length)
    with suppress(BrokenPipeError):
        host.send_raw(struct.pack("=I", length) + b"\x17" + random.randbytes(100_000))
        host.send(HELLO)
    assert (host.receive()["number"], host.process.wait(AT_ONCE)) == (number, 0)


@pytest.mark.parametrize("sent", [b"\x01\x00", struct.pack("=I", 100) + b'{"type":"hello"'])
def test_input_that_ends_inside_a_frame_is_answered_before_the_host_ends(host: Host, sent: bytes) -> None:
    host.send_raw(sent)
    answers = host.rest()
    assert [answer["number"] for answer in answers] == [104]
    assert host.process.wait(AT_ONCE) == 0


def test_a_cancel_of_nothing_is_not_answered(host: Host) -> None:
    host.send({"type": "cancel", "id": 77})
    assert host.ask(HELLO)["type"] == "hello"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
def test_sigterm_ends_the_host_cleanly(host: Host) -> None:
    host.ask(HELLO)
    host.process.send_signal(signal.SIGTERM)
    assert host.process.wait(AT_ONCE) == 0
    assert "asked to end" in host.log.read_text()


def test_a_browser_that_reads_no_more_ends_the_host_quietly(host: Host) -> None:
    host.close_output()
    host.send(HELLO)
    assert host.process.wait(2) == 0
    assert host.process.stderr
    assert host.process.stderr.read() == b""
    assert "Traceback" not in host.log.read_text()


NOISY = """
import os, sys
import sitestencil_host.session as session
def cancel(self, request):
    print("noise from Python")
    os.write(1, b"noise from below")
    sys.__stdout__.flush()
session.Session._cancel = cancel
from sitestencil_host.main import main
main()
"""


def test_nothing_but_frames_is_written_to_standard_output(start_host: Callable[..., Host]) -> None:
    host = start_host(command=(sys.executable, "-c", NOISY))
    host.send({"type": "cancel", "id": 1})
    assert host.ask(HELLO)["type"] == "hello"
    assert host.rest() == []
    assert host.process.stderr
    said = host.process.stderr.read()
    assert b"noise from Python" in said
    assert b"noise from below" in said


@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes the stream")
def test_a_host_without_standard_error_writes_nothing_but_frames_either(start_host: Callable[..., Host]) -> None:
    script = f"exec '{sys.executable}' -c \"$0\" 2>&-"
    host = start_host(command=("/bin/sh", "-c", script, NOISY))
    host.send({"type": "cancel", "id": 1})
    assert host.ask(HELLO)["type"] == "hello"
    assert host.rest() == []


def test_the_log_tells_start_and_end_but_no_page(host: Host, tiny: Message) -> None:
    host.ask(HELLO)
    host.ask({"type": "extract", "id": 4, "snapshot": {**tiny, "names": ["html"], "texts": []}})
    host.rest()
    host.process.wait(2)
    log = host.log.read_text()
    assert f"host {__version__} starts" in log
    assert "extraction 4: not-a-tree" in log
    assert "the browser closed the connection" in log
    assert "example.org" not in log


def test_the_log_can_be_sent_elsewhere_and_one_that_cannot_be_written_stops_nothing(
    start_host: Callable[..., Host], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    assert start_host("--log-dir", str(tmp_path / "file"), "chrome-extension://abc/").ask(HELLO)["type"] == "hello"
    host = start_host("--log-dir", str(tmp_path / "here" / "there"), "chrome-extension://abc/")
    host.ask(HELLO)
    host.rest()
    assert (tmp_path / "here" / "there" / "host.log").is_file()
    assert not host.log.exists()


def test_the_log_rotates_and_stays_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clean_logging: None
) -> None:
    start_log(tmp_path)
    for _ in range(40):
        logging.getLogger("sitestencil_host.tests").info("x" * 100_000)
    sizes = [file.stat().st_size for file in tmp_path.iterdir()]
    assert len(sizes) == 4
    assert all(size <= 512 * 1024 for size in sizes)


def test_a_log_that_another_program_holds_open_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clean_logging: None
) -> None:
    def held(source: Path, target: str) -> Path:
        raise PermissionError(13, "held open", str(source), None, target)

    start_log(tmp_path)
    monkeypatch.setattr(Path, "rename", held)
    for number in range(10):
        logging.getLogger("sitestencil_host.tests").info("%d %s", number, "x" * 100_000)
    lines = (tmp_path / "host.log").read_text().splitlines()
    assert len(lines) == 10


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_person_who_starts_the_host_is_told_what_it_is_for(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    try:
        ended = subprocess.run(
            [Path(sys.executable).with_name("sitestencil-host"), "--log-dir", tmp_path],
            stdin=theirs,
            capture_output=True,
            timeout=10,
            check=False,
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert ended.returncode == 2
    assert ended.stdout == b""
    assert b"sitestencil doctor" in ended.stderr
