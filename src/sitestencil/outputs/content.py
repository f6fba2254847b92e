"""Write the content of a page, the opposite of its template: as HTML, or as Markdown below its front matter."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from sitestencil.outputs.allowed_tree import Choice
from sitestencil.outputs.head import describes_page
from sitestencil.outputs.judged_page import DEFAULT_CHOICES, Choices, JudgedPage
from sitestencil.outputs.markdown import markdown
from sitestencil.outputs.page_tree import drop_tokens, page_html, pages_with_frames
from sitestencil.outputs.secrets import without_tokens
from sitestencil.outputs.tree import Element, elements
from sitestencil.page.document import Document
from sitestencil.page.metadata import Metadata
from sitestencil.page.shadow_trees import keep_around
from sitestencil.reading.reading import NoteReference, reading

_STYLES = frozenset({"style", "link"})
_ADDRESSES = frozenset({"href", "src"})
# iso_date makes these; YAML has a type for them.
_DATES = frozenset({"published", "modified"})


def content_html(page: JudgedPage, choices: Choices = DEFAULT_CHOICES) -> str:
    """Return the content as a well-formed UTF-8 page, without the site's styles.

    Template elements with content inside stay as containers, without their own text.

    Raises:
        CannotBeSaved: no HTML gives the same page again.
    """
    return page_html(page.document, _choice(page, form_values=choices.form_values), choices.policy)


def content_markdown(
    page: JudgedPage,
    metadata: Metadata | None = None,
    relink: Callable[[str, str], str] | None = None,
    page_kind: str | None = None,
) -> str:
    """Return the content as Markdown, below its metadata and kind if wanted; `relink` gives other addresses.

    Raises:
        CannotBeSaved: the page is nested too deeply.
    """
    body = content_body(page)
    if relink is not None:
        for element in elements(body):
            element.attributes |= {
                name: relink(name, element.attributes[name]) for name in _ADDRESSES & set(element.attributes)
            }
    for element in elements(body):
        drop_tokens(element)
    text = markdown(body, reading(page.document).notes)
    head = "" if metadata is None else front_matter(metadata, page_kind)
    return f"{head}\n{text}" if head and text else head or text


def content_body(page: JudgedPage) -> Element:
    """Return the content's cleaned tree without hidden parts, with the documents of frames in their places.

    Raises:
        CannotBeSaved: the page is nested too deeply.
    """
    choice = _choice(page, form_values=False)
    read, texts, text = reading(page.document), page.document.texts, choice.text
    hidden = read.hidden
    keep, body = _shown(page.document, choice.keep, hidden, read.replaced), page.document.body or 1
    keep[1:body] = [False] * (body - 1)  # the head
    choice = replace(
        choice,
        names=read.names,
        replaced={
            element: one
            for element, one in read.replaced.items()
            if not isinstance(one, NoteReference) or keep[one.note]
        },
        keep=keep,
        text=lambda number: " " if hidden[texts[number].parent] else text(number),
    )
    pages = pages_with_frames(page.document, choice)
    bodies = {root: tree.body for root, tree in pages}
    for _, tree in pages:
        for frame, root in tree.frames:
            if root in bodies:
                frame.name, frame.children = "div", bodies[root].children
    return pages[0][1].body


def _choice(page: JudgedPage, *, form_values: bool) -> Choice:
    document = page.document
    texts, body = document.texts, document.body or 0
    is_content = [
        run.parent >= body and not (page.template[run.parent] and is_template)
        for run, is_template in zip(texts, page.template_texts, strict=True)
    ]
    in_head = document.tags.index("title") if "title" in document.tags[:body] else -1

    def text(number: int) -> str:
        run = texts[number]
        if is_content[number] or run.parent == in_head or run.text.isspace():
            return run.text
        # The words on both sides stay apart.
        return " " if run.parent >= body else ""

    return Choice(
        keep=_kept(document, page.template, is_content),
        text=text,
        attributes=document.attributes.__getitem__,
        in_head=_describes_content,
        form_values=form_values,
        instead=" ",
    )


def _kept(document: Document, template: Sequence[bool], is_content: Sequence[bool]) -> list[bool]:
    """Return per element whether it is written: content, the head, and the containers around content."""
    body = document.body or 0
    keep = [element < body or not is_template for element, is_template in enumerate(template)]
    for run, is_kept in zip(document.texts, is_content, strict=True):
        if is_kept and not run.text.isspace():
            keep[run.parent] = True
    styles = [element for element in range(body, len(keep)) if document.tags[element] in _STYLES]
    for element in styles:
        keep[element] = False
    keep_around(document, keep, is_content)
    for element in styles:  # in SVG, they may hold elements
        keep[element] = False
    return keep


def _shown(document: Document, keep: Sequence[bool], hidden: Sequence[bool], formulas: Iterable[int]) -> list[bool]:
    """Return the kept elements without the hidden ones; a formula is often hidden beside its image."""
    shown = [is_kept and not is_hidden for is_kept, is_hidden in zip(keep, hidden, strict=True)]
    for formula in formulas:
        element = formula
        while element >= 0 and hidden[element]:
            shown[element], element = keep[element], document.parents[element]
    return shown


def _describes_content(name: str, attributes: Mapping[str, str]) -> bool:
    """Return whether an element of the head describes the page and loads no style sheet."""
    if name == "style" or (name == "link" and "stylesheet" in attributes.get("rel", "").lower()):
        return False
    return describes_page(name, attributes)


def front_matter(metadata: Metadata, page_kind: str | None = None) -> str:
    r"""Return the fields that the page states, and its kind if known, as YAML between lines of dashes.

    Texts are written as JSON, which is YAML, too. A reader that knows no front matter takes it for Markdown. So no
    text begins HTML or ends the words of a link.

    >>> stated = Metadata("https://site.example/", title='A "<b>"', published="2024-05-03")
    >>> print(front_matter(stated, "article"), end="")
    ---
    title: "A \"\u003cb>\""
    url: "https://site.example/"
    published: 2024-05-03
    page_kind: "article"
    ---
    """
    fields = {**metadata.to_dict(), "url": without_tokens(metadata.url)}
    if metadata.canonical is not None:
        fields["canonical"] = without_tokens(metadata.canonical)
    named = {"title": fields.pop("title"), **fields, "page_kind": page_kind}
    lines = [f"{name}: {_value(name, text)}\n" for name, text in named.items() if text]
    return f"---\n{''.join(lines)}---\n" if lines else ""


def _value(name: str, text: str) -> str:
    if name in _DATES and len(text) > len("2024"):
        return text
    return json.dumps(text, ensure_ascii=False).replace("<", "\\u003c").replace("](", "\\u005d(")
