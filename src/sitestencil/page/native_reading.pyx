# cython: language_level=3
"""Read a page's columns in place: the compiled reading of `candidate_sketch`."""

from cpython.mem cimport PyMem_Free, PyMem_Realloc

from sitestencil.page.native_nodes cimport (
    ELEMENT_NODE, TEXT_NODE, Attribute, Element, Node, String, Text, decoded, following,
)
from sitestencil.page.native_tree cimport NodeTree, attribute_name, attributes_of, class_of, id_of, is_shadow_root

from sitestencil.errors import NotReadable
from sitestencil.page.parsing import FOREIGN as _FOREIGN_NAMES
from sitestencil.page.sketch import (
    ALT_ATTRIBUTES, LONGEST_CLASSES as _LONGEST_CLASSES, NOT_COMPARED as _NOT_COMPARED, add_text, kind_of_classes,
)

cdef Py_ssize_t _longest_classes = _LONGEST_CLASSES

cdef enum:
    NONE = -1
    NOT_COMPARED = 1
    BASE = 2
    TEMPLATE = 4
    HTML = 8
    WITH_ALT = 16
    FOREIGN = 32


cdef dict _marks_of_names():
    cdef dict marks = dict.fromkeys(_NOT_COMPARED, NOT_COMPARED)
    for name, mark in (("base", BASE), ("template", TEMPLATE), ("html", HTML)):
        marks[name] = marks.get(name, 0) | mark
    for name in _FOREIGN_NAMES:
        marks[name] = marks.get(name, 0) | FOREIGN
    for name in ALT_ATTRIBUTES:
        marks[name] = marks.get(name, 0) | WITH_ALT
    return marks


cdef dict _marks = _marks_of_names()


# An open element: its number, or that of the element it goes with.
cdef struct Holder:
    Node *node
    Py_ssize_t number
    Py_ssize_t goes_with
    bint is_foreign


cdef class NativeElements:
    """The compared elements of a page, by number."""

    def __cinit__(self, root):
        self._root = root

    def __dealloc__(self):
        PyMem_Free(self._nodes)

    cdef int add(self, Node *node) except -1:
        cdef Node **nodes
        if self._count == self._room:
            self._room = 2 * self._room + 256
            nodes = <Node **> PyMem_Realloc(self._nodes, self._room * sizeof(Node *))
            if nodes == NULL:
                raise MemoryError
            self._nodes = nodes
        self._nodes[self._count] = node
        self._count += 1
        return 0

    cdef Node *_node(self, Py_ssize_t element) except NULL:
        if not 0 <= element < self._count:
            raise IndexError(element)
        return self._nodes[element]

    cpdef dict attributes(self, Py_ssize_t element):
        """Return an element's attributes."""
        return attributes_of(self._node(element), None)

    def kinds(self, list tags):
        """Return the kinds of elements, computed at each first use; the root's is its tag alone."""
        return _Kinds(self, tags)

    cdef str kind(self, Py_ssize_t element, str tag):
        cdef str classes
        if not element or tag == "body":
            return tag
        classes = class_of(self._node(element))
        return kind_of_classes(tag, classes[:_longest_classes]) if classes else tag


cdef class _Kinds(dict):
    cdef NativeElements _elements
    cdef list _tags

    def __init__(self, NativeElements elements, list tags):
        self._elements = elements
        self._tags = tags

    def __missing__(self, Py_ssize_t element):
        kind = self._elements.kind(element, self._tags[element])
        self[element] = kind
        return kind


cdef class _Reading:
    """The reading of a page, element by element."""

    cdef NodeTree _tree
    cdef NativeElements elements
    cdef object base
    cdef list tags, parents, own_texts, goes_with, ids
    cdef dict alt_texts
    cdef Holder *_open
    cdef Py_ssize_t _depth, _room

    def __cinit__(self, root):
        self._tree = NodeTree(root, _marks)
        self.elements = NativeElements(root)
        self.base = None
        self.tags, self.parents, self.own_texts, self.goes_with, self.ids = [], [], [], [], []
        self.alt_texts = {}

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
            elif node.type == ELEMENT_NODE:
                self._read_element(node)
                if node.first_child != NULL:
                    node = node.first_child
                    continue
            node = following(node, top)
        return 0

    cdef int _read_text(self, Text *text) except -1:
        cdef Py_ssize_t holder = self._open[self._depth - 1].number if self._depth else NONE
        if holder != NONE and not _is_blank(&text.text):
            add_text(self.own_texts, holder, decoded(text.text.data, text.text.length))
        return 0

    cdef int _read_element(self, Node *node) except -1:
        cdef int marks = self._tree.marks(node)
        cdef Py_ssize_t number = len(self.tags)
        cdef Py_ssize_t parent = self._open[self._depth - 1].number if self._depth else NONE
        cdef str tag
        cdef bint is_foreign = marks & FOREIGN or (self._depth and self._open[self._depth - 1].is_foreign)
        if marks & TEMPLATE and is_shadow_root(node):
            raise NotReadable
        if (marks & NOT_COMPARED) or (number and (marks & HTML or parent == NONE)):
            if parent == NONE and self._depth:
                parent = self._open[self._depth - 1].goes_with
            self.goes_with.append(parent)
            if marks & BASE and self.base is None and not is_foreign:
                self.base = _value(node, "href")
            return self._enter(node, NONE, parent, is_foreign)
        tag = self._tree.name(node)
        self.goes_with.append(number)
        self.tags.append(tag)
        self.parents.append(parent)
        self.own_texts.append("")
        self.ids.append(id_of(node) or None)
        self.elements.add(node)
        if marks & WITH_ALT:
            self.alt_texts[number] = _alt_text(node, tag)
        return self._enter(node, number, NONE, is_foreign)

    cdef int _enter(self, Node *node, Py_ssize_t number, Py_ssize_t goes_with, bint is_foreign) except -1:
        cdef Holder *open
        if node.first_child == NULL:
            return 0
        if self._depth == self._room:
            self._room = 2 * self._room + 64
            open = <Holder *> PyMem_Realloc(self._open, self._room * sizeof(Holder))
            if open == NULL:
                raise MemoryError
            self._open = open
        self._open[self._depth] = Holder(node, number, goes_with, is_foreign)
        self._depth += 1
        return 0


cdef bint _is_blank(String *text) noexcept nogil:
    cdef size_t at
    for at in range(text.length):
        if text.data[at] not in b" \t\n\f\r":
            return False
    return True


cdef str _alt_text(Node *node, str tag):
    return "".join([_value(node, name) or "" for name in ALT_ATTRIBUTES[tag]])


cdef str _value(Node *node, str name):
    """Return the value of an attribute, or None."""
    cdef Attribute *current = (<Element *> node).first_attribute
    while current != NULL:
        if attribute_name(current) == name:
            return decoded(current.value.data, current.value.length) if current.value != NULL else ""
        current = current.next
    return None


def read_elements(root) -> tuple:
    """Return tags, parents, own texts, alt texts, the element each goes with, the base, ids, and the elements."""
    cdef _Reading reading = _Reading(root)
    reading.read()
    return (
        reading.tags, reading.parents, reading.own_texts, reading.alt_texts,
        reading.goes_with, reading.base, reading.ids, reading.elements,
    )
