"""Read a page's title from its tree or its source; find the site's own part of it, or cut that off."""

import re
from collections.abc import Iterable, Sequence, Set
from html import unescape
from urllib.parse import urlsplit

from sitestencil.page.document import Document
from sitestencil.page.encoding import decode

# Titles stand early: a later one is in an SVG image, or not a title.
_LOOKED_THROUGH = 100_000
_START = re.compile(r"<title(?=[\s>/])", re.IGNORECASE)
_END = re.compile(r"</title\s*+>", re.IGNORECASE)
# Separators of titles: "Knots - Ropes & Co", "Ropes & Co: Knots", "Knots | Ropes & Co", and wide ones.
TITLE_SEPARATOR = re.compile(
    r"(\s+[-\u2010-\u2015/~*<>\u2039\u203a\u2190\u2192_]+\s+"
    r"|\s*[|\u00b7\u00bb\u00ab\u2022\u22c6\u2502\uff1a\uff5c]\s*"
    r"|\s+::?\s+|:\s+|(?<=[^\W\d]):(?=[^\W\d])|(?<=[^\x00-\x7f])_(?=\S)|(?<=\S)_(?=[^\x00-\x7f]))"
)
_TIGHT = re.compile(r":\s*")  # between a title's own parts, too
_QUOTES = {"\u00bb": "\u00ab", "\u00ab": "\u00bb"}  # an end of a quotation, and its begin
_LONGEST_TITLE = 500
_LEAST_SHARE = 0.6  # of the site's titles that have a part of its own
_LEAST_SHARE_OF_OTHERS = 0.5
_SHORTEST_LABEL, _LABELS_OF_USER = 3, 3
_NO_LETTERS = re.compile(r"[\W_]+")
_SPACE = re.compile(r"\s+")


def page_title(document: Document) -> str:
    """Return the first ``title`` before the body, with white space collapsed; empty if there is none."""
    head = document.tags[: document.body]
    if "title" not in head:
        return ""
    title = head.index("title")
    return _collapsed("".join(run.text for run in document.texts if run.parent == title))


def source_title(source: bytes, charset: str | None = None) -> str:
    r"""Return the first ``title`` of HTML, with white space collapsed; empty if there is none.

    >>> source_title(b"<!doctype html><title>\n Knots &amp; ropes </title>")
    'Knots & ropes'
    """
    text = decode(source[:_LOOKED_THROUGH], charset)
    tag = _START.search(text)
    start = text.find(">", tag.end()) + 1 if tag is not None else 0
    end = _END.search(text, start) if start else None
    return _collapsed(unescape(text[start : end.start()])) if end is not None else ""


def _collapsed(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


def letters(text: str) -> str:
    """Return the letters and digits of a name in lower case, without "the", for comparison."""
    return _NO_LETTERS.sub("", text.lower().removeprefix("the "))


def shared_parts(titles: Iterable[str]) -> set[str]:
    """Return the parts, as `letters`, that at least 60% of some titles share.

    >>> sorted(shared_parts(["Knots | Ropes", "Bends - Ropes", "404"]))
    ['ropes']
    """
    parts = [set(map(letters, TITLE_SEPARATOR.split(title[:_LONGEST_TITLE])[::2])) for title in titles if title]
    return {part for part in set().union(*parts) if sum(part in of for of in parts) >= _LEAST_SHARE * len(parts)}


def title_alone(title: str, names: Set[str], heading: str = "") -> str:
    """Return a title without the site's names behind a separator at either end; never empty.

    Args:
        title: the title.
        names: the site's names, as `letters`.
        heading: the page's heading; where it is the title's beginning or end, it is all of it.

    >>> title_alone("Knots | Ropes - All of them", {"ropes", "ropesallofthem"}), title_alone("Ropes", {"ropes"})
    ('Knots', 'Ropes')
    >>> title_alone("Bends - Learn | Ropes", {"ropes"}, "Bends")
    'Bends'
    """
    pieces = TITLE_SEPARATOR.split(title)
    while (shorter := _shorter(pieces, names)) is not None:
        pieces = shorter
    heading_letters = letters(heading)
    for cut in range(1, len(pieces) if heading_letters else 0, 2):
        for part in (pieces[:cut], pieces[cut + 1 :]):
            if not _TIGHT.fullmatch(pieces[cut]) and letters("".join(part)) == heading_letters:
                return "".join(part)
    return "".join(pieces)


def _shorter(pieces: list[str], names: Set[str]) -> list[str] | None:
    """Return a title's parts and separators without one of the site's names; None where it has none."""
    for cut in range(1, len(pieces), 2):
        before, after = pieces[:cut], pieces[cut + 1 :]
        if letters("".join(after)) in names and letters("".join(before)):
            mark = pieces[cut].strip()
            is_quote = mark in _QUOTES and "".join(before).count(_QUOTES[mark]) > "".join(before).count(mark)
            return [*before[:-1], before[-1].rstrip() + (mark if is_quote else "")]
        if letters("".join(before)) in names and letters("".join(after)):
            return after
    return None


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
        if part and share >= _LEAST_SHARE_OF_OTHERS:
            shared += (pieces[number - 1] if shared else "") + part
    return shared


def host_names(url: str) -> list[str]:
    """Return the names that a site may have by its address.

    >>> host_names("https://www.ropes.co.uk/knots")
    ['www.ropes.co.uk', 'ropes.co.uk', 'ropes']
    """
    host = urlsplit(url).hostname or ""
    labels = host.removeprefix("www.").split(".")
    return [host, ".".join(labels), *(label for label in labels[:-1] if len(label) >= _SHORTEST_LABEL)]


def user_name(url: str) -> str:
    """Return the first label of an address that names a user of a host of blogs; else an empty string.

    >>> user_name("https://annlee.blogs.example/"), user_name("https://www.ropes.example/"), user_name("https://a.co.uk")
    ('annlee', '', '')
    """
    labels = (urlsplit(url).hostname or "").removeprefix("www.").split(".")
    return labels[0] if len(labels) == _LABELS_OF_USER and len(labels[1]) > _SHORTEST_LABEL else ""


def likeness(name: str, title: str) -> float:
    """Return how much of a title a heading is, or the other way round; 0 where neither holds the other."""
    short, long = sorted((name, title), key=len)
    return len(short) / len(long) if short and short in long else 0.0
