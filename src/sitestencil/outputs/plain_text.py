"""Write the content's tree as plain text: one line for each block, as a reader sees it."""

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from sitestencil.outputs.allowed_markup import DROPPED, VOID
from sitestencil.outputs.reading import Reading, reading
from sitestencil.outputs.tree import texts_by_place
from sitestencil.page.document import Document
from sitestencil.page.html_names import BLOCKS, CELLS, NO_TEXT
from sitestencil.page.words import words
from sitestencil.printable import visible

# Elements without text. That of a template element counts only inside shadow trees.
SILENT = (NO_TEXT | DROPPED | {"head", "math"}) - {"template"}
# Readers see a non-breaking space, and every other Unicode space, as a space.
_SPACE = re.compile(r"\s+")
_SPACE_IN_PRE = re.compile(r"[^\S\t\n]")
# Around the words of a picture until the text is complete. No honest page has these characters.
_PICTURE, _PICTURE_END = "\ufdd0", "\ufdd1"
_PICTURES = re.compile(f"{_PICTURE}([^{_PICTURE}{_PICTURE_END}\n]*){_PICTURE_END}")
# A line of more pictures is not searched for in the lines beside it, each of which may be a whole page.
_MOST_SEARCHED = 20
# The alternative text of some programs.
_FILE_NAME = re.compile(r"\S+\.(?:avif|bmp|gif|jpe?g|png|svg|tiff?|webp)", re.IGNORECASE)
_TINY = frozenset({"0", "1"})
_LOWER, _UPPER = re.compile("[a-z]"), re.compile("[A-Z]")
_NEXT = 2
_CELL_END = "\0"  # never occurs in parsed text


def collapsed(text: str) -> str:
    """Return a text with each run of white space as one space."""
    return visible(_SPACE.sub(" ", text))


def preformatted(text: str) -> str:
    """Return a text with its line ends kept, and each kind of space as a plain one."""
    return visible(_SPACE_IN_PRE.sub(" ", text.replace("\r", "")))


def marked_picture(attributes: Mapping[str, str | None]) -> str:
    """Return the words that stand for a picture, for `with_pictures`."""
    words = picture_words(attributes)
    return f"{_PICTURE}{words}{_PICTURE_END}" if words else ""


def with_pictures(text: str) -> str:
    """Return a text with the words of its pictures.

    Teasers and figures repeat a picture's words below or above it. So a picture on a line of its own is left out
    if the line before or after it says the same, or if an earlier picture did.
    """
    if _PICTURE not in text and _PICTURE_END not in text:
        return text
    given = text.splitlines()
    said = [_as_words(_PICTURES.sub(" ", line)) for line in given]
    told: set[str] = set()
    lines: list[str] = []
    for number, line in enumerate(given):
        if said[number].isspace() and _PICTURE in line:
            near: Sequence[str] = (said[max(0, number - 1)], said[min(number + 1, len(said) - 1)])
            found = _PICTURES.findall(line)
            near = near if len(found) <= _MOST_SEARCHED else ()
            pictures = [one for one in found if not _is_told(_as_words(one), near, told)]
            if pictures:
                lines.append(" ".join(pictures))
        else:
            lines.append(_PICTURES.sub(_apart, line) if _PICTURE in line else line)
    return "".join(f"{line}\n" for line in lines)


def _as_words(text: str) -> str:
    return f" {' '.join(words(text))} "


def _is_told(word: str, near: Sequence[str], told: set[str]) -> bool:
    is_told = not word.isspace() and (word in told or any(word in line for line in near))
    told.add(word)
    return is_told


def _apart(found: re.Match[str]) -> str:
    """Return a picture's words apart from the words beside them."""
    around = found.string[found.start() - 1 : found.start()], found.string[found.end() : found.end() + 1]
    before, after = (" " * (one.isalnum() or one in {_PICTURE, _PICTURE_END}) for one in around)
    return f"{before}{found[1]}{after}"


