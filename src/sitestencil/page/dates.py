"""Read the dates that pages state."""

import re
from datetime import datetime
from email.utils import parsedate_to_datetime

_DATE = re.compile(r"(\d{4})(?:[-/.]?(\d{2})(?:[-/.]?(\d{2}))?)?", re.ASCII)
_DAY_AND_TIME = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{1,2}:\d{2}.{0,30})", re.ASCII)
_OFFSET = re.compile(r"([+-]\d{2})(\d{2})?$", re.ASCII)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH, _DAY = rf"((?:{'|'.join(_MONTHS)})[a-z]*)\.?", r"(\d{1,2})(?:st|nd|rd|th)?"
_WORDS = re.compile(rf"(?:{_MONTH} {_DAY}|{_DAY} {_MONTH}),? (\d{{4}})", re.IGNORECASE | re.ASCII)


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
            return datetime.fromisoformat(f"{day}T{hour}{time}").isoformat()
        except ValueError:
            return _checked(day)
    if (words := _WORDS.fullmatch(text)) is not None:
        month = _MONTHS.index((words[1] or words[4])[:3].lower()) + 1
        return _checked(f"{words[5]}-{month:02}-{int(words[2] or words[3]):02}")
    try:
        return parsedate_to_datetime(text).isoformat() if "," in text else None
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _checked(date: str) -> str | None:
    """Return a year, month or day that exists."""
    try:
        datetime.fromisoformat(f"{date}-01-01"[:10] if len(date) < 10 else date)
    except ValueError:
        return None
    return date
