"""Tell, for each element, the facts by which its text is main content or around it."""

from sitestencil.content.blocks import text_blocks
from sitestencil.content.main_content import MOST_BLOCKS
from sitestencil.content.page_measures import PageMeasures
from sitestencil.content.parts import parts_of
from sitestencil.page.document import Document

_MANY_ALIKE = 3


def content_reasons(document: Document) -> list[str]:
    """Return the facts about the text of each block element; an empty text for other elements.

    Example:
        >>> from sitestencil import parse
        >>> html = "<title>Knots</title><h1>Knots</h1><p>A <a href=/>rope</a> with knots."
        >>> [reason for reason in content_reasons(parse(html, "https://site.example/")) if reason][-2:]
        ['words: 1, the title', 'words: 4, 25% in links, 1 of the title']
    """
    blocks = text_blocks(document)
    if not 0 < len(blocks) <= MOST_BLOCKS:
        return [""] * len(document)
    measures = PageMeasures(document, blocks)
    # Per block element: its words that also stand in the title, and how many blocks are of its kind.
    titled, alike = [0] * len(document), [0] * len(document)
    for block, kind in zip(blocks, measures.alike, strict=True):
        titled[block.container] += len(measures.title_words.intersection(block.words))
        alike[block.container] = kind[0]
    reasons: list[str] = []
    for element, part in enumerate(parts_of(measures)):
        size, linked = measures.subtree_words[element], measures.subtree_linked[element]
        told = [f"words: {size}"]
        if linked:
            told.append(f"{linked / size:.0%} in links")
        if part == "title":
            told.append("the title")
        elif part:
            told.append(f"part: {part}")
        if titled[element] and part != "title":
            told.append(f"{titled[element]} of the title")
        if alike[element] >= _MANY_ALIKE:
            told.append(f"{alike[element]} blocks alike")
        reasons.append(", ".join(told) if size else "")
    return reasons
