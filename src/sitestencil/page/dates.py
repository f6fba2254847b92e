"""Read dates as people and programs write them: words and digits of many languages, and three calendars."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cache
from pathlib import Path

from sitestencil.page.lists import read_lists

_FIRST, _LAST = "1990", "2100"  # of dates in a text
_OFFSET = re.compile(r"([+-]\d{2})(\d{2})?$", re.ASCII)
_FRACTION = re.compile(r"(\.\d{6})\d+")
_SCRIPTS_DIGITS = "\u0660\u06f0\u0966\u0e50\uff10"  # each the first of ten
# Of as many characters: other scripts' digits, and marks that only turn the direction of writing.
_PLAIN = str.maketrans(
    {chr(ord(zero) + digit): str(digit) for zero in _SCRIPTS_DIGITS for digit in range(10)}
    | dict.fromkeys("\u200e\u200f\u202a\u202c\xa0\u202f", " ")
)
_LISTS = read_lists(Path(__file__).with_name("months.txt"))
# Turkish writes an i without a point, which stands for "i", and Arabic's hamza above and below goes, too.
_NO_MARKS = dict.fromkeys((*range(0x300, 0x370), 0x654, 0x655, ord(".")), "") | {0x131: "i"}
_PERSIAN_FIRST, _PERSIAN_LAST = 1300, 1500
_BUDDHIST, _BUDDHIST_FIRST, _BUDDHIST_LAST = 543, 2440, 2640
_ERAS = {"\u4ee4\u548c": 2018, "\u5e73\u6210": 1988}  # the years before Japan's eras
_FIRST_OF_ERA = "\u5143"
_MONTHS_A_YEAR = 12
_PERSIAN_CENTURIES = "13", "14"

_SECOND_WORDS = "\u0627\u0644\u062b\u0627\u0646\u064a|\u0627\u0644\u0623\u0648\u0644|F\u00f3mhair"
_NAME = rf"([^\W\d_][^\s\d,\u060c;:|/()\[\]-]{{0,20}}(?: (?:{_SECOND_WORDS}))?)"
_DAY = r"(?<![\d.,:/-])(\d{1,2})(?:st|nd|rd|th|er|[\u00ba\u00aaa]|-?(?:\u0433\u043e|\u0435))?"
_YEAR = r"(\d{4})(?![\d.,:]\d|\d)"
_OF = r"(?:(?:de|del|of|ta\u2019|\u0e1e\.\u0e28\.|\u0e04\.\u0e28\.)\s+)?"
_GAP = r"[\s.,\u060c-]{1,3}"
_BEGIN, _END = r"(?<![\d./-])", r"(?![\d./-]*\d)"
_YEARS_MARK = r"(?:\.|\s?[^\W\d_]{1,2}\.|\(?e?\)?ko)?(?:\s+gada)?,?\s+"
# What may stand around the one date of a text: a day of the week, a time.
_BEFORE = re.compile(r"\W*(?:[^\W\d]\S{0,14},?\s+){0,2}\W*")
_AFTER = re.compile(
    r"[\s,.\u060c|\u00b7\u2022T\u2013-]*(?:[^\W\d]\S{0,14}\s*){0,2}[\s.]*(?:\(?\d{1,2}[:.h]\d\d\b[^\n]{0,25})?\s*"
)
# Languages that name the year first, and those of English that put the day first.
_YEAR_FIRST = frozenset("en ja zh ko hu lt mn".split())
_ENGLISH_DAY_FIRST = frozenset("en-gb en-au en-nz en-ie en-za en-in".split())


def _plain_name(name: str) -> str:
    """Return a month's name as `_MONTHS` has it: in small letters, without points and the marks above letters.

    >>> _plain_name("F\u00c9VR.")
    'fevr'
    """
    return unicodedata.normalize("NFD", name.lower()).translate(_NO_MARKS)


def _months(kind: str = "") -> dict[str, int]:
    return {_plain_name(name): month for month in range(1, 13) for name in _LISTS.get(f"{kind}{month}", ())}


_MONTHS, _PERSIAN_MONTHS, _CROATIAN_MONTHS = _months(), _months("persian "), _months("croatian ")


def month_number(text: str) -> int:
    """Return the number of the month whose name a text is; 0 if it is none.

    >>> month_number("Dezember"), month_number("Jo")
    (12, 0)
    """
    return _MONTHS.get(_plain_name(text), 0)


def iso_date(text: str, language: str = "") -> str | None:
    """Return a date, or a date and time, in ISO 8601; None for anything else.

    Args:
        text: the date; a day of the week and a time may stand beside a day in words.
        language: the page's language, which tells whether 5/3/2024 is in March or in May.

    >>> iso_date("2024/05/03"), iso_date("Fri, 03 May 2024 10:00:00 +0200")
    ('2024-05-03', '2024-05-03T10:00:00+02:00')
    >>> iso_date("May 3, 2024"), iso_date("3. toukokuuta 2024"), iso_date("5/3/2024", "vi"), iso_date("soon")
    ('2024-05-03', '2024-05-03', '2024-03-05', None)
    """
    text = text[:100].translate(_PLAIN).strip()
    if "\n" in text:
        return None
    found = None if language.startswith("fa") and text[:2] in _PERSIAN_CENTURIES else _of_program(text)
    if found is not None:
        return found or None
    begin, end, day = next(_days_in(text, language), (0, 0, None))
    return day if day and _BEFORE.fullmatch(text[:begin]) and _AFTER.fullmatch(text[end:]) else None


def _of_program(text: str) -> str | None:
    """Return a date that a program wrote; empty for one that is none, and None for other forms."""
    for pattern, read in _PROGRAMS:
        if (whole := pattern.fullmatch(text)) is not None:
            return read(whole.groups())
    try:
        return parsedate_to_datetime(text).isoformat() if "," in text and ":" in text else None
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _known(day: str, time: str = "") -> str:
    """Return a day and its time; the day alone if there is no such time, and empty if there is no such day."""
    checked = _checked(day)
    if checked is None or not time:
        return checked or ""
    time = _OFFSET.sub(lambda offset: f"{offset[1]}:{offset[2] or '00'}", time.replace(" ", ""))
    time = _FRACTION.sub(r"\1", time)
    try:
        return datetime.fromisoformat(f"{checked}T{'0' if time[1] == ':' else ''}{time}").isoformat()
    except ValueError:
        return checked


def dates_in(text: str, language: str = "") -> Iterator[tuple[int, int, str]]:
    """Return the dates in a text: where each begins and ends, and the day in ISO 8601.

    Of numbers with slashes only those are dates that can be read in one way, in a page's language if that is known.

    >>> list(dates_in("Von Jo, 3. Mai 2024 (4/5/2024)"))
    [(8, 19, '2024-05-03')]
    """
    return (found for found in _days_in(text.translate(_PLAIN), language) if _FIRST <= found[2] < _LAST)


def _days_in(text: str, language: str) -> Iterator[tuple[int, int, str]]:
    matches = [(found, read) for pattern, read in _forms() for found in pattern.finditer(text)]
    last = 0
    for found, read in sorted(matches, key=lambda match: match[0].start()):
        if found.start() >= last and (day := read(found.groups(), language)) is not None:
            yield found.start(), found.end(), day
            last = found.end()


def _day_month_year(parts: Sequence[str], language: str) -> str | None:
    day, name, other, year = parts
    return _named_day(year, name, day, language) or (_named_day(year, other, day, language) if other else None)


def _month_day_year(parts: Sequence[str], language: str) -> str | None:
    name, day, year = parts
    return _named_day(year, name, day, language)


def _year_and_name(parts: Sequence[str], language: str) -> str | None:
    year, before, name_after, name_before, after = parts
    return _named_day(year, name_after or name_before, before or after, language)


def _year_first(parts: Sequence[str], language: str) -> str | None:
    year, month, day = parts
    if language.startswith("fa") and _PERSIAN_FIRST <= int(year) < _PERSIAN_LAST:
        return _of_persian(int(year), int(month), int(day))
    return _checked(f"{year}-{month:0>2}-{day:0>2}")


def _of_era(parts: Sequence[str], _language: str) -> str | None:
    era, year, month, day = parts
    return _checked(f"{_ERAS[era] + (1 if year == _FIRST_OF_ERA else int(year))}-{month:0>2}-{day:0>2}")


def _year_last(parts: Sequence[str], language: str) -> str | None:
    first, mark, second, year = parts
    is_unclear = first != second and (int(first) > _MONTHS_A_YEAR) == (int(second) > _MONTHS_A_YEAR)
    if is_unclear and "." not in mark:
        tag = language.lower().replace("_", "-")
        if not tag or (tag.partition("-")[0] in _YEAR_FIRST and tag not in _ENGLISH_DAY_FIRST):
            return None
    day, month = (second, first) if int(second) > _MONTHS_A_YEAR else (first, second)
    return _checked(f"{year}-{month:0>2}-{day:0>2}")


def _short_year(parts: Sequence[str], _language: str) -> str | None:
    day, month, year = parts
    return _checked(f"20{year}-{month}-{day}")


def _vietnamese(parts: Sequence[str], _language: str) -> str | None:
    day, month, year = parts
    return _checked(f"{year}-{month:0>2}-{day:0>2}")


def _named_day(year: str, name: str, day: str, language: str) -> str | None:
    plain = _plain_name(name)
    if _PERSIAN_FIRST <= int(year) < _PERSIAN_LAST and (month := _PERSIAN_MONTHS.get(plain)):
        return _of_persian(int(year), month, int(day))
    names = _MONTHS | _CROATIAN_MONTHS if language.startswith("hr") else _MONTHS
    number = names.get(plain) or names.get(plain.removeprefix("\u05d1"))  # Hebrew's "in"
    return _checked(f"{year}-{number:02}-{day:0>2}") if number else None


def _of_persian(year: int, month: int, day: int) -> str:
    """Return a day of the Persian calendar in ours.

    >>> _of_persian(1403, 2, 14)
    '2024-05-03'
    """
    passed = year - 979
    days = 365 * passed + passed // 33 * 8 + (passed % 33 + 3) // 4
    days += (month - 1) * 31 - max(0, month - 7) + day - 1
    return (date(1600, 3, 20) + timedelta(days)).isoformat()


def _checked(day: str) -> str | None:
    """Return a year, month or day that exists; a Buddhist year counts as ours.

    Programs write the first day of the year 1, or of 1970, where they know none.
    """
    year = int(day[:4])
    if _BUDDHIST_FIRST <= year < _BUDDHIST_LAST:
        day = f"{year - _BUDDHIST}{day[4:]}"
    try:
        datetime.fromisoformat(f"{day}-01-01"[:10])
    except ValueError:
        return None
    return day if "1000" <= day < _LAST and day != "1970-01-01" else None


_Reader = Callable[[Sequence[str], str], str | None]
_FORMS: list[tuple[str, _Reader]] = [
    (rf"{_DAY}\.?{_GAP}{_OF}(?:d[\u2019'])?{_NAME}(?:/{_NAME})?{_GAP}{_OF}{_YEAR}", _day_month_year),
    (rf"(?<!\w){_NAME}\s+{_DAY},?\s+{_YEAR}", _month_day_year),
    (
        rf"(?<![\d.])(\d{{4}}){_YEARS_MARK}"
        rf"(?:(\d{{1,2}})\.?\s+{_NAME}|{_NAME}\s+(\d{{1,2}})(?:\(?a\)?|-[\u00e1\u00e9]n)?(?!\w))",
        _year_and_name,
    ),
    (
        rf"{_BEGIN}(\d{{4}})(?:[-/.]|[\u5e74\ub144]\s?|\.\s)(\d{{1,2}})(?:[-/.]|[\u6708\uc6d4]\s?|\.\s)(\d{{1,2}})"
        rf"(?:[\u65e5\uc77c]|{_END})",
        _year_first,
    ),
    (
        rf"({'|'.join(_ERAS)})\s?(\d{{1,2}}|{_FIRST_OF_ERA})\u5e74\s?(\d{{1,2}})\u6708\s?(\d{{1,2}})\u65e5",
        _of_era,
    ),
    (rf"{_BEGIN}(\d{{1,2}})(\.\s?|\s?/|-)(\d{{1,2}})(?:\.\s?|\s?/|-)(\d{{4}}){_END}", _year_last),
    (rf"{_BEGIN}(\d\d)\.(\d\d)\.(\d\d){_END}", _short_year),
    (rf"{_BEGIN}(\d{{1,2}})\s+(?:th\u00e1ng|thg)\s+(\d{{1,2}})(?:,|\s+n\u0103m)?\s+(\d{{4}})", _vietnamese),
]


@cache
def _forms() -> list[tuple[re.Pattern[str], _Reader]]:
    """Return the forms, compiled when first a date is read."""
    return [(re.compile(pattern, re.IGNORECASE), reader) for pattern, reader in _FORMS]


_PROGRAMS: list[tuple[re.Pattern[str], Callable[[Sequence[str]], str]]] = [
    (
        re.compile(r"(\d{10})(?:\d{3})?", re.ASCII),
        lambda parts: _known(datetime.fromtimestamp(int(parts[0]), UTC).date().isoformat()),
    ),
    (
        re.compile(r"(\d{4})(?:[-/.]?(\d{2})(?:[-/.]?(\d{2}))?)?", re.ASCII),
        lambda parts: _known("-".join(filter(None, parts))),
    ),
    (
        re.compile(r"((?:19|20)\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)", re.ASCII),
        lambda parts: _known("-".join(parts[:3]), ":".join(parts[3:])),
    ),
    (
        re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})[T ]+(\d{1,2}:\d{2}.{0,30})", re.ASCII),
        lambda parts: _known(f"{parts[0]}-{parts[1]:0>2}-{parts[2]:0>2}", parts[3]),
    ),
    (  # What JavaScript writes: "Fri May 03 2024 10:00:00 GMT+0700 (Indochina Time)".
        re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d\d) (\d{4}) (\d\d:\d\d:\d\d)(?: GMT([+-]\d{4})(?: \(.*)?)?"),
        lambda parts: _known(
            f"{parts[2]}-{_MONTHS.get(parts[0].lower(), 0):02}-{parts[1]}", parts[3] + (parts[4] or "")
        ),
    ),
]
