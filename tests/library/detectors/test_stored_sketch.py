"""A remembered page compares as the page did, keeps no text, and its damaged bytes are refused."""

import zlib

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.random_pages import DOCUMENTS

from sitestencil import parse
from sitestencil.detectors.stencil.similarity import KeyPage
from sitestencil.detectors.stored_sketch import RememberedPage, encoded, texts_by_hash
from sitestencil.errors import UnusableMemory
from sitestencil.page.document import Document
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.sketch import Sketch

URL = "https://site.example/"
MENU = "<nav id=menu><a href=/a>Home</a> and <a href=/b>News</a></nav>"
PAGE = f"<body>{MENU}<main class=text><p>One <b>two</b> three</main>"


def remembered(sketch: Sketch, key_sketch: Sketch) -> RememberedPage:
    return RememberedPage.of(sketch.url, encoded(sketch), texts_by_hash(key_sketch))


@given(DOCUMENTS, DOCUMENTS)
@settings(max_examples=300, deadline=None)
def test_a_remembered_page_compares_as_the_page_did(key: Document, other: Document) -> None:
    key_page, sketch = KeyPage(KeySketch(key)), KeySketch(other)
    page = remembered(sketch, key_page.sketch)
    by_memory, by_page = key_page.compare(page), key_page.compare(sketch)
    for part in ("mapping", "wrappers", "presence", "equal", "found_elsewhere", "similarity"):
        assert getattr(by_memory, part) == getattr(by_page, part)
    counts = [text.count("\0") + 1 if text else 0 for text in sketch.own_texts]
    assert [text.count("\0") + 1 if text else 0 for text in page.own_texts] == counts


def test_texts_that_the_key_page_lacks_are_unknown() -> None:
    other = KeySketch(parse(PAGE.replace("two", "a secret"), URL))
    page = remembered(other, KeySketch(parse(PAGE, URL)))
    assert "and" in page.own_texts
    assert "Home" in page.own_texts
    assert not any("secret" in text for text in page.own_texts)
    assert b"secret" not in encoded(other) + zlib.decompress(msgspec.msgpack.decode(encoded(other))[1])


@given(st.binary(max_size=60))
@settings(max_examples=300, deadline=None)
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(UnusableMemory):
        RememberedPage.of(URL, data, {})


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_damaged_columns_are_refused_or_harmless(data: st.DataObject) -> None:
    sketch = KeySketch(parse(PAGE, URL))
    hashes, columns = msgspec.msgpack.decode(encoded(sketch))
    plain = bytearray(zlib.decompress(columns))
    plain[data.draw(st.integers(0, len(plain) - 1))] = data.draw(st.integers(0, 255))
    try:
        page = RememberedPage.of(URL, msgspec.msgpack.encode((hashes, zlib.compress(plain))), {})
    except UnusableMemory:
        return
    assert 0 <= KeyPage(KeySketch(parse(PAGE, URL))).compare(page).similarity <= 1


def test_columns_that_unfold_without_end_are_refused() -> None:
    with pytest.raises(UnusableMemory, match="too long"):
        RememberedPage.of(URL, msgspec.msgpack.encode((b"", zlib.compress(bytes(50_000_000)))), {})
