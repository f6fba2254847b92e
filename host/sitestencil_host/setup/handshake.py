"""Starts a host as a browser would, and shakes hands with it."""

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import IO, Any, TypeVar

from sitestencil_host.errors import HostError
from sitestencil_host.messaging.frames import FrameReader, FrameWriter, OutputClosed
from sitestencil_host.messaging.messages import PROTOCOL, HelloRequest, encode
from sitestencil_host.setup.browsers import Family
from sitestencil_host.setup.manifests import allowed_extensions

SECONDS = 10.0
_BARE_PATH = "/usr/bin:/bin"
_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class Handshake:
    """The outcome: the host's version and the milliseconds to its answer, or the fault in words."""

    version: str = ""
    milliseconds: float = 0.0
    fault: str | None = None


def shake_hands(executable: str, family: Family, manifest: Path | None = None) -> Handshake:
    """Start a host, say hello, and close the connection."""
    extension = allowed_extensions(family)[0]
    arguments = [extension] if family == "chromium" else [str(manifest or ""), extension]
    # The PATH of a browser that is started from the desktop.
    path = {"PATH": _BARE_PATH} if sys.platform != "win32" else {}
    start = perf_counter()
    try:
        process = subprocess.Popen(  # noqa: S603 - the very program that the browser would start
            [executable, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **path},
        )
    except OSError as error:
        return Handshake(fault=f"it cannot be started: {error.strerror}")
    try:
        return _talk(process, start)
    finally:
        _end(process)


def _talk(process: "subprocess.Popen[bytes]", start: float) -> Handshake:
    answers: queue.SimpleQueue[bytes | HostError] = queue.SimpleQueue()
    errors: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    _read_aside(process.stdout, answers, _read_frame)
    _read_aside(process.stderr, errors, _read_last_line)
    assert process.stdin is not None
    try:
        FrameWriter(process.stdin).write(encode(HelloRequest(1, PROTOCOL, "sitestencil doctor")))
    except OutputClosed:
        return Handshake(fault=_ending(process, errors))
    try:
        frame = answers.get(timeout=SECONDS)
    except queue.Empty:
        return Handshake(fault=f"it gave no answer within {SECONDS:.0f} s")
    milliseconds = 1000 * (perf_counter() - start)
    if not frame:
        return Handshake(fault=_ending(process, errors))
    return _judge(frame, milliseconds)


def _judge(frame: bytes | HostError, milliseconds: float) -> Handshake:
    try:
        answer: Any = None if isinstance(frame, HostError) else json.loads(frame)
    except ValueError:
        answer = None
    if answer is None:
        return Handshake(fault="it writes something else than messages to its standard output")
    if not isinstance(answer, dict) or answer.get("type") != "hello" or answer.get("protocol") != PROTOCOL:
        said = answer.get("message") if isinstance(answer, dict) else None
        return Handshake(fault=f"it does not speak protocol {PROTOCOL}{f': {said}' if said else ''}")
    return Handshake(str(answer.get("version")), milliseconds)


def _read_frame(stream: IO[bytes]) -> bytes | HostError:
    return next(iter(FrameReader(stream)), b"")


def _read_last_line(stream: IO[bytes]) -> bytes:
    lines = stream.read().strip().splitlines()
    return lines[-1] if lines else b""


def _read_aside(
    stream: IO[bytes] | None, found: "queue.SimpleQueue[_Read]", read: Callable[[IO[bytes]], _Read]
) -> None:
    assert stream is not None

    def run() -> None:
        with stream:
            found.put(read(stream))

    threading.Thread(target=run, daemon=True).start()


def _ending(process: "subprocess.Popen[bytes]", errors: "queue.SimpleQueue[bytes]") -> str:
    try:
        status = process.wait(2)
        said = errors.get(timeout=2).decode("utf-8", "replace")[:300]
    except (subprocess.TimeoutExpired, queue.Empty):
        return "it closed its output without an answer"
    return f"it ended with status {status} instead of answering{f': {said}' if said else ''}"


def _end(process: "subprocess.Popen[bytes]") -> None:
    assert process.stdin is not None
    with suppress(OSError):
        process.stdin.close()
    try:
        process.wait(3)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
