"""Clean and cut the short texts that a page states about itself."""

from collections.abc import Iterable

from sitestencil.printable import visible


def clean(text: str) -> str:
    """Return a text in one line, without control characters."""
    return " ".join(visible(text).split())


def cut(text: str, most: int) -> str:
    """Return a text of at most some characters."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def first_text(texts: Iterable[str], most: int) -> str | None:
    """Return the first text that has letters, cleaned and cut."""
    for text in texts:
        # A little more than the limit, because white space goes.
        line = clean(text[: 4 * most])
        if line:
            return cut(line, most)
    return None
