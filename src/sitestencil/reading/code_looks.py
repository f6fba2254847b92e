"""Tell how an element looks that may be code, a line of it or a line's number: by its names and its style."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from sitestencil.page.document import Document
from sitestencil.reading.white_space import line_rules

_SHOWN_AS_LINE = re.compile(r"(?:^|;)\s*display\s*:\s*(?:block|flex|grid|table-row)\b", re.IGNORECASE)
_SHOWN_AS_BLOCK = re.compile(r"(?:^|;)\s*(?:white-space\s*:\s*pre\b|display\s*:\s*block\b)", re.IGNORECASE)
_KEEPS_LINES = re.compile(r"(?:^|;)\s*white-space\s*:\s*(?:pre(?:-wrap)?|break-spaces)\s*(?:;|!|$)", re.IGNORECASE)
_MONOSPACE = re.compile(r"(?:^|;)\s*font(?:-family)?\s*:[^;]*(?:monospace|courier|consolas|menlo)", re.IGNORECASE)
_KEPT = re.compile(r"white-space\s*:\s*(?:pre(?:-wrap)?|break-spaces)\b(?!-)", re.IGNORECASE)
_SIMPLE = re.compile(r"([a-z]*)((?:\.[\w-]+)*)", re.IGNORECASE)
_PARTS = re.compile(r"[\s>+~]+")
_LONGEST_RULE = 2_000  # characters
_MOST_RULES = 100

_NUMBERS = re.compile(
    r"lines?-?(?:num|no)(?!t)|(?:^|[\s-])(?:ln|lnt|lnum|gutter|blob-num)(?:$|[\s-])", re.IGNORECASE
)
_LINES = frozenset("line code-line token-line view-line cm-line codemirror-line".split())
_VERSES = frozenset({"line"})  # of code, or of a poem
_CODE = re.compile(
    r"(?:^|[\s_-])(?:(?:block|source|view-?)?codes?|code(?:block|mirror)|fragment|source|listing|snippet|src"
    r"|(?:syntax-?)?highlight(?:er)?|hljs|prettyprint|linenums|(?:language|lang)-\w+)(?:$|[\s_-])|code-?block",
    re.IGNORECASE,
)
_COPIES = re.compile(r"(?:^|[\s_-])(?:copy|clipboard)|copy-?(?:btn|button|code)", re.IGNORECASE)
_SIGNS = re.compile(
    r"[;{}]\s*$|[\w\])]\s*=\s*[\w\[\"'(]|\w\([^)]*\)|^[ \t\xa0]{2,}\S|->|=>|::"
    r"|^\s*(?:#|//|/\*|<[/!?\w]|\$ |@\w|(?:import|from|def|class|end|return)\b)"
)
_LEAST_CODE = 0.3  # share of the lines with signs of code
_LEVELS = 3  # an element and those around it that may name it code


class _Rule(NamedTuple):
    """The last part of a selector, and whether its elements have letters of one width."""

    tag: str
    classes: frozenset[str]
    is_typed: bool


class _Kind(NamedTuple):
    """Whether classes are a line's, and whether a rule shows them as code."""

    is_line: bool
    has_rule: bool


