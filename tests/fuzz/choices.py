"""Bytes of a fuzzer read as choices: small changes of the bytes are small changes of what is made of them."""


class Choices:
    """Reads numbers and texts from bytes; after their end all is zero and empty."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._next = 0

    @property
    def left(self) -> bool:
        return self._next < len(self._data)

    def number(self, below: int) -> int:
        """Return a number from 0 on, below a bound of at most 256."""
        byte = self._data[self._next] if self.left else 0
        self._next += 1
        return byte % below

    def text(self) -> str:
        """Return a text of up to 31 bytes, its length first."""
        start = self._next + 1
        self._next = start + self.number(32)
        return self._data[start : self._next].decode("utf-8", "replace")

    def rest(self) -> bytes:
        rest, self._next = self._data[self._next :], len(self._data)
        return rest
