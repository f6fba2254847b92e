"""Find the selectors of a kind's title, author and date: those whose text is what the pages' metadata says."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from sitestencil.page.dates import iso_date
from sitestencil.page.document import Document
from sitestencil.page.metadata import Metadata, metadata
from sitestencil.page.page_title import letters
from sitestencil.rules.candidates import candidates, quality
from sitestencil.rules.site_pages import KindPage

_LEAST_EQUAL = 0.8  # of the pages that have the value
_LONGER = 20  # characters around an author's name
_MOST_TEXTS = 50


def text_of(document: Document, element: int) -> str:
    """Return the text in an element, with white space collapsed."""
    return " ".join("".join(document.texts[run].text for run in document.runs(element)).split())


def date_of(document: Document, element: int) -> str | None:
    """Return the date that an element states, in ISO 8601; None without one."""
    attributes = document.attributes[element]
    stated = attributes.get("datetime") or attributes.get("content") or text_of(document, element)[:100]
    return iso_date(stated)


def _is_title(document: Document, element: int, title: str) -> bool:
    return letters(text_of(document, element)) == letters(title)


def _is_author(document: Document, element: int, author: str) -> bool:
    text = text_of(document, element)
    return author in text and len(text) <= len(author) + _LONGER


def _is_date(document: Document, element: int, date: str) -> bool:
    return (date_of(document, element) or "")[:10] == date[:10]


Test = Callable[[Document, int, str], bool]
_TESTS: Mapping[str, tuple[Callable[[Metadata], str | None], Test]] = {
    "title": (lambda said: said.title, _is_title),
    "author": (lambda said: said.author, _is_author),
    "date": (lambda said: said.published, _is_date),
}


def field_selectors(learn: Sequence[KindPage], prove: Sequence[KindPage]) -> dict[str, str]:
    """Return the selectors of title, author and date: their first match is right on most pages held out."""
    said = {page: metadata(page.document) for page in (*learn, *prove)}
    found = {}
    for name, (value_of, test) in _TESTS.items():
        values = {page: value for page, one in said.items() if (value := value_of(one))}
        selector = _field(learn, prove, values, test)
        if selector:
            found[name] = selector
    return found


def _field(
    learn: Sequence[KindPage], prove: Sequence[KindPage], values: Mapping[KindPage, str], test: Test
) -> str | None:
    having = [page for page in learn if page in values]
    if len(having) < 2:
        return None
    places = [dict.fromkeys(_equal(page, values[page], test), 1) for page in having]
    best, most = None, _LEAST_EQUAL
    for selector in candidates(having, places):
        share = _share(selector, having, values, test)
        if share * quality(selector) > most and _share(selector, prove, values, test) >= _LEAST_EQUAL:
            best, most = selector, share * quality(selector)
    return best


def _equal(page: KindPage, value: str, test: Test) -> Iterable[int]:
    """Return the innermost elements with a value; a title is main content."""
    document = page.document
    holders = document.own_texts.keys() | {one for one, own in enumerate(document.attributes) if "datetime" in own}
    places = [
        element
        for element in sorted(holders)
        if element > (document.body or 0) and (test is not _is_title or page.words_in(element) & page.main)
    ]
    return [element for element in places if test(document, element, value)][:_MOST_TEXTS]


def _share(selector: str, pages: Sequence[KindPage], values: Mapping[KindPage, str], test: Test) -> float:
    firsts = [(page, page.matched(selector)[:1]) for page in pages if page in values]
    right = [bool(own) and test(page.document, own[0], values[page]) for page, own in firsts]
    return sum(right) / max(1, len(right))
