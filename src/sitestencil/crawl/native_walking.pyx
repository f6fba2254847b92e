# cython: language_level=3
"""Measure and apply a template in place: the compiled part of `walking`."""

from cpython.mem cimport PyMem_Free, PyMem_Realloc
from libc.string cimport memcmp

from sitestencil.crawl.native_children cimport (
    BLOCK, BREAKS, LINK, NOT_COMPARED, PICTURE, PRE, ROOT, SILENT, VOID, NativeChildren, NativeNodes,
)
from sitestencil.crawl.native_lines cimport NativeLines, is_space
from sitestencil.crawl.native_nodes cimport (
    TEXT_NODE, Attribute, Element, Node, String, Text, attribute, count_elements, decoded, name_data,
)
from sitestencil.crawl.native_tree cimport MOST_NUMBERED, NO_ELEMENT, NodeTree, alt_number, attributes_of, style_number

from sitestencil.crawl.pairing import Verdict
from sitestencil.outputs.plain_text import marked_picture
from sitestencil.page.hidden import hides_by_style

cdef object _TAKE = Verdict.TAKE


cdef class NativeEntered:
    """An element that the walk entered, as `walking.Entered`."""

    cdef int marks
    cdef object element, rule
    cdef NativeChildren children
    cdef list steps


cdef class NativeMeasuring:
    """Enter the mixed elements of a page, as `walking` does.

    Attributes:
        paths: the numbers of the paths that the page has.
        looked_at: the number of children of mixed elements.
        known: the number of those with a rule.
        entered: the root.
    """

    cdef NativeNodes _page
    cdef object _pairings
    cdef readonly set paths
    cdef readonly Py_ssize_t looked_at
    cdef readonly Py_ssize_t known
    cdef readonly NativeEntered entered

    def __init__(self, NativeNodes page, pairings):
        self._page = page
        self._pairings = pairings
        self.paths = set()
        self.entered = self._enter(page.tree.top, page.tree.marks(page.tree.top), 0)

    cdef NativeEntered _enter(self, Node *node, int marks, element):
        cdef NativeChildren children = self._page.children(node)
        cdef NativeEntered entered = NativeEntered.__new__(NativeEntered)
        cdef Py_ssize_t number, elements, text_bytes
        cdef Node *child
        pairing = self._pairings[element]
        paired = pairing.of(children)
        self.looked_at += children.count
        self.known += paired.known
        self.paths |= paired.paths
        cdef list steps = list(paired.rules)
        for place, rule in paired.mixed:
            number = place
            child = children.node_at(number)
            steps[number] = self._enter(child, self._page.tree.marks(child), rule.element)
        for place, rule in paired.template:
            number = place
            child = children.node_at(number)
            self._page.measure(child, &elements, &text_bytes)
            if elements != <Py_ssize_t> rule.size or text_bytes != <Py_ssize_t> rule.text_bytes:
                steps[number] = self._enter(child, self._page.tree.marks(child), rule.element)
        entered.marks, entered.element, entered.rule = marks, element, pairing.rule
        entered.children, entered.steps = children, steps
        return entered


