"""Find authors and dates in the marked text around a page's heading (`near_title.py`)."""

import re
from collections.abc import Iterator
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path

from sitestencil.page.lists import read_lists
from sitestencil.page.near_title import AUTHOR, DATE, DATE_END, INLINE, MODIFIED, TEMPLATE

_DATE = re.compile(r"(\d{4})(?:[-/.]?(\d{2})(?:[-/.]?(\d{2}))?)?", re.ASCII)
_DAY_AND_TIME = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{1,2}:\d{2}.{0,30})", re.ASCII)
_OFFSET = re.compile(r"([+-]\d{2})(\d{2})?$", re.ASCII)
# How the months begin in many languages.
_MONTHS = {
    begin: int(month)
    for month, begins in read_lists(Path(__file__).with_name("months.txt")).items()
    for begin in begins
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


_MARKS = INLINE + AUTHOR + TEMPLATE
_GAP = rf"[\s{_MARKS}]*"
_BY = (
    r"(?:words|text|story|article|report|written|reported|posted|published|reviewed|created|asked|started)?\s?\bby|"
    r"von|par|por|di|door|av|автор|текст|authors?|autore?n?|auteur|autora|text|texte|texto|testo|words|redaktion"
)
# A byline: a word such as "by" at the beginning of a line, or an author's mark; then names.
_BYLINE = re.compile(
    rf"(?:(?:^|[\n|·•●⋅{_MARKS}]){_GAP}(?:{_BY})(?=[\s:{_MARKS}])[\s:{_MARKS}]*|{AUTHOR}{_GAP}())"
    rf"([^\n|·•●⋅:;(\[!?{DATE}{MODIFIED}{AUTHOR}]{{2,160}})",
    re.IGNORECASE,
)
_AND = re.compile(rf"{_GAP}(,|&|\+|\band\b|\bund\b|\bet\b|\by\b|\be\b|\ben\b|\boch\b){_GAP}")
_AFTER_NAME = re.compile(
    r"\s+(?:[-\u2013\u2014]|on|in|for|at|am|le|el|il|vom|from|und|@|says|writes)(?:\s.*)?$|\s+\d.*$|,.*$", re.DOTALL
)
_UPDATED = re.compile(
    r"(?:updat|modifi|edited|revised|changed|aktualis|geändert|stand|mis(?:e)? à jour|actuali[sz]|aggiorn|atualiz|"
    r"bijgewerkt|uppdater|обновл)\w*[\s:]*(?:on|am|le|el|il|op|den|em|at)?[\s:\w]{0,10},?\s*$",
    re.IGNORECASE,
)
_DATED = re.compile(
    r"(?:^|[,:(\[\u2013\u2014-]|\b(?:on|am|le|el|il|op|den|em|dated?|datum|fecha|data|vom|du|del|posted|published|created|"
    r"asked|added|first|since|submitted|written|released|posté|publié|publicado|pubblicato|veröffentlicht|erstellt)"
    r"|\b\w{2,10}(?:day|tag|di|che|dag))[\s.,:]*$",
    re.IGNORECASE,
)
_LINE = re.compile(f"[^\n|·•●⋅{INLINE}{AUTHOR}{DATE}{DATE_END}]+")
_YEAR = re.compile(r"\d{4}")
_MARKED_DATE = re.compile(f"{DATE}([^{DATE_END}]*){DATE_END}")
_MOST_BEFORE_DATE, _MOST_AFTER_DATE = 50, 30
_NO_NAME = re.compile(
    r"(?:by|from|posted|published|updated|written|authors?|about|view|all|read|share|follow|posts|staff|visit|comments?)\b|"
    r"\d{4}|(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december)$",
    re.IGNORECASE,
)
_DASHES = " .,-\u2013\u2014"
_MOST_NAME_WORDS = 5
_LEAST_OF_A_LIST = 4
_SHORTEST_NAME, _LONGEST_NAME = 2, 50
_PARTICLES = frozenset("al bin da de dei del den der di do dos du e el la le ten ter van von y".split())


def authors_in(text: str) -> list[str]:
    r"""Return the names of the first byline; none from a list, which has many.

    >>> authors_in("\nBy \x01Jo Marsh\x01 and \x01Kim Lee\x01 | May 3, 2024\n")
    ['Jo Marsh', 'Kim Lee']
    >>> authors_in("\nBy the way\n")
    []
    """
    bylines = [
        names for found in _BYLINE.finditer(text) if (names := _names(found[2], is_marked=found[1] is not None))
    ]
    return bylines[0] if bylines and len(set(map(tuple, bylines))) < _LEAST_OF_A_LIST else []


def _names(text: str, *, is_marked: bool) -> list[str]:
    pieces = _AND.split(text)
    lasts = [number for number in range(1, len(pieces), 2) if pieces[number] != ","]
    names = list[str]()
    for number in range(0, len(pieces), 2):
        first, *rest = [piece for piece in re.split(f"[{_MARKS}]", pieces[number]) if piece.strip()] or [""]
        name = _AFTER_NAME.sub("", first).strip(_DASHES)
        if not _is_name(name, is_marked=is_marked):
            break
        names.append(name)
        if rest or name != first.strip(_DASHES) or number + 1 > max(lasts, default=0):
            break
    return names


def _is_name(text: str, *, is_marked: bool) -> bool:
    words = text.split()
    if not 0 < len(words) <= _MOST_NAME_WORDS or len(text) > _LONGEST_NAME:
        return False
    if sum(map(str.isalpha, text)) < _SHORTEST_NAME or _NO_NAME.match(text):
        return False
    if is_marked and len(words) == 1:
        return True
    is_capital = not words[0][0].islower() and not words[-1][0].islower()
    return is_capital and all(
        word[0].isalpha() and (not word.islower() or word in _PARTICLES)
        for word in (*words[1:-1], words[0], words[-1])
    )


def dated(text: str) -> tuple[str | None, str | None]:
    r"""Return the first date of publication and of a change; no publication from a list, which has many.

    >>> dated("\nMay 3, 2024\n- Updated \x03 2024-06-01 \x04\n")
    ('2024-05-03', '2024-06-01')
    """
    published, modified = list[str](), list[str]()
    for start, date in _dates(text):
        before = re.sub(f"[{_MARKS}\n]", " ", text[max(0, start - _MOST_BEFORE_DATE) : start])
        if before.endswith(MODIFIED) or _UPDATED.search(before):
            modified.append(date)
        else:
            published.append(date)
    if len({date[:10] for date in published}) >= _LEAST_OF_A_LIST:
        return None, None
    return next(iter(published), None), next(iter(modified), None)


def _dates(text: str) -> list[tuple[int, str]]:
    """Return where each date begins, and the date; not those that other pages of the site have, too."""
    found = [(mark.start(), date) for mark in _MARKED_DATE.finditer(text) if (date := iso_date(mark[1]))]
    for line in _LINE.finditer(text):
        for begin, end, date in dates_in(line.group()) if _YEAR.search(line.group()) else ():
            before, after = line.group()[:begin], line.group()[end:]
            is_short = len(before) <= _MOST_BEFORE_DATE and len(after) <= _MOST_AFTER_DATE
            if is_short and (_DATED.search(before) or _UPDATED.search(before)) and not after.endswith(TEMPLATE):
                found.append((line.start() + begin, date))
    return sorted(found)
