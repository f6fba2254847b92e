# cython: language_level=3
"""Read a document's columns in place: the compiled reading of `parsing`."""

from cpython.mem cimport PyMem_Free, PyMem_Realloc

from sitestencil.page.native_nodes cimport TEXT_NODE, Node, Text, decoded, following
from sitestencil.page.native_tree cimport NO_ELEMENT, NodeTree, attributes_of, is_shadow_root

from sitestencil.errors import NotReadable
from sitestencil.page.document import NO_ATTRIBUTES, TextRun

cdef object _new = tuple.__new__

# An open element: its number, and that of its last child so far.
cdef struct Open:
    Node *node
    Py_ssize_t number
    Py_ssize_t last_child


cdef class _Reading:
    """The reading of a page, node by node."""

    cdef NodeTree _tree
    cdef list tags, parents, attributes, texts
    cdef Open *_open
    cdef Py_ssize_t _depth, _room

    def __cinit__(self, root):
        self._tree = NodeTree(root, {})
        self.tags, self.parents, self.attributes, self.texts = [], [], [], []

    def __dealloc__(self):
        PyMem_Free(self._open)

    cdef int read(self) except -1:
        cdef Node *top = self._tree.top
        cdef Node *node = top
        while node != NULL:
            while self._depth and self._open[self._depth - 1].node != node.parent:
                self._depth -= 1
            if node.type == TEXT_NODE:
                self._read_text(<Text *> node)
            elif not self._tree.marks(node) & NO_ELEMENT:
                self._read_element(node)
                if node.first_child != NULL:
                    node = node.first_child
                    continue
            node = following(node, top)
        return 0

    cdef int _read_text(self, Text *text) except -1:
        cdef Py_ssize_t parent = -1, after = -1
        if self._depth:
            parent = self._open[self._depth - 1].number
            after = self._open[self._depth - 1].last_child
        self.texts.append(_new(TextRun, (parent, after, decoded(text.text.data, text.text.length))))
        return 0

    cdef int _read_element(self, Node *node) except -1:
        cdef Py_ssize_t number = len(self.tags)
        cdef Open *open
        cdef dict attributes
        if is_shadow_root(node):
            raise NotReadable
        attributes = attributes_of(node, "")
        self.tags.append(self._tree.name(node))
        self.attributes.append(attributes if attributes else NO_ATTRIBUTES)
        if self._depth:
            self._open[self._depth - 1].last_child = number
            self.parents.append(self._open[self._depth - 1].number)
        else:
            self.parents.append(-1)
        if node.first_child == NULL:
            return 0
        if self._depth == self._room:
            self._room = 2 * self._room + 64
            open = <Open *> PyMem_Realloc(self._open, self._room * sizeof(Open))
            if open == NULL:
                raise MemoryError
            self._open = open
        self._open[self._depth] = Open(node, number, -1)
        self._depth += 1
        return 0


def document_columns(root) -> tuple:
    """Return the tags, parents, attributes and texts of a page."""
    cdef _Reading reading = _Reading(root)
    reading.read()
    return reading.tags, reading.parents, reading.attributes, reading.texts
