"""Write the content's tree as plain text: one line for each block, as a reader sees it."""

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from sitestencil.detectors.detection import Detection
from sitestencil.page.document import Document
from sitestencil.page.words import words
from sitestencil.printable import visible
from sitestencil.reading.reading import (
    BREAK,
    CELL,
    CODE,
    CODE_BREAK,
    EDGE,
    INSTEAD,
    LINES,
    QUOTE,
    SPACE,
    TEXT,
    reading,
)

# Readers see a non-breaking space, and every other Unicode space, as a space.
_SPACE = re.compile(r"\s+")
# A line end in the source between two signs of Chinese or Japanese is no space.
_WIDE = "[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"
_WIDE_LINES = re.compile(rf"(?<={_WIDE})[ \t]*[\n\r]\s*(?={_WIDE})")
_SPACE_IN_PRE = re.compile(r"[^\S\t\n]")
# Around the words of a picture until the text is complete. No honest page has these characters.
_PICTURE, _PICTURE_END = "\ufdd0", "\ufdd1"
_PICTURES = re.compile(f"{_PICTURE}([^{_PICTURE}{_PICTURE_END}\n]*){_PICTURE_END}")
# A line of more pictures is not searched for in the lines beside it, each of which may be a whole page.
_MOST_SEARCHED = 20
# The alternative text of some programs: a file's name, or no more than that this is a picture.
_NO_WORDS = re.compile(
    r"\S+\.(?:avif|bmp|gif|jpe?g|png|svg|tiff?|webp)|(?:image|img|photo|picture|bild|foto|imagen|imagem|immagine)[\W\d]*",
    re.IGNORECASE,
)
_TINY = frozenset({"0", "1"})
_CELL_END = "\0"  # never occurs in parsed text


def collapsed(text: str) -> str:
    """Return a text with each run of white space as one space."""
    return visible(_SPACE.sub(" ", text))


def piece_text(document: Document, piece: int) -> str:
    """Return the text of a piece without the line ends that part no words, of it or from the texts beside it.

    A text of white space alone may part two links: it stays.
    """
    read, texts = reading(document), document.texts
    codes, numbers = read.codes, read.numbers
    text, before, after = texts[numbers[piece]].text, "", ""
    if codes[piece] != TEXT or text.isascii() or "\n" not in text:
        return text
    if piece > 0 and codes[piece - 1] == TEXT:
        before = texts[numbers[piece - 1]].text[-1:]
    if piece + 1 < len(codes) and codes[piece + 1] == TEXT:
        after = texts[numbers[piece + 1]].text[:1]
    return _WIDE_LINES.sub("", f"{before}{text}{after}").removeprefix(before).removesuffix(after)


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
    """Return the words that stand for a picture: its alternative text, unless that says nothing.

    >>> [picture_words({"alt": words}) for words in (" A tied  bowline", "IMG_0714.JPG", "Image 2")]
    ['A tied bowline', '', '']
    """
    alternative = collapsed(attributes.get("alt") or "").strip()
    return "" if _NO_WORDS.fullmatch(alternative) or counts_visits(attributes) else alternative


def counts_visits(attributes: Mapping[str, str | None]) -> bool:
    """Return whether a picture is too small to be seen."""
    return _TINY.issuperset((attributes.get("width"), attributes.get("height")))


class Lines:
    """Lines of a page's content; `text` completes them."""

    __slots__ = ("_blanks", "_finished", "_in_code", "_preformatted", "parts")

    def __init__(self) -> None:
        self._finished: list[str] = []
        self.parts: list[str] = []  # of the unfinished line
        self._preformatted = self._in_code = False
        self._blanks = 0

    def add_lines(self, text: str) -> None:
        """Add text with its line ends."""
        first, *others = text.split("\n")
        self.parts.append(first)
        for line in others:
            self.end()
            self.parts.append(line)

    def add_code(self, text: str) -> None:
        """Add text with its spaces and line ends."""
        first, *others = preformatted(text).split("\n")
        self._preformatted = True
        self.parts.append(first)
        for line in others:
            self.end()
            self._preformatted = True
            self.parts.append(line)

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


def text_and_links(document: Document, judged: Judged) -> tuple[str, int]:
    """Return the text of a page's content, one line for each block, and the number of its links."""
    template = judged.template
    return document_text(document, judged), sum(not template[link] for link in reading(document).links)


def document_text(document: Document, judged: Judged) -> str:
    """Return the text of a page's content, one line for each block."""
    read, texts, lines = reading(document), document.texts, Lines()
    template, template_texts, add = judged.template, judged.template_texts, lines.parts.append
    for piece, (code, number) in enumerate(zip(read.codes, read.numbers, strict=True)):
        if code <= CODE:
            # A template's text leaves a space, so that the words on both sides stay apart.
            is_template = template[texts[number].parent] and template_texts[number]
            text = " " if is_template else texts[number].text
            if "\n" in text and not text.isascii():
                text = piece_text(document, piece)
            (add if code == TEXT else lines.add_lines if code == LINES else lines.add_code)(text)
        elif code == EDGE:
            lines.end_block()
        elif code == BREAK:
            lines.end()
        elif code == CELL:
            add(_CELL_END)
        elif code == CODE_BREAK:
            lines.add_code("\n")
        elif code == SPACE:
            add(" ")
        elif code == QUOTE:
            add('"')
        elif code == INSTEAD:
            if not is_left_out(document, number, judged):
                add(read.instead[number])
        elif not template[number]:
            add(marked_picture(document.attributes[number]))
    return lines.text()


def whole_text(document: Document) -> str:
    """Return the text of all of a page, one line for each block."""
    return document_text(document, Detection([False] * len(document), [False] * len(document.texts), ()))


def is_left_out(document: Document, element: int, judged: Judged) -> bool:
    """Return whether all of an element is template."""
    runs = document.runs(element)
    return all(judged.template[element : document.ends[element]]) and all(
        judged.template_texts[runs.start : runs.stop]
    )
