"""Find authors and dates in the marked text around a page's heading (`near_title.py`)."""

import re
from functools import cache
from pathlib import Path

from sitestencil.page.dates import dates_in, iso_date, month_number
from sitestencil.page.lists import read_lists
from sitestencil.page.near_title import AUTHOR, DATE, DATE_END, INLINE, MODIFIED, TEMPLATE

_LISTS = read_lists(Path(__file__).with_name("byline_words.txt"))
_MARKS = INLINE + AUTHOR + TEMPLATE
_GAP = rf"[\s{_MARKS}]*"


def _any_of(name: str) -> str:
    return "|".join(re.escape(word).replace(r"\ ", r"\s") for word in sorted(_LISTS[name], key=len, reverse=True))


@cache
def _lead() -> re.Pattern[str]:
    """Return the beginning of a byline: a word such as "by" at the beginning of a line, or an author's mark."""
    return re.compile(
        rf"(?:(?:^|[\n|/·•●⋅{_MARKS}]|\d{{4}}(?=\s)){_GAP}(?:(?:{_any_of('told by')})\s{_GAP})?"
        rf"(?:({_any_of('labels')}){_GAP}[:\uff1a]|(?:{_any_of('by')})(?=[\s:{_MARKS}]))[\s:{_MARKS}]*"
        rf"|[^\S\n]+(?:{_any_of('told by')})[^\n\d:]{{0,30}}?\s(?:by|von|par|por)\s{_GAP}"
        rf"|{AUTHOR}{_GAP})",
        re.IGNORECASE,
    )


_NAMES = re.compile(rf"[^\n|·•●⋅:\uff1a;(\[!?{DATE}{MODIFIED}]{{2,160}}")
_AND = re.compile(
    rf"{_GAP}(,|、|/|&|\+|\band\b|\bund\b|\bet\b|\by\b|\be\b|\ben\b|\boch\b|\bog\b|\bi\b|\bja\b){_GAP}"
)
_AFTER_NAME = re.compile(
    r"\s+(?:[-\u2013\u2014]|on|in|for|at|am|le|el|il|vom|from|und|@|says|writes)(?:\s.*)?$|\s+\d.*$|,.*$", re.DOTALL
)
_UPDATED = re.compile(
    r"(?:updat|modifi|edited|revised|changed|aktualis|änderung|geändert|stand|"
    r"mis(?:e)? à jour|actuali[sz]|aggiorn|atualiz|"
    r"bijgewerkt|uppdater|обновл)\w*[\s:]*(?:on|am|le|el|il|op|den|em|at)?[\s:\w]{0,10},?\s*$",
    re.IGNORECASE,
)
_DATED = re.compile(
    r"(?:^|[,:(\[\u2013\u2014-]|\b(?:on|am|le|el|il|op|den|em|dated?|datum|fecha|data|vom|du|del|posted|published|created|"
    r"asked|added|first|since|submitted|written|released|posté|publié|publicado|pubblicato|veröffentlicht|erstellt)"
    r"|\b\w{2,10}(?:day|tag|di|che|dag))[\s.,:]*$",
    re.IGNORECASE,
)
_IS_LABEL = re.compile(r"\s*[^\W\d]\S*\s+")
_LINE_OF_DATE = re.compile(r"\)|\s*[-\u2013\u2014:\u201e\u201c\"]\s*\S")
_LINE = re.compile(f"[^\n|·•●⋅{INLINE}{AUTHOR}{DATE}{DATE_END}{MODIFIED}]+")
_YEAR = re.compile(r"\d{4}|\.\d\d(?!\d)")
_MARKED_DATE = re.compile(f"{DATE}([^{DATE_END}]*){DATE_END}")
_MOST_BEFORE_DATE, _MOST_AFTER_DATE = 50, 30
_NO_NAME = re.compile(
    r"(?:by|from|posted|published|updated|written|authors?|about|view|all|read|share|follow|posts|staff|visit|comments?)\b|"
    r"\d{4}|(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december)$",
    re.IGNORECASE,
)
_NO_NAMES = frozenset(_LISTS["no names"])
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
    bylines, end = list[list[str]](), 0
    for lead in _lead().finditer(text):
        listed = _NAMES.match(text, lead.end()) if lead.end() > end else None
        is_marked = AUTHOR in lead[0] or lead[1] is not None
        if listed is not None and (names := _names(listed[0], is_marked=is_marked)):
            bylines.append(names)
            end = listed.end()
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
    if text.lower() in _NO_NAMES or month_number(text):
        return False
    if is_marked and len(words) == 1:
        return True
    is_capital = not words[0][0].islower() and not words[-1][0].islower()
    return is_capital and all(
        word[0].isalpha() and (not word.islower() or word in _PARTICLES)
        for word in (*words[1:-1], words[0], words[-1])
    )


def is_change(before: str) -> bool:
    """Return whether words tell that the date behind them is that of a change."""
    return _UPDATED.search(before) is not None


def dated(text: str, language: str = "") -> tuple[str | None, str | None]:
    r"""Return the first date of publication and of a change; no publication from a list, which has many.

    >>> dated("\nMay 3, 2024\n- Updated \x03 2024-06-01 \x04\n")
    ('2024-05-03', '2024-06-01')
    """
    published, modified = list[str](), list[str]()
    for start, date in _dates(text, language):
        before = re.sub(f"[{_MARKS}\n]", " ", text[max(0, start - _MOST_BEFORE_DATE) : start])
        if before.endswith(MODIFIED) or _UPDATED.search(before):
            modified.append(date)
        else:
            published.append(date)
    if len({date[:10] for date in published}) >= _LEAST_OF_A_LIST:
        return None, None
    # A day may stand twice: for readers, and with its time.
    first = next(
        (date for date in published if date.startswith(published[0]) and len(date) > len(published[0])), None
    )
    return first or next(iter(published), None), next(iter(modified), None)


def _dates(text: str, language: str) -> list[tuple[int, str]]:
    """Return where each date begins, and the date; not those that other pages of the site have, too."""
    found = [(mark.start(), date) for mark in _MARKED_DATE.finditer(text) if (date := iso_date(mark[1], language))]
    # Lines hold no date that a mark has given already.
    for line in _LINE.finditer(_MARKED_DATE.sub(lambda mark: "\n" * len(mark[0]), text)):
        for begin, end, date in dates_in(line.group(), language) if _YEAR.search(line.group()) else ():
            before, after = line.group()[:begin], line.group()[end:]
            is_short = len(before) <= _MOST_BEFORE_DATE and len(after) <= _MOST_AFTER_DATE
            is_dated = _DATED.search(before) or _UPDATED.search(before) or _IS_LABEL.fullmatch(before)
            is_line = not before.strip(" (") and _LINE_OF_DATE.match(after)
            if ((is_short and is_dated) or is_line) and not after.endswith(TEMPLATE):
                found.append((line.start() + begin, date))
    return sorted(found)
