"""Find the site's own part of a page's title: the part that its pages share."""

import re
from collections.abc import Sequence

# Separators of titles: "Knots - Ropes & Co", "Ropes & Co: Knots", "Knots | Ropes & Co".
_SEPARATOR = re.compile(
    r"(\s+[-\u2010-\u2015/~<>\u2039\u203a\u2190\u2192]+\s+|\s*[|\u00b7\u00bb\u00ab\u2022]\s*|:\s+)"
)
_LEAST_SHARE = 0.5


def site_title(title: str, others: Sequence[str]) -> str:
    """Return the parts of a title that at least half of the other titles have, too.

    Without other titles, return the title unchanged. Without shared parts, return an empty string.

    >>> site_title("Knots - Ropes & Co", ["Splices - Ropes & Co", "Ropes & Co", "Not found"])
    'Ropes & Co'
    >>> site_title("Knots", []), site_title("Knots", ["Splices"])
    ('Knots', '')
    """
    if not any(others):
        return title
    parts_of_others = [set(_SEPARATOR.split(other)[::2]) for other in others if other]
    pieces = _SEPARATOR.split(title)
    shared = ""
    for number in range(0, len(pieces), 2):
        part = pieces[number]
        share = sum(part in parts for parts in parts_of_others) / len(parts_of_others)
        if part and share >= _LEAST_SHARE:
            shared += (pieces[number - 1] if shared else "") + part
    return shared
