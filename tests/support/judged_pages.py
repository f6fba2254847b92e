"""Pages with an answer that a test gives."""

from collections.abc import Sequence

from sitestencil.outputs.judged_page import JudgedPage
from sitestencil.page.document import Document


def judged(
    page: Document, template: Sequence[bool] | None = None, texts: Sequence[bool] | None = None
) -> JudgedPage:
    """A page all of which is template, or of which this is."""
    elements = [True] * len(page) if template is None else template
    return JudgedPage(page, elements, [True] * len(page.texts) if texts is None else texts)


def all_content(page: Document) -> JudgedPage:
    """A page nothing of which is template."""
    return judged(page, [False] * len(page), [False] * len(page.texts))
