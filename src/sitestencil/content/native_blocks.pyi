from collections.abc import Sequence

from sitestencil.content.blocks import Block
from sitestencil.page.document import Document

def lines(document: Document) -> list[tuple[int, list[int], list[int]]]: ...
def whole_elements(
    document: Document, template: Sequence[bool] | None, blocks: list[Block], chosen: list[bool]
) -> list[bool]: ...
