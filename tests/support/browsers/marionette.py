"""Marionette, Firefox' own remote control: `length:json` over a local socket.

https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
"""

import json
import socket

from tests.support.browsers.browser import PATIENCE, BrowserError, Json


class Marionette:
    def __init__(self, port: int, seconds: float = 2 * PATIENCE) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=seconds)
        self._stream = self._socket.makefile("rb")
        self._number = 0
        self._receive()  # the greeting: versions
        self.call("WebDriver:NewSession", {"timeouts": {"pageLoad": 1000 * PATIENCE, "script": 1000 * PATIENCE}})

    def close(self) -> None:
        """Hang up; Firefox goes on."""
        self._stream.close()
        self._socket.close()

    def call(self, command: str, params: dict[str, Json] | None = None) -> Json:
        """Send a command and return its result.

        Raises:
            BrowserError: Firefox refused it, did not answer in time, or has ended.
        """
        self._number += 1
        text = json.dumps([0, self._number, command, params or {}]).encode()
        try:
            self._socket.sendall(b"%d:%b" % (len(text), text))
            while True:
                kind, number, error, result = self._receive()
                if (kind, number) == (1, self._number):
                    break
        except TimeoutError:
            raise BrowserError(f"{command}: Firefox did not answer") from None
        except (OSError, ValueError) as problem:
            raise BrowserError(f"{command}: Firefox has ended ({problem})") from None
        if error:
            raise BrowserError(f"{command}: {error['error']}: {error['message']}")
        return result["value"] if isinstance(result, dict) and set(result) == {"value"} else result

    def _receive(self) -> Json:
        digits = b""
        while (digit := self._stream.read(1)) != b":":
            if not digit:
                raise OSError("connection closed")
            digits += digit
        return json.loads(self._stream.read(int(digits)))
