"""The DevTools protocol over a pipe: JSON messages that end with NUL, to the browser's fd 3 and from its fd 4.

A pipe, not a port: no other program of the machine can reach the browser, and it ends when we do.
"""

import fcntl
import json
import os
import queue
import sys
import threading
import time
from dataclasses import dataclass, field

from tests.support.browsers.browser import PATIENCE, BrowserError, Json

# Run by a bare interpreter between us and the browser: subprocess cannot place descriptors itself.
PLACE_PIPES = """import os, sys
os.dup2(int(sys.argv[1]), 3)
os.dup2(int(sys.argv[2]), 4)
os.execv(sys.argv[3], sys.argv[3:])"""


@dataclass(slots=True)
class Event:
    method: str
    session: str | None
    params: dict[str, Json] = field(default_factory=dict)


class Devtools:
    """A connection to the browser; call `command` for the arguments that start it, then `connected`."""

    def __init__(self) -> None:
        browser_reads, self._out = os.pipe()
        self._in, browser_writes = os.pipe()
        # above 9, so that neither is 3 or 4 when the other is placed there
        self.descriptors = tuple(_raise(fd) for fd in (browser_reads, browser_writes))
        self._number = 0
        self._lock = threading.Lock()
        self._answers: dict[int, queue.SimpleQueue[dict[str, Json] | None]] = {}
        self._events: list[Event] = []
        self._news = threading.Condition()
        self._open = True

    def command(self, program: str, arguments: list[str]) -> list[str]:
        """The command line that starts `program` with our pipes as its fds 3 and 4."""
        read, write = (str(fd) for fd in self.descriptors)
        return [
            sys.executable,
            "-I",
            "-S",
            "-c",
            PLACE_PIPES,
            read,
            write,
            program,
            "--remote-debugging-pipe",
            *arguments,
        ]

    def connected(self) -> None:
        """To be called when the browser has been started: let go of its ends, and listen."""
        for fd in self.descriptors:
            os.close(fd)
        self.descriptors = ()
        threading.Thread(target=self._listen, name="devtools", daemon=True).start()

    def close(self) -> None:
        """Close our ends; the browser ends by itself then."""
        for fd in self.descriptors:
            os.close(fd)
        self.descriptors = ()
        if self._open:
            self._open = False
            os.close(self._out)

    def _listen(self) -> None:
        buffer = bytearray()
        while block := os.read(self._in, 1 << 16):
            buffer += block
            *messages, rest = buffer.split(b"\0")
            buffer = bytearray(rest)
            for message in messages:
                self._take(json.loads(message))
        os.close(self._in)
        with self._lock:
            self._open, waiting = False, list(self._answers.values())
        for answers in waiting:
            answers.put(None)

    def _take(self, message: dict[str, Json]) -> None:
        if "id" in message:
            with self._lock:
                answers = self._answers.pop(message["id"], None)
            if answers is not None:
                answers.put(message)
            return
        event = Event(message["method"], message.get("sessionId"), message.get("params", {}))
        with self._news:
            self._events.append(event)
            self._news.notify_all()

    def call(
        self, method: str, session: str | None = None, /, seconds: float = PATIENCE, **params: Json
    ) -> dict[str, Json]:
        """Send a command and return its result.

        Raises:
            BrowserError: the browser refused it, did not answer in time, or has ended.
        """
        answers: queue.SimpleQueue[dict[str, Json] | None] = queue.SimpleQueue()
        with self._lock:
            if not self._open:
                raise BrowserError(f"{method}: the browser has ended")
            self._number += 1
            number = self._number
            self._answers[number] = answers
            message = {"id": number, "method": method, "params": params}
            self._send(json.dumps(message | ({"sessionId": session} if session else {})))
        try:
            answer = answers.get(timeout=seconds)
        except queue.Empty:
            raise BrowserError(f"{method}: no answer within {seconds:g} s") from None
        if answer is None:
            raise BrowserError(f"{method}: the browser ended before it answered")
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error'].get('message', answer['error'])}")
        result: dict[str, Json] = answer["result"]
        return result

    def _send(self, text: str) -> None:
        rest = text.encode() + b"\0"
        while rest:
            rest = rest[os.write(self._out, rest) :]

    def mark(self) -> int:
        """The place in the stream of events that `wait_for` can start from."""
        with self._news:
            return len(self._events)

    def wait_for(
        self,
        method: str,
        session: str,
        since: int,
        params: dict[str, Json] | None = None,
        seconds: float = PATIENCE,
    ) -> Event:
        """The first event of this name and session, with at least these params, after the mark `since`."""
        wanted = (params or {}).items()
        end = time.monotonic() + seconds
        with self._news:
            while True:
                for event in self._events[since:]:
                    same = (event.method, event.session) == (method, session)
                    if same and wanted <= event.params.items():
                        return event
                since = len(self._events)
                if not self._news.wait(end - time.monotonic()) and time.monotonic() >= end:
                    raise BrowserError(f"{method} did not happen within {seconds:g} s")


def _raise(fd: int) -> int:
    raised = fcntl.fcntl(fd, fcntl.F_DUPFD, 10)
    os.close(fd)
    return raised
