"""Find the elements of a page that selectors of style rules may match, in any state, media, theme or container.

States, positions and what is unknown may always match.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

from tinycss2 import parse_rule_list, serialize
from tinycss2.ast import AtRule, Node, QualifiedRule

from sitestencil.errors import UnknownSelector
from sitestencil.outputs.tree import Element
from sitestencil.saving.style_sheets import rules_of

_CONDITIONS = frozenset("media supports container layer scope starting-style document -moz-document".split())
_ALTERNATIVES = frozenset({"is", "where", "matches", "-webkit-any", "-moz-any"})
_PLAIN = frozenset(
    ": active after before checked disabled empty first-child focus hover last-child link target visited".split()
)
# What the person who opens a file changes, and what names a theme at the root.
_STATES = frozenset("open checked selected disabled hidden value popover readonly required inert".split())
_THEMES = frozenset("theme themed scheme mode darkmode lightmode nightmode contrast".split())
_OF_THEME = _THEMES | frozenset(
    "dark light night day auto color colour high low is has no js nojs data bs prefers".split()
)
_PART = re.compile(r"[a-z]+")
_ROOTS = frozenset({"html", "body"})
_ASCII = frozenset(range(33, 127))
_OF_STYLE = frozenset({"style", "font-family", "face"})
_OPERATORS = frozenset({"=", "~=", "|=", "^=", "$=", "*="})
# Some seconds of work for a page with its frames: beyond it all other rules stay.
_MOST_STEPS = 2_000_000
_IN_A_STEP = 64  # characters of a value, or names, that are compared
LONG = 150
_WORD = re.compile(r"[\w-]+")

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

    keys: frozenset[str]
    values: Values
    alternatives: "tuple[Sequence[_Selector], ...]"
    combinator: str


_Selector = tuple[_Compound, ...]


@dataclass(slots=True, eq=False)
class _Place:
    """An element where it stood when it was added, with the names that selectors may have for it."""

    element: Element
    parent: "_Place | None"
    before: "_Place | None"
    attributes: Mapping[str, str]
    keys: frozenset[str]


@dataclass(slots=True)
class Steps:
    """The steps that are left to judge the rules of a page."""

    left: int = field(default_factory=lambda: _MOST_STEPS)


class Elements:
    """Elements of pages, by what selectors name.

    Args:
        steps: what judging may take; by default what a whole page may.

    Attributes:
        words: the words of their own styles.
        characters: those of their texts.
    """

    def __init__(self, steps: Steps | None = None) -> None:
        self._places: dict[int, _Place] = {}
        self._having: dict[str, list[_Place]] = defaultdict(list)
        self._steps = steps or Steps()
        self._known: dict[str, str] = {}
        self._keys_of: dict[tuple[str, ...], frozenset[str]] = {}
        self.words: set[str] = set()
        self.characters = set(_ASCII)

    def add(self, root: Element) -> "Elements":
        """Add an element and all below it, as they are now."""
        pending = [self._place(root, None, None)]
        for place in pending:  # the list grows during the loop
            before = None
            for child in place.element.children:
                if isinstance(child, Element):
                    before = self._place(child, place, before)
                    pending.append(before)
                elif not child.isspace():
                    self.characters.update(map(ord, child))
        self._known.clear()
        return self

    def _place(self, element: Element, parent: _Place | None, before: _Place | None) -> _Place:
        """Return an element's place: the last, unless the element has changed or moved since."""
        attributes = {name.lower(): value for name, value in element.attributes.items()}
        name, last = element.name.lower(), self._places.get(id(element))
        if (
            last is not None
            and (last.parent, last.before) == (parent, before)
            and name in last.keys
            and last.attributes == attributes
        ):
            return last
        look = (name, attributes.get("id", ""), attributes.get("class", ""), *attributes)
        keys = self._keys_of.get(look)
        if keys is None:
            classes = (f".{one}" for one in look[2].lower().split())
            keys = frozenset((name, f"#{look[1].lower()}", *classes, *(f"[{one}" for one in attributes)))
            self._keys_of[look] = keys
        for key, value in attributes.items():
            if key in _OF_STYLE or "--" in value:
                self.words.update(words_of(value))
        place = self._places[id(element)] = _Place(element, parent, before, attributes, keys)
        for key in (*keys, "*"):
            self._having[key].append(place)
        return place

    def matching(self, prelude: Sequence[Node]) -> str:
        """Return the list of a rule's selectors that may match an element; one that no browser may know stays."""
        text = serialize(prelude)
        if text not in self._known:
            parts = list(selector_list(prelude))
            used = [self._may_match_any(part) for part in parts]
            parts = [part for part, is_used in zip(parts, used, strict=True) if is_used or not _is_known(part)]
            lines = (serialize(part).strip() for part in parts)
            self._known[text] = (",\n" if len(text) > LONG else ", ").join(lines) if any(used) else ""
        return self._known[text]

    def _may_match_any(self, tokens: Sequence[Node]) -> bool:
        try:
            for selector in _selectors(tokens):
                seen: set[tuple[_Place, int]] = set()
                if any(self._holds(one, selector, seen) for one in self._candidates(selector)):
                    return True
        except UnknownSelector:
            return True
        return False

    def all_matching(self, prelude: Sequence[Node], found: set[Element]) -> bool:
        """Add the elements that a rule's selectors may match; return whether these were all to be found out."""
        try:
            for selector in _selectors(prelude):
                for one in self._candidates(selector):
                    self._steps.left -= 1
                    if self._steps.left <= 0:
                        return False
                    if one.element not in found and self._holds(one, selector, set()):
                        found.add(one.element)
        except UnknownSelector:
            return False
        return True

    def all(self) -> set[Element]:
        """Return all elements."""
        return {one.element for one in self._places.values()}

    def _candidates(self, selector: _Selector) -> Iterable[_Place]:
        keys = {key for compound in selector for key in compound.keys if not _is_of_theme(key)}
        if not keys <= self._having.keys():
            return ()
        rarest = min((self._having.get(key, []) for key in ("*", *selector[-1].keys)), key=len)
        return chain(*(self._having.get(name, ()) for name in _ROOTS), rarest)

    def _holds(self, place: _Place, selector: _Selector, seen: set[tuple[_Place, int]]) -> bool:
        """Return whether a selector may match an element; `seen`: its beginnings that do not match others."""
        pending = [(place, len(selector) - 1)]
        while pending and self._steps.left > 0:
            place, number = pending.pop()
            self._steps.left -= 1
            if self._has(place, selector[number]):
                if number == 0:
                    return True
                before = {(one, number - 1) for one in self._before_it(place, selector[number].combinator)} - seen
                seen |= before
                pending += before
        return self._steps.left <= 0

    def _has(self, place: _Place, compound: _Compound) -> bool:
        is_root = not place.keys.isdisjoint(_ROOTS)
        values = [(place.attributes.get(name, ""), sign, value) for name, sign, value in compound.values]
        self._steps.left -= (len(compound.keys) + sum(len(actual) for actual, _, _ in values)) // _IN_A_STEP
        if not (compound.keys <= place.keys or (is_root and all(map(_is_of_theme, compound.keys - place.keys)))):
            return False
        if not all(
            (is_root and _is_of_theme(f"[{name}")) or _fits(actual, sign, value)
            for (actual, sign, value), (name, *_) in zip(values, compound.values, strict=True)
        ):
            return False
        return all(any(self._holds(place, one, set()) for one in selectors) for selectors in compound.alternatives)

    def _before_it(self, place: _Place, combinator: str) -> Iterator[_Place]:
        """Yield the elements that a combinator leads to; the steps to far ones count, too."""
        is_above = combinator in {" ", ">"}
        while (following := place.parent if is_above else place.before) is not None:
            place = following
            self._steps.left -= 1
            yield place
            if combinator in {">", "+"}:
                return