cdef class NativeWriting:
    """Write the content and number the template.

    Args:
        page: the page.
        entered: its measured root; None if the template is empty.

    Attributes:
        elements: the number of the page's elements.
        entered: the number of each entered element, and that of the learned element whose rules it has.
        passed: the same of the elements that are known as a whole.
    """

    cdef NodeTree _tree
    cdef NativeLines _lines
    cdef dict _replaced
    cdef Py_ssize_t *_bounds
    cdef Py_ssize_t _bound_count
    cdef Py_ssize_t _bound_room
    cdef readonly Py_ssize_t elements
    cdef readonly list entered, passed

    def __init__(self, NativeNodes page, NativeEntered entered):
        self.entered, self.passed = [], []
        self._tree = page.tree
        self._lines, self._replaced = NativeLines(), page.replaced
        if entered is None:
            self._take(self._tree.top)
        else:
            self._enter(entered)

    def __dealloc__(self):
        PyMem_Free(self._bounds)

    def text(self) -> str:
        """Return the content's text."""
        return self._lines.text()

    @property
    def links(self) -> int:
        """The number of the content's links."""
        return self._lines.links

    def ranges(self) -> tuple:
        """Return the numbers of the template's elements as ranges."""
        cdef Py_ssize_t number
        cdef list ranges = []
        for number in range(0, self._bound_count, 2):
            ranges.append((self._bounds[number], self._bounds[number + 1]))
        return tuple(ranges)

    cdef int _enter(self, NativeEntered entered) except -1:
        cdef NativeLines lines = self._lines
        cdef NativeChildren children = entered.children
        cdef bint is_block = entered.marks & BLOCK != 0, is_silent = entered.marks & SILENT != 0
        cdef bint is_template = entered.rule.is_template, text_is_template
        cdef list texts = list(entered.rule.texts)
        cdef Py_ssize_t number = 0, text_number = 0
        cdef Node *child = children.node.first_child
        cdef String *text
        cdef int marks
        self.entered.append((self.elements, entered.element))
        self._count(1, is_template)
        if is_block:
            lines.end_at(entered.marks, entered.marks & PRE != 0)
        elif entered.marks & LINK and lines.is_after_link:
            lines.add(" ", 1)
        else:
            lines.begin_inline()
        while child != NULL:
            if child.type == TEXT_NODE:
                text = &(<Text *> child).text
                if text.data != NULL and is_space(text.data, text.length):
                    lines.add(" ", 1)
                else:
                    text_is_template = is_template
                    if is_template and text_number < len(texts):
                        text_is_template = texts[text_number]
                    text_number += 1
                    if text_is_template:
                        lines.add(" ", 1)
                    elif not is_silent:
                        self._add(text, entered.marks & PRE != 0)
            else:
                marks = self._tree.marks(child)
                if marks & NOT_COMPARED:
                    if self._replaced and not is_template and self.elements in self._replaced:
                        self._add_instead(self.elements)
                    self._count(count_elements(child), is_template)
                elif not marks & NO_ELEMENT:
                    self._follow(entered.steps[number], child, marks)
                    number += 1
            child = child.next
        return lines.close(entered.marks)

    cdef int _follow(self, step, Node *child, int marks) except -1:
        cdef NativeLines shown = self._lines
        cdef Py_ssize_t first = self.elements
        if isinstance(step, NativeEntered):
            if self._is_replaced(child, marks, first):
                self._lines = NativeLines()
                self._enter(<NativeEntered> step)
                self._lines = shown
                return self._add_instead(first)
            return self._enter(<NativeEntered> step)
        if step is not None:
            self.passed.append((first, step.element))
        if step is None or step.verdict is _TAKE:
            return self._take(child)
        self._count(count_elements(child), True)
        if marks & BLOCK:
            self._lines.end_at(marks, False)
        else:
            self._lines.add(" ", 1)
        return 0

    cdef int _take(self, Node *top) except -1:
        """Take all text of a content element."""
        cdef NativeLines lines = self._lines
        cdef Node *node = top.first_child
        cdef Node *preformatted = NULL
        cdef String *text
        cdef int marks = self._tree.own_marks(top)
        cdef Py_ssize_t elements = 1
        if self._is_replaced(top, marks, self.elements):
            self._add_instead(self.elements)
            return self._count(count_elements(top), False)
        if marks & SILENT:
            return self._count(count_elements(top), False)
        if marks & PRE:
            preformatted = top
        if marks & BLOCK:
            lines.end_at(marks, False)
        elif marks & LINK and lines.is_after_link:
            lines.add(" ", 1)
        else:
            lines.begin_inline()
        if node == NULL:
            if marks & PICTURE:
                add_picture(lines, top)
            lines.close(marks)
            return self._count(elements, False)
        while True:
            if node.type == TEXT_NODE:
                text = &(<Text *> node).text
                if preformatted != NULL:
                    self._add(text, True)
                elif lines.has_parts or not (text.data != NULL and is_space(text.data, text.length)):
                    self._add(text, False)
            else:
                marks = self._tree.marks(node)
                if marks & NO_ELEMENT:
                    pass
                elif self._is_replaced(node, marks, self.elements + elements):
                    self._add_instead(self.elements + elements)
                    elements += count_elements(node)
                elif marks & SILENT:
                    elements += count_elements(node)
                else:
                    elements += 1
                    if marks & BREAKS:
                        lines.end_at(marks, preformatted != NULL)
                    elif marks & LINK and lines.is_after_link and preformatted == NULL:
                        lines.add(" ", 1)
                    else:
                        lines.begin_inline()
                    if not marks & VOID:
                        if marks & PRE and preformatted == NULL:
                            preformatted = node
                        if node.first_child != NULL:
                            node = node.first_child
                            continue
                        lines.close(marks)
                        if node == preformatted:
                            preformatted = NULL
                    elif marks & PICTURE:
                        add_picture(lines, node)
            while node.next == NULL:
                node = node.parent
                lines.close(self._tree.own_marks(node) if node == top else self._tree.marks(node))
                if node == preformatted:
                    preformatted = NULL
                if node == top:
                    return self._count(elements, False)
            node = node.next

    cdef bint _is_replaced(self, Node *node, int marks, Py_ssize_t number) except -1:
        """Return whether another text replaces an element's: none does for a hidden one on a page like most."""
        if self._replaced is None:
            return not marks & ROOT and hides(node)
        return number in self._replaced

    cdef int _add_instead(self, Py_ssize_t number) except -1:
        return self._lines.add_text(" " if self._replaced is None else self._replaced[number])

    cdef int _add(self, String *text, bint preformatted) except -1:
        cdef Py_ssize_t length = text.length if text.data != NULL else 0
        if preformatted:
            return self._lines.add_preformatted(text.data, length)
        return self._lines.add(text.data, length)

    cdef int _count(self, Py_ssize_t elements, bint template) except -1:
        cdef Py_ssize_t start = self.elements
        self.elements += elements
        if not template:
            return 0
        if self._bound_count and self._bounds[self._bound_count - 1] == start:
            self._bounds[self._bound_count - 1] = self.elements
            return 0
        if self._bound_count + 2 > self._bound_room:
            self._grow()
        self._bounds[self._bound_count] = start
        self._bounds[self._bound_count + 1] = self.elements
        self._bound_count += 2
        return 0

    cdef int _grow(self) except -1:
        cdef Py_ssize_t room = 2 * self._bound_room + 64
        cdef Py_ssize_t *bounds = <Py_ssize_t *> PyMem_Realloc(self._bounds, room * sizeof(Py_ssize_t))
        if bounds == NULL:
            raise MemoryError
        self._bounds, self._bound_room = bounds, room
        return 0


