"""Find the lists of a kind's pages: siblings of one form, of any number, anywhere on a share of the pages."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from sitestencil.page.document import Document
from sitestencil.reading.reading import element_text
from sitestencil.records.columns import Column, columns_of
from sitestencil.records.labels import label_of
from sitestencil.records.names import plain_name
from sitestencil.records.slots import ROW, TRAILS, Place, Slot, leads_around
from sitestencil.rules.site_pages import KindPage
from sitestencil.rules.values import Form
from sitestencil.selectors.candidates import candidates
from sitestencil.selectors.element_selectors import lasting_names

_MOST_ROWS, _MOST_LISTS, _TRIED, _MOST_LEFT = 60, 8, 60, 40
_LEAST_LISTED, _LEAST_SEVERAL, _MOST_OTHER = 0.3, 0.1, 0.1  # of the pages: with rows, several rows, other elements
_MOST_SAME = 0.8  # of the pages with rows, that have the same
_MOST_PAGES, _MOST_COMMON = 0.6, 0.9  # of the pages, that have a row; of the rows, that so many pages have
_LEAST_ALIKE = 0.5  # of the tags and classes of two rows, that both have
_MOST_IN_FORM, _DEEPEST = 60, 3  # elements of a row, and levels, that make its form
_SHORT = 100  # characters of a row that is one text
_MOST_BEYOND = 40  # characters of a row that no column has, such as the text of a post
_ENTRIES, _BRIEF = frozenset({"li", "tr", "dt", "dd"}), frozenset({"a", "span"})  # may be one text; a short one
_AROUND = frozenset(
    {"nav", "navigation", "pagination", "menu", "sidebar", "aside", "share", "sharing", "breadcrumblist"} | TRAILS
)
Rows = tuple[str, tuple[Column, ...]]  # a selector, and the columns


def lists_of(
    learn: Sequence[KindPage], prove: Sequence[KindPage], known: Sequence[Column], most: int
) -> tuple[list[Rows], dict[str, str]]:
    """Return the rows of lists with their columns; and others with content, with why they are no list.

    Rows with a label and its value are none if the value is a known column of the pages.
    """
    chosen, left_out = list[Rows](), dict[str, str]()
    pages, tried = [*learn, *prove], 0
    covered: list[set[int]] = [set() for _ in pages]
    for rows, has_content in _siblings(pages):
        if tried == _TRIED or not all(map(set.isdisjoint, covered, rows)):
            continue
        row = ""
        found: tuple[Column, ...] | str = _why_none(pages, rows, known)
        if not found:
            tried += 1
            row = _selector(pages, rows)
            found = _columns(row, learn, prove, most) if row else "no selector has its rows alone"
        if isinstance(found, tuple) and len(chosen) == _MOST_LISTS:
            found = f"there are {_MOST_LISTS} larger lists"
        if isinstance(found, tuple):
            chosen.append((row, found))
            for page, inside, roots in zip(pages, covered, rows, strict=True):
                inside.update(one for root in roots for one in range(root, page.document.ends[root]))
        elif has_content and len(left_out) < _MOST_LEFT:
            left_out[row or _place(pages, rows)] = found
    return chosen, left_out


def _why_none(pages: Sequence[KindPage], rows: Sequence[Sequence[int]], known: Sequence[Column]) -> str:
    """Return why siblings are of the frame, or no list; empty if they may be one."""
    if _holds(pages, rows, known):
        return "its rows are fields with labels"
    places = [(page, root) for page, roots in zip(pages, rows, strict=True) for root in roots[:_MOST_ROWS]]
    texts = [
        tuple(element_text(page.document, root) for root in roots[:_MOST_ROWS])
        for page, roots in zip(pages, rows, strict=True)
        if roots
    ]
    common = _common(texts)
    if _is_mostly_one(texts) or sum(text in common for one in texts for text in one) > _MOST_COMMON * len(places):
        return "most pages have the same rows"
    if leads_around(places, _AROUND):
        return "they lead around the site"
    several = [(page.document, roots) for page, roots in zip(pages, rows, strict=True) if len(roots) > 1]
    return "" if _is_of_one_form(several) else "its rows are of several forms"


def _holds(pages: Sequence[KindPage], rows: Sequence[Sequence[int]], columns: Sequence[Column]) -> bool:
    """Return whether half of the rows hold the value of a column with a label."""
    held = 0
    for page, roots in zip(pages, rows, strict=True):
        firsts = ((one.name, one.slot.label, one.slot.first(Place(page))) for one in columns)
        values = [
            one
            for name, label, one in firsts
            if one and name == plain_name(label or label_of(page.document, one)[0])
        ]
        held += sum(any(root <= value < page.document.ends[root] for value in values) for root in roots)
    return 2 * held > sum(map(len, rows))


def _common(texts: Sequence[tuple[str, ...]]) -> set[str]:
    """Return the texts of rows that most pages have."""
    on_pages = Counter(text for one in texts for text in {*one})
    return {text for text, times in on_pages.items() if times > max(1.0, _MOST_PAGES * len(texts))}


def _siblings(pages: Sequence[KindPage]) -> list[tuple[list[list[int]], bool]]:
    """Return by page the siblings of one form and place that a share of the pages have, several on some.

    Those with most words of content come first; with whether they have any.
    """
    places: dict[tuple[str, ...], list[list[int]]] = {}
    words: Counter[tuple[str, ...]] = Counter()
    for number, page in enumerate(pages):
        document = page.document
        for parent, children in enumerate(document.children):
            above = tuple(_named(document, one) for one in document.path(parent)[-3:]) if children else ()
            for child in children:
                if said := page.words_in(child):
                    for form in dict.fromkeys((_named(document, child), document.tags[child])):
                        place = (*above, form)
                        places.setdefault(place, [[] for _ in pages])[number].append(child)
                        words[place] += (said & (page.content | page.values)).bit_count()
    return [
        (rows, count > 0)
        for place, count in words.most_common()
        if sum(map(bool, rows := places[place])) >= max(2, _LEAST_LISTED * len(pages))
        and sum(len(one) > 1 for one in rows) >= max(2, _LEAST_SEVERAL * sum(map(bool, rows)))
    ]


def _named(document: Document, element: int) -> str:
    names = lasting_names(document.classes[element])[:2] if document.tags[element] != "body" else ()
    return ".".join([document.tags[element], *names])


def _place(pages: Sequence[KindPage], rows: Sequence[Sequence[int]]) -> str:
    document, row = next((page.document, roots[0]) for page, roots in zip(pages, rows, strict=True) if roots)
    return f"{_named(document, document.parents[row])} > {document.tags[row]}"


def _selector(pages: Sequence[KindPage], rows: Sequence[Sequence[int]]) -> str:
    """Return the first selector with the rows alone, on nearly all pages that have several."""
    sizes = [dict.fromkeys(roots, 1) for roots in rows]
    several = [(page, {*roots}) for page, roots in zip(pages, rows, strict=True) if len(roots) > 1]
    for selector in candidates([page.document for page in pages], sizes)[:_TRIED]:
        # Rows without words stand among the others.
        right = [
            roots <= (found := {*page.matched(selector)})
            and {page.document.parents[one] for one in found} == {page.document.parents[one] for one in roots}
            for page, roots in several
        ]
        if right.count(False) <= _MOST_OTHER * len(right):
            return selector
    return ""


def _columns(row: str, learn: Sequence[KindPage], prove: Sequence[KindPage], most: int) -> tuple[Column, ...] | str:
    """Return the columns of a list, or why it is none."""
    known, held = ([_rows(page, row) for page in pages] for pages in (learn, prove))
    texts = [tuple(element_text(one.page.document, one.root) for one in rows) for rows in known if rows]
    common = _common(texts)
    # A row that most pages have is a heading.
    learned, proved = (
        [one for rows in pages for one in rows if element_text(one.page.document, one.root) not in common]
        for pages in (known, held)
    )
    text = Column("text", Slot(ROW), Form("text"), 1.0, 0.5, "xpath:normalize-space(.)")
    found, _ = columns_of(learned, proved, {}, most)
    if found and median(_length_beyond(found, one) for one in learned) > _MOST_BEYOND:
        found = (*found, text)
    if len(found) > 1:
        return found
    lengths = sorted(len(text) for one in texts for text in one)
    tags = {one.page.document.tags[one.root] for rows in (*known, *held) for one in rows}
    if not tags <= _ENTRIES and (not tags <= _BRIEF or lengths[len(lengths) // 2] > _SHORT):
        return "its rows have fewer than two values that differ"
    link = Column("link", Slot(ROW, "href"), Form("link"), 1.0, 0.5, "xpath:@href")
    return (text, link) if tags == {"a"} else (text,)


def _length_beyond(columns: Sequence[Column], row: Place) -> int:
    """Return the characters of a row's text that no column has."""
    values = [column.slot.value(row) or "" for column in columns if not column.slot.attribute]
    return len(element_text(row.page.document, row.root)) - sum(map(len, values))


