"""A document: the browser's element tree, stored as columns.

Elements are numbered in document order, as in ``document.querySelectorAll('*')``. So a subtree is a range of
numbers, and every column is a plain list. Text nodes have a list of their own. Open shadow roots and the documents
of same-origin frames occur only in live pages. They are embedded trees: a ``template`` element with the attribute
``shadowrootmode``, and an ``html`` element below its frame.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import NamedTuple, TypeVar

from sitestencil.page.html_names import LINKS
from sitestencil.page.parser_rules import Namespace, RenderingMode, foreign_elements

NO_ATTRIBUTES: Mapping[str, str] = {}
_NO_CLASSES: frozenset[str] = frozenset()
# The number of elements in a link that contribute to its label.
LABEL_ELEMENTS = 16

_Found = TypeVar("_Found")


class TextRun(NamedTuple):
    """A text node: its parent element, the sibling element directly before it (-1: none), and its text."""

    parent: int
    after: int
    text: str


class Box(NamedTuple):
    """An element's box on the rendered page, in CSS pixels from the page's top left corner."""

    x: float
    y: float
    width: float
    height: float


class LinkLabel(NamedTuple):
    """A link's label: the attributes of its element, and its text with its pictures' alternative texts."""

    attributes: Mapping[str, str | None]
    text: str


@dataclass(frozen=True, eq=False, repr=False)
class Document:
    """An element tree as columns with one entry per element, in document order.

    Attributes:
        url: the page's own address.
        base: the address against which relative links resolve.
        tags: local names as the browser has them: lower case for HTML elements from a parser.
        parents: the index of the parent element; -1 for the root, element 0.
        attributes: attribute names and values; an attribute without a value has the empty string.
        texts: the text nodes in document order.
        scripting: whether ``noscript`` was parsed as text, as a browser with scripts on does.
        doctype: the document type's name; None in quirks mode.
        boxes: each element's box on the rendered page; None if nothing was rendered.
        mode: the rendering mode; None if only the doctype's name is known, which then decides.
        known_namespaces: in a live page, the namespace of each element that is not HTML. None if the tree comes
            from the parser, whose rules then decide.
        known_lines: in a live page, per element, whether the line ends of its own text show; None if no browser
            told.
        json_ld: of a live page, scripts of JSON-LD that are not among the texts.

    Example:
        >>> from sitestencil import parse
        >>> page = parse("<ul><li class='first'>One<li>Two</ul>", "https://site.example/")
        >>> list(zip(page.tags, page.parents))
        [('html', -1), ('head', 0), ('body', 0), ('ul', 2), ('li', 3), ('li', 3)]
        >>> page.attributes[4], page.texts
        ({'class': 'first'}, [TextRun(parent=4, after=-1, text='One'), TextRun(parent=5, after=-1, text='Two')])
    """

    url: str
    base: str
    tags: Sequence[str]
    parents: Sequence[int]
    attributes: Sequence[Mapping[str, str]]
    texts: Sequence[TextRun]
    scripting: bool = False
    doctype: str | None = None
    boxes: Sequence[Box] | None = None
    mode: RenderingMode | None = None
    known_namespaces: Mapping[int, Namespace] | None = None
    known_lines: Sequence[bool] | None = None
    json_ld: Sequence[str] = ()

    def __repr__(self) -> str:
        """Return the page's address and size; asyncio calls this when a task ends."""
        return f"<Document {self.url} of {len(self)} elements>"

    def __len__(self) -> int:
        """Return the number of elements."""
        return len(self.tags)

    @cached_property
    def children(self) -> list[list[int]]:
        """The child elements of each element in the page's own tree, without embedded roots."""
        children: list[list[int]] = [[] for _ in self.parents]
        embedded = set(self.embedded)
        for element, parent in enumerate(self.parents):
            if parent >= 0 and element not in embedded:
                children[parent].append(element)
        return children

    @cached_property
    def ends(self) -> list[int]:
        """One past the last element of each subtree, so that a subtree is ``range(element, ends[element])``."""
        return ends_of(self.parents)

    @cached_property
    def _of_tags(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for element, tag in enumerate(self.tags):
            if tag in found:
                found[tag].append(element)
            else:
                found[tag] = [element]
        return found

    @cached_property
    def _of_attributes(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for element, attributes in enumerate(self.attributes):
            for name in attributes:
                if name in found:
                    found[name].append(element)
                else:
                    found[name] = [element]
        return found

    def tagged(self, *tags: str) -> list[int]:
        """Return the elements of some tags, in document order."""
        of_tags = self._of_tags
        return sorted(element for tag in tags if tag in of_tags for element in of_tags[tag])

    def having(self, *names: str) -> list[int]:
        """Return the elements that have one of some attributes, in document order."""
        found, of_attributes = set[int](), self._of_attributes
        found.update(*(of_attributes[name] for name in names if name in of_attributes))
        return sorted(found)

    @cached_property
    def classes(self) -> list[frozenset[str]]:
        """The class set of each element."""
        classes = [_NO_CLASSES] * len(self)
        for element in self.having("class"):
            classes[element] = frozenset(self.attributes[element]["class"].split())
        return classes

    @cached_property
    def own_texts(self) -> dict[int, list[int]]:
        """The indices of the text runs of each element that has text other than white space."""
        runs_of: dict[int, list[int]] = {}
        for run, (parent, _, text) in enumerate(self.texts):
            if text and not text.isspace():
                runs_of.setdefault(parent, []).append(run)
        return runs_of

    @cached_property
    def text_places(self) -> list[int]:
        """The last element before each text run."""
        ends = self.ends
        return [parent if after < 0 else ends[after] - 1 for parent, after, _ in self.texts]

    def runs(self, element: int) -> range:
        """Return the indices of the text runs in an element."""
        places = self.text_places
        first, last = bisect_left(places, element), bisect_left(places, self.ends[element])
        while last > first and self.texts[last - 1].parent < element:
            last -= 1
        return range(first, last)

    def text_content(self, element: int) -> str:
        """Return all text in an element, as the DOM's ``textContent`` does."""
        return "".join([self.texts[run].text for run in self.runs(element)])

    @cached_property
    def embedded(self) -> list[int]:
        """The roots of the embedded trees (shadow roots and frame documents), in document order."""
        return [
            element
            for element in self.tagged("html", "template")
            if element and (self.tags[element] == "html" or self.ends[element] > element + 1)
        ]

    @cached_property
    def shadow_hosts(self) -> frozenset[str]:
        """The tags of the elements with an open, non-empty shadow root."""
        return frozenset(self.tags[self.parents[root]] for root in self.shadow_roots)

    @cached_property
    def shadow_roots(self) -> list[int]:
        """The open shadow roots among the embedded roots; in SVG, ``template`` is an ordinary element."""
        roots = [root for root in self.embedded if self.tags[root] == "template"]
        return [root for root in roots if root not in self.namespaces]

    @cached_property
    def namespaces(self) -> Mapping[int, Namespace]:
        """The namespace of each element that is not HTML; most pages have few."""
        if self.known_namespaces is not None:
            return self.known_namespaces
        return foreign_elements(self.tags, self.parents, self.attributes)

    @cached_property
    def rendering_mode(self) -> RenderingMode:
        """The browser's rendering mode: by the standards, or with the quirks of older browsers."""
        return self.mode or ("quirks" if self.doctype is None else "no-quirks")

    @cached_property
    def body(self) -> int | None:
        """The body: the root's first ``body`` or ``frameset`` child; None without one."""
        return next((one for one in self.tagged("body", "frameset") if self.parents[one] == 0), None)

    def id(self, element: int) -> str:
        """Return the element's id; the empty string if it has none."""
        return self.attributes[element].get("id", "")

    def path(self, element: int) -> list[int]:
        """Return the elements from the root down to this one (thesis, Definition 2.2.8)."""
        path = []
        while element >= 0:
            path.append(element)
            element = self.parents[element]
        path.reverse()
        return path

    def hyperlinks(self) -> Iterator[tuple[int, str]]:
        """Yield each link element with its unresolved address, in document order."""
        for element in self.tagged("frame", *LINKS):
            attributes, is_frame = self.attributes[element], self.tags[element] == "frame"
            if not is_frame and "href" in attributes:
                yield element, attributes["href"]
            elif is_frame and attributes.get("src"):
                yield element, attributes["src"]

    def link_label(self, element: int, _reference: str = "") -> LinkLabel:
        """Return the label of an element's link."""
        within = range(element, min(self.ends[element], element + LABEL_ELEMENTS))
        texts = [self.texts[run].text for part in within for run in self.own_texts.get(part, ())]
        texts += [self.attributes[part].get("alt", "") for part in within if self.tags[part] in {"img", "area"}]
        return LinkLabel(self.attributes[element], " ".join(texts).strip())


def ends_of(parents: Sequence[int]) -> list[int]:
    """Return one past the last element of each subtree, from the elements' parents."""
    ends = list(range(1, len(parents) + 1))
    for element in range(len(ends) - 1, 0, -1):
        parent, end = parents[element], ends[element]
        if end > ends[parent]:  # noqa: PLR1730 - a call of max() costs more
            ends[parent] = end
    return ends


def misplaced_element(parents: Sequence[int]) -> int | None:
    """Return the first element whose parent is not on the path to the element before; None in a tree."""
    path: list[int] = []
    for element, parent in enumerate(parents):
        while path and path[-1] != parent:
            path.pop()
        if not path and (element, parent) != (0, -1):
            return element
        path.append(element)
    return None


def once(find: Callable[[Document], _Found]) -> Callable[[Document], _Found]:
    """Let a function run once for each document, which keeps the result."""

    @wraps(find)
    def found(document: Document) -> _Found:
        known = vars(document)
        if find.__qualname__ not in known:
            known[find.__qualname__] = find(document)
        result: _Found = known[find.__qualname__]
        return result

    return found


Range = tuple[int, int]


def ranges(numbers: Iterable[int]) -> list[Range]:
    """Return ascending numbers as half-open ranges that do not touch.

    >>> ranges([0, 1, 2, 7])
    [(0, 3), (7, 8)]
    """
    joined: list[Range] = []
    for number in numbers:
        if joined and joined[-1][1] == number:
            joined[-1] = (joined[-1][0], number + 1)
        else:
            joined.append((number, number + 1))
    return joined
