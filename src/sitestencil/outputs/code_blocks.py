"""Tell the languages of code blocks."""

import re
from collections.abc import Iterator, Mapping

from sitestencil.outputs.names import NAMES
from sitestencil.page.document import Document

_NAMED = re.compile(
    r"(?:^|\s)(?:language|lang|(?:mw-)?highlight(?:-source|-text|-lang)?|src src)-([\w+#.-]{1,30})(?=\s|$)"
)
_BRUSH = re.compile(r"\b(?:brush|lang):\s*([\w+#.-]{1,30})")
_LANGUAGE = re.compile(r"[a-z][\w+#.-]{0,29}", re.ASCII)
_ATTRIBUTES = ("data-lang", "data-language", "data-code-language", "data-enlighter-language")
# Highlighters put the language beside one of these classes.
_HIGHLIGHTERS = frozenset({"hljs", "sourcecode", "highlight", "codehilite", "prettyprint"})
_NO_LANGUAGES = _HIGHLIGHTERS.union(NAMES["no languages"])
_KNOWN = NAMES["languages"].keys()
_LEVELS = 3  # around a `pre` where its language may stand, besides a table with the lines' numbers
_LETTERS = 2  # a container with `lang-en` names the language of its words
_OF_TABLES = frozenset({"table", "tbody", "tr", "td"})


class Languages:
    """The languages of a page's code blocks."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._named: dict[int, str] = {}  # several blocks may stand in one element

    def of(self, pre: int) -> str:
        """Return the language that a block of code has by its element, those inside or those around it."""
        return next(filter(None, map(self._language, [*self._inside(pre), pre, *self._around(pre)])), "")

    def _inside(self, pre: int) -> Iterator[int]:
        """Yield the elements around a block's code, the outer first; some sites put a ``pre`` in another."""
        tags, ends = self._document.tags, self._document.ends
        for _ in range(_LEVELS):
            inside = pre + 1
            while inside < ends[pre] and tags[inside] not in {"code", "pre"}:
                inside = ends[inside]
            if inside >= ends[pre]:
                return
            yield inside
            pre = inside

    def _around(self, pre: int) -> Iterator[int]:
        document, levels = self._document, 1
        for _ in range(_LEVELS + 2 * len(_OF_TABLES)):
            pre = document.parents[pre]
            if pre < 0 or levels == _LEVELS:
                return
            if document.tags[pre] not in _OF_TABLES:
                levels += 1
                yield pre

    def _language(self, element: int) -> str:
        if element not in self._named:
            self._named[element] = _language(self._document.tags[element], self._document.attributes[element])
        return self._named[element]


def _language(tag: str, attributes: Mapping[str, str]) -> str:
    classes = attributes.get("class", "").lower()
    marks = [attributes[name].lower() for name in _ATTRIBUTES if name in attributes]
    marks += [*_NAMED.findall(classes), *_BRUSH.findall(classes)]
    words = classes.split()
    if tag in {"pre", "code", "figure"}:
        marks += [word for word in words if word in _KNOWN or not _HIGHLIGHTERS.isdisjoint(words)]
        marks += {attributes.get("lang", "").lower()} & _KNOWN
    else:
        marks = [mark for mark in marks if len(mark) > _LETTERS or mark in _KNOWN]
    return next(filter(_is_language, marks), "")


def _is_language(mark: str) -> bool:
    return _LANGUAGE.fullmatch(mark) is not None and mark not in _NO_LANGUAGES and "highlight" not in mark
