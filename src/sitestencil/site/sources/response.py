"""Read an HTTP response, and unpack its body."""

import zlib
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from sitestencil.errors import BrokenAnswer

PACKINGS = frozenset({"gzip", "deflate", "br"})
# Unpack at most so many bytes at a time, however few packed bytes they need.
_PIECE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Response:
    """The head of a response, and its body while the connection is open.

    Attributes:
        status: its status code.
        reason: the server's reason phrase.
        headers: by name in lower case; repeated ones are joined by commas.
        packed: the body's bytes as received.
    """

    status: int
    reason: str
    headers: Mapping[str, str]
    packed: AsyncIterator[bytes]

    @property
    def is_success(self) -> bool:
        """Whether the status is 2xx."""
        return 200 <= self.status < 300

    @property
    def is_redirect(self) -> bool:
        """Whether the status is 3xx."""
        return 300 <= self.status < 400

    async def body(self) -> AsyncIterator[bytes]:
        """Yield the body's bytes, unpacked from at most one of `PACKINGS`.

        Raises:
            BrokenAnswer: the body cannot be unpacked.
        """
        packing = self.headers.get("content-encoding", "").strip(" ,").lower()
        unpacker = _UNPACKERS.get(packing, _Whole)()
        is_empty = True
        async for packed in self.packed:
            is_empty = is_empty and not packed
            for piece in unpacker.unpack(packed):
                yield piece
        if not (is_empty or unpacker.is_at_end):
            raise BrokenAnswer("what is packed is cut off")


def headers_by_name(pairs: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return headers in the form of `Response`."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in pairs:
        name, value = raw_name.decode("latin-1").lower(), _text(raw_value)
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


class _Unpacker(Protocol):
    @property
    def is_at_end(self) -> bool:
        """Whether all packed bytes have come."""
        ...

    def unpack(self, packed: bytes) -> Iterator[bytes]:
        """Yield the content of the next bytes."""
        ...


class _Whole:
    is_at_end = True

    def unpack(self, packed: bytes) -> Iterator[bytes]:
        yield packed


class _Unzip:
    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._unpacker = zlib.decompressobj(bits)

    @property
    def is_at_end(self) -> bool:
        return self._unpacker.eof

    def unpack(self, packed: bytes) -> Iterator[bytes]:
        if self.is_at_end:
            self._refuse_more(packed)
        try:
            while piece := self._unpacker.decompress(packed, _PIECE):
                yield piece
                packed = self._unpacker.unconsumed_tail
        except zlib.error as error:
            raise BrokenAnswer(str(error)) from None
        self._refuse_more(self._unpacker.unused_data)

    def _refuse_more(self, packed: bytes) -> None:
        """Refuse bytes after the end, such as a second member: browsers differ about them."""
        if packed:
            raise BrokenAnswer("something follows what is packed")


class _Inflate:
    """Unpack deflate, which some servers send without its header."""

    def __init__(self) -> None:
        self._unzip: _Unzip | None = None

    @property
    def is_at_end(self) -> bool:
        return self._unzip is not None and self._unzip.is_at_end

    def unpack(self, packed: bytes) -> Iterator[bytes]:
        if self._unzip is None and packed:
            # The header's first half byte is the method: 8.
            has_head = packed[0] & 0x0F == zlib.DEFLATED
            self._unzip = _Unzip(zlib.MAX_WBITS if has_head else -zlib.MAX_WBITS)
        return self._unzip.unpack(packed) if self._unzip is not None else iter(())


class _Unbrotli:
    def __init__(self) -> None:
        import brotli

        self._broken = brotli.error
        self._unpacker = brotli.Decompressor()

    @property
    def is_at_end(self) -> bool:
        return bool(self._unpacker.is_finished())

    def unpack(self, packed: bytes) -> Iterator[bytes]:
        if packed and self.is_at_end:
            raise BrokenAnswer("something follows what is packed")
        try:
            while piece := self._unpacker.process(packed, output_buffer_limit=_PIECE // 2):
                yield piece
                packed = b""
        except self._broken as error:
            raise BrokenAnswer(str(error)) from None


_UNPACKERS: Mapping[str, Callable[[], _Unpacker]] = {
    "gzip": partial(_Unzip, zlib.MAX_WBITS | 16),
    "deflate": _Inflate,
    "br": _Unbrotli,
}
