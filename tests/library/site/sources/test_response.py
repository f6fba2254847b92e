"""Bodies are unpacked as they come, a piece at a time."""

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator, Sequence

import brotli
import pytest
from tests.support.tables import table

from sitestencil.errors import BrokenAnswer
from sitestencil.site.sources.messages import Response, headers_by_name

TEXT = b"A line of a page.\n" * 1000
RAW_DEFLATE = zlib.compress(TEXT)[2:-4]


def unpacked(packed: Sequence[bytes], packing: str) -> list[bytes]:
    async def pieces() -> AsyncIterator[bytes]:
        for piece in packed:
            yield piece

    async def run() -> list[bytes]:
        answer = Response(200, "OK", {"content-encoding": packing}, pieces())
        return [piece async for piece in answer.body()]

    return asyncio.run(run())


@table(
    ("packing", "packed"),
    [
        ("", TEXT),
        ("identity", TEXT),
        ("gzip", gzip.compress(TEXT)),
        ("GZip", gzip.compress(TEXT)),
        ("deflate", zlib.compress(TEXT)),
        ("deflate", RAW_DEFLATE),
        ("br", brotli.compress(TEXT)),
        ("br,", brotli.compress(TEXT)),
    ],
)
@table("length", [7, 100_000])
def test_a_body_comes_out_as_it_went_in_however_it_is_cut(packing: str, packed: bytes, length: int) -> None:
    cut = [packed[start : start + length] for start in range(0, len(packed), length)]
    assert b"".join(unpacked(cut, packing)) == TEXT


@table("packing", ["gzip", "deflate", "br"])
def test_what_cannot_be_unpacked_is_told(packing: str) -> None:
    with pytest.raises(BrokenAnswer):
        unpacked([b"\xff" * 100], packing)


@table(
    ("packing", "packed"),
    [("gzip", gzip.compress(bytes(20_000_000))), ("br", brotli.compress(bytes(20_000_000)))],
)
def test_no_piece_is_large_however_little_it_was_unpacked_from(packing: str, packed: bytes) -> None:
    pieces = unpacked([packed], packing)
    assert sum(map(len, pieces)) == 20_000_000
    assert max(map(len, pieces)) <= 2_000_000


def test_headers_are_read_in_any_case_and_joined_where_they_come_twice() -> None:
    pairs = [(b"Via", b"one"), (b"VIA", b"two"), (b"Location", "/é".encode()), (b"Server", b"\xe9")]
    assert headers_by_name(pairs) == {"via": "one, two", "location": "/é", "server": "é"}


@table(
    ("packing", "packed"),
    [
        ("gzip", gzip.compress(TEXT)),
        ("deflate", zlib.compress(TEXT)),
        ("deflate", RAW_DEFLATE),
        ("br", brotli.compress(TEXT)),
    ],
)
@table("lost", [1, 4, 9])
def test_a_body_that_is_cut_off_is_told(packing: str, packed: bytes, lost: int) -> None:
    with pytest.raises(BrokenAnswer, match="cut off"):
        unpacked([packed[:-lost]], packing)


@table(
    ("packing", "packed"),
    [("gzip", gzip.compress(TEXT)), ("deflate", zlib.compress(TEXT)), ("br", brotli.compress(TEXT))],
)
@table("is_cut", [False, True])
def test_a_second_member_is_told_and_not_dropped(packing: str, packed: bytes, is_cut: bool) -> None:
    with pytest.raises(BrokenAnswer):
        unpacked([packed, packed] if is_cut else [packed * 2], packing)


@table("packing", ["gzip", "deflate", "br"])
def test_an_answer_without_a_body_is_empty_whatever_it_says(packing: str) -> None:
    assert b"".join(unpacked([], packing)) == b""
