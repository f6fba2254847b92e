"""Write the content of a page, the opposite of its template: as HTML, or as Markdown below its front matter."""

import json
from collections.abc import Mapping, Sequence

from sitestencil.outputs.allowed_tree import Choice
from sitestencil.outputs.content_tree import Relink, content_tree
from sitestencil.outputs.judged_page import DEFAULT_CHOICES, Choices, JudgedPage
from sitestencil.outputs.markdown import markdown
from sitestencil.outputs.page_tree import describes_page, page_html
from sitestencil.outputs.secrets import without_tokens
from sitestencil.page.document import Document
from sitestencil.page.metadata import Metadata
from sitestencil.page.shadow_trees import keep_around

_STYLES = frozenset({"style", "link"})
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
    relink: Relink | None = None,
    page_kind: str | None = None,
) -> str:
    """Return the content as Markdown, below its metadata and kind if wanted; `relink` gives other addresses.

    Raises:
        CannotBeSaved: no Markdown gives the same words again.
    """
    text = markdown(page.document, content_tree(page.document, page, relink))
    head = "" if metadata is None else front_matter(metadata, page_kind)
    return f"{head}\n{text}" if head and text else head or text


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
    fields = {**metadata.to_dict(), "url": without_tokens(metadata.url, followed=True)}
    if metadata.canonical is not None:
        fields["canonical"] = without_tokens(metadata.canonical, followed=True)
    named = {"title": fields.pop("title"), **fields, "page_kind": page_kind}
    lines = [f"{name}: {_value(name, text)}\n" for name, text in named.items() if text]
    return f"---\n{''.join(lines)}---\n" if lines else ""


def _value(name: str, text: str) -> str:
    if name in _DATES and len(text) > len("2024"):
        return text
    return json.dumps(text, ensure_ascii=False).replace("<", "\\u003c").replace("](", "\\u005d(")