def _is_mostly_one(values: Sequence[tuple[object, ...]]) -> bool:
    ((_, most),) = Counter(values).most_common(1) or [((), 0)]
    return most > 1 and most >= _MOST_SAME * len(values)


def _rows(page: KindPage, row: str) -> list[Place]:
    return [Place(page, one) for one in page.matched(row)[:_MOST_ROWS]]


def _is_of_one_form(pages: Sequence[tuple[Document, Sequence[int]]]) -> bool:
    """Return whether rows side by side have most tags and classes in common, on most pages."""
    alike = 0
    for document, rows in pages:
        forms = [_form(document, row) for row in rows[:_MOST_ROWS]]
        shares = [len(one & other) / len(one | other) for one, other in pairwise(forms)]
        alike += sum(shares) >= _LEAST_ALIKE * len(shares)
    return 2 * alike > len(pages)


def _form(document: Document, row: int) -> frozenset[str]:
    depth, found = {row: 0}, {document.tags[row], *document.classes[row]}
    for element in range(row + 1, min(document.ends[row], row + _MOST_IN_FORM)):
        level = depth.get(document.parents[element], _DEEPEST) + 1
        if level <= _DEEPEST:
            depth[element] = level
            found |= {document.tags[element], *document.classes[element]}
    return frozenset(found)
