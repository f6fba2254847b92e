"""Tell the elements that read as others do, whatever their names: words in buttons, lines of code."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from sitestencil.page.document import Document, once
from sitestencil.page.hidden import hides
from sitestencil.page.html_names import BLOCKS, CELLS, HEADINGS
from sitestencil.page.without_scripts import has_address, with_later_images

# The names to read elements by.
UNREAD = "noscript"  # nobody reads it
_LINE, _BLOCK, _CODE = "div", "div", "pre"
_SHOWN_AS_LINE = re.compile(r"(?:^|;)\s*display\s*:\s*(?:block|flex|grid|table-row)\b", re.IGNORECASE)
_SHOWN_AS_CODE = re.compile(r"(?:^|;)\s*(?:white-space\s*:\s*pre\b|display\s*:\s*block\b)", re.IGNORECASE)
_NUMBERS = re.compile(r"line-?(?:num|no)|(?:^|[\s-])(?:ln|lnt|lnum|gutter|blob-num)(?:$|[\s-])", re.IGNORECASE)
_LINES = frozenset("line code-line token-line view-line cm-line codemirror-line".split())
_FEWEST_LINES = 2
_LEVELS = 4  # around a code block where its numbers may stand


class CodeLines:
    """The names to read the parts of a page's code by.

    Attributes:
        names: these names by the numbers of the elements.
    """

    def __init__(self, document: Document) -> None:
        self.names: dict[int, str] = {}
        self._document = document
        self._end = 0  # of the last code read
        self._kinds: dict[str, tuple[bool, bool]] = {}
        self._around = -1  # the last element whose children were found to be no lines

    def read(self, element: int) -> None:
        """Read a ``pre`` or ``code``; call it in document order."""
        if element < self._end:
            return
        document, end = self._document, self._document.ends[element]
        parent = document.parents[element]
        if document.tags[element] == "pre":
            if not (self._is_line(element) and self._is_read_as_code(parent)):
                self._read_block(element)
            return
        inside = set(document.tags[element + 1 : end])
        shown_as_code = _SHOWN_AS_CODE.search(document.attributes[element].get("style", "")) is not None
        if "pre" in inside:
            self.names[element] = _BLOCK
        elif inside & BLOCKS or ("br" in inside and self._is_alone(element)) or shown_as_code:
            self.names[element] = _CODE
            self._read_block(element)
        elif document.tags[parent] == "div" and "line" in document.classes[parent]:
            self._is_read_as_code(document.parents[parent])

    def _is_read_as_code(self, around: int) -> bool:
        """Read an element as code if it has several children, and each is a line."""
        lines = self._document.children[around]
        if around == self._around or len(lines) < _FEWEST_LINES or not all(map(self._is_line, lines)):
            self._around = around
            return False
        self.names[around] = _CODE
        self.names.update(dict.fromkeys(lines, _LINE))
        self._read_block(around)
        return True

    def _is_alone(self, code: int) -> bool:
        """Return whether nothing is beside a code in its parent."""
        runs, texts = self._document.runs(self._document.parents[code]), self._document.texts
        code_runs = self._document.runs(code)
        if len(runs) > len(code_runs) + _FEWEST_LINES:
            return False
        return all(
            texts[run].text.isspace()
            for run in [*range(runs.start, code_runs.start), *range(code_runs.stop, runs.stop)]
        )

    def _words(self, element: int) -> list[str]:
        texts = self._document.texts
        return [word for run in self._document.runs(element) for word in texts[run].text.split()]

    def _read_block(self, code: int) -> None:
        document, self._end = self._document, self._document.ends[code]
        tags, attributes = document.tags, document.attributes
        marked = [element for element in range(code + 1, self._end) if attributes[element]]
        lines = {element for element in marked if self._is_line(element)}
        several = [child for child in document.children[code] if tags[child] == "code"]
        lines.update(several if len(several) >= _FEWEST_LINES else ())
        text = document.text_content(code).strip()
        are_apart = text.count("\n") + tags[code : self._end].count("br") >= len(lines) - 1
        self.names.update(dict.fromkeys(() if are_apart else lines, _LINE))
        for element in marked:
            values = attributes[element]
            is_named = "class" in values and self._kind(values["class"])[1]
            may_be_numbers = is_named or "user-select" in values.get("style", "")
            if may_be_numbers and all(map(str.isdigit, self._words(element))):
                self.names[element] = UNREAD
            elif tags[element] in BLOCKS:
                self.names.pop(element, None)
            elif "style" in values and _SHOWN_AS_LINE.search(values["style"]):
                self.names[element] = _LINE
        self._leave_out_numbers_beside(code)

    def _is_line(self, element: int) -> bool:
        values = self._document.attributes[element]
        return "data-line" in values or ("class" in values and self._kind(values["class"])[0])

    def _kind(self, classes: str) -> tuple[bool, bool]:
        """Return whether classes are a line's, and whether they are those of lines' numbers."""
        kind = self._kinds.get(classes)
        if kind is None:
            is_line = not _LINES.isdisjoint(classes.lower().split())
            kind = self._kinds[classes] = is_line, _NUMBERS.search(classes) is not None
        return kind

    def _leave_out_numbers_beside(self, code: int) -> None:
        """Leave out the numbers of a code's lines that stand before it, in a cell or a box of their own."""
        document = self._document
        for _ in range(_LEVELS):
            parent = document.parents[code]
            if parent <= (document.body or 0):
                return
            siblings = document.children[parent]
            place = bisect_left(siblings, code)
            if place:
                if self._counts(siblings[place - 1]):
                    self.names[siblings[place - 1]] = UNREAD
                return
            code = parent

    def _counts(self, element: int) -> bool:
        """Return whether an element holds only consecutive numbers; its class names a single one so."""
        words = self._words(element)
        if not words or not all(word.isascii() and word.isdigit() and len(word) < 7 for word in words):
            return False
        if len(words) < _FEWEST_LINES:
            return self._kind(self._document.attributes[element].get("class", ""))[1]
        return [int(word) for word in words] == list(range(int(words[0]), int(words[0]) + len(words)))


