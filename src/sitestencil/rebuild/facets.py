"""Rules that give the values of a kind's slots: defaults, a page's fields, and facets.

A facet is a thing that many slots follow from: the section of the site, the language, the author. Each slot takes
the rule that leaves least to be stored. Where a rule is wrong for a page, the page stores its value.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape, unescape
from itertools import chain
from typing import Any

from sitestencil.rebuild.date_forms import date_forms, month_names
from sitestencil.rebuild.jinja_build import all_fields, facets_of, filled, values_of
from sitestencil.rebuild.nodes import ROOT
from sitestencil.rebuild.patterns import Plain

Pattern = tuple[str, ...]  # texts and names of fields, in turn

_TAG = re.compile(r"<[^>]*>")
_VALUE = 8  # characters that a stored value costs beside its own
_PATTERN, _LEAST_PATTERN = 20, 0.3  # a pattern's cost, and the share of the pages that it fits
LIST, MENU = "[]", "[menu]"  # forms of slots beside attributes
_LEAST_SHARE = 0.6  # of the pages, for a default
_VARIANTS, _LEAST_OF_OWN = 2, 0.9  # as HTML with more values is a page's own, such as its tags
_STORED_FROM = 0.1  # of the pages
_LEAST_COPIED = 4  # characters of a value that others hold
_LEAST_FIELD = 2  # characters of a field that is looked for in values


@dataclass(slots=True)
class Rules:
    """The rules of a kind's slots.

    Attributes:
        defaults: the value of each slot where nothing else tells it.
        facets: per facet and its value, the values of slots; in this order.
        patterns: the slots that a page's fields give, each with texts and names of fields in turn.
        months: the names of months, by number, of slots whose patterns have them.
        texts: the slots whose value is text, and no HTML.
        links: the slots of items that have another value on the pages that they lead to: by address, the value.
        copies: the slots whose value holds that of another slot: what is before it, its name, and what is after it.
        lists: the slots whose value is a list as JSON.
        stored: the slots that more than a tenth of the pages store.
    """

    defaults: dict[str, Plain] = field(default_factory=dict)
    facets: dict[str, dict[str, dict[str, Plain]]] = field(default_factory=dict)
    patterns: dict[str, Pattern] = field(default_factory=dict)
    months: dict[str, dict[str, str]] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    links: dict[str, dict[str, Plain]] = field(default_factory=dict)
    copies: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    lists: frozenset[str] = frozenset()
    stored: list[str] = field(default_factory=list)

    def values(self, fields: Mapping[str, str], own: Mapping[str, Plain] | None = None) -> dict[str, Plain]:
        """Return the values of a page's slots by its fields, and by what it stores."""
        return values_of(self._rules(), fields, own or {}, ROOT)

    def opened(self, values: Mapping[str, Plain]) -> dict[str, object]:
        """Return values of slots as the project has them: lists are no JSON."""
        return {
            name: json.loads(str(value or "[]")) if name in self.lists else value for name, value in values.items()
        }

    def data(self) -> dict[str, Any]:
        """Return the rules as the project has them."""
        facets = {
            name: {value: self.opened(of) for value, of in table.items()} for name, table in self.facets.items()
        }
        return {**self._rules(), "defaults": self.opened(self.defaults), "facets": facets}

    def _rules(self) -> dict[str, Any]:
        names = ("defaults", "facets", "links", "patterns", "months", "texts", "copies")
        return {name: getattr(self, name) for name in names}

    def stored_by(self, fields: Mapping[str, str], own: Mapping[str, Plain]) -> dict[str, Plain]:
        """Return what a page has to store: its slots' values that no rule gives."""
        given = self.values(fields)
        stored = {name: value for name, value in own.items() if given[name] != value and name not in self.copies}
        given = self.values(fields, stored)
        return stored | {name: own[name] for name in self.copies if name in own and own[name] != given[name]}


# The fields that are looked for in values, in this order. Queries have them only in attributes.
_IN_TEXTS = "quoted_address address link address_path description quoted_title title author date".split()
_IN_HTML = [name for name in _IN_TEXTS if not name.startswith("quoted")]


