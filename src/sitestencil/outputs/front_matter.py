"""Write a page's metadata as YAML front matter.

Texts are written as JSON, which is YAML, too. A reader that knows no front matter takes it for Markdown. So no text
begins HTML or ends the words of a link.
"""

import json

from sitestencil.outputs.secrets import without_tokens
from sitestencil.page.metadata import Metadata

# iso_date makes these; YAML has a type for them.
_DATES = frozenset({"published", "modified"})


def front_matter(metadata: Metadata, page_kind: str | None = None) -> str:
    r"""Return the fields that the page states, and its kind if known, between lines of dashes.

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


def with_front_matter(text: str, metadata: Metadata, page_kind: str | None = None) -> str:
    """Return Markdown below its front matter."""
    head = front_matter(metadata, page_kind)
    return f"{head}\n{text}" if head and text else head or text


def _value(name: str, text: str) -> str:
    if name in _DATES and len(text) > len("2024"):
        return text
    return json.dumps(text, ensure_ascii=False).replace("<", "\\u003c").replace("](", "\\u005d(")
