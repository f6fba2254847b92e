"""The forms in which a kind's pages show their date, as texts and names of its parts in turn."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from sitestencil.page.dates import month_number

_PARTS = ("year", "day", "day_2", "month", "month_2")
_UNIT = {"day_2": "day", "month_2": "month", "month_name": "month"}
_TOKEN = re.compile(r"[0-9]+|[^\W\d_]+\.?")
_LONGEST_TEXT, _LONGEST_DATE = 1_000, 40
_MOST_DATES = 2  # of one value, as in an element with a machine's date and a person's
_ENGLISH = (
    "January February March April May June July August September October November December".split(),
    "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(),
)


def date_forms(text: str, known: Mapping[str, str], most: int = _MOST_DATES) -> Iterator[tuple[str, ...]]:
    """Yield the ways to write a text with the parts of a page's date in their place: 06 is a day, or a month.

    Args:
        text: the value that shows the date.
        known: the parts of the date by name, as the build has them.
        most: the number of dates that are looked for.

    >>> date = {"year": "2024", "month": "5", "month_2": "05", "day": "3", "day_2": "03"}
    >>> list(date_forms("on 3. Mai 2024", date))
    [('on ', 'day', '. ', 'month_name', ' ', 'year', '')]
    """
    if not most or not known["year"] or known["year"] not in text or len(text) > _LONGEST_TEXT:
        return
    places = [(found, names) for found in _TOKEN.finditer(text) if (names := _names(found[0], known))]
    for three in zip(places, places[1:], places[2:], strict=False):
        (first, _), (second, _), (third, _) = three
        ways = [
            names for names in product(*(names for _, names in three)) if len(set(map(_unit, names))) == len(names)
        ]
        if not ways or third.end() - first.start() > _LONGEST_DATE:
            continue
        between = text[first.end() : second.start()], text[second.end() : third.start()]
        rests = [*date_forms(text[third.end() :], known, most - 1)] or [(text[third.end() :],)]
        for (one, two, three_), rest in product(ways, rests):
            yield (text[: first.start()], one, between[0], two, between[1], three_, *rest)
        return


def _names(token: str, known: Mapping[str, str]) -> list[str]:
    """Return the parts of a date that a number or a word may be."""
    if token[0].isdigit():
        return [name for name in _PARTS if known[name] == token]
    return ["month_name"] if known["month"] and month_number(token) == int(known["month"]) else []


def _unit(name: str) -> str:
    return _UNIT.get(name, name)


def month_names(values: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the name of each month as some values have it; those of English are known where all fit.

    Args:
        values: texts, each with the number of its page's month.
    """
    names = dict[str, str]()
    for text, month in values:
        for token in _TOKEN.findall(text[:_LONGEST_TEXT]):
            if month and month_number(token) == int(month):
                names.setdefault(month, token)
    for english in _ENGLISH:
        if names and all(english[int(month) - 1] == name for month, name in names.items()):
            return {str(number): name for number, name in enumerate(english, 1)}
    return names
