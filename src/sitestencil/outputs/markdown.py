"""The content as Markdown, written by markdownify from a tree of the few elements that Markdown has.

Nothing in it is HTML and no link runs script, whatever reads it: each ``<`` of the page's text is escaped, and code
stands in fences that nothing in it ends. Links lead to web pages, mail and telephone numbers, images to the web.
"""

import re
from typing import Any

from bs4 import Tag
from bs4.element import NavigableString
from markdownify import ATX, BACKSLASH, MarkdownConverter

from sitestencil.outputs.markdown_tree import markdown_tree
from sitestencil.outputs.safe_writing import nodes_text
from sitestencil.outputs.tree import Element

_ANYWHERE = re.compile(r"([\\`*_\[\]<~|]|&(?=#?\w))")
# What makes a line a heading, a quote, a list, a rule or an underline.
_AT_START = re.compile(r"^(\s*)([#>+=:-]|\d{1,9}(?=[.)]))", re.MULTILINE)
_IN_ADDRESS = re.compile(r"[^!#$%&+,./0-9:;=?@A-Z_a-z~-]")


def markdown(body: Element) -> str:
    """Return what is below an element as Markdown (CommonMark, and the tables and strikethrough of GitHub's)."""
    parser: Any = {"features": "html.parser", "element_classes": {Tag: _Tag}}
    converter = _Converter(bullets="-", heading_style=ATX, newline_style=BACKSLASH, bs4_options=parser)
    text = converter.convert(nodes_text([markdown_tree(body)])).strip("\n")
    return f"{text}\n" if text else ""


class _Tag(Tag):
    """An element of our tree, in which ``pre`` holds text alone: markdownify asks each element, at some cost."""

    def find_parent(self, *_: object, **__: object) -> None:
        """Return that no such element is above."""
        return


class _Converter(MarkdownConverter):
    """Escapes all that markdownify leaves to chance: its own escapes let code, images and addresses through."""

    def process_text(self, el: NavigableString, parent_tags: set[str] | None = None) -> str:
        text = str(super().process_text(el, parent_tags))  # type: ignore[misc]  # left out of its stubs
        before_link = getattr(el.next_sibling, "name", None) == "a"
        # An exclamation mark before a link would make an image of it.
        return f"{text[:-1]}\\!" if before_link and text.endswith("!") else text

    def escape(self, text: str, parent_tags: set[str]) -> str:
        return escaped(text)

    def convert_a(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        words = text.strip()
        if not words:
            return ""
        before, after = " " * text.startswith(" "), " " * text.endswith(" ")
        return f"{before}[{words}]({markdown_address(str(el['href']))}){after}"

    def convert_img(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return f"![{escaped(str(el['alt']))}]({markdown_address(str(el['src']))})"

    def convert_pre(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        longest = max((len(run) for run in re.findall("`+", text)), default=0)
        fence = "`" * max(3, longest + 1)
        lines = text.strip("\n").rstrip()
        return f"\n\n{fence}\n{lines}\n{fence}\n\n" if lines else ""


def escaped(text: str) -> str:
    r"""Return text that Markdown shows as it is.

    >>> print(escaped("1. <b> is *bold*, a_b"))
    1\. \<b> is \*bold\*, a\_b
    """
    text = _ANYWHERE.sub(r"\\\1", text)
    return _AT_START.sub(lambda found: f"{found[1]}{_escaped_start(found[2])}", text)


def _escaped_start(start: str) -> str:
    return f"{start}\\" if start.isdigit() else f"\\{start}"


def markdown_address(address: str) -> str:
    """Return an address that ends no link.

    >>> markdown_address("https://example.org/a (b)|c")
    'https://example.org/a%20%28b%29%7Cc'
    """
    encoded = _IN_ADDRESS.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), address)
    return re.sub(r"&(?=#?\w+;)", "%26", encoded)
