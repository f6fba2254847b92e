"""Frames read from any input there is."""

import io
import struct
from typing import IO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitestencil_host.errors import HostError
from sitestencil_host.messaging.frames import LONGEST_IN, FrameReader, FrameWriter, OutputClosed

JSON_TEXT = st.text(st.characters(min_codepoint=32, exclude_categories=["Cs"]))


def frame(payload: bytes) -> bytes:
    return struct.pack("=I", len(payload)) + payload


def numbers_and_payloads(stream: IO[bytes]) -> list[int | bytes]:
    return [found.kind.number if isinstance(found, HostError) else found for found in FrameReader(stream)]


@given(st.lists(st.binary(max_size=300)))
def test_what_was_written_is_read(payloads: list[bytes]) -> None:
    pipe = io.BytesIO()
    writer = FrameWriter(pipe)
    for payload in payloads:
        writer.write(payload)
    assert numbers_and_payloads(io.BytesIO(pipe.getvalue())) == payloads


@given(st.binary(max_size=2000))
def test_any_bytes_give_frames_and_faults_and_an_end(data: bytes) -> None:
    for found in numbers_and_payloads(io.BytesIO(data)):
        assert isinstance(found, bytes) or found in {103, 104}


@given(st.integers(LONGEST_IN + 1, 2**32 - 1), JSON_TEXT, st.lists(JSON_TEXT, min_size=1, max_size=3))
def test_after_an_overlong_frame_of_json_the_very_next_message_is_found(
    length: int, text: str, messages: list[str]
) -> None:
    payloads = [f'{{"m":"{message}"}}'.encode() for message in messages]
    data = struct.pack("=I", length) + text.encode() + b"".join(map(frame, payloads))
    assert numbers_and_payloads(io.BytesIO(data)) == [103, *payloads]


class Chunks(io.RawIOBase):
    """An input that hands out what it has in small portions, as a pipe does."""

    def __init__(self, data: bytes, size: int) -> None:
        self._data = io.BytesIO(data)
        self._size = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]
        part = self._data.read(min(self._size, len(buffer)))
        buffer[: len(part)] = part
        return len(part)


@given(st.integers(1, 9))
def test_portions_of_a_pipe_make_no_difference(size: int) -> None:
    data = frame(b"{1}") + b"\xff\xff\xff\xff" + b"x" * 20 + frame(b'{"a":2}') + frame(b"") + b"\xff" * 4
    stream = io.BufferedReader(Chunks(data, size))
    assert numbers_and_payloads(stream) == [b"{1}", 103, b'{"a":2}', b"", 103]


def test_a_closed_output_is_told_from_a_defect() -> None:
    pipe = io.BytesIO()
    pipe.close()
    with pytest.raises(OutputClosed):
        FrameWriter(pipe).write(b"{}")
