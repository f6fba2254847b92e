"""Match CSS selectors on a document.

Anybody may have written a rules file, so selectors may use only: names, classes, ids, attributes, a few numbered
pseudo-classes, and the four combinators. Each step visits each element at most once, which bounds the time.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import cssselect
from cssselect import parser

from sitestencil.errors import UnusableRules, shown
from sitestencil.page.document import Document

LONGEST_SELECTOR = 1000
MOST_STEPS = 64

Test = Callable[["Elements", int], bool]
_COMPARISONS: dict[str, Callable[[str, str], bool]] = {
    "=": lambda value, wanted: value == wanted,
    "~=": lambda value, wanted: wanted in value.split(),
    "|=": lambda value, wanted: value == wanted or value.startswith(f"{wanted}-"),
    "^=": lambda value, wanted: bool(wanted) and value.startswith(wanted),
    "$=": lambda value, wanted: bool(wanted) and value.endswith(wanted),
    "*=": lambda value, wanted: bool(wanted) and wanted in value,
}
_PSEUDO_CLASSES: dict[str, Test] = {
    "root": lambda elements, element: element == 0,
    "first-child": lambda elements, element: elements.number(element) == 1,
    "last-child": lambda elements, element: elements.number(element) == elements.count(element),
    "first-of-type": lambda elements, element: elements.number_of_type(element) == 1,
}
_NUMBERED: dict[str, Callable[["Elements", int], int]] = {
    "nth-child": lambda elements, element: elements.number(element),
    "nth-of-type": lambda elements, element: elements.number_of_type(element),
}


class Step(NamedTuple):
    """A part of a selector between two combinators.

    Attributes:
        combinator: its relation to the step before: a space, ``>``, ``+`` or ``~``; a space for the first.
        tag: the required tag; None for any.
        name: the required id; None for any.
        classes: the required classes.
        tests: all other conditions.
    """

    combinator: str
    tag: str | None
    name: str | None
    classes: tuple[str, ...]
    tests: tuple[Test, ...]


class Selector:
    """A checked CSS selector.

    Raises:
        UnusableRules: it is invalid, too long, or has a forbidden part.

    Example:
        >>> from sitestencil import parse
        >>> page = parse("<ul><li class='new'>One<li>Two</ul>", "https://site.example/")
        >>> Selector("ul > li.new").select(Elements(page))
        [4]
    """

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST_SELECTOR:
            raise UnusableRules(f"A selector has at most {LONGEST_SELECTOR} characters, not {len(text)}.")
        self.text = text
        try:
            self._groups = [_steps(group) for group in cssselect.parse(text)]
        except (cssselect.SelectorError, RecursionError) as error:
            raise UnusableRules(f"{shown(text)} is no CSS selector: {error}.") from None
        except UnusableRules as error:
            raise UnusableRules(f"{shown(text)}: {error}") from None
        if self.steps > MOST_STEPS:
            raise UnusableRules(f"{shown(text)} has more than {MOST_STEPS} steps.")

    def __repr__(self) -> str:
        """Return the selector's text."""
        return f"<Selector {self.text}>"

    @property
    def steps(self) -> int:
        """The number of steps: each visits the page's elements once."""
        return sum(map(len, self._groups))

    def select(self, elements: "Elements") -> list[int]:
        """Return the matching elements in document order."""
        selected: set[int] = set()
        for steps in self._groups:
            selected.update(elements.select(steps))
        return sorted(selected)


class Elements:
    """A document's elements for selectors, without those in shadow roots and frames."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def select(self, steps: Sequence[Step]) -> list[int]:
        """Return the elements that the last step matches, in document order."""
        before: list[int] = []
        for number, step in enumerate(steps):
            reached = self._candidates(step)
            if number:
                reached = self._related(step.combinator, before, reached)
            before = [element for element in reached if self._passes(step, element)]
        return before

    def number(self, element: int) -> int:
        """Return an element's position among its siblings, from 1."""
        return self._numbers[element][0]

    def number_of_type(self, element: int) -> int:
        """Return an element's position among siblings with its tag."""
        return self._numbers[element][1]

    def count(self, element: int) -> int:
        """Return the number of children of the element's parent."""
        parent = self._document.parents[element]
        return len(self._document.children[parent]) if parent >= 0 else 1

    def attribute(self, element: int, name: str) -> str | None:
        """Return the value of an attribute."""
        return self._document.attributes[element].get(name)

    def _candidates(self, step: Step) -> Iterable[int]:
        if step.name is not None:
            return self._by_id.get(step.name, ())
        if step.classes:
            return min((self._by_class.get(name, []) for name in step.classes), key=len)
        return self._by_tag.get(step.tag, ()) if step.tag is not None else self._own

    def _passes(self, step: Step, element: int) -> bool:
        document = self._document
        return (
            (step.tag is None or document.tags[element].lower() == step.tag)
            and document.classes[element].issuperset(step.classes)
            and all(test(self, element) for test in step.tests)
        )

    def _related(self, combinator: str, before: list[int], reached: Iterable[int]) -> list[int]:
        """Return the reached elements that have the combinator's relation to one before."""
        document = self._document
        if combinator == " ":
            return self._below(before, reached)
        if combinator == ">":
            parents = set(before)
            return [element for element in reached if document.parents[element] in parents]
        first: dict[int, int] = {}
        if combinator == "~":
            for element in before:
                first.setdefault(document.parents[element], element)
            return [e for e in reached if first.get(document.parents[e], e) < e and document.parents[e] >= 0]
        following = {(document.parents[element], self.number(element) + 1) for element in before if element}
        return [e for e in reached if (document.parents[e], self.number(e)) in following]

    def _below(self, before: list[int], reached: Iterable[int]) -> list[int]:
        """Return the reached elements that are descendants of one before."""
        starts: list[int] = []
        ends: list[int] = []
        for element in before:
            if not ends or element >= ends[-1]:
                starts.append(element)
                ends.append(self._document.ends[element])
        below = []
        for element in reached:
            over = bisect_right(starts, element - 1) - 1
            if over >= 0 and element < ends[over]:
                below.append(element)
        return below

    @cached_property
    def _own(self) -> list[int]:
        """The elements of the page's own tree, in document order."""
        document, inside = self._document, set[int]()
        for root in document.embedded:
            inside.update(range(root, document.ends[root]))
        return [element for element in range(len(document)) if element not in inside]

    @cached_property
    def _by_tag(self) -> dict[str, list[int]]:
        return _grouped((self._document.tags[element].lower(), element) for element in self._own)

    @cached_property
    def _by_class(self) -> dict[str, list[int]]:
        classes = self._document.classes
        return _grouped((name, element) for element in self._own for name in classes[element])

    @cached_property
    def _by_id(self) -> dict[str, list[int]]:
        return _grouped((name, element) for element in self._own if (name := self._document.id(element)))

    @cached_property
    def _numbers(self) -> dict[int, tuple[int, int]]:
        numbers = {0: (1, 1)}
        for children in self._document.children:
            of_type: dict[str, int] = {}
            for number, child in enumerate(children, start=1):
                tag = self._document.tags[child]
                of_type[tag] = of_type.get(tag, 0) + 1
                numbers[child] = (number, of_type[tag])
        return numbers