def picture_words(attributes: Mapping[str, str | None]) -> str:
    """Return the words that stand for a picture: its alternative text, unless that is a file's name.

    >>> picture_words({"alt": " A tied  bowline"}), picture_words({"alt": "IMG_0714.JPG"})
    ('A tied bowline', '')
    """
    alternative = collapsed(attributes.get("alt") or "").strip()
    return "" if _FILE_NAME.fullmatch(alternative) or counts_visits(attributes) else alternative


def counts_visits(attributes: Mapping[str, str | None]) -> bool:
    """Return whether a picture is too small to be seen."""
    return _TINY.issuperset((attributes.get("width"), attributes.get("height")))


def are_two_words(one: str, next_one: str) -> bool:
    """Return whether texts of elements side by side are two words, such as ``Categories`` and ``Company``."""
    return bool(_LOWER.match(one[-1:]) and _UPPER.match(next_one))


class Lines:
    """Lines of a page's content; `text` completes them.

    Attributes:
        parts: the parts of the unfinished line.
        is_after_link: whether no text came since a link's end: two links are two words.
        between: without text since then, 1 after the end of an element within a line, 2 after the next one's begin.
    """

    __slots__ = ("_blanks", "_finished", "_in_code", "_preformatted", "between", "is_after_link", "parts")

    def __init__(self) -> None:
        self._finished: list[str] = []
        self.parts: list[str] = []
        self._preformatted = self.is_after_link = self._in_code = False
        self.between = self._blanks = 0

    def add(self, text: str, *, in_pre: bool = False) -> None:
        """Add text to the line; in ``pre`` keep its spaces and line ends."""
        self.is_after_link = False
        if not in_pre:
            if self.between:
                self.part(text)
            self.parts.append(text)
            return
        self.between = 0
        first, *others = preformatted(text).split("\n")
        self._preformatted = True
        self.parts.append(first)
        for line in others:
            self.end()
            self._preformatted = True
            self.parts.append(line)

    def part(self, text: str) -> None:
        """Part the words of two elements side by side."""
        if self.between == _NEXT and self.parts and are_two_words(self.parts[-1], text):
            self.parts.append(" ")
        self.between = 0

    def add_picture(self, attributes: Mapping[str, str | None]) -> None:
        """Add the words that stand for a picture."""
        if marked := marked_picture(attributes):
            self.add(marked)

    def begin(self, tag: str, *, in_pre: bool = False) -> None:
        """Begin an element."""
        if tag in BLOCKS:
            self.end_block()
        elif tag == "br":
            if in_pre:
                self.add("\n", in_pre=True)
            else:
                self.end()
        elif tag == "text" or (tag == "a" and self.is_after_link and not in_pre):  # that of a drawing
            self.add(" ")
        elif self.between:
            self.between = _NEXT

    def close(self, tag: str) -> None:
        """End an element."""
        if tag in BLOCKS:
            self.end_block()
        elif tag in CELLS:
            self.end_cell()
        elif tag not in VOID:
            self.between = 1
            if tag == "a":
                self.is_after_link = True

    def end_cell(self) -> None:
        """Separate two cells of a table's row."""
        self.parts.append(_CELL_END)

    def end_block(self) -> None:
        """End the line at a block's edge; behind a line end in code there is none to end."""
        if self._preformatted and not any(part.strip(_CELL_END) for part in self.parts):
            self.parts.clear()
        self.end()

    def end(self) -> None:
        """End the line; drop it if it is empty."""
        if not self.parts:
            self._preformatted = False
            return
        text = "".join(self.parts)
        self.parts.clear()
        if self._preformatted:
            self._preformatted = False
            self._end_code(text.replace(_CELL_END, "\t").rstrip())
            return
        text = "\t".join(map(_words, text.split(_CELL_END))).strip() if _CELL_END in text else _words(text)
        if text:
            self._finished.append(text)
            self._in_code, self._blanks = False, 0

    def _end_code(self, text: str) -> None:
        """End a line of code; a blank one counts only between two others."""
        if text:
            self._finished += [""] * self._blanks
            self._finished.append(text)
            self._in_code, self._blanks = True, 0
        elif self._in_code:
            self._blanks += 1

    def text(self) -> str:
        """Return all lines, each with a line end."""
        self.end()
        return with_pictures("".join(f"{line}\n" for line in self._finished))