def _patterns(value: Plain, known: Mapping[str, str], *, is_text: bool) -> Iterator[Pattern]:
    """Yield a value with the names of fields in their place, in each form that its date may have."""
    if not isinstance(value, str):
        return
    parts = [value]
    for name in _IN_TEXTS if is_text else _IN_HTML:
        text = known.get(name, "") if is_text else escape(known.get(name, ""), quote=False)
        if len(text) < _LEAST_FIELD:
            continue
        split = list[str]()
        for at, part in enumerate(parts):
            pieces = [part] if at % 2 else part.split(text)
            for number, piece in enumerate(pieces):
                split += [name, piece] if number else [piece]
        parts = split
    for at in range(0, len(parts), 2):
        if forms := [*date_forms(parts[at], known)]:
            yield from ((*parts[:at], *form, *parts[at + 1 :]) for form in forms)
            return
    if len(parts) > 1:
        yield tuple(parts)


def _cost(value: Plain) -> int:
    return _VALUE + (len(value) if isinstance(value, str) else 0)


def _usual(values: Sequence[Plain], *, is_text: bool) -> tuple[Plain, bool]:
    """Return the value that is most frequent, and whether it is frequent enough for pages that are new."""
    counts = Counter(values)
    value, count = counts.most_common(1)[0]
    return value, count >= (_LEAST_SHARE if is_text or len(counts) <= _VARIANTS else _LEAST_OF_OWN) * len(values)


def _default(values: Sequence[Plain], form: str, *, is_text: bool) -> Plain:
    """Return the value of most pages; an empty one if there is none, and of classes those that most pages have."""
    value, is_usual = _usual(values, is_text=is_text)
    if form == MENU:  # an item that is active belongs to a section
        return value if values.count(value) >= _LEAST_OF_OWN * len(values) else ""
    if is_usual or isinstance(value, bool):
        return value
    if form == "class":
        words = [dict.fromkeys(one.split()) for one in values if isinstance(one, str)]
        often = Counter(chain(*words))
        return " ".join(word for word, count in often.items() if count >= _LEAST_SHARE * len(values)) or None
    return None if form not in {"", LIST} or None in values else ""


class _Column:
    """The values of a slot on the pages of a kind, with the cheapest rule so far."""

    def __init__(self, name: str, values: Mapping[int, Plain], form: str = "", *, is_text: bool) -> None:
        self.name, self.values = name, values
        self.is_text, self.is_menu = is_text, form == MENU
        self.default = _default([*values.values()], form, is_text=is_text)
        self.cost = sum(_cost(value) for value in values.values() if value != self.default)
        self.table: dict[str, Plain] = {}
        self.facet = ""

    def by_facet(self, of_page: Mapping[int, str]) -> tuple[int, dict[str, Plain]]:
        """Return what the slot costs by a facet, and the values that the facet's values give."""
        groups: dict[str, list[Plain]] = {}
        for page, value in self.values.items():
            groups.setdefault(of_page[page], []).append(value)
        table, cost = dict[str, Plain](), 0
        for group, values in groups.items():
            common, is_usual = _usual(values, is_text=self.is_text)
            used = self.default
            if is_usual and len(values) > 1 and common != self.default:
                table[group] = used = common
                cost += _cost(common)
            cost += sum(_cost(value) for value in values if value != used)
        return cost, table


def learned_rules(
    pages: Mapping[int, Mapping[str, str]],
    slots: Mapping[str, Mapping[int, Plain]],
    texts: set[str],
    links: Mapping[str, Sequence[str]],
    forms: Mapping[str, str] = {},
) -> Rules:
    """Return the rules of a kind.

    Args:
        pages: the fields of its pages, by number.
        slots: the values of its slots by page, by name.
        texts: the slots whose values are text.
        links: where the items lead that slots stand in.
        forms: the names of the attributes that slots are. `LIST` marks a slot whose value is a list as JSON, and
            `MENU` one whose value is the links of a menu's active items.
    """
    lists = frozenset(name for name, form in forms.items() if form == LIST)
    rules = Rules(texts=sorted(texts), lists=lists)
    known = {number: all_fields(fields, ROOT) for number, fields in pages.items()}
    having = [(name, of) for name, of in slots.items() if of]
    columns = [_Column(name, of, forms.get(name, ""), is_text=name in texts) for name, of in having]
    for column in (column for column in columns if column.name not in lists):
        if column.cost and column.name in links:
            _fit_link(rules, column, known, links[column.name])
        if column.cost and column.name not in rules.links:
            _fit_pattern(rules, column, known, is_text=column.name in texts)
    free = [column for column in columns if column.cost and column.name not in rules.patterns]
    told = {number: facets_of(fields) for number, fields in pages.items()}
    ways = {name: {number: facets[name] for number, facets in told.items()} for name in next(iter(told.values()))}
    for name, of_page in ways.items():
        _take(name, of_page, free)
    costly = [column for column in free if column.cost and column.name not in lists]
    for is_text in (False, True):
        _fit_copies(rules, [column for column in costly if (column.name in texts) == is_text])
    for column in columns:
        rules.defaults[column.name] = column.default
        for value, of_slot in column.table.items():
            rules.facets.setdefault(column.facet, {}).setdefault(value, {})[column.name] = of_slot
    counts: Counter[str] = Counter()
    for number, fields in pages.items():
        own = {name: of[number] for name, of in slots.items() if number in of}
        counts.update([*rules.stored_by(fields, own)])
    rules.stored = [name for name in slots if counts[name] > _STORED_FROM * len(pages)]
    return rules


