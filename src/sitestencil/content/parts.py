"""Name the parts of main content on which readers differ: title, byline, date, captions and comments.

HTML's own marks count, schema.org's, and the usual words in the names of elements.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from sitestencil.content.page_measures import PageMeasures, name_words

Part = Literal["title", "byline", "date", "captions", "comments"]
PARTS: tuple[Part, ...] = get_args(Part)

_TAGS: Mapping[str, Part] = {"figcaption": "captions", "time": "date"}
_NAMES: Mapping[str, Part] = {
    "author": "byline",
    "byline": "byline",
    "date": "date",
    "dateline": "date",
    "caption": "captions",
    "captions": "captions",
    "comment": "comments",
    "comments": "comments",
}
_NAMING = ("class", "id", "itemprop")
_LEAST_LIKENESS = 0.5  # of the title's block to the page's title
_MOST_WORDS: Mapping[Part, int] = {"byline": 30, "date": 30}


def title_block(measures: PageMeasures) -> int:
    """Return the number of the block that holds the page's title, or of its first ``h1``; -1 without both."""
    number, likeness = measures.title_block
    return number if likeness >= _LEAST_LIKENESS else measures.first_heading


def parts_of(measures: PageMeasures) -> Sequence[Part | None]:
    """Return, per element, the part that it belongs to; None for most.

    An element around the page's title is no part: themes name ``body`` after its comments.

    Example:
        >>> from sitestencil import parse
        >>> from sitestencil.content.blocks import text_blocks
        >>> page = parse("<title>Knots</title><h1>Knots</h1><p class=byline>Jo<p>A rope.", "https://site.example/")
        >>> parts_of(PageMeasures(page, text_blocks(page)))[-3:]
        ['title', 'byline', None]
    """
    document = measures.document
    title = title_block(measures)
    holder = measures.blocks[title].container if title >= 0 else -1
    around_title = set(document.path(holder)) if title >= 0 else set()
    parts: list[Part | None] = []
    for element, parent in enumerate(document.parents):
        inherited = parts[parent] if parent >= 0 else None
        if element in around_title:
            is_title = element == holder and measures.subtree_blocks[element] == 1
            parts.append("title" if is_title else None)
        else:
            parts.append(inherited or _own_part(measures, element))
    return parts


def _own_part(measures: PageMeasures, element: int) -> Part | None:
    part = _TAGS.get(measures.document.tags[element]) or _named_part(measures.document.attributes[element])
    if part is not None and measures.subtree_words[element] > _MOST_WORDS.get(part, measures.words):
        return None
    return part


def _named_part(attributes: Mapping[str, str]) -> Part | None:
    return next((_NAMES[name] for name in name_words(attributes, _NAMING) if name in _NAMES), None)