def _selectors(tokens: Sequence[Node]) -> Iterator[_Selector]:
    """Yield the selectors of a list.

    Raises:
        UnknownSelector: one is not read.
    """
    for part in selector_list(tokens):
        yield tuple(_compounds(part))


def selector_list(tokens: Sequence[Node]) -> Iterator[list[Node]]:
    """Yield the parts between the commas of a list, without comments."""
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
            yield _Compound(frozenset(keys), tuple(values), tuple(alternatives), combinator)
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
    yield _Compound(frozenset(keys), tuple(values), tuple(alternatives), combinator)


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


@lru_cache(8)  # many rules ask for one long value
def _in_lower_case(text: str) -> str:
    return text.lower()


def _fits(actual: str, sign: str, value: str) -> bool:
    actual = _in_lower_case(actual)
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
    """Return whether the root may get it with its theme: all its words are of themes, or one says so."""
    words = _PART.findall(key) if key[0] in "[." else ()
    return bool(words) and (_OF_THEME.issuperset(words) or not _THEMES.isdisjoint(words))


def words_of(text: str) -> list[str]:
    """Return the names and words in CSS, in lower case."""
    return _WORD.findall(text.lower())


def elements_with(
    declared: Sequence[re.Pattern[str]], sheets: Sequence[str], elements: Elements
) -> list[set[Element]]:
    """Return for each pattern the elements that a rule with it may match; all elements where it is unclear."""
    found: dict[re.Pattern[str], set[Element]] = {pattern: set() for pattern in declared}
    unclear: set[re.Pattern[str]] = set()
    pending = [rules_of(css) or [] for css in sheets if any(pattern.search(css) for pattern in declared)]
    for rules in pending:  # the list grows during the loop
        for rule in rules:
            text = serialize(rule.content) if getattr(rule, "content", None) else ""
            named = [one for one in declared if one not in unclear and one.search(text)]
            if named and has_rules(rule):
                pending.append(parse_rule_list(rule.content))
            elif isinstance(rule, QualifiedRule):
                # Rules inside match others.
                unclear.update(
                    one for one in named if "{" in text or not elements.all_matching(rule.prelude, found[one])
                )
    return [elements.all() if one in unclear else found[one] for one in declared]


def has_rules(rule: Node) -> bool:
    """Return whether a rule only groups others."""
    return isinstance(rule, AtRule) and rule.content is not None and rule.lower_at_keyword in _CONDITIONS
