"""Decide how a page's elements read in text and Markdown, whoever writes them."""

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from sitestencil.outputs.formulas import Formula, delimited, formulas
from sitestencil.page.document import Document
from sitestencil.page.hidden import without_text
from sitestencil.page.read_names import read_names

_FIRST_WIDE = "\u2e80"  # ideographs and kana stand behind this character


@dataclass(frozen=True, slots=True)
class Reading:
    """How the elements of a page read.

    Attributes:
        hidden: per element, whether nobody sees its text.
        names: the names to read elements by, where these are not their own.
        replaced: the formulas and other texts to write in the place of elements, hidden ones included.
    """

    hidden: Sequence[bool]
    names: Mapping[int, str]
    replaced: Mapping[int, Formula | str]

    def texts(self, document: Document, dropped: Collection[int] = ()) -> dict[int, str]:
        """Return the text to write in the place of each replaced element, and of each hidden part.

        Args:
            document: the page.
            dropped: the replaced elements to write nothing of.
        """
        texts = {
            element: "" if element in dropped else _text(one) for element, one in sorted(self.replaced.items())
        }
        elements = list(texts)
        end = 0
        with suppress(ValueError):  # no further one
            while True:
                element = self.hidden.index(True, end)
                end = document.ends[element]
                inside = elements[bisect_left(elements, element) : bisect_left(elements, end)]
                texts.setdefault(element, " ".join(["", *map(texts.__getitem__, inside), ""]))
        return texts


def reading(document: Document) -> Reading:
    """Return how the elements of a page read."""
    return Reading(without_text(document), read_names(document), {**formulas(document), **_ruby_texts(document)})


def _text(replaced: Formula | str) -> str:
    if isinstance(replaced, str):
        return replaced
    return delimited(replaced.tex, is_block=replaced.is_block)


def _ruby_texts(document: Document) -> dict[int, str]:
    """Return the readings of characters, in parentheses, where the page has none."""
    if "rt" not in document.tags:
        return {}
    found: dict[int, str] = {}
    before = ""
    for element, tag in enumerate(document.tags):
        if tag == "rt" and before != "rp":
            text = " ".join("".join(document.texts[run].text for run in document.runs(element)).split())
            is_wide = text > _FIRST_WIDE
            found[element] = (f"\uff08{text}\uff09" if is_wide else f"({text})") if text else ""
        before = tag
    return found
