# cython: language_level=3
"""Read the children of a page's nodes in place: for templates and writers."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc

from sitestencil.crawl.native_nodes cimport (
    ELEMENT_NODE, TEXT_NODE, Node, String, Text, count_elements, following, next_in,
)
from sitestencil.crawl.native_tree cimport NO_ELEMENT, NodeTree, class_of, id_of

from sitestencil.outputs.plain_text import BREAKS as _BREAKS, SILENT as _SILENT
from sitestencil.crawl.pairing import SHAPE as _SHAPE
from sitestencil.outputs.allowed_markup import VOID as _VOID
from sitestencil.page.html_names import BLOCKS as _BLOCKS, CELLS as _CELLS
from sitestencil.page.sketch import (
    LONGEST_CLASSES as _LONGEST_CLASSES, NOT_COMPARED as _NOT_COMPARED, identity_of, kind_of_classes,
)

cdef int _most_first_kinds = _SHAPE
cdef Py_ssize_t _longest_classes = _LONGEST_CLASSES


cdef dict _marks_of_names():
    cdef dict marks = {}
    for names, mark in (
        (_NOT_COMPARED, NOT_COMPARED),
        (_SILENT, SILENT),
        (_BREAKS, BREAKS),
        (_BLOCKS, BLOCK),
        (_CELLS, CELL),
        (_VOID, VOID),
        (("pre",), PRE),
        (("a",), LINK),
        (("html", "head", "body"), ROOT),
        (("img",), PICTURE),
    ):
        for name in names:
            marks[name] = marks.get(name, 0) | mark
    return marks


cdef dict _marks = _marks_of_names()


cdef class NativeNodes:
    """A cache of a page's nodes.

    Args:
        root: the page's root element, as `page.parsing.lexbor_root` returns it.

    Attributes:
        reading: how its elements read; None until `read`, and for a page whose elements read as they are named.
    """

    def __cinit__(self, root):
        self.tree = NodeTree(root, _marks)
        self.reading = None
        self._children = {}

    def read(self, reading) -> None:
        """Read the elements in another way from now on."""
        self.reading = reading
        if reading.names:
            self._rename(reading.names)

    cdef int _rename(self, names) except -1:
        """Read elements by other names; templates compare the same as before."""
        cdef Py_ssize_t number = 0
        cdef Node *node = self.tree.top
        while node != NULL:
            if not self.tree.marks(node) & NO_ELEMENT:
                name = names.get(number)
                if name is not None:
                    self.tree.rename(node, name, NOT_COMPARED)
                number += 1
            node = next_in(node, self.tree.top)
        return 0

    cdef NativeChildren children(self, Node *node):
        """Return a node's children, from the cache or newly read."""
        cdef NativeChildren known = self._children.get(<size_t> node)
        if known is None:
            known = self._children[<size_t> node] = _read(self.tree, node)
        return known

    cdef int measure(self, Node *top, Py_ssize_t *elements, Py_ssize_t *text_bytes) except -1:
        """Measure a subtree: its elements, and the bytes of its texts."""
        cdef Node *node = top
        cdef int marks
        elements[0] = text_bytes[0] = 0
        while node != NULL:
            if node.type == TEXT_NODE:
                text_bytes[0] += _text_bytes(&(<Text *> node).text)
            elif node.type == ELEMENT_NODE:
                marks = self.tree.marks(node)
                if marks & NOT_COMPARED and node != top:
                    elements[0] += count_elements(node)
                    node = following(node, top)
                    continue
                elements[0] += 1
            node = next_in(node, top)
        return 0


cdef inline Py_ssize_t _text_bytes(String *text) noexcept nogil:
    cdef Py_ssize_t size = 0
    cdef size_t position
    if text.data != NULL:
        for position in range(text.length):
            size += <unsigned char> text.data[position] > 0x20
    return size


cdef class NativeChildren:
    """The children of a node."""

    def __dealloc__(self):
        PyMem_Free(self.nodes)

    @property
    def identities(self) -> tuple:
        """The identities of the compared elements."""
        cdef Py_ssize_t number
        if self._identities is None:
            self._identities = tuple(
                [identity_of(self.tags[number], id_of(self.nodes[number])) for number in range(self.count)]
            )
        return self._identities

    @property
    def shapes(self) -> tuple:
        """The kinds of the compared elements, each with the kinds of its first children."""
        cdef Py_ssize_t number
        if self._shapes is None:
            self._shapes = tuple([self._shape(number) for number in range(self.count)])
        return self._shapes

    cdef tuple _shape(self, Py_ssize_t number):
        cdef list kinds = [self.kinds[number]]
        cdef Node *child = self.nodes[number].first_child
        while child != NULL:
            if not self._tree.marks(child) & (NO_ELEMENT | NOT_COMPARED):
                kinds.append(_kind(child, self._tree.name(child)))
                if len(kinds) > _most_first_kinds:
                    break
            child = child.next
        return tuple(kinds)


cdef str _kind(Node *node, str tag):
    cdef str classes = class_of(node) if tag != "body" else ""
    return kind_of_classes(tag, classes[:_longest_classes]) if classes else tag


cdef NativeChildren _read(NodeTree tree, Node *node):
    cdef NativeChildren read = NativeChildren.__new__(NativeChildren)
    cdef list tags = [], kinds = []
    cdef str tag
    cdef Py_ssize_t count = 0
    cdef Node *child = node.first_child
    while child != NULL:
        count += 1
        child = child.next
    read._tree = tree
    read.node = node
    read.nodes = <Node **> PyMem_Malloc(max(1, count) * sizeof(Node *))
    if read.nodes == NULL:
        raise MemoryError
    child = node.first_child
    while child != NULL:
        if not tree.marks(child) & (NO_ELEMENT | NOT_COMPARED):
            tag = tree.name(child)
            read.nodes[read.count] = child
            read.count += 1
            tags.append(tag)
            kinds.append(_kind(child, tag))
        child = child.next
    read.tags = tags
    read.kinds = tuple(kinds)
    return read
