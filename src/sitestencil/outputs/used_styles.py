"""Keep the rules of style sheets that may match something in a page, in any state, media, theme or container.

A rule stays where one of its selectors may match an element; states, positions and what is unknown always may.
Fonts, keyframes, custom properties and layers stay where a rule that stays names them, and fonts for the page's
characters.
"""

import re
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from tinycss2 import parse_blocks_contents, parse_rule_list, serialize
from tinycss2.ast import AtRule, Node, QualifiedRule

from sitestencil.errors import UnknownSelector
from sitestencil.outputs.style_sheets import rules_of
from sitestencil.outputs.tree import Element

_CONDITIONS = frozenset("media supports container layer scope starting-style document -moz-document".split())
_NAMED = re.compile(r"(?:-\w+-)?(?:keyframes|font-face|property|counter-style|position-try)")
_ALTERNATIVES = frozenset({"is", "where", "matches", "-webkit-any", "-moz-any"})
_PLAIN = frozenset(
    ": active after before checked disabled empty first-child focus hover last-child link target visited".split()
)
# What the person who opens a file changes, and what names a theme at the root.
_STATES = frozenset("open checked selected disabled hidden value popover readonly required inert".split())
_THEME = re.compile(r"dark|light|night|theme|mode|contrast|scheme|js")
_WORD = re.compile(r"[\w-]+")
_PROPERTY = re.compile(r"--[\w-]+(?![\w-]*\s*:)")
_LINE_BREAK = re.compile(r"\s*\n\s*")
_LONG = 150
_ASCII = frozenset(range(33, 127))
_OF_STYLE = frozenset({"style", "font-family", "face"})
_OPERATORS = frozenset({"=", "~=", "|=", "^=", "$=", "*="})
# Some seconds of work: beyond it all other rules stay.
_MOST_STEPS = 2_000_000

Values = tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class _Compound:
    """The conditions on one element.

    Attributes:
        keys: its name, ``#id``, ``.class`` and ``[attribute``, in lower case.
        values: names, operators and values of attributes.
        alternatives: lists of selectors; one of each must match, too.
        combinator: how the element follows that of the compound before.
    """

    keys: tuple[str, ...]
    values: Values
    alternatives: "tuple[Sequence[_Selector], ...]"
    combinator: str


_Selector = tuple[_Compound, ...]


class Elements:
    """Elements of pages, by what selectors name."""

    def __init__(self) -> None:
        self._parents: list[int] = []
        self._before: list[int] = []
        self._keys: list[frozenset[str]] = []
        self._attributes: list[Mapping[str, str]] = []
        self._roots: list[int] = []
        self._having: dict[str, list[int]] = defaultdict(list)
        self._steps_left = _MOST_STEPS
        self._known: dict[str, str] = {}
        self._elements: list[Element] = []
        self.words: set[str] = set()
        self.characters = set(_ASCII)

    def add(self, root: Element) -> "Elements":
        """Add an element and all below it, as they are now."""
        pending = [(root, self._add(root, -1, -1))]
        for element, number in pending:  # the list grows during the loop
            before = -1
            for child in element.children:
                if isinstance(child, Element):
                    before = self._add(child, number, before)
                    pending.append((child, before))
                else:
                    self.characters.update(ord(sign) for sign in child if sign > " ")
        self._known.clear()
        return self

    def _add(self, element: Element, parent: int, before: int) -> int:
        number, attributes = len(self._keys), {name.lower(): value for name, value in element.attributes.items()}
        keys = {element.name.lower(), *(f"[{name}" for name in attributes)}
        keys.update(f".{name}" for name in attributes.get("class", "").lower().split())
        keys.add(f"#{attributes.get('id', '').lower()}")
        styles = (value for key, value in attributes.items() if key in _OF_STYLE or "--" in value)
        self.words.update(_words(" ".join(styles)))
        self._elements.append(element)
        self._parents.append(parent)
        self._before.append(before)
        self._keys.append(frozenset(keys))
        self._attributes.append(attributes)
        if element.name in {"html", "body"}:
            self._roots.append(number)
        for key in (*keys, "*"):
            self._having[key].append(number)
        return number

    def matching(self, prelude: Sequence[Node]) -> str:
        """Return the list of a rule's selectors that may match an element; one that no browser may know stays."""
        text = serialize(prelude)
        if text not in self._known:
            parts = list(_split(prelude))
            used = [self._may_match_any(part) for part in parts]
            parts = [part for part, is_used in zip(parts, used, strict=True) if is_used or not _is_known(part)]
            lines = (serialize(part).strip() for part in parts)
            self._known[text] = (",\n" if len(text) > _LONG else ", ").join(lines) if any(used) else ""
        return self._known[text]

    def _may_match_any(self, tokens: Sequence[Node]) -> bool:
        try:
            return any(map(self._may_match, _selectors(tokens)))
        except UnknownSelector:
            return True

    def all_matching(self, prelude: Sequence[Node]) -> set[Element]:
        """Return the elements that a rule's selectors may match."""
        try:
            found = [one for selector in _selectors(prelude) for one in self._all_of(selector)]
        except UnknownSelector:
            return set(self._elements)
        return {self._elements[one] for one in found}

    def _may_match(self, selector: _Selector) -> bool:
        seen: set[tuple[int, int]] = set()
        return any(self._holds(one, selector, len(selector) - 1, seen) for one in self._candidates(selector))

    def _all_of(self, selector: _Selector) -> Iterator[int]:
        return (one for one in self._candidates(selector) if self._holds(one, selector, len(selector) - 1, set()))

    def _candidates(self, selector: _Selector) -> Iterable[int]:
        keys = {key for compound in selector for key in compound.keys if not _is_of_theme(key)}
        if not keys <= self._having.keys():
            return ()
        sets = [self._having.get(key, []) for key in ("*", *selector[-1].keys)]
        rarest = min(sets, key=len)
        return chain(self._roots, rarest)

    def _holds(self, element: int, selector: _Selector, last: int, seen: set[tuple[int, int]]) -> bool:
        """Return whether the selector up to a compound may match an element."""
        open_pairs = [(element, last)]
        while open_pairs and self._steps_left > 0:
            element, place = open_pairs.pop()
            self._steps_left -= 1
            if self._has(element, selector[place]):
                if place == 0:
                    return True
                before = {(one, place - 1) for one in self._before_it(element, selector[place].combinator)} - seen
                seen |= before
                open_pairs += before
        return self._steps_left <= 0

    def _has(self, element: int, compound: _Compound) -> bool:
        keys, attributes = self._keys[element], self._attributes[element]
        is_root = "html" in keys or "body" in keys
        if not all(key in keys or (is_root and _is_of_theme(key)) for key in compound.keys):
            return False
        if not is_root and not all(
            _fits(attributes.get(name, ""), sign, value) for name, sign, value in compound.values
        ):
            return False
        return all(
            any(self._holds(element, one, len(one) - 1, set()) for one in selectors)
            for selectors in compound.alternatives
        )

    def _before_it(self, element: int, combinator: str) -> Iterator[int]:
        """Yield the elements that a combinator leads to; the steps to far ones count, too."""
        following = self._parents if combinator in {" ", ">"} else self._before
        while (element := following[element]) >= 0:
            self._steps_left -= 1
            yield element
            if combinator in {">", "+"}:
                return


