"""Write pages as Markdown, and find defects with another program: HTML, and links that run a script."""

from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token
from tests.support.judged_pages import all_content

from sitestencil.outputs.content import content_markdown
from sitestencil.page.parsing import parse

_SAFE = {"href": ("http:", "https:", "mailto:", "tel:"), "src": ("http:", "https:")}
_PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# The parser drops links that it takes for dangerous; they are to be seen here.
_PARSER.validateLink = lambda _: True  # type: ignore[method-assign,assignment]


def markdown_of(html: str) -> str:
    page = parse(html, "https://example.org/a/b")
    return content_markdown(all_content(page))


def tokens(text: str) -> Iterator[Token]:
    """Yield all of a text's tokens, those within lines among them."""
    return _with_children(_PARSER.parse(text))


def markdown_faults(text: str) -> list[str]:
    """Return what of a Markdown text is HTML or leads elsewhere than to the web, a mail or a telephone."""
    found = []
    for token in tokens(text):
        if token.type in {"html_block", "html_inline"}:
            found.append(token.content)
        for name, schemes in _SAFE.items():
            address = token.attrs.get(name)
            if address is not None and not str(address).lower().startswith(schemes):
                found.append(f"{name}={address}")
    return found


def _with_children(parsed: Sequence[Token]) -> Iterator[Token]:
    for token in parsed:
        yield token
        yield from _with_children(token.children or ())
