"""Find the selectors of a kind's title, author, date and price: those whose text is what the metadata says."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from sitestencil.page.bylines import authors_in
from sitestencil.page.dates import iso_date
from sitestencil.page.document import Document
from sitestencil.page.metadata import Metadata, metadata
from sitestencil.page.page_title import letters, page_title
from sitestencil.reading.reading import element_text
from sitestencil.rules.site_pages import KindPage
from sitestencil.rules.values import form_of, is_equal
from sitestencil.selectors.candidates import candidates, quality
from sitestencil.selectors.matching import Elements, Selector

_LEAST_EQUAL = 0.8  # of the pages that have the value
_LONGER = 20  # characters around an author's name
_MOST_TEXTS = 50
_LONGEST, _LONGEST_PRICE = 200, 40  # characters of a value

Test = Callable[[Document, int, str], bool]


def _is_title(document: Document, element: int, title: str) -> bool:
    return letters(element_text(document, element)) == letters(title)


def _is_author(document: Document, element: int, author: str) -> bool:
    return author in (text := element_text(document, element)) and len(text) <= len(author) + _LONGER


def _is_date(document: Document, element: int, date: str) -> bool:
    return (_date(document, element) or "")[:10] == date[:10]


def _is_price(document: Document, element: int, price: str) -> bool:
    return len(text := element_text(document, element)) <= _LONGEST_PRICE and is_equal(
        text, price.partition(" ")[0]
    )


def _date(document: Document, element: int) -> str | None:
    attributes = document.attributes[element]
    return iso_date(
        attributes.get("datetime") or attributes.get("content") or element_text(document, element)[:100]
    )


def _author(document: Document, element: int) -> str:
    text = element_text(document, element)
    return ", ".join(authors_in(f"\n{text}\n")) or text


def _price(document: Document, element: int) -> str | None:
    text = element_text(document, element)
    return text if form_of([text]).type == "price" else None


# Of each field its name in the metadata, whether an element has a value, and the value of an element.
_FIELDS: Mapping[str, tuple[str, Test, Callable[[Document, int], str | None]]] = {
    "title": ("title", _is_title, element_text),
    "author": ("author", _is_author, _author),
    "date": ("published", _is_date, _date),
    "price": ("price", _is_price, _price),
}


def field_selectors(learn: Sequence[KindPage], prove: Sequence[KindPage]) -> dict[str, str]:
    """Return the selectors of title, author, date and price: they match only it on most pages held out."""
    titles = {page: page_title(page.document) for page in (*learn, *prove)}
    said = {
        page: metadata(page.document, [title for other, title in titles.items() if other is not page])
        for page in titles
    }
    found = {}
    for name, (key, test, _) in _FIELDS.items():
        values: dict[KindPage, str] = {page: value for page, one in said.items() if (value := getattr(one, key))}
        having = [page for page in learn if page in values]
        most = 0.0
        places = [_equal(page, values[page], test) for page in having]
        for selector in candidates([page.document for page in having], places):
            shares = [_share(selector, half, values, test) for half in (having, prove)]
            if min(shares) >= _LEAST_EQUAL and shares[0] * quality(selector) > most:
                found[name], most = selector, shares[0] * quality(selector)
    return found


def surer(found: Metadata, document: Document, fields: Mapping[str, str]) -> Metadata:
    """Return a page's metadata with author, date and price where most pages of its kind have them.

    A title that the page states stays: it is right more often (docs/methods/learned.md).
    """
    elements = Elements(document)
    for name, (key, test, read) in _FIELDS.items():
        known = getattr(found, key)
        if known and name == "title":
            continue
        for element in Selector(fields[name]).select(elements)[:1] if name in fields else ():
            if not (known and test(document, element, known)) and (value := read(document, element)):
                found = replace(found, **{key: value[:_LONGEST]})
    return found


def _equal(page: KindPage, value: str, test: Test) -> dict[int, int]:
    """Return the innermost elements with a value, and headings, with weights; other titles are main content."""
    document, weights = page.document, dict[int, int]()
    for element in range((document.body or 0) + 1, len(document)):
        is_said = document.tags[element] == "h1" or "datetime" in document.attributes[element]
        if is_said or element in document.own_texts:
            if test is _is_title and not is_said and not page.words_in(element) & page.main:
                continue
            if len(weights) < _MOST_TEXTS and test(document, element, value):
                weights[element] = 1 + is_said + (element_text(document, element) == value)
    return weights


def _share(selector: str, pages: Sequence[KindPage], values: Mapping[KindPage, str], test: Test) -> float:
    """Return the share of the pages with a value on which a selector matches that alone."""
    found = [(page, page.selected(selector)) for page in pages if page in values]
    right = (len(one) == 1 and test(page.document, one[0], values[page]) for page, one in found)
    return sum(right) / max(1, len(found))
