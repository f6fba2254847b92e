"""Keep the rules of style sheets that may match something in a page.

Fonts, keyframes, custom properties and layers stay where a rule that stays names them, and fonts for the page's
characters.
"""

import re
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from tinycss2 import parse_blocks_contents, parse_rule_list, serialize
from tinycss2.ast import AtRule, Node, QualifiedRule

from sitestencil.saving.style_matching import LONG, Elements, has_rules, selector_list, words_of
from sitestencil.saving.style_sheets import rules_of

_NAMED = re.compile(r"(?:-\w+-)?(?:keyframes|font-face|property|counter-style|position-try)")
# Of Internet Explorer and of Opera before 2013.
_DEAD = re.compile(r"-(?:ms|o|khtml)-")
_PROPERTY = re.compile(r"(?<![\w-])--[\w-]++(?!\s*+:)")


def used_styles(sheets: Sequence[str], elements: Elements, *, are_all: bool) -> list[str]:
    """Return sheets with the rules that may match; one that is nested too deeply stays as it is.

    Args:
        sheets: safe CSS.
        elements: the elements of the page.
        are_all: whether the page has no other sheet, which might use fonts and keyframes of these.
    """
    used = _Used(elements, are_all)
    kept = [(css, None if (rules := rules_of(css)) is None else used.may_match(rules)) for css in sheets]
    for css, rules in kept:
        if rules is None:
            used.add_text(css)
    used.follow_properties()
    for _, rules in kept:
        used.add_frames(rules or [])
    used.follow_properties()
    return [css if rules is None else "\n".join(used.texts(rules)) for css, rules in kept]


_Rules = list[tuple[Node, "_Rules"]]


