"""Read code blocks: their language, and their text without line numbers."""

import re
from collections.abc import Iterator, Mapping

from sitestencil.outputs.tree import Element, paths
from sitestencil.page.html_names import BLOCKS, NO_TEXT

_NAMED = re.compile(r"(?:^|\s)(?:language|lang|highlight-source|highlight-text|highlight)-([\w+#.-]{1,30})(?=\s|$)")
_BRUSH = re.compile(r"\bbrush:\s*([\w+#.-]{1,30})")
_LANGUAGE = re.compile(r"[a-z][\w+#.-]{0,29}", re.ASCII)
# Highlighters put the language beside one of these classes.
_HIGHLIGHTERS = frozenset({"hljs", "sourcecode", "highlight", "codehilite", "prettyprint", "shiki"})
_NO_LANGUAGES = _HIGHLIGHTERS | frozenset(
    "none text plain plaintext default auto notranslate nohighlight no-highlight linenums code numbersource "
    "numberlines line-numbers copyable wrap rouge".split()
)
_LINE_NUMBERS = frozenset("linenos lineno linenodiv rouge-gutter line-numbers-rows hljs-ln-numbers".split())
_LEVELS = 3  # around a `pre` where its language may stand


def languages(body: Element) -> Mapping[int, str]:
    """Return the languages of code blocks by the identities of their ``pre`` elements."""
    found: dict[int, str] = {}
    for around in paths(body):
        node = around[-1]
        if node.name == "pre":
            code = [child for child in node.children if isinstance(child, Element) and child.name == "code"]
            named = map(_language, [*code[:1], *reversed(around[-_LEVELS:])])
            language = next(filter(None, named), "")
            if language:
                found[id(node)] = language
    return found


def is_line_numbers(element: Element) -> bool:
    """Return whether an element holds only the numbers of a code block's lines."""
    classes = element.attributes.get("class", "").lower().split()
    return not _LINE_NUMBERS.isdisjoint(classes) or (element.name == "td" and "gutter" in classes)


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
        elif child.name not in NO_TEXT and not is_line_numbers(child):
            steps.append((iter(child.children), child.name in BLOCKS))
    return "".join(parts)


def _language(element: Element) -> str:
    own = element.attributes
    classes = own.get("class", "").lower()
    named = own.get("data-lang") or own.get("data-language") or own.get("data-code-language") or ""
    marks = [named.lower(), *_NAMED.findall(classes), *_BRUSH.findall(classes)]
    words = classes.split()
    if not _HIGHLIGHTERS.isdisjoint(words) and element.name in {"pre", "code", "figure"}:
        marks += words
    for mark in marks:
        if (
            isinstance(mark, str)
            and _LANGUAGE.fullmatch(mark)
            and mark not in _NO_LANGUAGES
            and "highlight" not in mark
        ):
            return mark
    return ""