class Looks:
    """The looks of a page's elements."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._kinds: dict[str, _Kind] = {}

    def may_be_code(self, attributes: Mapping[str, str]) -> bool:
        """Return whether an element with these attributes may be code, or a line of it."""
        kind = self._kind(attributes["class"]) if "class" in attributes else None
        if kind is not None and (kind.is_line or kind.has_rule):
            return True
        return "style" in attributes and "white-space" in attributes["style"]

    def is_line(self, element: int) -> bool:
        """Return whether an element is named a line."""
        values = self._document.attributes[element]
        return "data-line" in values or ("class" in values and self._kind(values["class"]).is_line)

    def names_line(self, classes: str) -> bool:
        """Return whether classes are a line's."""
        return self._kind(classes).is_line

    def may_be_number(self, element: int) -> bool:
        """Return whether digits in an element are a line's number."""
        values = self._document.attributes[element]
        return _NUMBERS.search(values.get("class", "")) is not None or "user-select" in values.get("style", "")

    def is_number_cell(self, cell: int) -> bool:
        """Return whether a cell is named that of a line's number."""
        within = range(cell, min(cell + 2, self._document.ends[cell]))
        return any("data-line-number" in self._document.attributes[one] for one in within) or any(
            map(self.may_be_number, within)
        )

    def is_named_code(self, element: int) -> bool:
        """Return whether an element's classes name it code."""
        return _CODE.search(self._document.attributes[element].get("class", "")) is not None

    def are_named_code(self, element: int) -> bool:
        """Return whether an element or one close around it is named code."""
        for _ in range(_LEVELS):
            if element <= (self._document.body or 0):
                return False
            if self.is_named_code(element):
                return True
            element = self._document.parents[element]
        return False

    def copies(self, element: int) -> bool:
        """Return whether an element copies what is beside it."""
        values = self._document.attributes[element]
        return any(_COPIES.search(values.get(name, "")) for name in ("class", "onclick")) or any(
            name.startswith("data-clipboard") for name in values
        )

    def is_shown_as_line(self, element: int) -> bool:
        """Return whether an element's style gives it lines of its own."""
        return _SHOWN_AS_LINE.search(self._document.attributes[element].get("style", "")) is not None

    def is_shown_as_block(self, code: int) -> bool:
        """Return whether the style of a ``code`` makes it a block."""
        if _SHOWN_AS_BLOCK.search(self._document.attributes[code].get("style", "")):
            return True
        return self._has_rule(code, typed=False) and "\n" in self._document.text_content(code).strip()

    def is_shown_as_code(self, element: int) -> bool:
        """Return whether an element has letters of one width, and each of its lines."""
        style = self._document.attributes[element].get("style", "")
        if _KEEPS_LINES.search(style) and _MONOSPACE.search(style):
            return True
        return self._has_rule(element, typed=True)

    def are_code(self, around: int, lines: Sequence[int]) -> bool:
        """Return whether lines are those of code: named so, numbered, indented or with elements of code."""
        document = self._document
        if any(_LINES & {name.lower() for name in document.classes[line]} - _VERSES for line in lines):
            return True
        inside = range(around + 1, document.ends[around])
        if self.are_named_code(around) or any(document.tags[one] in {"pre", "code"} for one in inside):
            return True
        if any(map(self.may_be_number, inside)):
            return True
        texts = [document.text_content(line) for line in lines]
        return any(text[:1] in " \t\xa0" and text.strip() for text in texts) and looks_like_code(texts)

    def _has_rule(self, element: int, *, typed: bool) -> bool:
        tag, classes = self._document.tags[element], self._document.classes[element]
        return any(
            rule.tag in {"", tag} and rule.classes <= classes and (rule.is_typed or not typed)
            for rule in self._rules
        )

    @cached_property
    def _rules(self) -> Sequence[_Rule]:
        """The rules of the page that keep the line ends of elements by their names."""
        found = list[_Rule]()
        text = line_rules(self._document)
        for kept in islice(_KEPT.finditer(text), _MOST_RULES):
            before, _, begun = text[max(0, kept.start() - _LONGEST_RULE) : kept.start()].rpartition("{")
            declared = begun + text[kept.start() : kept.end() + _LONGEST_RULE].partition("}")[0]
            if "}" not in begun:
                is_typed = _MONOSPACE.search(declared) is not None
                selectors = re.split("[{}]", before)[-1].split(",")
                parts = filter(None, (_SIMPLE.fullmatch(_PARTS.split(one.strip())[-1]) for one in selectors))
                made = [_Rule(part[1].lower(), frozenset(part[2].split(".")) - {""}, is_typed) for part in parts]
                found += [rule for rule in made if rule.classes or rule.tag == "code"]
        return found

    def _kind(self, classes: str) -> _Kind:
        kind = self._kinds.get(classes)
        if kind is None:
            names = frozenset(classes.split())
            is_line = not _LINES.isdisjoint(classes.lower().split())
            has_rule = any(rule.is_typed and rule.classes <= names for rule in self._rules)
            kind = self._kinds[classes] = _Kind(is_line, has_rule)
        return kind


def looks_like_code(lines: Sequence[str]) -> bool:
    """Return whether enough of these lines have signs of code."""
    written = [line for line in lines if line.strip()]
    return sum(_SIGNS.search(line) is not None for line in written) >= max(1, _LEAST_CODE * len(written))