class _Used:
    """The rules that stay, and the words in them."""

    def __init__(self, elements: Elements, are_all: bool) -> None:
        self._elements, self._are_all = elements, are_all
        self._words = set(elements.words)
        self._characters = sorted(elements.characters)
        self._layers: set[str] = set()
        # The custom properties that are used, and the values of all.
        self._properties = {word for word in elements.words if word.startswith("--")}
        self._values: dict[str, list[str]] = defaultdict(list)

    def add_text(self, css: str) -> None:
        """Add the words, the properties and the characters of rules or values that stay."""
        self._words.update(words_of(css))
        self._properties.update(_PROPERTY.findall(css))
        for sign in {sign for sign in css if ord(sign) > 127}:
            insort(self._characters, ord(sign))

    def _add_declarations(self, rule: Node) -> None:
        text = serialize(rule.content)
        parts = parse_blocks_contents(text) if self._are_all and "--" in text else []
        if not parts or any(one.type == "error" for one in parts):  # such a rule is written whole
            self.add_text(text)
            return
        for one in parts:
            if _is_property(one):
                self._values[one.name].append(serialize(one.value))
            else:
                self.add_text(one.serialize())

    def follow_properties(self) -> None:
        """Add the values of used properties; they may name others."""
        pending = list(self._properties)
        while pending:
            for value in self._values.pop(pending.pop(), ()):
                self.add_text(value)
                pending += _PROPERTY.findall(value)

    def may_match(self, rules: Iterable[Node]) -> _Rules:
        """Return the rules whose selectors may match, and those that no selector decides on; each with its own."""
        kept: _Rules = []
        for rule in rules:
            if isinstance(rule, QualifiedRule):
                if self._elements.matching(rule.prelude):
                    self._add_declarations(rule)
                    kept.append((rule, []))
            elif isinstance(rule, AtRule):
                name = rule.lower_at_keyword
                inner = self.may_match(parse_rule_list(rule.content)) if has_rules(rule) else []
                if inner or name == "import":
                    self._layers.update(words_of(serialize(rule.prelude)))
                if rule.content is not None and not inner and not _NAMED.fullmatch(name):
                    self.add_text(serialize(rule.content))
                if name == "container":
                    self._properties.update(words_of(serialize(rule.prelude)))
                kept.append((rule, inner))
            elif rule.type == "comment" and rule.value.startswith("!"):  # a licence
                kept.append((rule, []))
        return kept

    def add_frames(self, rules: _Rules) -> None:
        """Add the words of keyframes that stay."""
        for rule, inner in rules:
            self.add_frames(inner)
            if isinstance(rule, AtRule) and rule.lower_at_keyword.endswith("keyframes") and self._is_used(rule):
                self.add_text(serialize(rule.content or []))

    def texts(self, rules: _Rules) -> Iterator[str]:
        """Yield the rules as text, without those that nothing names; of equal ones the last, which wins."""
        written = [
            (rule.type == "qualified-rule", text) for rule, inner in rules for text in self._texts_of(rule, inner)
        ]
        last = {text: number for number, (_, text) in enumerate(written)}
        yield from (text for number, (may_go, text) in enumerate(written) if not may_go or last[text] == number)

    def _texts_of(self, rule: Node, inner: _Rules) -> Iterator[str]:
        name = rule.lower_at_keyword if isinstance(rule, AtRule) else ""
        if has_rules(rule):
            body = "\n".join(self.texts(inner))
            prelude = serialize(rule.prelude)
            if body:
                yield f"@{rule.at_keyword}{prelude}{{\n{body}\n}}"
            elif name == "layer":  # its first place decides what it beats
                yield from self._layer_statement(rule)
        elif name == "layer":
            yield from self._layer_statement(rule)
        elif rule.type == "qualified-rule":
            yield from self._used_part(rule)
        elif not _NAMED.fullmatch(name) or self._is_used(rule):
            yield str(rule.serialize())

    def _used_part(self, rule: Node) -> Iterator[str]:
        """Yield a rule without selectors that match nothing and custom properties that nothing uses."""
        selectors, content = self._elements.matching(rule.prelude), _without_hacks(rule.content)
        parts, body = parse_blocks_contents(content), serialize(content)
        if "\\" in body or any(one.type == "error" for one in parts):
            yield f"{selectors} {{{body}}}"
            return
        texts = [_in_one_line(one) for one in parts if self._is_used_declaration(one)]
        if texts:
            is_short = len(selectors) + sum(map(len, texts)) < LONG
            before, between, after = (" ", " ", " ") if is_short else ("\n\t", "\n\t", "\n")
            yield f"{selectors} {{{before}{between.join(texts)}{after}}}"

    def _is_used_declaration(self, one: Node) -> bool:
        if one.type in {"whitespace", "comment"} or _is_of_dead_browsers(one):
            return False
        return not (self._are_all and _is_property(one)) or one.name in self._properties

    def _layer_statement(self, rule: Node) -> Iterator[str]:
        names = [serialize(name).strip() for name in selector_list(rule.prelude)]
        used = [name for name in names if name and not (self._are_all and self._layers.isdisjoint(words_of(name)))]
        if used:
            yield f"@layer {', '.join(used)};"

    def _is_used(self, rule: Node) -> bool:
        name = serialize(rule.prelude)
        if rule.lower_at_keyword == "font-face":
            families = [one for one in parse_blocks_contents(rule.content or []) if _is_family(one)]
            name = serialize(families[-1].value) if families else "\\"
            if not self._has_characters_of(rule):
                return False
        return not self._are_all or "\\" in name or self._words.issuperset(words_of(name))

    def _has_characters_of(self, font: Node) -> bool:
        ranges = [token for token in font.content or [] if token.type == "unicode-range"]
        places = ((bisect_left(self._characters, one.start), one.end) for one in ranges)
        return not ranges or any(
            place < len(self._characters) and self._characters[place] <= end for place, end in places
        )


def _without_hacks(content: Sequence[Node]) -> list[Node]:
    """Return a rule's tokens without declarations such as ``*zoom: 1``, which only old browsers read."""
    kept: list[Node] = []
    start = 0
    while start < len(content):
        end = next((at + 1 for at in range(start, len(content)) if content[at] == ";"), len(content))
        told = [one for one in content[start:end] if one.type not in {"whitespace", "comment"}]
        is_hack = len(told) > 1 and told[0] == "*" and told[1].type == "ident"
        if not is_hack or any(one.type == "{} block" for one in told):
            kept += content[start:end]
        start = end
    return kept


def _is_of_dead_browsers(one: Node) -> bool:
    if one.type != "declaration":
        return False
    first = next((token for token in one.value if token.type != "whitespace"), None)
    value = getattr(first, "lower_name", "") or getattr(first, "lower_value", "")
    is_filter = one.lower_name == "filter" and value in {"progid", "alpha"}
    return is_filter or bool(_DEAD.match(one.lower_name) or (isinstance(value, str) and _DEAD.match(value)))


def _in_one_line(one: Node) -> str:
    lines = (line.strip() for line in one.serialize().split("\n"))
    return " ".join(filter(None, lines)) + (";" if one.type == "declaration" else "")


def _is_property(one: Node) -> bool:
    return bool(one.type == "declaration" and _PROPERTY.fullmatch(one.name))


def _is_family(one: Node) -> bool:
    return bool(one.type == "declaration" and one.lower_name == "font-family")