def _selectors(tokens: Sequence[Node]) -> Iterator[_Selector]:
    """Yield the selectors of a list.

    Raises:
        UnknownSelector: one is not read.
    """
    for part in _split(tokens):
        yield tuple(_compounds(part))


def _split(tokens: Sequence[Node]) -> Iterator[list[Node]]:
    part: list[Node] = []
    for sign in tokens:
        if sign == ",":
            yield part
            part = []
        elif sign.type != "comment":
            part.append(sign)
    yield part


def _is_known(selector: Sequence[Node]) -> bool:
    """Return whether every browser reads a selector: one that it cannot read makes its whole rule invalid."""
    before = [None, *selector]
    return all(
        token.type not in {"function", "() block"}
        and (sign != ":" or str(getattr(token, "value", "")).lower() in _PLAIN)
        for sign, token in zip(before, selector, strict=False)
    )


def _compounds(tokens: Sequence[Node]) -> Iterator[_Compound]:
    keys: list[str] = []
    values: list[tuple[str, str, str]] = []
    alternatives: list[Sequence[_Selector]] = []
    combinator = " "
    rest = iter(tokens)
    is_empty = True
    following = ""
    for sign in rest:
        if sign.type == "whitespace" or sign in (">", "+", "~"):
            following = following.strip() or (" " if sign.type == "whitespace" else sign.value)
            continue
        if following and not is_empty:
            yield _Compound(tuple(keys), tuple(values), tuple(alternatives), combinator)
            keys, values, alternatives = [], [], []
        combinator, following, is_empty = following or combinator, "", False
        match sign.type:
            case "ident":
                keys.append(sign.lower_value)
            case "hash":
                keys.append(f"#{sign.value.lower()}")
            case "[] block":
                condition = _attribute(sign.content)
                if not _is_state(condition[0]):
                    keys.append(f"[{condition[0]}")
                    values.append(condition)
            case _ if sign == ".":
                keys.append(f".{_ident(rest)}")
            case _ if sign == "|":  # before it stands a namespace
                del keys[-1:]
            case _ if sign == ":":
                alternatives += _pseudo(rest)
            case _ if sign not in ("*", "&"):
                raise UnknownSelector
    yield _Compound(tuple(keys), tuple(values), tuple(alternatives), combinator)


def _pseudo(rest: Iterator[Node]) -> Iterator[Sequence[_Selector]]:
    """Read a pseudo-class or a pseudo-element; yield the selectors of one that lists them."""
    sign = next(rest, None)
    if sign == ":":
        sign = next(rest, None)
    if sign is not None and sign.type == "function" and sign.lower_name in _ALTERNATIVES:
        yield list(_selectors(sign.arguments))


def _ident(rest: Iterator[Node]) -> str:
    sign = next(rest, None)
    if sign is None or sign.type != "ident":
        raise UnknownSelector
    return str(sign.lower_value)


