"""What a server answers, and what it may be packed in."""

import zlib
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from sitestencil.errors import BrokenAnswer

PACKINGS = frozenset({"gzip", "deflate", "br"})
# Of what is unpacked, no more than this is made at a time, however little it was unpacked from.
_PIECE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Answer:
    """The head of an answer, and its body while the connection is open.

    Attributes:
        status: its number.
        reason: in the server's words.
        headers: by their names in small letters; what came several times, with commas between.
        packed: the body's bytes as they come.
    """

    status: int
    reason: str
    headers: Mapping[str, str]
    packed: AsyncIterator[bytes]

    @property
    def is_success(self) -> bool:
        """Whether the server gives what it was asked for."""
        return 200 <= self.status < 300

    @property
    def is_redirect(self) -> bool:
        """Whether the server would have another address asked for."""
        return 300 <= self.status < 400

    async def body(self) -> AsyncIterator[bytes]:
        """Yield the body's bytes, unpacked; it is packed once at most, in one of `PACKINGS`.

        Raises:
            BrokenAnswer: it cannot be unpacked.
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
    """Return headers as `Answer` has them."""
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
        """Whether all that was packed has come."""
        ...

    def unpack(self, packed: bytes) -> Iterator[bytes]:
        """Yield what is in the next bytes."""
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
        """Refuse what follows the end, such as a second member: browsers differ in what they make of it."""
        if packed:
            raise BrokenAnswer("something follows what is packed")


class _Inflate:
    """Unpacks deflate, which some servers send without the head that should come first."""

    def __init__(self) -> None:
        self._unzip: _Unzip | None = None

    @property
    def is_at_end(self) -> bool:
        return self._unzip is not None and self._unzip.is_at_end

    def unpack(self, packed: bytes) -> Iterator[bytes]:
        if self._unzip is None and packed:
            # The head's first half byte says how it is packed: 8.
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
