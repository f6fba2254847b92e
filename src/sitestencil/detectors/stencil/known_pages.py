"""Compare with pages known from earlier visits, and notice that the site has changed since.

The pages that are near the key page share a frame. The site may have changed if the key page lacks much of it, or
has a new block in a place where those pages are all built alike. A page loaded now tells whether it has.
"""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from sitestencil.detectors.remembered_page import RememberedPage, texts_by_hash
from sitestencil.detectors.stencil.similarity import MOST_PAGES, ComparedPage, ComparedPages, KeyPage
from sitestencil.detectors.stencil.url_similarity import UrlSimilarity
from sitestencil.errors import UnusableMemory
from sitestencil.page.key_sketch import KeySketch
from sitestencil.site.known_pages import KnownPages
from sitestencil.urls import page_key

# A subtree is of the frame if this share of the pages has it. Set by hand.
_OF_FRAME = 0.8
# On 69 sites 19 in 20 pages had .9 of the frame of the earlier pages; with other words in it, all had less than .7.
_WHOLE_FROM = 0.7


def known_sketches(known: KnownPages, key_sketch: KeySketch) -> list[RememberedPage]:
    """Return the known pages whose addresses are most like the key page's, without the key page."""
    similarity_of, own = UrlSimilarity(), page_key(key_sketch.url)
    shape = similarity_of.shape(key_sketch.url)
    others = [page for page in known.pages if page_key(page.url) != own]
    others.sort(key=lambda page: -similarity_of(shape, similarity_of.shape(page.url)))
    document, sketches = key_sketch.document, []
    texts = texts_by_hash(KeySketch(document, document.shadow_hosts) if document.shadow_hosts else key_sketch)
    for page in others[:MOST_PAGES]:
        with suppress(UnusableMemory):
            sketches.append(RememberedPage.of(page.url, page.data, texts))
    return sketches


@dataclass(frozen=True, slots=True, eq=False)
class SiteChange:
    """A sign that the site has changed since the known pages were seen.

    Attributes:
        pages: the known pages that are near the key page.
        lacks_frame: whether the key page lacks much of their frame.
        new_blocks: the key page's elements that they lack where they are all built alike.
    """

    pages: Sequence[ComparedPage]
    lacks_frame: bool
    new_blocks: Sequence[int]

    def is_confirmed_by(self, pages: Sequence[ComparedPage]) -> bool:
        """Return whether pages loaded now show the change too."""
        return any(
            self.lacks_frame
            or any(page.presence[block] or page.found_elsewhere[block] for block in self.new_blocks)
            for page in pages
        )


def site_change(key_page: KeyPage, compared: ComparedPages) -> SiteChange | None:
    """Return the sign of a change since the known pages were seen, some of which are near; None without one."""
    near = [page for page, is_similar in zip(compared.pages, compared.similar, strict=True) if is_similar]
    counts = Counter(digest for page in near for digest in page.sketch.subtrees)
    frame = {digest for digest, count in counts.items() if count >= _OF_FRAME * len(near)}
    lacks_frame = len(frame & key_page.sketch.subtrees) < _WHOLE_FROM * len(frame)
    new_blocks = _new_blocks(key_page.sketch, near)
    return SiteChange(near, lacks_frame, new_blocks) if lacks_frame or new_blocks else None


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
