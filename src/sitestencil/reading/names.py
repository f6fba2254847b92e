"""Tell the elements that read as others do, whatever their names: words in buttons, boxes in sentences, code."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property

from sitestencil.page.document import Document, once
from sitestencil.page.hidden import hides
from sitestencil.page.html_names import BLOCKS, CELLS, HEADINGS
from sitestencil.page.without_scripts import has_address, with_later_images
from sitestencil.reading.code_lines import APART, CODE, INLINE, LINE, UNREAD, CodeLines
from sitestencil.reading.equations import equation_tables
from sitestencil.reading.labels import parts_of_lines
from sitestencil.reading.page_tex import only_defines

# What sheets of wikis and of LaTeXML do with these: links to a form; notes apart, entries of literature in lines.
_SPANS = {"mw-editsection": UNREAD, "ltx_tag_note": UNREAD, "ltx_note_outer": APART, "ltx_bibblock": LINE}
_MAY_DEFINE = frozenset({"div", "p", "span"})
_BOXES = frozenset({"div", "i", "p", "section", "span"})
_CODES = frozenset({"code", "ol", "pre", "table", "ul"})
_READ = _CODES | {"button", "noscript", "textarea"}
TITLED = HEADINGS | {"caption", "dt", "figcaption", "summary"}  # a button in one is its words
_PHRASES = frozenset("a abbr b bdi cite code del dfn em i ins kbd mark q s small span strong sub sup u var".split())
_PARTS = BLOCKS | CELLS
_SENTENCES = frozenset("blockquote dd div figcaption li p td th".split())
_FEWEST_WORDS = 5  # of a sentence beside its buttons
_FEWEST_WORDS_OF_QUESTION, _QUESTION_ENDS = 3, ("?", "\uff1f")
_FEWEST_WORDS_OF_COPY, _NAMED_SCRIPT = 12, "javascript"
_NEAR = 12  # texts before and after a button
_IS_INLINE = re.compile(r"(?:^|;)\s*display\s*:\s*inline", re.IGNORECASE)


def read_names(document: Document) -> Mapping[int, str]:
    """Return the names to read elements by, where these are not their own, by the elements' numbers."""
    return _names(document)[0]


def layout_of_code(document: Document) -> Set[int]:
    """Return the elements directly around lines of code: white space between the lines is none of the code."""
    return _names(document)[1]


def is_question(words: Sequence[str]) -> bool:
    """Return whether the words of a button that opens something ask a question, as in a list of them."""
    return len(words) >= _FEWEST_WORDS_OF_QUESTION or words[-1].endswith(_QUESTION_ENDS)


@once
def _names(document: Document) -> tuple[Mapping[int, str], Set[int]]:
    names = _Names(document)  # is not kept: it holds the document
    return names.found, names.code.holders


class _Names:
    def __init__(self, document: Document) -> None:
        self._document = document
        self.code = code = CodeLines(document)
        self.found = code.names
        with_commands = {parent for parent, _, text in document.texts if "\\" in text}
        for element, (tag, attributes) in enumerate(zip(document.tags, document.attributes, strict=True)):
            if tag in _READ:
                if tag in _CODES:
                    code.read(element)
                    if tag == "pre" and self._is_link_to_lines(document.parents[element], element):
                        self.found[document.parents[element]] = LINE
                elif tag == "textarea":  # nobody types into one that is read only
                    if "readonly" in attributes and document.runs(element):
                        self.found[element] = CODE
                elif self._is_text(element) if tag == "button" else self._has_copy(element):
                    self.found[element] = INLINE
            elif attributes and "style" in attributes and tag in BLOCKS and self._is_in_sentence(element):
                self.found[element] = INLINE
            elif tag == "span" and not document.classes[element].isdisjoint(_SPANS):
                self.found[element] = next(
                    name for part, name in _SPANS.items() if part in document.classes[element]
                )
            elif element in with_commands and tag in _MAY_DEFINE and self._only_defines(element):
                self.found[element] = UNREAD
            elif attributes and tag in _BOXES and code.looks.may_be_code(attributes):
                code.read(element)
        self._name_equations()
        for one in parts_of_lines(document):
            self.found.setdefault(one, APART)

    def _is_link_to_lines(self, link: int, code: int) -> bool:
        """Return whether an element is a link whose words are lines of code; a link would be one line."""
        document = self._document
        if document.tags[link] != "a" or "\n" not in document.text_content(code).strip():
            return False
        return len(self._words(document.runs(link))) == len(self._words(document.runs(code)))

    def _name_equations(self) -> None:
        """Let a table of equations be lines, and its cells parts of these."""
        tags = self._document.tags
        for table, _ in equation_tables(self._document):
            within = range(table, self._document.ends[table])
            self.found.update((one, INLINE) for one in within if tags[one] in CELLS)
            self.found.update((one, LINE) for one in within if tags[one] in {"table", "tbody", "tr"})

    def _only_defines(self, element: int) -> bool:
        """Return whether all text of an element defines commands of TeX."""
        texts = [self._document.texts[run].text for run in self._document.own_texts.get(element, ())]
        if not texts or "\\" not in texts[0] or self._document.ends[element] > element + 1:
            return False
        return only_defines("".join(texts))

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
