"""Read the text around a page's heading, where its author and its dates stand.

Control characters in it mark what the page marks as an author or a date. Those of the page itself are removed.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

from sitestencil.page.document import Document

INLINE, AUTHOR, DATE, DATE_END, MODIFIED, TEMPLATE = "\x01\x02\x03\x04\x05\x06"

_MOST_STEPS, _MOST_PIECES = 1_000, 300
_MOST_BEFORE = 40  # steps from an ancestor to the heading
_ANCESTORS = 4
_MOST_OF_HEADING = 40  # texts, or elements
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


def heading_text(document: Document, heading: int) -> str:
    """Return the text of a heading, with white space collapsed; a long one is cut."""
    texts = [document.texts[run].text[:_MOST_OF_TEXT] for run in document.runs(heading)[:_MOST_OF_HEADING]]
    return " ".join("".join(texts).split())


def text_around(document: Document, heading: int, template_texts: Sequence[bool] = ()) -> tuple[str, str]:
    """Return the marked text before and after a heading, without that of other parts of the page.

    All of an article is after its beginning.

    Args:
        document: the page.
        heading: the element that is the heading, or an article.
        template_texts: per text, whether other pages of the site have it in the same place; empty if unknown.
    """
    if document.tags[heading] == "article":
        return _Around(document, -1, template_texts).read(heading)
    places = document.text_places
    path = [above for above in document.path(heading) if document.tags[above] not in _ALL_OF_PAGE]
    for start in path[-_ANCESTORS - 1 :]:
        if heading - start + bisect_left(places, heading) - bisect_left(places, start) < _MOST_BEFORE:
            return _Around(document, heading, template_texts).read(start)
    return "", ""


class _Around:
    def __init__(self, document: Document, heading: int, template_texts: Sequence[bool]) -> None:
        self._document = document
        self._heading = heading
        self._template_texts = template_texts
        self._before = ""
        self._is_after = False
        self._pieces: list[str] = []
        # Each open element: its number, its name, its end as text, and the number of pieces before it.
        self._open: list[tuple[int, str, str, int]] = []
        self._long = 0
        self._beside = self._marked = 0  # elements beside the article that are open, and marked ones in them

    def read(self, start: int) -> tuple[str, str]:
        """Read elements and texts in document order, from an element on; return what is before and after."""
        texts, places, ends = self._document.texts, self._document.text_places, self._document.ends
        element, run = start, bisect_left(places, start)
        for _ in range(_MOST_STEPS):
            if self._long > _MOST_LONG or len(self._pieces) > _MOST_PIECES:
                break
            if run < len(texts) and places[run] < element:
                self._close_before(texts[run].parent)
                self._add_text(run)
                run += 1
            elif element < len(ends):
                self._close_before(self._document.parents[element])
                if self._is_after and self._begins_a_card(self._document.tags[element]):
                    self._drop_card()
                    break
                has_text = run < len(texts) and texts[run].parent == element
                first, element = element, element + 1
                if self._passes(first, run if has_text else -1):
                    element = ends[first]
                    while run < len(texts) and first <= texts[run].parent < element:
                        run += 1
            else:
                break
        return self._before, self._text()

    def _passes(self, element: int, run: int) -> bool:
        """Read an element and its first text (-1: none); return whether what is in it counts no more."""
        if element != self._heading:
            is_template = run >= 0 and bool(self._template_texts) and self._template_texts[run]
            return self._add_element(element, is_template=is_template)
        self._before, self._pieces, self._is_after = self._text(), [], True
        # An element around the page's own heading is no card of another page.
        self._open = [(open_one, "", end, 0) for open_one, _, end, _ in self._open]
        self._beside = self._marked = 0
        return True

    def _text(self) -> str:
        return _LINE_END.sub("\n", "".join(self._pieces))

    def _holds_heading(self, element: int) -> bool:
        return element < self._heading < self._document.ends[element]

    def _close_before(self, parent: int) -> None:
        """Close the open elements that do not hold what stands directly in a parent."""
        while self._open and not self._open[-1][0] <= parent < self._document.ends[self._open[-1][0]]:
            _, tag, end, _ = self._open.pop()
            self._pieces.append(end)
            if self._marked:
                self._marked -= 1
            elif tag in _BESIDE:
                self._beside -= 1

    def _add_text(self, run: int) -> None:
        text = self._document.texts[run].text
        if text and not text.isspace() and (self._marked or not self._beside):
            text = _SPACE.sub(" ", text[:_MOST_OF_TEXT])
            self._long += len(text) if len(text) > _LONG_LINE else 0
            is_template = bool(self._template_texts) and self._template_texts[run]
            self._pieces.append(text + TEMPLATE if is_template else text)

    def _begins_a_card(self, name: str) -> bool:
        """Return whether a link and a heading are in each other: the title of another page."""
        if name != "a" and name not in _HEADINGS:
            return False
        return any(tag in _HEADINGS if name == "a" else tag == "a" for _, tag, _, _ in self._open)

    def _drop_card(self) -> None:
        for _, tag, _, before in reversed(self._open):
            if tag in _CARDS:
                del self._pieces[before:]
                return

    def _add_element(self, element: int, *, is_template: bool) -> bool:
        """Add the marks of an element; return whether what is in it counts no more."""
        tag, attributes = self._document.tags[element], self._document.attributes[element]
        begin, end = (INLINE, INLINE) if tag in _INLINE else ("\n", "\n")
        is_skipped, is_author, is_said = tag in _SKIPPED, False, False
        if attributes and not is_skipped:
            says = {word for name in _SAYING for word in (attributes.get(name) or "").split()}
            is_dated = not says.isdisjoint(_DATES)
            date = attributes.get("datetime") or (attributes.get("content") if is_dated else None)
            if date and (is_template or (self._beside and not is_dated)):
                return True
            if date:
                kind = MODIFIED if "dateModified" in says else ""
                text = f"{kind}{DATE}{_SPACE.sub(' ', date[:_MOST_OF_TEXT])}{DATE_END}"
                self._pieces.append(f"{begin}{text}{end}")
                return True
            named = attributes.get("class") or "", attributes.get("id") or ""
            is_skipped, is_author = _meaning(f"{named[0]} {named[1]}"[:_MOST_OF_TEXT])
            is_skipped = is_skipped and not self._holds_heading(element)
            begin += MODIFIED if "dateModified" in says else ""
            is_said = not says.isdisjoint(_AUTHORS)
            is_author = is_author or is_said or _AUTHOR_PAGE.search(attributes.get("href") or "") is not None
        if not is_skipped:
            self._open.append((element, tag, end, len(self._pieces)))
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