cdef bint hides(Node *node) except -1:
    """Return whether an element's attributes hide its text, as `page.hidden.hides`, and it is not ``until-found``."""
    cdef Attribute *current = (<Element *> node).first_attribute
    cdef bint is_hidden = False
    while current != NULL:
        if current.node.local_name == style_number:
            is_hidden = is_hidden or hides_by_style(_value(current))
        elif current.node.local_name >= MOST_NUMBERED and _is_hidden_attribute(current):
            if _value(current).lower() == "until-found":
                return False
            is_hidden = True
        current = current.next
    return is_hidden


cdef int add_picture(NativeLines lines, Node *node) except -1:
    """Add the words that stand for a picture."""
    cdef String *alternative = attribute(node, alt_number)
    if alternative != NULL and alternative.length:
        marked = marked_picture(attributes_of(node, ""))
        if marked:
            lines.add_text(marked)
    return 0


cdef bint _is_hidden_attribute(Attribute *attribute) noexcept nogil:
    """Return whether an attribute is ``hidden``, which the parser does not number."""
    cdef String name = name_data(attribute.node.local_name, attribute.node.local_name)
    return name.length == 6 and memcmp(name.data, "hidden", 6) == 0


cdef str _value(Attribute *attribute):
    return decoded(attribute.value.data, attribute.value.length) if attribute.value != NULL else ""