def topmost(document: Document, elements: Sequence[int]) -> Iterator[int]:
    """Yield the elements that have no ancestor among the others."""
    end = 0
    for element in elements:
        if element >= end:
            end = document.ends[element]
            yield element


def _not_allowed(part: str) -> UnusableRules:
    return UnusableRules(
        f"a rule's selector may not have {part}. It may have names, .classes, #ids, [attributes], :nth-child(), "
        ":nth-of-type() and the combinators."
    )


def _grouped(pairs: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = {}
    for name, element in pairs:
        groups.setdefault(name, []).append(element)
    return groups


def _steps(group: cssselect.Selector) -> list[Step]:
    if group.pseudo_element is not None:
        raise _not_allowed(f"the pseudo-element ::{group.pseudo_element}")
    steps: list[Step] = []
    tree: Any = group.parsed_tree
    while isinstance(tree, parser.CombinedSelector):
        steps.append(_step(tree.combinator, tree.subselector))
        tree = tree.selector
    steps.append(_step(" ", tree))
    steps.reverse()
    return steps


def _step(combinator: str, tree: Any) -> Step:  # noqa: ANN401 - the parser's classes share no base
    if combinator not in {" ", ">", "+", "~"}:
        raise _not_allowed(f"the combinator {combinator}")
    names: list[str] = []
    classes: list[str] = []
    tests: list[Test] = []
    while not isinstance(tree, parser.Element):
        if isinstance(tree, parser.Class):
            classes.append(tree.class_name)
        elif isinstance(tree, parser.Hash):
            names.append(tree.id)
        else:
            tests.append(_test(tree))
        tree = tree.selector
    if tree.namespace is not None:
        raise _not_allowed("a namespace")
    tests += [_is_attribute("id", "=", name) for name in names[1:]]
    tag = None if tree.element is None else tree.element.lower()
    return Step(combinator, tag, names[0] if names else None, tuple(classes), tuple(tests))


def _test(tree: Any) -> Test:  # noqa: ANN401
    if isinstance(tree, parser.Attrib) and tree.namespace is None:
        if tree.operator == "exists":
            name = tree.attrib.lower()
            return lambda elements, element: elements.attribute(element, name) is not None
        if tree.operator in _COMPARISONS and tree.value is not None:
            return _is_attribute(tree.attrib.lower(), tree.operator, str(tree.value.value))
        raise _not_allowed(f"the comparison {tree.operator}")
    if isinstance(tree, parser.Pseudo) and tree.ident in _PSEUDO_CLASSES:
        return _PSEUDO_CLASSES[tree.ident]
    if isinstance(tree, parser.Function) and tree.name in _NUMBERED:
        return _is_numbered(tree)
    name = getattr(tree, "ident", None) or getattr(tree, "name", None) or type(tree).__name__.lower()
    raise _not_allowed(f":{name}")


def _is_attribute(name: str, operator: str, wanted: str) -> Test:
    compare = _COMPARISONS[operator]

    def test(elements: Elements, element: int) -> bool:
        value = elements.attribute(element, name)
        return value is not None and compare(value, wanted)

    return test


def _is_numbered(function: Any) -> Test:  # noqa: ANN401
    number_of = _NUMBERED[function.name]
    try:
        step, offset = parser.parse_series(function.arguments)
    except ValueError:
        raise _not_allowed(f":{function.name}() with such a number") from None

    def test(elements: Elements, element: int) -> bool:
        beyond = number_of(elements, element) - offset
        return beyond == 0 if step == 0 else beyond % step == 0 and beyond // step >= 0

    return test