_INLINE = "span"
_EDIT = "mw-editsection"  # of a wiki's headings
_READ = frozenset({"button", "code", "noscript", "pre", "textarea"})
TITLED = HEADINGS | {"caption", "dt", "figcaption", "summary"}  # a button in one is its words
_PHRASES = frozenset("a abbr b bdi cite code del dfn em i ins kbd mark q s small span strong sub sup u var".split())
_PARTS = BLOCKS | CELLS
_SENTENCES = frozenset("blockquote dd div figcaption li p td th".split())
_FEWEST_WORDS = 5  # of a sentence beside its buttons
_FEWEST_WORDS_OF_QUESTION, _QUESTION_ENDS = 3, ("?", "\uff1f")
_FEWEST_WORDS_OF_COPY, _NAMED_SCRIPT = 12, "javascript"
_NEAR = 12  # texts before and after a button
_IS_INLINE = re.compile(r"(?:^|;)\s*display\s*:\s*inline", re.IGNORECASE)


@once
def read_names(document: Document) -> Mapping[int, str]:
    """Return the names to read elements by, where these are not their own, by the elements' numbers."""
    return _Names(document).found


def is_question(words: Sequence[str]) -> bool:
    """Return whether the words of a button that opens something ask a question, as in a list of them."""
    return len(words) >= _FEWEST_WORDS_OF_QUESTION or words[-1].endswith(_QUESTION_ENDS)


