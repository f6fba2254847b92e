# cython: language_level=3, boundscheck=False, wraparound=False
"""Find the lines of a page's text and its whole main elements: compiled parts of `blocks` and `main_content`."""

from array import array

from sitestencil.page.geometry import UNSEEN as _UNSEEN, is_hidden
from sitestencil.page.html_names import (
    BLOCKS as _BLOCKS, CODE as _CODE, LINKS as _LINKS, NO_PAGE_TEXT as _NO_PAGE_TEXT, NO_TEXT as _NO_TEXT,
)

cdef enum:  # marks of tags
    BLOCK = 1
    LINK = 2
    SILENT = 4
    MAY_BE_UNSEEN = 8
    CODE = 16

cdef enum:  # states of elements
    LINKED = 1
    HIDDEN = 2
    MUTE = 4


cdef dict _marks_of_names():
    cdef dict marks = {}
    for names, mark in (
        (_BLOCKS, BLOCK),
        (_LINKS, LINK),
        (_NO_PAGE_TEXT | _NO_TEXT, SILENT),
        (_UNSEEN | {"noscript", "input"}, MAY_BE_UNSEEN),
        (_CODE, CODE),
    ):
        for name in names:
            marks[name] = marks.get(name, 0) | mark
    return marks


cdef dict _marks = _marks_of_names()


cdef int _marks_of(tag) except -1:
    found = _marks.get(tag)
    return 0 if found is None else <int> found


cdef int[::1] _zeros(Py_ssize_t count):
    return array("i", bytes(4 * count))


def lines(document) -> list:
    """Return, for each line of text, its container, its text nodes, and those of them in links, as `blocks`."""
    cdef list texts = list(document.texts), ends = document.ends, found = [], own = [], linked = []
    cdef Py_ssize_t count = len(document.tags), body = document.body or 0, element, number
    cdef int[::1] parents = array("i", document.parents)
    cdef int[::1] containers = _zeros(count), begun = _zeros(count), states = _zeros(count)
    cdef int parent, marks, state, blocks = 0, after, line, last_container = -1, last_line = -1
    cdef set embedded = set(document.embedded)
    for element, (tag, attributes) in enumerate(zip(document.tags, document.attributes)):
        parent, marks = parents[element], _marks_of(tag)
        state = states[parent] if parent >= 0 else 0
        if marks & BLOCK:
            blocks += 1
        begun[element] = blocks
        containers[element] = element if marks & BLOCK or parent < 0 else containers[parent]
        if marks & LINK:
            state |= LINKED
        if embedded and element in embedded:
            states[element] = state | MUTE if state & HIDDEN else state & ~MUTE
            continue
        if parent < body:
            state &= ~MUTE
        if not state & HIDDEN and (
            marks & MAY_BE_UNSEEN or (attributes and ("hidden" in attributes or "style" in attributes))
        ):
            if is_hidden(document, element):
                state |= HIDDEN
        if state & HIDDEN or element < body or marks & SILENT:
            state |= MUTE
        states[element] = state
    for number, (place, sibling, text) in enumerate(texts):
        parent, after = place, sibling
        if states[parent] & MUTE or (<str?> text).isspace():
            continue
        line = begun[<int> ends[after] - 1 if after >= 0 else parent]
        if containers[parent] != last_container or line != last_line:
            own, linked = [], []
            found.append((containers[parent], own, linked))
            last_container, last_line = containers[parent], line
        own.append(number)
        if states[parent] & LINKED:
            linked.append(number)
    return found


def whole_elements(document, template, list blocks, list chosen) -> list:
    """Return per element whether all of it is main content, as `main_content`.

    Args:
        document: the page.
        template: per element, whether it is template; None without compared pages.
        blocks: the page's blocks.
        chosen: per text node, whether it is main content.
    """
    cdef list texts = list(document.texts), tags = list(document.tags), elements = [False] * len(tags)
    cdef Py_ssize_t count = len(tags), body = document.body or 0, element, number
    cdef int[::1] parents = array("i", document.parents)
    cdef int[::1] main = _zeros(count), shown = _zeros(count), written = _zeros(count)
    cdef int[::1] within = _zeros(count), whole = _zeros(count)
    cdef int parent, size
    for block in blocks:
        for number in block.texts:
            place, _, text = texts[number]
            parent, size = place, len(<str?> text)
            shown[parent] += size
            if chosen[number]:
                main[parent] += size
    for place, _, text in texts:
        parent = place
        if not (<str?> text).isspace() and not _marks_of(tags[parent]) & CODE:
            written[parent] += 1
    for element in range(count - 1, 0, -1):
        parent = parents[element]
        main[parent] += main[element]
        shown[parent] += shown[element]
        written[parent] += written[element]
    for element in range(body, count):
        if shown[element]:
            within[element] = 2 * main[element] >= shown[element]
            whole[element] = main[element] == shown[element]
        else:
            within[element] = element > body and within[parents[element]]
            whole[element] = within[element] and not written[element]
        if template is not None and template[element]:
            whole[element] = False
    for element in range(count - 1, body, -1):
        whole[parents[element]] &= whole[element]
    for element in range(body, count):
        elements[element] = whole[element] != 0
    return elements
