"""What a server answers, and what it may be packed in."""

import zlib
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

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
        unpack = _UNPACKERS.get(packing, _as_it_is)()
        async for packed in self.packed:
            for piece in unpack(packed):
                yield piece


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


_Unpack = Callable[[bytes], Iterator[bytes]]


def _as_it_is() -> _Unpack:
    return lambda packed: iter((packed,))


def _unzip(bits: int) -> _Unpack:
    unpacker = zlib.decompressobj(bits)

    def unpack(packed: bytes) -> Iterator[bytes]:
        try:
            while piece := unpacker.decompress(packed, _PIECE):
                yield piece
                packed = unpacker.unconsumed_tail
        except zlib.error as error:
            raise BrokenAnswer(str(error)) from None

    return unpack


def _inflate() -> _Unpack:
    """Return what unpacks deflate, which some servers send without the head that should come first."""
    unpack: _Unpack | None = None

    def unpack_first(packed: bytes) -> Iterator[bytes]:
        nonlocal unpack
        if unpack is not None:
            yield from unpack(packed)
            return
        unpack = _unzip(zlib.MAX_WBITS)
        try:
            yield from unpack(packed)
        except BrokenAnswer:
            unpack = _unzip(-zlib.MAX_WBITS)
            yield from unpack(packed)

    return unpack_first


def _unbrotli() -> _Unpack:
    import brotli

    unpacker = brotli.Decompressor()

    def unpack(packed: bytes) -> Iterator[bytes]:
        try:
            while piece := unpacker.process(packed, output_buffer_limit=_PIECE // 2):
                yield piece
                packed = b""
        except brotli.error as error:
            raise BrokenAnswer(str(error)) from None

    return unpack


_UNPACKERS: Mapping[str, Callable[[], _Unpack]] = {
    "gzip": partial(_unzip, zlib.MAX_WBITS | 16),
    "deflate": _inflate,
    "br": _unbrotli,
}
