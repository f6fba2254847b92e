"""Compare with pages known from earlier visits, and notice that the site has changed since.

The known pages share a frame. The site may have changed if the key page lacks much of it, or has a new block in a
place where the near ones are all built alike. One of the known pages, loaded again, tells whether it has.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence, Set
from contextlib import suppress
from itertools import chain

from sitestencil.detectors.stencil.similarity import MOST_PAGES, ComparedPage, ComparedPages, KeyPage, UrlSimilarity
from sitestencil.detectors.stored_sketch import RememberedPage, texts_by_hash
from sitestencil.errors import UnusableMemory
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.sketch import Sketch
from sitestencil.site.loading import KnownPages
from sitestencil.urls import page_key

# A subtree is of the frame if this share of the pages has it. Set by hand.
_OF_FRAME = 0.8
# On 69 sites 19 in 20 pages had .9 of the frame of the earlier pages; with other words in it, all had less than .7.
_WHOLE_FROM = 0.7

# Subtrees, by their hashes, and kinds of elements with classes.
Frame = Sequence[Set[Hashable]]


def known_sketches(known: KnownPages, key_sketch: KeySketch) -> list[RememberedPage]:
    """Return the known pages whose addresses are most like the key page's, without the key page."""
    similarity_of, key_address = UrlSimilarity(), page_key(key_sketch.url)
    shape = similarity_of.shape(key_sketch.url)
    others = [page for page in known.pages if page_key(page.url) != key_address]
    others.sort(key=lambda page: -similarity_of(shape, similarity_of.shape(page.url)))
    document, sketches = key_sketch.document, []
    texts = texts_by_hash(KeySketch(document, document.shadow_hosts) if document.shadow_hosts else key_sketch)
    for page in others[:MOST_PAGES]:
        with suppress(UnusableMemory):
            sketches.append(RememberedPage.of(page.url, page.data, texts))
    return sketches


def _parts(sketch: Sketch) -> Frame:
    kinds = map(sketch.kinds.__getitem__, range(len(sketch)))
    return sketch.subtrees, frozenset(kind for kind in kinds if "." in kind)


def _frame_of(sketches: Iterable[Sketch]) -> Frame:
    """Return the subtrees and kinds that most of the pages have."""
    parts_of_pages = list(map(_parts, sketches))
    counts = [Counter(chain.from_iterable(parts)) for parts in zip(*parts_of_pages, strict=True)]
    most = _OF_FRAME * len(parts_of_pages)
    return [frozenset(part for part, count in counted.items() if count >= most) for counted in counts]


def _is_missing(frame: Frame, sketch: Sketch) -> bool:
    """Return whether a page lacks much of a frame."""
    pairs = zip(frame, _parts(sketch), strict=False)
    return any(len(parts & found) < _WHOLE_FROM * len(parts) for parts, found in pairs)


def may_have_changed(key_page: KeyPage, compared: ComparedPages) -> bool:
    """Return whether the key page differs from near known pages as it would after a change of the site."""
    near = _near(compared)
    frame = _frame_of(page.sketch for page in near)
    return _is_missing(frame, key_page.sketch) or bool(_new_blocks(key_page.sketch, near))


def has_changed(key_page: KeyPage, compared: ComparedPages, known: ComparedPage, now: Sketch) -> bool:
    """Return whether the site has changed since its known pages were seen.

    Args:
        key_page: the key page.
        compared: the known pages.
        known: one of them.
        now: the same page, loaded now.
    """
    frame = _frame_of(page.sketch for page in compared.pages)
    if _is_missing([parts & of_known for parts, of_known in zip(frame, _parts(known.sketch), strict=True)], now):
        return True
    loaded = key_page.compare(now)
    return any(loaded.has(block) for block in _new_blocks(key_page.sketch, _near(compared)))


def _near(compared: ComparedPages) -> list[ComparedPage]:
    return [page for page, is_similar in zip(compared.pages, compared.similar, strict=True) if is_similar]


def _new_blocks(sketch: KeySketch, pages: Sequence[ComparedPage]) -> list[int]:
    """Return the elements that no page has, in elements whose children have the same kinds on all pages."""
    anywhere = [any(on) for on in zip(*(page.presence for page in pages), strict=True)]
    parents, new = sketch.parents, []
    kinds_below: dict[int, Sequence[str] | None] = {}
    for element in range(1, len(sketch)):
        parent = parents[element]
        if anywhere[element] or not anywhere[parent] or any(page.has(element) for page in pages):
            continue
        if parent not in kinds_below:
            kinds_below[parent] = _common_kinds(parent, pages)
        kinds = kinds_below[parent]
        if kinds is not None and sketch.kinds[element] not in kinds:
            new.append(element)
    return new


def _common_kinds(element: int, pages: Sequence[ComparedPage]) -> Sequence[str] | None:
    """Return the kinds of the children of an element's partners; None if the pages differ in them."""
    common = None
    for page in pages:
        partner = page.mapping.get(element)
        if partner is None:
            return None
        kinds = [page.sketch.kinds[child] for child in page.sketch.children[partner]]
        if common is not None and kinds != common:
            return None
        common = kinds
    return common