def _fit_pattern(rules: Rules, column: _Column, known: Mapping[int, Mapping[str, str]], *, is_text: bool) -> None:
    texts = ((value, known[page]["month"]) for page, value in column.values.items() if isinstance(value, str))
    months = month_names(texts)
    known = {page: {**known[page], "month_name": months.get(known[page]["month"], "")} for page in column.values}
    found: Counter[Pattern] = Counter()
    for page, value in column.values.items():
        found.update(_patterns(value, known[page], is_text=is_text))
    for pattern, count in found.most_common(2):
        if count < 2 or count < _LEAST_PATTERN * len(column.values):
            break
        given = {page: filled(pattern, known[page], is_text=is_text) for page in column.values}
        wrong = (value for page, value in column.values.items() if value != (given[page] or column.default))
        cost = _PATTERN + sum(map(_cost, wrong))
        if cost < column.cost:
            column.cost, rules.patterns[column.name] = cost, pattern
            if "month_name" in pattern[1::2]:
                rules.months[column.name] = months
    if column.name not in rules.patterns and column.default == "" and not is_text:
        said = (_plain(value) == known[page].get("title") for page, value in column.values.items())
        if sum(said) >= _LEAST_PATTERN * len(column.values):
            rules.patterns[column.name] = ("", "title", "")  # of a new page, as headings may have elements


def _plain(value: Plain) -> str | None:
    return " ".join(unescape(_TAG.sub("", value)).split()) if isinstance(value, str) and "<" in value else None


def _fit_link(rules: Rules, column: _Column, known: Mapping[int, Mapping[str, str]], links: Sequence[str]) -> None:
    """Let an item be active on the page that it leads to, and a menu have there the item that does."""
    here = {
        page: next((link for link in (of["link"], of["address"]) if link in links), "")
        for page, of in known.items()
    }
    there = {here[page]: value for page, value in column.values.items() if here[page]}
    elsewhere = [value for page, value in column.values.items() if not here[page]]
    if not there or not elsewhere:
        return
    if 2 * sum(link == value for link, value in there.items()) > len(there):
        there = {link: link for link in links}  # also on pages that are new
    usual = column.default if column.is_menu else Counter(elsewhere).most_common(1)[0][0]
    cost = sum(_cost(value) for page, value in column.values.items() if value != there.get(here[page], usual))
    if cost < column.cost:
        column.cost, column.default, rules.links[column.name] = cost, usual, there


def _fit_copies(rules: Rules, free: Sequence[_Column]) -> None:
    """Let slots follow from one before them whose value stands in theirs."""
    for at, column in enumerate(free):
        for other in (one for one in free[:at] if one.name not in rules.copies):
            around: Counter[tuple[str, str]] = Counter()
            for page, value in column.values.items():
                held = other.values.get(page)
                if (
                    isinstance(value, str)
                    and isinstance(held, str)
                    and len(held) >= _LEAST_COPIED
                    and held in value
                ):
                    before, _, after = value.partition(held)
                    around[before, after] += 1
            (before, after), count = next(iter(around.most_common(1)), (("", ""), 0))
            made = (
                f"{before}{held}{after}" if (held := other.values.get(page)) else None for page in column.values
            )
            wrong = [value for value, one in zip(column.values.values(), made, strict=True) if value != one]
            if count > 1 and sum(map(_cost, wrong)) < column.cost:
                rules.copies[column.name] = before, other.name, after
                break


def _take(name: str, of_page: Mapping[int, str], free: Sequence[_Column]) -> None:
    for column in free:
        cost, table = column.by_facet(of_page)
        if table and cost < column.cost:
            column.cost, column.facet, column.table = cost, name, table
