"""The content of a page, the opposite of its template: what is kept of it, and its tree to write text from."""

from collections.abc import Mapping, Sequence

from sitestencil.outputs.allowed_tree import Choice, Element
from sitestencil.outputs.policy import POLICY
from sitestencil.outputs.standalone_html import describes_page, page_html, pages_with_frames
from sitestencil.page.document import Document

_STYLES = frozenset({"style", "link"})


def content_html(
    document: Document,
    template: Sequence[bool],
    template_texts: Sequence[bool],
    *,
    policy: str | None = POLICY,
    form_values: bool = False,
) -> str:
    """Return the content as a well-formed page of its own, in UTF-8, without the site's styles.

    Args:
        document: the key page.
        template: per element, whether it is template. A template element with content inside is kept as a
            container, without its own text.
        template_texts: per text run, whether it is template.
        policy: the content security policy that the file carries; None for none.
        form_values: write the values of text fields too; passwords, hidden fields and tokens never.

    Raises:
        CannotBeSaved: the page cannot be written as HTML that gives the same page again.
    """
    return page_html(document, _choice(document, template, template_texts, form_values=form_values), policy)


def content_body(document: Document, template: Sequence[bool], template_texts: Sequence[bool]) -> Element:
    """Return the content's tree, cleaned as all that is written is, with the documents of frames in their places.

    Raises:
        CannotBeSaved: the page is nested too deeply.
    """
    pages = pages_with_frames(document, _choice(document, template, template_texts, form_values=False))
    bodies = {root: page.body for root, page in pages}
    for _, page in pages:
        for frame, root in page.frames:
            if root in bodies:
                frame.name, frame.children = "div", bodies[root].children
    return pages[0][1].body


def _choice(
    document: Document, template: Sequence[bool], template_texts: Sequence[bool], *, form_values: bool
) -> Choice:
    texts, body = document.texts, document.body or 0
    is_content = [
        run.parent >= body and not (template[run.parent] and is_template)
        for run, is_template in zip(texts, template_texts, strict=True)
    ]
    in_head = document.tags.index("title") if "title" in document.tags[:body] else -1

    def text(number: int) -> str:
        run = texts[number]
        return run.text if is_content[number] or run.parent == in_head or run.text.isspace() else ""

    return Choice(
        keep=_kept(document, template, is_content),
        text=text,
        attributes=document.attributes.__getitem__,
        in_head=_describes_content,
        form_values=form_values,
    )


def _kept(document: Document, template: Sequence[bool], is_content: Sequence[bool]) -> list[bool]:
    """Return what is written: content, the head, and the containers around content."""
    body = document.body or 0
    keep = [element < body or not is_template for element, is_template in enumerate(template)]
    for run, is_own in zip(document.texts, is_content, strict=True):
        if is_own and not run.text.isspace():
            keep[run.parent] = True
    for element in range(len(keep) - 1, 0, -1):
        if document.tags[element] in _STYLES and element >= body:
            keep[element] = False
        if keep[element]:
            keep[document.parents[element]] = True
    return keep


def _describes_content(name: str, attributes: Mapping[str, str]) -> bool:
    """Return whether an element of the head says what the page is, and loads no style sheet."""
    if name == "style" or (name == "link" and "stylesheet" in attributes.get("rel", "").lower()):
        return False
    return describes_page(name, attributes)
