"""Find the site's own part of a page's title: the part that its pages share."""

from collections.abc import Sequence

from sitestencil.page.page_title import TITLE_SEPARATOR

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
    parts_of_others = [set(TITLE_SEPARATOR.split(other)[::2]) for other in others if other]
    pieces = TITLE_SEPARATOR.split(title)
    shared = ""
    for number in range(0, len(pieces), 2):
        part = pieces[number]
        share = sum(part in parts for parts in parts_of_others) / len(parts_of_others)
        if part and share >= _LEAST_SHARE:
            shared += (pieces[number - 1] if shared else "") + part
    return shared
