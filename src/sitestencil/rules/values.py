"""Tell the types of columns, and read their values: numbers, prices and dates; and compare values."""

import re
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple
from urllib.parse import unquote

from sitestencil.page.dates import dates_in, iso_date
from sitestencil.page.page_title import letters

ColumnType = Literal["text", "number", "price", "date", "link", "picture"]
Value = str | float | None

_TYPED = 0.8  # of the values that have a type
_LONGEST = 40  # characters of a number, a price or a date
_CURRENCY = r"[$€£¥₹₽₴₺]|(?:USD|EUR|GBP|CHF|PLN|SEK|NOK|DKK|kr|zł|Rs|Kč|\u0440\u0443\u0431)\b\.?"
_NUMBER = r"(?>\d{1,3}(?:[\s'\u2019]\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d[\d.,]*)"
_PRICE = re.compile(rf"(?:{_CURRENCY})\s?{_NUMBER}(?!\w)|{_NUMBER}\s?(?:{_CURRENCY})")
# No version, telephone or other identifier: what a number loses of them is lost.
_ONLY_NUMBER = re.compile(
    r"[-\u2212]?(?:0|[1-9]\d{0,2}(?:([.,\s'\u2019])\d{3}(?:\1\d{3})*)|[1-9]\d{0,14})(?:[.,]\d{1,9})?\s?%?"
)
_EITHER = re.compile(r"\D?[1-9]\d{0,2}[.,]\d{3}\D*")  # may have thousands or decimals
_DECIMAL = re.compile(r"(?<=^0)[.,]|[.,](?=(?:\d{1,2}|\d{4,})$)")  # three digits may be thousands
_SLASHES = re.compile(r"\b(\d{1,2})/(\d{1,2})/(\d{4})\b")
_ADDRESS = re.compile(r"https?://\S+")
_PICTURE = re.compile(r"https?://\S+\.(?:png|jpe?g|gif|webp|avif|svg)(?:\?\S*)?", re.IGNORECASE)


class Form(NamedTuple):
    """The type of a column, and what its values tell: the decimal mark, and whether days are before months."""

    type: ColumnType
    decimal: str = ""
    day_first: bool | None = None

    def read(self, value: str) -> Value:
        """Return a value as a number, a date in ISO 8601, or the text; None for a text in a column of numbers."""
        if self.type == "date":
            return date_in(value, day_first=self.day_first) or value
        if self.type == "number" and not _ONLY_NUMBER.fullmatch(value[: _LONGEST + 1]):
            return None  # 120.7k is not 120.7
        return number_in(value, self.decimal) if self.type in {"number", "price"} else value


def form_of(values: Sequence[str]) -> Form:
    """Return the form that most values of a column have."""
    slashes = [tuple(map(int, found.groups()[:2])) for value in values if (found := _SLASHES.search(value))]
    first, second = (any(pair[at] > 12 for pair in slashes) for at in (0, 1))
    day_first = None if first == second else first
    marks = {found[0] for value in values if (found := _DECIMAL.search(_digits(value)))}
    tests: dict[ColumnType, Callable[[str], object]] = {
        "picture": _PICTURE.fullmatch,
        "link": _ADDRESS.fullmatch,
        "price": lambda value: len(value) <= _LONGEST and _PRICE.search(value),
        "date": lambda value: len(date_in(value, day_first=day_first) or "") > len("2024-05"),
        "number": lambda value: len(value) <= _LONGEST and _ONLY_NUMBER.fullmatch(value),
    }
    mark = marks.pop() if len(marks) == 1 else ""
    least = {"number": 1.0}  # of the values; others would be lost
    likely = (
        kind
        for kind, test in tests.items()
        if sum(map(bool, map(test, values))) >= least.get(kind, _TYPED) * len(values)
    )
    form = Form(next(likely, "text"), mark, day_first)
    return form if form.type != "number" or _are_numbers(values, mark) else Form("text")


def _are_numbers(values: Sequence[str], mark: str) -> bool:
    """Return whether numbers are read in one way only, and none is another text's: 3.1 and 3.10 are versions."""
    texts = {re.sub(r"[\s%]", "", value) for value in values}
    is_told = mark or not all(map(_EITHER.fullmatch, texts))
    return bool(is_told) and len({number_in(text, mark) for text in texts}) == len(texts)


def date_in(value: str, *, day_first: bool | None = None) -> str | None:
    """Return the date of a short text, in ISO 8601; None without one, or if day and month may be each other."""
    if len(value) > 2 * _LONGEST or value.strip().isdigit():  # such as a telephone's number
        return None
    date = iso_date(value) or next((day for _, _, day in dates_in(value[:_LONGEST])), None)
    if date is None and day_first is not None and (found := _SLASHES.search(value)):
        day, month = (found[1], found[2]) if day_first else (found[2], found[1])
        return iso_date(f"{found[3]}-{month:0>2}-{day:0>2}")
    return date


def number_in(value: str, decimal: str = "") -> float | None:
    """Return the price or the number of a short text, with points or commas; None without one.

    >>> [number_in(value) for value in ("$1,299.50", "1.299,50 €", "12 kr", "-3 %", "none")]
    [1299.5, 1299.5, 12.0, -3.0, None]
    >>> number_in("4.875"), number_in("4.875", decimal=".")
    (4875.0, 4.875)
    """
    digits = _digits(value)
    mark = _DECIMAL.search(digits)
    at = digits.rfind(decimal) if decimal else mark.start() if mark else -1
    whole, decimals = (digits[:at], digits[at + 1 :]) if at >= 0 else (digits, "0")
    whole = re.sub(r"[.,]", "", whole)
    sign = "-" if re.match(r"[-\u2212]\d", value) else ""
    is_number = whole.isdigit() and decimals.isdigit() and len(whole) < 16
    return float(f"{sign}{whole}.{decimals}") if is_number else None


def _digits(value: str) -> str:
    """Return the number in a short text, with its marks; of several the price."""
    if len(value) > _LONGEST:
        return ""
    priced = _PRICE.search(value)
    found = re.search(_NUMBER, priced[0] if priced else value)
    return re.sub(r"[\s'\u2019]", "", found[0]).rstrip(".,") if found else ""


def is_equal(value: str, stated: str) -> bool:
    """Return whether two texts are one value: equal letters, file of an address, date, or number.

    >>> is_equal("$12.50", "12.5"), is_equal("3 May 2024", "2024-05-03T08:00:00Z"), is_equal("3", "May 3")
    (True, True, False)
    """
    if not value or not stated:
        return False
    if letters(value) == letters(stated) != "":
        return True
    if "://" in value:
        return file_in(value) == file_in(stated) != ""
    one, other = date_in(value), date_in(stated)
    if one and other:
        return one[:10] == other[:10]
    is_number = len(stated) <= _LONGEST and _ONLY_NUMBER.fullmatch(stated) and _PRICE.search(value[: _LONGEST + 1])
    return bool(is_number) and number_in(value) == number_in(stated) is not None


def file_in(address: str) -> str:
    """Return the name of an address's file, without escapes."""
    return unquote(re.split("[?#]", address, maxsplit=1)[0].rpartition("/")[2])
