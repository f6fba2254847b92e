"""Find the day on which a page was published in its statements, and where no text near its heading tells it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from urllib.parse import unquote, urlsplit

from sitestencil.page.bylines import is_change
from sitestencil.page.dates import dates_in, iso_date
from sitestencil.page.document import Document
from sitestencil.page.near_title import is_of_another_part
from sitestencil.page.page_title import TITLE_SEPARATOR

_DAY = len("2024-05-03")
_LONGEST_TEXT = 60  # characters of a text that is a date
_EARLIEST = "1990"
_MOST_MARKED = 40
_MOST_ABOVE = 10  # elements between a date and the heading below it
_PUBLISHED = re.compile(
    r"publish(?!er)|publication-?(?:date|time)|pub-?date|reg-?date|issued|create(?:d|-?date)|release-?date|[.:]date$"
)
_STATED = (
    "article:published_time citation_publication_date citation_date citation_online_date og:article:published_time "
    "dc.date.issued dcterms.issued dcterms.created dc.date.created dc.date dc:date dcterms.date parsely-pub-date "
    "date pubdate"
).split()
MODIFIED = "article:modified_time", "og:updated_time", "dcterms.modified", "dc.date.modified", "last-modified"
_NOT_PUBLISHED = re.compile(r"modif|updat|expir|accessed|id$")
_DATE_CLASS = re.compile(
    r"(?<![a-z])(?:pub-?date|post-?date|news-?date|entry-?date|item-?date|date|datum|fecha|time|time-?stamp|published|posted|"
    r"submitted|uploaded|created|by-?line|author|meta|info)(?![a-z])"
)
_NUMBER = re.compile(r"\d\d")  # of any year; a pattern without alternatives is searched many times faster
_YEAR = re.compile(r"\d{4}.|.\d{4}|\.\d\d(?!\d)")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_IN_ADDRESS = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?:[-/_.](\d\d?)[-/_.](\d\d?)|(\d\d)(\d\d))(?!\d)|(?<!\d)(\d\d)[-.](\d\d)[-.]((?:19|20)\d\d)(?!\d)"
    r"|/((?:19|20)(\d\d))/(\d\d)/\10\11(\d\d)(?!\d)"
)


def said_dates(meta: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield what ``meta`` elements with well-known names say of the publication."""
    return (meta[name][0] for name in _STATED if name in meta)


def named_dates(meta: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield what ``meta`` elements say whose names speak of publication."""
    for name, values in meta.items():
        if _PUBLISHED.search(name) and not _NOT_PUBLISHED.search(name):
            yield values[0]


def first_date(texts: Iterable[str], language: str = "") -> str | None:
    """Return the first date; where it has no day, a later one of the same month or year that has it.

    >>> first_date(["soon", "2024-05", "2023-01-02", "2024-05-03"])
    '2024-05-03'
    """
    dates = [date for text in texts if (date := iso_date(text, language))]
    if dates and len(dates[0]) < _DAY:
        return next((date for date in dates if date.startswith(dates[0]) and len(date) >= _DAY), dates[0])
    return dates[0] if dates else None


def date_in_address(url: str) -> str | None:
    """Return the day in an address.

    >>> date_in_address("https://ropes.example/2024/05/03/bowline"), date_in_address("https://ropes.example/20240503")
    ('2024-05-03', '2024-05-03')
    """
    for found in _IN_ADDRESS.finditer(unquote(urlsplit(url).path)):
        groups = (1, 2, 3) if found[2] else (1, 4, 5) if found[1] else (8, 7, 6) if found[8] else (9, 11, 12)
        year, month, day = found.group(*groups)
        if (date := iso_date(f"{year}-{int(month):02}-{int(day):02}")) is not None:
            return date
    return None


def date_in_title(title: str, language: str) -> str | None:
    """Return the day that is a part of a title.

    >>> date_in_title("The bowline | Ropes | 03.05.2024", "")
    '2024-05-03'
    """
    parts = TITLE_SEPARATOR.split(title)[::2]
    dates = [date for part in parts if len(part) >= _DAY - 2 and (date := iso_date(part, language))]
    return dates[0] if len(dates) == 1 and len(dates[0]) >= _DAY else None


def marked_date(
    document: Document, language: str, template_texts: Sequence[bool] = (), changed: str = "", heading: int = 0
) -> str | None:
    """Return the only day that a page marks as a date, in its parts that are its own; None if it marks several.

    A text that is a date and nothing else counts after marks, and not far above the heading, as today's stands.

    Args:
        document: the page.
        language: its language.
        template_texts: per text, whether other pages of the site have it in the same place; empty if unknown.
        changed: the day of its last change.
        heading: the element that is its heading.
    """
    for finder in (_said, _marked, _alone):
        days = dict[str, str]()
        for element, text in islice(finder(document), _MOST_MARKED):
            date = iso_date(text, language)
            if finder is _alone and (
                element < heading - _MOST_ABOVE or any(is_change(text[:begin]) for begin, _, _ in dates_in(text))
            ):
                continue
            if date is None and finder is _marked and len(text) <= _LONGEST_TEXT:
                date = next((day for _, _, day in dates_in(text, language)), None)
            is_template = template_texts and any(template_texts[run] for run in document.own_texts.get(element, ()))
            if (
                date
                and date >= _EARLIEST
                and len(date) >= _DAY
                and not is_template
                and not is_of_another_part(document, element)
            ):
                days.setdefault(date[:_DAY], date)
        days.pop(changed[:_DAY], None)
        if days:
            return next(iter(days.values())) if len(days) == 1 else None
    return None


def _said(document: Document) -> Iterator[tuple[int, str]]:
    """Yield the elements that are marked as the date of publication, and their texts."""
    for element in document.having("itemprop", "property"):
        attributes = document.attributes[element]
        if "datePublished" in (attributes.get("itemprop") or attributes.get("property") or ""):
            yield element, attributes.get("datetime") or attributes.get("content") or _text(document, element)


def _marked(document: Document) -> Iterator[tuple[int, str]]:
    """Yield the elements that are marked as dates, and their texts."""
    for element in document.having("datetime", "class"):
        attributes = document.attributes[element]
        if date := attributes.get("datetime"):
            if "dateModified" not in attributes.get("itemprop", ""):
                yield element, date
        elif _names_date(attributes.get("class", "")[:_LONGEST_TEXT]):
            yield element, _text(document, element)


@lru_cache(4096)
def _names_date(named: str) -> bool:
    return _DATE_CLASS.search(_CAMEL.sub("-", named).lower()) is not None


def _alone(document: Document) -> Iterator[tuple[int, str]]:
    """Yield the elements that have a text which may be a date alone, and that text."""
    body = document.body or 0
    for parent, _, text in document.texts:
        if parent > body and len(text) <= _LONGEST_TEXT and _NUMBER.search(text) and _YEAR.search(text):
            yield parent, text


def _text(document: Document, element: int) -> str:
    runs = (run for part in range(element, document.ends[element]) for run in document.own_texts.get(part, ()))
    texts = [document.texts[run].text[: _LONGEST_TEXT * 2] for run in islice(runs, 20)]
    return " ".join(" ".join(texts).split())
