from collections.abc import Mapping

from selectolax.lexbor import LexborNode

from sitestencil.page.document import TextRun

def document_columns(
    root: LexborNode,
) -> tuple[list[str], list[int], list[Mapping[str, str]], list[TextRun]]: ...
