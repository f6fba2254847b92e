"""Read other words in the place of elements: raised signs, references to notes, readings of characters."""

from dataclasses import dataclass

from sitestencil.page.document import Document
from sitestencil.page.html_names import BLOCKS
from sitestencil.reading.footnotes import Footnotes
from sitestencil.reading.formulas import Formula, delimited
from sitestencil.reading.names import TITLED

_FIRST_WIDE = "\u2e80"  # ideographs and kana stand behind this character
# Signs that Unicode also has raised or lowered: without them ten to the sixth would be 106.
_RAISED = {
    "sup": str.maketrans("0123456789+-\u2212=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ"),
    "sub": str.maketrans("0123456789+-\u2212=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎"),
}
_MOST_RAISED = 10


@dataclass(frozen=True, slots=True)
class NoteReference:
    """A reference to a footnote.

    Attributes:
        note: the element of the note.
        number: that of the note, from 1.
        label: what the page calls it.
    """

    note: int
    number: int
    label: str


Replaced = Formula | NoteReference | str


def words_of(replaced: Replaced) -> str:
    """Return the words to read: formulas between dollar signs, references in brackets."""
    if isinstance(replaced, Formula):
        return delimited(replaced.tex, is_block=replaced.is_block)
    return replaced if isinstance(replaced, str) else f"[{replaced.label}]"


def substitutes(document: Document, notes: Footnotes) -> "dict[int, Replaced]":
    """Return what to read in the place of elements, but for formulas and drawn signs."""
    found: dict[int, Replaced] = {**_raised(document), **_note_links(document, notes), **_ruby_texts(document)}
    return found | _links_to_themselves(document)


def _note_links(document: Document, notes: Footnotes) -> dict[int, NoteReference | str]:
    """Return the references to notes; the links back say nothing."""
    found: dict[int, NoteReference | str] = dict.fromkeys(notes.links_back, "")
    for link, note in notes.references.items():
        label = document.text_content(link).strip(" \t\n\f\r()[]")
        found[link] = NoteReference(note, notes.notes[note], label)
    return found


def _links_to_themselves(document: Document) -> dict[int, str]:
    """Return nothing in the place of the signs by which headings, terms and captions link to themselves."""
    tags, found = document.tags, dict[int, str]()
    for element in document.tagged("a"):
        if "#" in document.attributes[element].get("href", ""):
            block = document.parents[element]
            while block > 0 and tags[block] not in BLOCKS:
                block = document.parents[block]
            is_sign = tags[block] in TITLED and "img" not in tags[element : document.ends[element]]
            if is_sign and not any(map(str.isalnum, document.text_content(element))):
                found[element] = ""
    return found


def _raised(document: Document) -> dict[int, str]:
    """Return superscripts and subscripts as signs of Unicode, where Unicode has all of them."""
    found: dict[int, str] = {}
    for element in document.tagged(*_RAISED):
        if document.ends[element] == element + 1:
            tag = document.tags[element]
            text = document.text_content(element).strip()
            if 0 < len(text) <= _MOST_RAISED and all(ord(sign) in _RAISED[tag] for sign in text):
                found[element] = text.translate(_RAISED[tag])
    return found


def _ruby_texts(document: Document) -> dict[int, str]:
    """Return the readings of characters, in parentheses, where the page has none."""
    found: dict[int, str] = {}
    end = 0
    for element in document.tagged("rt"):
        if document.tags[element - 1] != "rp" and element >= end:
            end = document.ends[element]
            text = " ".join(document.text_content(element).split())
            is_wide = text > _FIRST_WIDE
            found[element] = (f"\uff08{text}\uff09" if is_wide else f"({text})") if text else ""
    return found
