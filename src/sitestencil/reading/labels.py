"""Tell the numbers and bullets that stand in elements of their own beside what they number, as in laws."""

import re
from collections.abc import Iterator

from sitestencil.page.document import Document
from sitestencil.page.html_names import BLOCKS

_LABEL = re.compile(
    r"\(?(?:\d{1,3}|[a-z]{1,2}|[ivxl]{1,6})[.)]|\u00a7 ?\d{1,3}|[\u2022\u25aa\u2013\u2014-]", re.IGNORECASE
)
_LONGEST = 8
_BOXES = frozenset({"div", "p"})


def parts_of_lines(document: Document) -> Iterator[int]:
    """Yield the blocks that are one line with the label before: it, and the first ones of what it numbers.

    Example:
        >>> from sitestencil import parse
        >>> page = parse("<div><div>(a)</div><div><p>the oil<p>the wick", "https://site.example/")
        >>> list(parts_of_lines(page))
        [4, 5, 6]
    """
    tags, children, parents, own_texts = document.tags, document.children, document.parents, document.own_texts
    for label, runs in own_texts.items():
        text = document.texts[runs[0]].text.strip() if len(runs) == 1 and not children[label] else ""
        if len(text) > _LONGEST or not _LABEL.fullmatch(text):
            continue
        path = [label]
        while (around := parents[path[-1]]) > 0 and around not in own_texts and len(children[around]) == 1:
            path.append(around)
        following = children[around] if around > 0 and around not in own_texts else []
        if following[:1] != path[-1:] or any(tags[one] in BLOCKS - _BOXES for one in path):
            continue
        yield from (one for one in path if tags[one] in _BOXES)
        following = following[1:]
        while following and tags[following[0]] in _BOXES:
            yield following[0]
            following = children[following[0]] if following[0] not in own_texts else []
