"""Read code blocks: their language and their text."""

import re
from collections.abc import Iterator, Mapping

from sitestencil.outputs.names import NAMES
from sitestencil.outputs.tree import Element, paths
from sitestencil.page.html_names import BLOCKS, NO_TEXT

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


def languages(body: Element) -> Mapping[int, str]:
    """Return the languages of code blocks by the identities of their ``pre`` elements."""
    found: dict[int, str] = {}
    named: dict[int, str] = {}  # several blocks may stand in one element

    def language_of(element: Element) -> str:
        if id(element) not in named:
            named[id(element)] = _language(element)
        return named[id(element)]

    for around in paths(body):
        node = around[-1]
        if node.name == "pre":
            levels = [one for one in around[-_LEVELS - 2 * len(_OF_TABLES) :] if one.name not in _OF_TABLES]
            languages = map(language_of, [*_code_inside(node), *reversed(levels[-_LEVELS:])])
            language = next(filter(None, languages), "")
            if language:
                found[id(node)] = language
    return found


def _code_inside(pre: Element) -> Iterator[Element]:
    """Yield the elements around a block's code, the outer first; some sites put a ``pre`` in another."""
    around = pre
    for _ in range(_LEVELS):
        parts = (child for child in around.children if isinstance(child, Element))
        inside = next((part for part in parts if part.name in {"code", "pre"}), None)
        if inside is None:
            break
        yield inside
        around = inside


def code_text(element: Element) -> str:
    """Return the text of code as it shows."""
    parts: list[str] = []
    steps: list[tuple[Iterator[Element | str], bool]] = [(iter(element.children), False)]
    while steps:
        children, is_block = steps[-1]
        child = next(children, None)
        if child is None:
            steps.pop()
            if is_block and parts and not parts[-1].endswith("\n"):
                parts.append("\n")
        elif isinstance(child, str):
            parts.append(child)
        elif child.name == "br":
            parts.append("\n")
        elif child.name not in NO_TEXT:
            steps.append((iter(child.children), child.name in BLOCKS))
    return "".join(parts)


def _language(element: Element) -> str:
    attributes = element.attributes
    classes = attributes.get("class", "").lower()
    marks = [attributes[name].lower() for name in _ATTRIBUTES if name in attributes]
    marks += [*_NAMED.findall(classes), *_BRUSH.findall(classes)]
    words = classes.split()
    if element.name in {"pre", "code", "figure"}:
        marks += [word for word in words if word in _KNOWN or not _HIGHLIGHTERS.isdisjoint(words)]
        marks += {attributes.get("lang", "").lower()} & _KNOWN
    else:
        marks = [mark for mark in marks if len(mark) > _LETTERS or mark in _KNOWN]
    return next(filter(_is_language, marks), "")


def _is_language(mark: str) -> bool:
    return _LANGUAGE.fullmatch(mark) is not None and mark not in _NO_LANGUAGES and "highlight" not in mark
