"""Compare how compiled modules and plain Python describe a page's text."""

from random import Random

from sitestencil.content.blocks import Block, text_blocks
from sitestencil.content.feature_names import FEATURES
from sitestencil.content.features import feature_columns
from sitestencil.content.main_content import whole_elements
from sitestencil.content.model import shipped_content_model
from sitestencil.content.page_measures import PageMeasures
from sitestencil.page.document import Document


def check(document: Document) -> None:
    """Compare all compiled parts with plain Python."""
    blocks = text_blocks(document)
    assert [values(block) for block in blocks] == [values(block) for block in text_blocks(document, plain=True)]
    random = Random(len(blocks))
    chosen = [random.random() < 0.7 for _ in document.texts]
    for template in (None, [random.random() < 0.3 for _ in document.tags]):
        native = whole_elements(document, template, blocks, chosen)
        assert native == whole_elements(document, template, blocks, chosen, plain=True)
    numbers = [number for number in range(len(blocks)) if random.random() < 0.7]
    for wanted in (range(len(blocks)), numbers):
        if wanted:
            assert columns(document, blocks, wanted, plain=False) == columns(document, blocks, wanted, plain=True)


def values(block: Block) -> tuple[object, ...]:
    return block.container, block.texts, block.text, block.words, block.linked


def columns(document: Document, blocks: list[Block], numbers: range | list[int], *, plain: bool) -> object:
    measures, odds = PageMeasures(document, blocks), shipped_content_model().names
    found = feature_columns(measures, None, odds, numbers, plain=plain)
    return dict(zip(FEATURES, map(list, found), strict=True))