def _attribute(content: Sequence[Node]) -> tuple[str, str, str]:
    """Return name, operator and value of an attribute's selector."""
    tokens = [sign for sign in content if sign.type not in {"whitespace", "comment"}]
    match tokens:
        case [name] if name.type == "ident":
            return name.lower_value, "", ""
        case [name, sign, value, *_] if name.type == "ident" and sign.type == "literal" and hasattr(value, "value"):
            if sign.value in _OPERATORS:
                return name.lower_value, sign.value, str(value.value).lower()
    raise UnknownSelector


def _fits(actual: str, sign: str, value: str) -> bool:
    actual = actual.lower()
    match sign:
        case "=":
            return actual == value
        case "~=":
            return value in actual.split()
        case "|=":
            return actual == value or actual.startswith(f"{value}-")
        case "^=":
            return actual.startswith(value)
        case "$=":
            return actual.endswith(value)
        case _:
            return value in actual


def _is_state(name: str) -> bool:
    return name in _STATES or name.startswith("aria-")


def _is_of_theme(key: str) -> bool:
    """Return whether the root may get an attribute or a class with its theme."""
    return key[0] == "[" or (key[0] == "." and _THEME.search(key) is not None)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


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


def elements_with(declared: re.Pattern[str], sheets: Sequence[str], elements: Elements) -> set[Element]:
    """Return the elements that a rule may match whose declarations a pattern finds."""
    found: set[Element] = set()
    pending = [rules_of(css) or [] for css in sheets if declared.search(css)]
    for rules in pending:  # the list grows during the loop
        for rule in rules:
            text = serialize(rule.content) if getattr(rule, "content", None) else ""
            if not declared.search(text):
                continue
            if _has_rules(rule):
                pending.append(parse_rule_list(rule.content))
            elif isinstance(rule, QualifiedRule):
                # Rules inside match others.
                found |= elements.all_matching(rule.prelude) if "{" not in text else elements.all_matching([])
    return found


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
        self._words.update(_words(css))
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
        followed: set[str] = set()
        while new := self._properties - followed:
            followed |= new
            for value in chain.from_iterable(self._values.pop(name, ()) for name in new):
                self.add_text(value)

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
                inner = self.may_match(parse_rule_list(rule.content)) if _has_rules(rule) else []
                if inner or name == "import":
                    self._layers.update(_words(serialize(rule.prelude)))
                if rule.content is not None and not inner and not _NAMED.fullmatch(name):
                    self.add_text(serialize(rule.content))
                if name == "container":
                    self._properties.update(_words(serialize(rule.prelude)))
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
        """Yield the rules as text, without those that nothing names."""
        for rule, inner in rules:
            name = rule.lower_at_keyword if isinstance(rule, AtRule) else ""
            if _has_rules(rule):
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
        selectors, parts = self._elements.matching(rule.prelude), parse_blocks_contents(rule.content)
        body = serialize(rule.content)
        if "\\" in body or any(one.type == "error" for one in parts):
            yield f"{selectors} {{{body}}}"
            return
        texts = [_in_one_line(one) for one in parts if self._is_used_declaration(one)]
        if texts:
            is_short = len(selectors) + sum(map(len, texts)) < _LONG
            before, between, after = (" ", " ", " ") if is_short else ("\n\t", "\n\t", "\n")
            yield f"{selectors} {{{before}{between.join(texts)}{after}}}"

    def _is_used_declaration(self, one: Node) -> bool:
        if one.type in {"whitespace", "comment"}:
            return False
        return not (self._are_all and _is_property(one)) or one.name in self._properties

    def _layer_statement(self, rule: Node) -> Iterator[str]:
        names = [serialize(name).strip() for name in _split(rule.prelude)]
        used = [name for name in names if name and not (self._are_all and self._layers.isdisjoint(_words(name)))]
        if used:
            yield f"@layer {', '.join(used)};"

    def _is_used(self, rule: Node) -> bool:
        name = serialize(rule.prelude)
        if rule.lower_at_keyword == "font-face":
            families = [one for one in parse_blocks_contents(rule.content or []) if _is_family(one)]
            name = serialize(families[-1].value) if families else "\\"
            if not self._has_characters_of(rule):
                return False
        return not self._are_all or "\\" in name or self._words.issuperset(_words(name))

    def _has_characters_of(self, font: Node) -> bool:
        ranges = [token for token in font.content or [] if token.type == "unicode-range"]
        places = ((bisect_left(self._characters, one.start), one.end) for one in ranges)
        return not ranges or any(
            place < len(self._characters) and self._characters[place] <= end for place, end in places
        )


def _has_rules(rule: Node) -> bool:
    return isinstance(rule, AtRule) and rule.content is not None and rule.lower_at_keyword in _CONDITIONS


def _in_one_line(one: Node) -> str:
    return _LINE_BREAK.sub(" ", one.serialize()).strip() + (";" if one.type == "declaration" else "")


def _is_property(one: Node) -> bool:
    return bool(one.type == "declaration" and _PROPERTY.fullmatch(one.name))


def _is_family(one: Node) -> bool:
    return bool(one.type == "declaration" and one.lower_name == "font-family")