class _Names:
    def __init__(self, document: Document) -> None:
        self._document = document
        code = CodeLines(document)
        self.found = code.names
        for element, (tag, attributes) in enumerate(zip(document.tags, document.attributes, strict=True)):
            if tag in _READ:
                if tag in {"pre", "code"}:
                    code.read(element)
                elif tag == "textarea":  # nobody types into one that is read only
                    if "readonly" in attributes and document.runs(element):
                        self.found[element] = _CODE
                elif self._is_text(element) if tag == "button" else self._has_copy(element):
                    self.found[element] = _INLINE
            elif attributes and "style" in attributes and tag in BLOCKS and self._is_in_sentence(element):
                self.found[element] = _INLINE
            elif tag == "span" and _EDIT in attributes.get("class", ""):
                self.found[element] = UNREAD

    def _is_in_sentence(self, box: int) -> bool:
        """Return whether a block is shown within the line of what is beside it."""
        if not _IS_INLINE.search(self._document.attributes[box]["style"]):
            return False
        return any(isinstance(one, str) or self._document.tags[one] in _PHRASES for one in self._beside(box))

    def _beside(self, element: int) -> Iterator[int | str]:
        """Yield the neighbours of an element: on each side a text or else an element."""
        parent = self._document.parents[element]
        siblings = self._document.children[parent]
        place = bisect_left(siblings, element)
        for after, neighbour in ((place - 1, place - 1), (place, place + 1)):
            text = self._texts.get((parent, siblings[after] if after >= 0 else -1), "")
            if text.strip():
                yield text
            elif 0 <= neighbour < len(siblings):
                yield siblings[neighbour]

    @cached_property
    def _texts(self) -> dict[tuple[int, int], str]:
        return {(parent, after): text for parent, after, text in self._document.texts}

    def _is_text(self, button: int) -> bool:
        """Return whether a button's words belong to the page's: a heading, a question or a part of a sentence."""
        document, attributes = self._document, self._document.attributes[button]
        tags, runs = document.tags, document.runs(button)
        words = self._words(runs)
        if not words:
            return False
        within = set(tags[button + 1 : document.ends[button]])
        if within & TITLED or "p" in within:
            return True
        block = self._block(button)
        if tags[block] in TITLED or tags[block] in CELLS:  # a cell's only words
            around = document.runs(block)
            return len(around) - len(runs) <= _NEAR and len(self._words(around)) == len(words)
        if "aria-expanded" in attributes and attributes.get("aria-haspopup", "false") == "false":
            return is_question(words)
        if tags[block] not in _SENTENCES:
            return False
        before = self._words(self._near(range(runs.start - 1, runs.start - 1 - _NEAR, -1), block))
        after = self._words(self._near(range(runs.stop, runs.stop + _NEAR), block))
        return bool(before) and bool(after) and len(before) + len(after) >= _FEWEST_WORDS

    def _near(self, runs: range, block: int) -> list[int]:
        """Return the texts of a block among these, without those of its buttons."""
        texts, found = self._document.texts, list[int]()
        for run in runs:
            if not 0 <= run < len(texts) or self._block(texts[run].parent) != block:
                break
            if not self._is_in_button(texts[run].parent):
                found.append(run)
        return found

    def _is_in_button(self, element: int) -> bool:
        tags, parents = self._document.tags, self._document.parents
        while element > 0 and tags[element] not in _PARTS:
            if tags[element] == "button":
                return True
            element = parents[element]
        return False

    def _block(self, element: int) -> int:
        """Return the block that holds an element, or is it."""
        tags, parents = self._document.tags, self._document.parents
        while element > 0 and tags[element] not in _PARTS:
            element = parents[element]
        return element

    def _words(self, runs: list[int] | range) -> list[str]:
        return [word for run in runs for word in self._document.texts[run].text.split()]

    def _has_copy(self, noscript: int) -> bool:
        """Return whether a ``noscript`` has the only copy of a part, or of a picture to read."""
        document, parent = self._document, self._document.parents[noscript]
        runs, around = document.runs(noscript), document.runs(parent)
        words = self._words(runs)
        if (
            parent > (document.body or 0)
            and len(words) >= _FEWEST_WORDS_OF_COPY
            and len(words) == len(self._words(around))
        ):
            return not any(_NAMED_SCRIPT in word.lower() for word in words)
        inside = range(noscript + 1, document.ends[noscript])
        pictures = [document.attributes[one] for one in inside if document.tags[one] == "img"]
        if not pictures or parent <= (document.body or 0):
            return False
        if any(picture.get("width") == "1" or hides(picture) for picture in pictures):
            return False
        beside = [one for one in self._beside(noscript) if isinstance(one, int)]
        known = [with_later_images(document.attributes[one]) for one in beside if document.tags[one] == "img"]
        return not any(map(has_address, known))
