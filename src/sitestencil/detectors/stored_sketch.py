"""Store a page's sketch as columns of numbers, whose bytes are the same on every machine.

Names are stored once, in a table. Reading checks everything, as a file may be damaged or malicious.
"""

import zlib
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self

import msgspec

from sitestencil.errors import UnusableMemory
from sitestencil.page.document import ends_of, misplaced_element
from sitestencil.page.sketch import HASH_BYTES, TEXT_SEPARATOR, Sketch, own_hashes

# A page of 20,000 elements has 1 MB of columns.
_MOST_BYTES, _MOST_TEXTS = 8_000_000, 1_000_000
Number = Annotated[int, msgspec.Meta(ge=0, lt=1 << 32)]
Texts = Mapping[bytes, str]


class SketchColumns(msgspec.Struct, frozen=True, array_like=True):
    """The columns of a sketch, with an entry for each element; the hashes of its subtrees are apart.

    Attributes:
        names: a table of tags and kinds.
        tags: the number of each one's tag in the table.
        kinds: the number of its kind.
        steps_back: the number of elements from its parent to it.
        ids: the ids of those that have one.
        text_counts: the number of its own texts, without white space.
    """

    names: list[str]
    tags: list[Number]
    kinds: list[Number]
    steps_back: list[Number]
    ids: dict[Number, str]
    text_counts: list[Number]


def columns_of(sketch: Sketch) -> dict[str, Any]:
    """Return a sketch's columns by their names in `SketchColumns`."""
    elements = range(len(sketch))
    names: dict[str, int] = {}
    return {
        "tags": [names.setdefault(tag, len(names)) for tag in sketch.tags],
        "kinds": [names.setdefault(sketch.kinds[element], len(names)) for element in elements],
        "names": list(names),
        "steps_back": [element - parent for element, parent in enumerate(sketch.parents)],
        "ids": {element: name for element in elements if (name := sketch.ids[element])},
        "text_counts": [text.count(TEXT_SEPARATOR) + 1 if text else 0 for text in sketch.own_texts],
    }


class StoredSketch(Sketch):
    """A sketch that was stored, without its texts.

    Raises:
        ValueError: the columns do not fit together, or form no tree.
        IndexError: a name is missing.
    """

    def __init__(self, url: str, columns: SketchColumns, hashes: bytes) -> None:
        count, names = len(columns.tags), columns.names
        lengths = len(columns.kinds), len(columns.steps_back), len(columns.text_counts), len(hashes) / HASH_BYTES
        if {*lengths} != {count} or max(columns.ids, default=0) >= max(1, count):
            raise ValueError("its columns differ in length")
        self.url = self.base = url
        self.tags = [names[number] for number in columns.tags]
        self.kinds = [names[number] for number in columns.kinds]
        self.parents = [element - back for element, back in enumerate(columns.steps_back)]
        self.hashes = [hashes[start : start + HASH_BYTES] for start in range(0, len(hashes), HASH_BYTES)]
        self.ids = list(map(columns.ids.get, range(count)))
        self.text_marks = columns.text_counts
        if (element := misplaced_element(self.parents)) is not None:
            raise ValueError(f"element {element} has no place in the tree")
        self.ends = ends_of(self.parents)


class _PageColumns(SketchColumns, frozen=True, array_like=True):
    """The columns of a page; `text_hashes` are of the texts of elements that have children, too."""

    text_hashes: bytes


class RememberedPage(StoredSketch):
    """The sketch of a page seen earlier.

    A text is known only if the key page has the same one; any other is its hash.

    Example:
        >>> from sitestencil import parse
        >>> from sitestencil.page.key_sketch import KeySketch
        >>> page = KeySketch(parse("<p>One <b>two</b>", "https://site.example/"))
        >>> remembered = RememberedPage.of(page.url, encoded(page), texts_by_hash(page))
        >>> remembered.own_texts == page.own_texts, remembered.hashes == page.hashes
        (True, True)
    """

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
            columns = msgspec.msgpack.decode(_decompressed(compressed), type=_PageColumns)
            page = cls(url, columns, hashes)
            page.own_texts = _own_texts(page, columns, texts)
        except (msgspec.DecodeError, zlib.error, ValueError, IndexError, OverflowError) as error:
            raise UnusableMemory(f"damaged: {error}") from None
        page.goes_with = range(len(page))
        return page

    def attributes(self, element: int) -> Mapping[str, str | None]:
        """Return no attributes: a remembered page keeps none."""
        return {}


def encoded(sketch: Sketch) -> bytes:
    """Return a sketch as bytes, some 11 for each element, without its texts and attributes."""
    texts, ends, digests = sketch.own_texts, sketch.ends, own_hashes(sketch.tags, sketch.own_texts)
    has_more = (element for element in range(len(sketch)) if texts[element] and ends[element] > element + 1)
    columns = _PageColumns(**columns_of(sketch), text_hashes=b"".join(digests[element] for element in has_more))
    return msgspec.msgpack.encode((b"".join(sketch.hashes), zlib.compress(msgspec.msgpack.encode(columns))))


def texts_by_hash(sketch: Sketch) -> dict[bytes, str]:
    """Return the own texts of a page's elements by their hashes."""
    hashes = own_hashes(sketch.tags, sketch.own_texts)
    return {digest: text for digest, text in zip(hashes, sketch.own_texts, strict=True) if text}


def _own_texts(page: Sketch, columns: _PageColumns, texts: Texts) -> Sequence[str]:
    """Return each element's own texts, as far as the key page has them; else as many hashes."""
    if sum(columns.text_counts) > _MOST_TEXTS:
        raise ValueError("it has too many texts")
    own_texts, start, text_hashes = [""] * len(page), 0, columns.text_hashes
    for element, count in enumerate(columns.text_counts):
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
