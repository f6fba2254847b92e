"""A page seen earlier, kept as bytes: hashes instead of texts, some 11 bytes for each element."""

import zlib
from collections.abc import Mapping, Sequence
from typing import Self

import msgspec

from sitestencil.detectors.packing import ends_of, packed, packed_tree, unpacked, unpacked_tree
from sitestencil.errors import UnusableMemory
from sitestencil.page.sketch import HASH_BYTES, TEXT_SEPARATOR, Sketch, own_hashes

# A page of 20,000 elements has 1 MB of columns.
_MOST_BYTES = 8_000_000
Texts = Mapping[bytes, str]


class _Columns(msgspec.Struct, frozen=True, array_like=True):
    """The columns of a sketch; `text_hashes` are of the texts of elements that have children, too."""

    names: list[str]
    tags: bytes
    kinds: bytes
    parents: bytes
    ids: dict[int, str]
    text_counts: bytes
    text_hashes: bytes


class RememberedPage(Sketch):
    """The sketch of a page seen earlier.

    A text is known only if the key page has the same one; any other is its hash.

    Args:
        url: the page's address.
        data: the bytes that `encoded` returned.
        texts: the key page's texts by hash; see `texts_by_hash`.

    Raises:
        UnusableMemory: the bytes are damaged.

    Example:
        >>> from sitestencil import parse
        >>> from sitestencil.page.key_sketch import KeySketch
        >>> page = KeySketch(parse("<p>One <b>two</b>", "https://site.example/"))
        >>> remembered = RememberedPage.of(page.url, encoded(page), texts_by_hash(page))
        >>> remembered.own_texts == page.own_texts, remembered.hashes == page.hashes
        (True, True)
    """

    def __init__(self, url: str, columns: _Columns, hashes: bytes, texts: Texts) -> None:
        self.url = self.base = url
        tree = unpacked_tree(columns.names, columns.tags, columns.kinds, columns.parents, hashes)
        self.tags, self.kinds, self.parents, self.hashes = tree
        self.text_marks = counts = unpacked(columns.text_counts)
        if len(counts) != len(self.tags):
            raise ValueError("its texts do not fit together")
        self.ids = [columns.ids.get(element) for element in range(len(counts))]
        self.ends = ends_of(self.parents)
        self.own_texts = _own_texts(self, counts, columns.text_hashes, texts)
        self.goes_with = range(len(counts))
        self.connect()

    @classmethod
    def of(cls, url: str, data: bytes, texts: Texts) -> Self:
        """Return the page that `encoded` wrote.

        Args:
            url: the page's address.
            data: the bytes.
            texts: the key page's texts by hash; see `texts_by_hash`.

        Raises:
            UnusableMemory: the bytes are damaged.
        """
        try:
            hashes, compressed = msgspec.msgpack.decode(data, type=tuple[bytes, bytes])
            columns = msgspec.msgpack.decode(_decompressed(compressed), type=_Columns)
            return cls(url, columns, hashes, texts)
        except (msgspec.DecodeError, zlib.error, ValueError, IndexError, OverflowError) as error:
            raise UnusableMemory(f"damaged: {error}") from None

    def attributes(self, element: int) -> Mapping[str, str | None]:
        """Return no attributes: a remembered page keeps none."""
        return {}


def encoded(sketch: Sketch) -> bytes:
    """Return a sketch as bytes, the same on every machine, without its texts and attributes."""
    elements = range(len(sketch))
    texts, ends, digests = sketch.own_texts, sketch.ends, own_hashes(sketch.tags, sketch.own_texts)
    columns = _Columns(
        **packed_tree(sketch),
        text_counts=packed(text.count(TEXT_SEPARATOR) + 1 if text else 0 for text in texts),
        text_hashes=b"".join(
            digests[element] for element in elements if texts[element] and ends[element] > element + 1
        ),
    )
    compressed = zlib.compress(msgspec.msgpack.encode(columns))
    return msgspec.msgpack.encode((b"".join(sketch.hashes), compressed))


def texts_by_hash(sketch: Sketch) -> dict[bytes, str]:
    """Return the own texts of a page's elements by their hashes."""
    hashes = own_hashes(sketch.tags, sketch.own_texts)
    return {digest: text for digest, text in zip(hashes, sketch.own_texts, strict=True) if text}


def _own_texts(page: Sketch, counts: Sequence[int], text_hashes: bytes, texts: Texts) -> list[str]:
    """Return each element's own texts, as far as the key page has them; else as many hashes."""
    own_texts, start = [""] * len(counts), 0
    for element, count in enumerate(counts):
        if not count:
            continue
        digest = page.hashes[element]
        if page.ends[element] > element + 1:
            digest, start = text_hashes[start : start + HASH_BYTES], start + HASH_BYTES
        own_texts[element] = texts.get(digest) or TEXT_SEPARATOR.join([digest.hex()] * count)
    if start != len(text_hashes):
        raise ValueError("its texts do not fit together")
    return own_texts


def _decompressed(data: bytes) -> bytes:
    """Return decompressed bytes, up to a limit: the file may be malicious."""
    decompressor = zlib.decompressobj()
    columns = decompressor.decompress(data, _MOST_BYTES)
    if decompressor.unconsumed_tail or not decompressor.eof:
        raise ValueError("its columns are too long or truncated")
    return columns
