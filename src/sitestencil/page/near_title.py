"""Read the text around a page's heading, where its author and its dates stand.

Control characters in it mark what the page marks as an author or a date. Those of the page itself are removed.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import islice
from typing import NamedTuple

from sitestencil.page.document import NO_ATTRIBUTES, Document

INLINE, AUTHOR, DATE, DATE_END, MODIFIED, TEMPLATE = "\x01\x02\x03\x04\x05\x06"

_MOST_STEPS, _MOST_PIECES = 1_000, 300
_MOST_BEFORE = 40  # steps from an ancestor to the heading
_ANCESTORS = 4
_MOST_OF_HEADING = 40  # steps
_LONG_LINE, _MOST_LONG = 120, 600  # characters: the article itself has begun
_MOST_OF_TEXT = 300
_ALL_OF_PAGE = frozenset({"html", "body"})
_HEADINGS = frozenset({"h1", "h2", "h3"})
_CARD_HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})
_CARD_STEPS = 3
_CARDS = frozenset({"article", "li", "section"})
_INLINE = frozenset("a abbr b bdi cite em font i small span strong sub sup time u".split())
_SKIPPED = frozenset("button figcaption form head iframe noscript option script select style svg template".split())
# Of these only what is marked as the page's author or date counts.
_BESIDE = frozenset({"aside", "footer", "nav"})
_SKIPPED_NAMES = re.compile(
    r"(?<![a-z])(?:bread-?crumbs?|comments?|related|recommend\w*|sidebar|trending|popular|newsletter|share|"
    r"social|cookies?|promo|wp-caption|credits?)(?![a-z])"
)
_AUTHOR_NAMES = re.compile(r"aut(?:h?or|eur)(?![it])|verfasser|by-?line|(?<![a-z])creator|user-?name")
# WordPress names a post's categories and tags in its classes.
_SUBJECTS = re.compile(r"(?<!\S)(?:category|tag)-\S*")
_AUTHOR_PAGE = re.compile(r"/(?:authors?|autore?n?|auteurs?|contributors?|by)/[^/?#]+/?$")
_LINE_END = re.compile(rf"[\s{INLINE}]*\n[\s{INLINE}]*")
_SAYING = ("itemprop", "property", "rel")
_DATES = frozenset({"datePublished", "dateModified", "dateCreated", "article:published_time"})
_AUTHORS = frozenset({"author", "creator", "schema:author", "dc:creator"})
_SPACE = re.compile(r"[\s\x00-\x1f\x7f]+")


class Step(NamedTuple):
    """An element or a text, on a way through a page in document order.

    Attributes:
        depth: its depth below the way's first element; 0 or less for what stands after that.
        element: the element's number; -1 for a text.
        tag: the element's name; empty for a text.
        attributes: the element's attributes.
        text: the text.
        is_template: whether other pages of the site have the text in the same place.
    """

    depth: int
    element: int
    tag: str
    attributes: Mapping[str, str]
    text: str = ""
    is_template: bool = False


# A way takes a set for the numbers of elements that it passes over, once it has yielded them.
Way = Callable[[set[int]], Iterator[Step]]


class Heading(NamedTuple):
    """A heading, or an article.

    Attributes:
        document: its document.
        element: its number.
        template_texts: per text, whether other pages of the site have it in the same place; empty if unknown.
    """

    document: Document
    element: int
    template_texts: Sequence[bool]

    @property
    def tag(self) -> str:
        """Its name."""
        return self.document.tags[self.element]

    def ways(self) -> Sequence[Way]:
        """Return ways through the page: from it, from its parent, and so on."""
        tags = self.document.tags
        path = [above for above in reversed(self.document.path(self.element)) if tags[above] not in _ALL_OF_PAGE]
        return [partial(_steps, self.document, above, self.template_texts) for above in path[: _ANCESTORS + 1]]


def _steps(document: Document, start: int, template_texts: Sequence[bool], passed: set[int]) -> Iterator[Step]:
    texts, parents, ends = document.texts, document.parents, document.ends

    def place(run: int) -> int:
        """Return the number of the first element after a text."""
        text = texts[run]
        return ends[text.after] if text.after >= 0 else text.parent + 1

    depths = {above: -level for level, above in enumerate(reversed(document.path(start)))}
    run = bisect_left(range(len(texts)), start + 1, key=place)
    element = start
    while element <= len(document):
        while run < len(texts) and place(run) <= element:
            text = texts[run]
            depth = depths.get(text.parent, 0) + 1
            yield Step(depth, -1, "", NO_ATTRIBUTES, text.text, bool(template_texts) and template_texts[run])
            run += 1
        if element == len(document):
            return
        depth = depths[element] = depths[parents[element]] + 1 if element > start else 0
        has_text = run < len(texts) and texts[run].parent == element
        is_template = bool(template_texts) and has_text and template_texts[run]
        yield Step(depth, element, document.tags[element], document.attributes[element], "", is_template)
        end = ends[element] if element in passed else element + 1
        while element in passed and run < len(texts) and element <= texts[run].parent < end:
            run += 1
        element = end


def heading_text(heading: Heading) -> str:
    """Return the text of a heading, with white space collapsed; a long one is cut."""
    texts = list[str]()
    for step in islice(heading.ways()[0](set()), _MOST_OF_HEADING):
        if step.depth <= 0 and step.element != heading.element:
            break
        texts.append(step.text[:_MOST_OF_TEXT])
    return " ".join("".join(texts).split())


def text_around(heading: Heading) -> tuple[str, str]:
    """Return the marked text before and after a heading, without that of other parts of the page.

    All of an article is after its beginning.
    """
    ways = heading.ways()
    if heading.tag == "article":
        return _Around(heading.document, -1).read(ways[0])
    for way in reversed(ways):
        if any(step.element == heading.element for step in islice(way(set()), _MOST_BEFORE)):
            return _Around(heading.document, heading.element).read(way)
    return "", ""


class _Around:
    def __init__(self, document: Document, heading: int) -> None:
        self._document = document
        self._heading = heading
        self._before = ""
        self._pieces: list[str] = []
        # Of each open element: its depth, its name, its end as text, and the number of pieces before it.
        self._open: list[tuple[int, str, str, int]] = []
        self._long = 0
        self._beside = self._marked = 0  # elements beside the article that are open, and marked ones in them

    def read(self, way: Way) -> tuple[str, str]:
        is_after, passed = False, set[int]()
        for step in islice(way(passed), _MOST_STEPS):
            if self._long > _MOST_LONG or len(self._pieces) > _MOST_PIECES:
                break
            while self._open and self._open[-1][0] >= step.depth:
                self._close()
            if not step.tag:
                self._add_text(step)
            elif step.element == self._heading:
                self._before, self._pieces = self._text(), []
                # An element around the page's own heading is no card of another page.
                self._open = [(depth, "", end, 0) for depth, _, end, _ in self._open]
                self._beside = self._marked = 0
                passed.add(step.element)
                is_after = True
            elif is_after and self._begins_a_card(step):
                self._drop_card()
                break
            elif self._add_element(step):
                passed.add(step.element)
        return self._before, self._text()

    def _text(self) -> str:
        return _LINE_END.sub("\n", "".join(self._pieces))

    def _holds_heading(self, element: int) -> bool:
        return element < self._heading < self._document.ends[element]

    def _close(self) -> None:
        _, tag, end, _ = self._open.pop()
        self._pieces.append(end)
        if self._marked:
            self._marked -= 1
        elif tag in _BESIDE:
            self._beside -= 1

    def _add_text(self, step: Step) -> None:
        if self._beside and not self._marked:
            return
        if step.text and not step.text.isspace():
            text = _SPACE.sub(" ", step.text[:_MOST_OF_TEXT])
            self._long += len(text) if len(text) > _LONG_LINE else 0
            self._pieces.append(text + TEMPLATE if step.is_template else text)

    def _begins_a_card(self, step: Step) -> bool:
        """Return whether a link and a heading are in each other: the title of another page."""
        if step.tag != "a" and step.tag not in _HEADINGS:
            return False
        return any(tag in _HEADINGS if step.tag == "a" else tag == "a" for _, tag, _, _ in self._open)

    def _drop_card(self) -> None:
        for _, tag, _, before in reversed(self._open):
            if tag in _CARDS:
                del self._pieces[before:]
                return

    def _add_element(self, step: Step) -> bool:
        """Add the marks of an element; return whether what is in it counts no more."""
        tag, attributes = step.tag, step.attributes
        begin, end = (INLINE, INLINE) if tag in _INLINE else ("\n", "\n")
        is_skipped, is_author, is_said = tag in _SKIPPED, False, False
        if attributes and not is_skipped:
            says = {word for name in _SAYING for word in (attributes.get(name) or "").split()}
            is_dated = not says.isdisjoint(_DATES)
            date = attributes.get("datetime") or (attributes.get("content") if is_dated else None)
            if date and (step.is_template or (self._beside and not is_dated)):
                return True
            if date:
                kind = MODIFIED if "dateModified" in says else ""
                text = f"{kind}{DATE}{_SPACE.sub(' ', date[:_MOST_OF_TEXT])}{DATE_END}"
                self._pieces.append(f"{begin}{text}{end}")
                return True
            named = attributes.get("class") or "", attributes.get("id") or ""
            is_skipped, is_author = _meaning(f"{named[0]} {named[1]}"[:_MOST_OF_TEXT])
            is_skipped = is_skipped and not self._holds_heading(step.element)
            begin += MODIFIED if "dateModified" in says else ""
            is_said = not says.isdisjoint(_AUTHORS)
            is_author = is_author or is_said or _AUTHOR_PAGE.search(attributes.get("href") or "") is not None
        if not is_skipped:
            self._open.append((step.depth, tag, end, len(self._pieces)))
            if self._marked or (self._beside and is_said):
                self._marked += 1
            elif tag in _BESIDE:
                self._beside += 1
            self._pieces.append(begin + AUTHOR if is_author and (self._marked or not self._beside) else begin)
        return is_skipped


@lru_cache(4096)
def _meaning(named: str) -> tuple[bool, bool]:
    """Return whether an element's class and id name a part that is skipped, and an author."""
    named = _SUBJECTS.sub("", named.lower())
    return _SKIPPED_NAMES.search(named) is not None, _AUTHOR_NAMES.search(named) is not None


def is_of_another_part(document: Document, element: int) -> bool:
    """Return whether an element is in a part of a page that tells of other things: a comment, a sidebar, a card."""
    path = document.path(element)
    for above in path:
        if document.tags[above] in _ALL_OF_PAGE:
            continue
        attributes = document.attributes[above]
        # Credits name who took a picture, but also the day of an issue.
        named = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"[:_MOST_OF_TEXT].replace(
            "credit", ""
        )
        if document.tags[above] in _SKIPPED | _BESIDE or _meaning(named)[0]:
            return True
        if document.tags[above] == "li" and "a" in document.tags[above : document.ends[above]]:
            return True
    return any(
        _has_linked_heading(document, above) for above in path[-_CARD_STEPS:] if above > (document.body or 0)
    )


def _has_linked_heading(document: Document, element: int) -> bool:
    tags, end = document.tags, min(document.ends[element], element + _MOST_OF_HEADING)
    for part in range(element, end):
        if tags[part] in _CARD_HEADINGS or tags[part] == "a":
            inner = {tags[one] for one in range(part + 1, document.ends[part])}
            if inner & _CARD_HEADINGS if tags[part] == "a" else "a" in inner:
                return True
    return False
