# cython: language_level=3
"""The compiled part of `parsing`: a document's columns, read from the parser's tree in place."""

from cpython.mem cimport PyMem_Free, PyMem_Realloc

from sitestencil.page.native_nodes cimport ELEMENT_NODE, TEXT_NODE, Node, Text, decoded
from sitestencil.page.native_reading cimport NativeElements
from sitestencil.page.native_tree cimport NodeTree

from sitestencil.page.document import NO_ATTRIBUTES, TextRun
from sitestencil.page.shadow_trees import without_mark

cdef enum:
    NONE = -1


# An element that is open while the tree is read: its number, and that of its last child so far.
cdef struct Open:
    Py_ssize_t number
    Py_ssize_t last_child


cdef class _Columns:
    cdef NodeTree _tree
    cdef NativeElements _elements
    cdef list tags, parents, attributes, texts
    cdef Open *_open
    cdef Py_ssize_t _depth, _room

    def __cinit__(self, root):
        self._tree = NodeTree(root, {})
        self._elements = NativeElements(root)
        self.tags, self.parents, self.attributes, self.texts = [], [], [], []

    def __dealloc__(self):
        PyMem_Free(self._open)

    cdef int read(self) except -1:
        """Go through the tree in document order, with the elements that are open in a list."""
        cdef Node *top = self._tree.top
        cdef Node *node = top
        while True:
            if node.type == TEXT_NODE:
                self._add_text(node)
            elif node.type == ELEMENT_NODE:
                self._add_element(node)
                if node.first_child != NULL:
                    self._go_into(len(self.tags) - 1)
                    node = node.first_child
                    continue
            while node != top and node.next == NULL:
                node = node.parent
                self._depth -= 1
            if node == top:
                return 0
            node = node.next

    cdef int _go_into(self, Py_ssize_t number) except -1:
        cdef Open *larger
        if self._depth == self._room:
            larger = <Open *> PyMem_Realloc(self._open, (2 * self._room + 64) * sizeof(Open))
            if larger == NULL:
                raise MemoryError
            self._open, self._room = larger, 2 * self._room + 64
        self._open[self._depth] = Open(number, NONE)
        self._depth += 1
        return 0

    cdef int _add_text(self, Node *node) except -1:
        cdef Text *text = <Text *> node
        cdef Open around = self._open[self._depth - 1] if self._depth else Open(NONE, NONE)
        run = around.number, around.last_child, decoded(text.text.data, text.text.length)
        self.texts.append(tuple.__new__(TextRun, run))
        return 0

    cdef int _add_element(self, Node *node) except -1:
        cdef Py_ssize_t number = len(self.tags)
        cdef str tag = self._tree.name(node)
        self._elements.add(node)
        self.tags.append(tag)
        if self._depth:
            self.parents.append(self._open[self._depth - 1].number)
            self._open[self._depth - 1].last_child = number
        else:
            self.parents.append(NONE)
        self.attributes.append(self._attributes(number, tag))
        return 0

    cdef object _attributes(self, Py_ssize_t number, str tag):
        cdef dict found = self._elements.attributes(number)
        if not found:
            return NO_ATTRIBUTES
        for name, value in found.items():
            if value is None:
                found = {name: value or "" for name, value in found.items()}
                break
        return without_mark(found) if tag == "template" else found


def read_columns(root):
    """Return the columns of a page's document: tags, parents, attributes and texts; `Document` says what they are.

    Raises:
        NotReadable: only plain Python can read the page.
    """
    cdef _Columns columns = _Columns(root)
    columns.read()
    return columns.tags, columns.parents, columns.attributes, columns.texts
