"""Tell where line ends in the source are lines on the screen: by a browser, else by ``white-space`` in styles."""

import re
from collections.abc import Iterator, Sequence

from sitestencil.page.document import Document, once

_DECLARED = re.compile(r"(?:^|[;{])\s*+white-space(?:-collapse)?\s*+:\s*+([\w\s-]++)", re.IGNORECASE)
_CLASS = re.compile(r"[a-z0-9]*\.([\w-]+)", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_KEPT = frozenset("pre pre-wrap pre-line break-spaces preserve preserve-breaks".split())
_MOST_CSS = 200_000  # characters of rules that are read


def keeps_lines(document: Document) -> Sequence[int]:
    """Return per element whether it shows line ends as they are; empty where none does.

    Example:
        >>> from sitestencil import parse
        >>> page = parse("<style>.log{white-space:pre-line}</style><p class=log>A<b>B", "https://site.example/")
        >>> list(keeps_lines(page))[-2:]
        [1, 1]
    """
    if document.known_lines is not None:
        return document.known_lines
    of_classes = dict(_rules(document))
    styles = [(one, document.attributes[one]["style"]) for one in document.having("style")]
    known: dict[int, bool] = {}
    places = {name: place for place, name in enumerate(of_classes)}
    for element, classes in enumerate(document.classes if of_classes else ()):
        if named := classes & of_classes.keys():
            known[element] = of_classes[max(named, key=places.__getitem__)]
    for element, style in styles:
        for value in _values(style) if "white-space" in style else ():
            known[element] = value
    if not any(known.values()):
        return ()
    kept = bytearray(len(document))
    for element, parent in enumerate(document.parents):
        kept[element] = known.get(element, kept[parent] if parent >= 0 else False)
    return kept


@once
def line_rules(document: Document) -> str:
    """Return the page's own style sheets that say anything of white space, without comments."""
    styles = map(document.text_content, document.tagged("style"))
    return _COMMENT.sub(" ", " ".join(style for style in styles if "white-space" in style.lower())[:_MOST_CSS])


def _values(declarations: str) -> list[bool]:
    return [value.strip().lower() in _KEPT for value in _DECLARED.findall(declarations)]


def _rules(document: Document) -> Iterator[tuple[str, bool]]:
    """Yield the classes that the page's own style sheets give white space, the later rule last."""
    *rules, _ = line_rules(document).split("}")
    for rule in rules:
        before, _, declarations = rule.rpartition("{")
        selectors = before.rpartition("{")[2]
        values = _values(declarations) if "white-space" in declarations else []
        for selector in selectors.split(",") if values else ():
            if name := _CLASS.fullmatch(selector.strip()):
                yield name[1], values[-1]
