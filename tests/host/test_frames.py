"""Frames read from any input there is."""

import io
import struct
from typing import IO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitestencil_host.errors import HostError
from sitestencil_host.messaging.frames import LONGEST_IN, FrameReader, FrameWriter, OutputClosed


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
        assert isinstance(found, bytes) or found in {100, 103, 104}


@given(st.integers(LONGEST_IN + 1, 2**32 - 1), st.binary(max_size=2000))
def test_behind_a_length_that_is_false_nothing_is_read(length: int, data: bytes) -> None:
    stream = io.BytesIO(struct.pack("=I", length) + data)
    assert numbers_and_payloads(stream) == [103]
    assert stream.tell() == 4


def test_a_long_frame_that_is_no_object_is_refused_at_its_first_byte() -> None:
    """Nobody may ever send the bytes that its length announces."""
    stream = io.BytesIO(struct.pack("=I", LONGEST_IN) + b"\x17" * 100_000)
    assert numbers_and_payloads(stream) == [100]
    assert stream.tell() == 5


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
    data = frame(b"{1}") + frame(b'{"a":2}') + frame(b"") + b"\xff" * 4 + frame(b"{}")
    stream = io.BufferedReader(Chunks(data, size))
    assert numbers_and_payloads(stream) == [b"{1}", b'{"a":2}', b"", 103]


def test_a_closed_output_is_told_from_a_defect() -> None:
    pipe = io.BytesIO()
    pipe.close()
    with pytest.raises(OutputClosed):
        FrameWriter(pipe).write(b"{}")
