# cython: language_level=3
"""The compiled reading of `candidate_sketch`: a page's columns, read from the parser's tree in place."""

from cpython.mem cimport PyMem_Free, PyMem_Realloc

from sitestencil.page.native_nodes cimport (
    ELEMENT_NODE, TEXT_NODE, Attribute, Element, Node, String, TagData, Text, decoded, following,
)
from sitestencil.page.native_tree cimport MOST_NUMBERED, NodeTree, class_of, id_of

from selectolax.lexbor import LexborHTMLParser

from sitestencil.errors import NotReadable
from sitestencil.page.parsing import is_html_base
from sitestencil.page.shadow_trees import is_shadow_root
from sitestencil.page.sketch import ALT_ATTRIBUTES, NOT_COMPARED as _NOT_COMPARED, add_text, kind_of_classes

cdef enum:
    NONE = -1
    NOT_COMPARED = 1
    BASE = 2
    TEMPLATE = 4
    HTML = 8
    WITH_ALT = 16


# The names of those attributes that the parser has numbers for, as far as they are known.
cdef list _known_names = [None] * MOST_NUMBERED


cdef bytes _name_of(Attribute *attribute):
    """Return the name of an attribute that the parser has no number for; empty where it has one."""
    cdef TagData *data
    if attribute.node.local_name < MOST_NUMBERED:
        return b""
    data = <TagData *> attribute.node.local_name
    if data.number != attribute.node.local_name:
        return b""
    return (data.name.long_name if data.length > 16 else data.name.short_name)[:data.length]


cdef dict _numbers_of_attributes():
    """Return the parser's numbers of the attributes that stand for texts; 0 where it has none."""
    cdef dict numbers = {}
    cdef Attribute *first
    for name in {name for names in ALT_ATTRIBUTES.values() for name in names}:
        found = LexborHTMLParser(f"<p {name}=x>", scripting=False).root.css_first("p")
        first = (<Element *> <Node *> <size_t> found.mem_id).first_attribute
        numbers[name] = first.node.local_name if first.node.local_name < MOST_NUMBERED else 0
        if not numbers[name] and _name_of(first) != name.encode():
            raise ImportError(f"the parser keeps the name {name} otherwise than it is taken to")
    return numbers


cdef dict _numbers = _numbers_of_attributes()


cdef dict _marks_of_names():
    cdef dict marks = dict.fromkeys(_NOT_COMPARED, NOT_COMPARED)
    for name, mark in (("base", BASE), ("template", TEMPLATE), ("html", HTML)):
        marks[name] = marks.get(name, 0) | mark
    for name in ALT_ATTRIBUTES:
        marks[name] = marks.get(name, 0) | WITH_ALT
    return marks


cdef dict _marks = _marks_of_names()


# An open element: its number, or that of the element that it goes with.
cdef struct Holder:
    Node *node
    Py_ssize_t number
    Py_ssize_t goes_with


cdef class NativeElements:
    """The compared elements of a page, by their numbers."""

    def __cinit__(self, root):
        self._root = root
        self._found = None

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
        cdef Attribute *current = (<Element *> self._node(element)).first_attribute
        cdef dict attributes = {}
        cdef str name
        while current != NULL:
            name = None
            if current.qualified_name == 0:
                if current.node.local_name < MOST_NUMBERED:
                    name = _known_names[current.node.local_name]
                else:
                    name = _name_of(current).decode()
            if not name:
                return self._attributes_as_parsed(element)
            attributes[name] = (
                decoded(current.value.data, current.value.length)
                if current.value != NULL and current.value.data != NULL
                else None
            )
            current = current.next
        return attributes

    cdef dict _attributes_as_parsed(self, Py_ssize_t element):
        """Return an element's attributes as selectolax gives them; what they are called is known from then on."""
        cdef Attribute *current = (<Element *> self._node(element)).first_attribute
        cdef dict attributes
        if self._found is None:
            self._found = {node.mem_id: node for node in self._root.traverse()}
        attributes = self._found[<size_t> self._node(element)].attributes
        for name in attributes:
            if current == NULL:
                break
            if current.qualified_name == 0 and current.node.local_name < MOST_NUMBERED:
                _known_names[current.node.local_name] = name
            current = current.next
        return attributes

    def kinds(self, list tags):
        """Return the kinds of those elements that will be asked for; the root's is its tag alone."""
        return _Kinds(self, tags)

    cdef str kind(self, Py_ssize_t element, str tag):
        cdef str classes
        if not element or tag == "body":
            return tag
        classes = class_of(self._node(element))
        return kind_of_classes(tag, classes) if classes else tag


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
    cdef dict alt_texts, _foreign
    cdef Holder *_open
    cdef Py_ssize_t _depth, _room

    def __cinit__(self, root):
        self._tree = NodeTree(root, _marks)
        self.elements = NativeElements(root)
        self.base = None
        self.tags, self.parents, self.own_texts, self.goes_with, self.ids = [], [], [], [], []
        self.alt_texts, self._foreign = {}, {}

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
        if marks & TEMPLATE and is_shadow_root(self._tree.node_at(node)):
            raise NotReadable
        if (marks & NOT_COMPARED) or (number and (marks & HTML or parent == NONE)):
            if parent == NONE and self._depth:
                parent = self._open[self._depth - 1].goes_with
            self.goes_with.append(parent)
            if marks & BASE and self.base is None:
                found = self._tree.node_at(node)
                if is_html_base(found, self._foreign):
                    self.base = found.attributes["href"] or ""
            return self._enter(node, NONE, parent)
        tag = self._tree.name(node)
        self.goes_with.append(number)
        self.tags.append(tag)
        self.parents.append(parent)
        self.own_texts.append("")
        self.ids.append(id_of(node) or None)
        self.elements.add(node)
        if marks & WITH_ALT:
            self.alt_texts[number] = _alt_text(node, tag)
        return self._enter(node, number, NONE)

    cdef int _enter(self, Node *node, Py_ssize_t number, Py_ssize_t goes_with) except -1:
        cdef Holder *open
        if node.first_child == NULL:
            return 0
        if self._depth == self._room:
            self._room = 2 * self._room + 64
            open = <Holder *> PyMem_Realloc(self._open, self._room * sizeof(Holder))
            if open == NULL:
                raise MemoryError
            self._open = open
        self._open[self._depth] = Holder(node, number, goes_with)
        self._depth += 1
        return 0


cdef bint _is_blank(String *text) noexcept nogil:
    cdef size_t at
    for at in range(text.length):
        if text.data[at] not in b" \t\n\f\r":
            return False
    return True


cdef str _alt_text(Node *node, str tag):
    cdef list parts = []
    for name in ALT_ATTRIBUTES[tag]:
        parts.append(_value(node, name.encode(), _numbers[name]))
    return "".join(parts)


cdef str _value(Node *node, bytes name, size_t number):
    """Return the value of an attribute; the empty string where there is none."""
    cdef Attribute *current = (<Element *> node).first_attribute
    while current != NULL:
        if current.node.local_name == number if number else _name_of(current) == name:
            return decoded(current.value.data, current.value.length) if current.value != NULL else ""
        current = current.next
    return ""


def read_elements(root) -> tuple:
    """Return tags, parents, own texts, alt texts, what each element goes with, the base, ids, and the elements."""
    cdef _Reading reading = _Reading(root)
    reading.read()
    return (
        reading.tags, reading.parents, reading.own_texts, reading.alt_texts,
        reading.goes_with, reading.base, reading.ids, reading.elements,
    )
