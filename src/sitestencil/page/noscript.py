"""Read ``noscript`` elements so that none takes in what stands behind it.

A browser with scripts ends one at its first end tag. Without scripts, an element, a comment or a quoted value that
its content leaves open goes on behind it, and takes in the rest of the page.
"""

import re
from collections.abc import Iterator
from contextlib import suppress

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from sitestencil.errors import PageUnavailable
from sitestencil.page.limits import check_markup, check_repeated
from sitestencil.page.markup import ATTRIBUTE

_TAG, _MARK = "noscript", "x-behind"
# Written out, because a pattern without IGNORECASE is searched many times faster.
_NAME = "[nN][oO][sS][cC][rR][iI][pP][tT](?=[\\t\\n\\f\\r />])"
_START, _END = re.compile(f"<{_NAME}"), re.compile(f"</{_NAME}")
_PLAIN = re.compile(
    rf"<noscript>(?:[^<]++|<(?:img|link|meta|br|input)(?:{ATTRIBUTE})*+[\t\n\f\r /]*+>)*+", re.IGNORECASE
)
_OPTIONS = LexborDocumentOptions.WO_EVENTS.value


def may_go_on(html: str) -> bool:
    """Return whether a ``noscript`` may take in what is behind it; the parser itself is asked.

    Example:
        >>> [may_go_on(f"<noscript>{content}</noscript>") for content in ("<p>On", "<p>On</p>", "<b title='")]
        [True, False, True]
    """
    with suppress(PageUnavailable):
        return any(map(_goes_on, dict.fromkeys(_contents(html))))
    return True


def _goes_on(content: str) -> bool:
    if _START.search(content, 1) or _MARK in content:  # the first one may stand in a comment or a value
        return True
    if _PLAIN.fullmatch(content):
        return False
    check_markup(content)
    body = _body(f"<div>{content}</noscript><{_MARK}>")
    last = body.first_child.last_child if body is not None and body.first_child is not None else None
    return last is None or last.tag != _MARK


def _contents(html: str) -> Iterator[str]:
    """Yield each start tag with the content up to the end tag."""
    start = _START.search(html)
    while start is not None:
        end = _END.search(html, start.end())
        if end is None:
            yield f"{html[start.start() :]}<noscript >"  # goes on to the page's end
            return
        yield html[start.start() : end.start()]
        start = _START.search(html, end.end())


def read_contents(root: LexborNode) -> None:
    """Read the content of each ``noscript`` as HTML, in a tree that was parsed with scripting.

    Raises:
        PageUnavailable: as in `sitestencil.page.parsing.parse`.
    """
    found = [(node, node.first_child) for node in root.css(_TAG)]
    texts = [(node, text) for node, text in found if text is not None and text.is_text_node and text.next is None]
    check_repeated(text.text_content or "" for _, text in texts)
    for node, text in texts:
        body = _body(text.text_content or "")
        text.decompose()
        for child in body.iter(include_text=True) if body is not None else ():
            node.insert_child(child)


def _body(html: str) -> LexborNode | None:
    return LexborHTMLParser(f"<body>{html}", options=_OPTIONS).body
