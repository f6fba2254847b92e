"""Frames: a 32-bit length in native byte order, then that many bytes (native messaging), and the JSON in them."""

import os
import re
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, BinaryIO, TypeVar

import msgspec

from sitestencil_host.errors import FRAME_TOO_LONG, FRAME_TRUNCATED, NOT_JSON, WRONG_SHAPE, HostError

_T = TypeVar("_T")

LONGEST_IN = 64 * 1024 * 1024
LONGEST_OUT = 1024 * 1024
_LENGTH = struct.Struct("=I")
_CHUNK = 64 * 1024
_PAIR_END = rb"[0-9a-fA-F]{2}"
_HIGH, _LOW = rb"\\u[dD][89abAB]" + _PAIR_END, rb"\\u[dD][c-fC-F]" + _PAIR_END
_HALF_PAIRS = re.compile(rb"%b(?!%b)|(?<!%b)%b" % (_HIGH, _LOW, _HIGH.replace(b"{2}", b"") + b"[0-9a-fA-F]", _LOW))
# Stands for an escaped backslash while others are looked for: no JSON holds these bytes.
_BACKSLASH = b"\x01\x01"


class OutputClosed(Exception):
    """Nobody reads the host's answers anymore."""


class AnswerTooLong(Exception):
    """The message is so long that the browser would close the port."""


def frames_on_stdout() -> BinaryIO:
    """Return standard output for frames alone, and send all other prints, native ones too, to standard error."""
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - open to the end
    sys.stdout.flush()
    frames = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.stdout = sys.stderr
    return frames


class FrameReader:
    """Reads the frames and errors of an input until it ends.

    Behind a length over 64 MiB, or a long frame that begins as no object does, nothing can be trusted: there the
    input ends, for a browser writes neither.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes | HostError]:
        """Yield each frame's payload, or the error to answer instead."""
        while header := self._read(_LENGTH.size):
            if len(header) < _LENGTH.size:
                yield HostError(FRAME_TRUNCATED, f"the input ended after {len(header)} bytes of a length")
                return
            (length,) = _LENGTH.unpack(header)
            if length > LONGEST_IN:
                yield HostError(FRAME_TOO_LONG, f"a frame of {length} bytes was announced")
                return
            first = self._read(min(length, 1))
            if length > _CHUNK and first not in {b"{", b""}:
                yield HostError(NOT_JSON, f"a frame of {length} bytes is no object")
                return
            payload = self._read(length, first)
            if len(payload) < length:
                yield HostError(
                    FRAME_TRUNCATED, f"the input ended after {len(payload)} of a frame's {length} bytes"
                )
                return
            yield payload

    def _read(self, size: int, taken: bytes = b"") -> bytes:
        """Return so many bytes with those taken, or fewer at the input's end; memory grows with those received."""
        parts = bytearray(taken)
        while missing := size - len(parts):
            part = self._stream.read(min(missing, _CHUNK))
            if not part:
                break
            parts += part
        return bytes(parts)


class FrameWriter:
    """Writes whole frames from any thread.

    Args:
        stream: the output.
        longest: the most bytes of a frame; by default a browser's limit.
    """

    def __init__(self, stream: IO[bytes], longest: int = LONGEST_OUT) -> None:
        self._stream = stream
        self._longest = longest
        self._lock = threading.Lock()

    def write(self, payload: bytes) -> None:
        """Write one frame.

        Raises:
            AnswerTooLong: the frame is over the limit.
            OutputClosed: nobody reads anymore.
        """
        if len(payload) > self._longest:
            raise AnswerTooLong(f"{len(payload)} bytes")
        with self._lock:
            try:
                self._stream.write(_LENGTH.pack(len(payload)))
                self._stream.write(payload)
                self._stream.flush()
            except (OSError, ValueError) as error:
                raise OutputClosed(str(error)) from None


def decode(payload: bytes | msgspec.Raw, shape: type[_T], request_id: int | None = None) -> _T:
    """Return JSON as a value of the given type.

    Half surrogate pairs, which live pages can hold, become U+FFFD.

    Raises:
        HostError: not JSON (100), or another type (102).
    """
    try:
        str(payload, "utf-8")
    except UnicodeDecodeError as error:
        raise HostError(NOT_JSON, str(error)) from None
    return _decode(payload, shape, request_id, _without_half_pairs)


def decode_head(payload: bytes, shape: type[_T], request_id: int | None = None) -> _T:
    """Return a few fields of a frame, and leave the rest, up to 64 MiB, to others.

    Raises:
        HostError: see `decode`. Nothing checks that the rest is UTF-8.
    """
    return _decode(payload, shape, request_id, _without_escapes)


def _decode(
    payload: bytes | msgspec.Raw, shape: type[_T], request_id: int | None, repair: Callable[[bytes], bytes]
) -> _T:
    try:
        try:
            return msgspec.json.decode(payload, type=shape)
        except msgspec.ValidationError:
            raise
        except msgspec.DecodeError:
            return msgspec.json.decode(repair(bytes(payload)), type=shape)
    except msgspec.ValidationError as error:
        raise HostError(WRONG_SHAPE, str(error), request_id) from None
    except RecursionError:
        raise HostError(WRONG_SHAPE, "the message is nested too deeply", request_id) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise HostError(NOT_JSON, str(error)) from None


def _without_half_pairs(text: bytes) -> bytes:
    escapes = text.replace(rb"\\", _BACKSLASH)
    return _HALF_PAIRS.sub(rb"\\ufffd", escapes).replace(_BACKSLASH, rb"\\")


def _without_escapes(text: bytes) -> bytes:
    """Return JSON without numeric character escapes."""
    return text.replace(rb"\\", b"xx").replace(rb"\u", b"xx")