def _words(text: str) -> str:
    words = " ".join(text.split())
    return words if words.isprintable() else " ".join(visible(words).split())


class Judged(Protocol):
    """Whether each element and text of a page is left out of its text."""

    @property
    def template(self) -> Sequence[bool]:
        """Per element, whether it is."""
        ...

    @property
    def template_texts(self) -> Sequence[bool]:
        """Per text, whether it is, if its element is too."""
        ...


def document_text(document: Document, judged: Judged) -> str:
    """Return the text of a page's content, one line for each block."""
    return text_and_links(document, judged)[0]


def text_and_links(document: Document, judged: Judged) -> tuple[str, int]:
    """Return the text of a page's content, one line for each block, and the number of its links."""
    tags, ends, lines, links = document.tags, document.ends, Lines(), 0
    first_texts, texts_after = texts_by_place(document)
    read = reading(document)
    names, replaced = read.names, _replaced_texts(document, judged, read)
    opened: list[tuple[int, bool]] = []
    element, count = document.body or 0, len(document)
    # Between two blocks of code an empty one is a blank line.
    may_skip = "pre" not in tags and "pre" not in names.values()
    shown = _shown(document, judged) if may_skip else ()

    def add(runs: Sequence[int]) -> None:
        for number in runs:
            run = document.texts[number]
            # A template's text leaves a space, so that the words on both sides stay apart.
            is_left_out = judged.template[run.parent] and judged.template_texts[number]
            lines.add(" " if is_left_out else run.text, in_pre=bool(opened) and opened[-1][1])

    while element < count or opened:
        while opened and ends[opened[-1][0]] <= element:
            left, _ = opened.pop()
            lines.close(names.get(left) or tags[left])
            links += (names.get(left) or tags[left]) == "a" and not judged.template[left]
            add(texts_after.get(left, ()))
        if element >= count:
            break
        tag = names.get(element) or tags[element]
        is_left_out = may_skip and tag in BLOCKS and element not in shown
        if is_left_out or element in replaced or tag in SILENT:
            if element in replaced:
                lines.add(replaced[element])
            elif is_left_out:
                lines.end_block()
            add(texts_after.get(element, ()))
            element = ends[element]
            continue
        opened.append((element, tag == "pre" or (bool(opened) and opened[-1][1])))
        lines.begin(tag, in_pre=opened[-1][1])
        if tag == "img" and not judged.template[element]:
            lines.add_picture(document.attributes[element])
        add(first_texts.get(element, ()))
        element += 1
    return lines.text(), links


def _shown(document: Document, judged: Judged) -> set[int]:
    """Return the elements of the content, and those around its elements and texts."""
    shown: set[int] = set()
    template, parents, texts = judged.template, document.parents, judged.template_texts
    content = [run.parent for run, is_template in zip(document.texts, texts, strict=True) if not is_template]
    content += [element for element, is_template in enumerate(template) if not is_template]
    for part in content:
        element = part
        while element >= 0 and element not in shown:
            shown.add(element)
            element = parents[element]
    return shown


def _replaced_texts(document: Document, judged: Judged, read: Reading) -> dict[int, str]:
    """Return the text to write in the place of elements: an empty one if all of the element is template."""
    if not read.replaced:
        return read.texts(document)
    shown = {
        run.parent
        for run, is_template in zip(document.texts, judged.template_texts, strict=True)
        if not is_template
    }
    template, ends = judged.template, document.ends
    dropped = {
        element
        for element in read.replaced
        if all(template[part] and part not in shown for part in range(element, ends[element]))
    }
    return read.texts(document, dropped)
