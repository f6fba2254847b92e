"""Read the dates that pages state."""

import re
from collections.abc import Iterator
from datetime import datetime
from email.utils import parsedate_to_datetime

_DATE = re.compile(r"(\d{4})(?:[-/.]?(\d{2})(?:[-/.]?(\d{2}))?)?", re.ASCII)
_DAY_AND_TIME = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{1,2}:\d{2}.{0,30})", re.ASCII)
_OFFSET = re.compile(r"([+-]\d{2})(\d{2})?$", re.ASCII)
# How the months begin in the languages of Europe that most sites have.
_MONTHS = {
    begin: number
    for number, begins in enumerate(
        (
            "jan ene gen sty янв ιαν",  # noqa: RUF001
            "feb fev fév lut фев φεβ",
            "mar mär maa mrt мар μαρ",
            "apr avr abr kwi апр απρ",
            "may mai maj mei mag мая май μαΐ μαι",
            "jun juin giu cze июн ιουν",  # noqa: RUF001
            "jul juil lug lip июл ιουλ",
            "aug aou aoû ago sie авг αυγ αύγ",  # noqa: RUF001
            "sep set wrz сен σεπ",
            "oct okt ott out paź окт οκτ",
            "nov lis ноя νοε",
            "dec déc dez dic des gru дек δεκ",
        ),
        1,
    )
    for begin in begins.split()
}
_BEGINS = "|".join(sorted(_MONTHS, key=len, reverse=True))
_MONTH, _DAY = rf"(?:({_BEGINS})[^\W\d_]{{0,8}})\.?", r"(\d{1,2})(?:st|nd|rd|th|er)?"
_OF = r"(?:\s+(?:de|del|of)\b)?"
_WORDS = re.compile(
    rf"\b{_MONTH}\s+{_DAY},?\s+(\d{{4}})\b|\b{_DAY}\.?{_OF}(?:\s+|-){_MONTH}{_OF},?(?:\s+|-)(\d{{4}})\b"
    r"|\b(\d{4})(?:[-/.]|年\s?)(\d{1,2})(?:[-/.]|月\s?)(\d{1,2})(?:日|\b)|\b(\d{1,2})(\.\s?|/)(\d{1,2})(?:\.\s?|/)(\d{4})\b",
    re.IGNORECASE,
)


def iso_date(text: str) -> str | None:
    """Return a date, or a date and time, in ISO 8601; None for anything else.

    >>> iso_date("2024/05/03"), iso_date("Fri, 03 May 2024 10:00:00 +0200")
    ('2024-05-03', '2024-05-03T10:00:00+02:00')
    >>> iso_date("May 3, 2024"), iso_date("soon")
    ('2024-05-03', None)
    """
    text = text[:100].strip()
    if (whole := _DATE.fullmatch(text)) is not None:
        return _checked("-".join(part for part in whole.groups() if part))
    if (found := _DAY_AND_TIME.fullmatch(text)) is not None:
        day, time = found.groups()
        time = _OFFSET.sub(lambda offset: f"{offset[1]}:{offset[2] or '00'}", time.replace(" ", ""))
        hour = "0" if time[1] == ":" else ""
        try:
            return _checked(day) and datetime.fromisoformat(f"{day}T{hour}{time}").isoformat()
        except ValueError:
            return _checked(day)
    if (words := _WORDS.fullmatch(text)) is not None:
        return _day(words)
    try:
        return parsedate_to_datetime(text).isoformat() if "," in text else None
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def dates_in(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the dates in a text: where each begins and ends, and the day in ISO 8601.

    Of numbers with slashes only those are dates that can be read in one way.

    >>> list(dates_in("Von Jo, 3. Mai 2024 (4/5/2024)"))
    [(8, 19, '2024-05-03')]
    """
    for found in _WORDS.finditer(text):
        day = _day(found)
        if day is not None and "1990" <= day < "2100":
            yield found.start(), found.end(), day


def _day(found: re.Match[str]) -> str | None:
    """Return the date that `_WORDS` found."""
    of_words = (found[3], found[1], found[2]) if found[1] else (found[6], found[5], found[4])
    if of_words[1]:
        year, day = of_words[0], of_words[2]
        month = str(_MONTHS[of_words[1].lower()])
    elif found[7]:
        year, month, day = found[7], found[8], found[9]
    else:
        day, month, year = found[10], found[12], found[13]
        if found[11] == "/":
            if (int(day) > 12) == (int(month) > 12) and day != month:
                return None
            if int(month) > 12:
                day, month = month, day
    return _checked(f"{year}-{int(month):02}-{int(day):02}")


def _checked(date: str) -> str | None:
    """Return a year, month or day that exists, after the year 1000: programs write 0001 where they know none."""
    try:
        datetime.fromisoformat(f"{date}-01-01"[:10] if len(date) < 10 else date)
    except ValueError:
        return None
    return date if date >= "1000" else None
