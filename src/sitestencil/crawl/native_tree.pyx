# cython: language_level=3
"""Read a page's tree in place, as `selectolax.lexbor.LexborNode` does, but without an object for each node.

Creating these objects, and asking each for its properties, takes most of the time of reading a page.
"""

from libc.string cimport memset

from sitestencil.crawl.native_nodes cimport (
    ELEMENT_NODE, TEXT_NODE, Attribute, Element, Node, String, Text, attribute, decoded, name_data,
)

from selectolax.lexbor import LexborHTMLParser

from sitestencil.errors import NotReadable
from sitestencil.page.html_names import NUMBERED_ELEMENTS, SHADOW_MARK, SHADOW_ROOT
from sitestencil.page.sketch import NOT_COMPARED as NOT_COMPARED_NAMES

_PROBE = (
    "<!doctype html><p Id=one clasS='two three' hidden>four<!-- five --><x-six></x-six>"
    "<seven-eight-nine-ten-eleven></seven-eight-nine-ten-eleven><svg class=q><foreignObject></foreignObject></svg>e"
)


# The parser's own names by number. `check_layout` fills them from a fixed list; no page adds to them.
cdef tuple _known_names = ()
cdef object _not_compared = NOT_COMPARED_NAMES
cdef size_t _shadow_root = LexborHTMLParser("").create_node(SHADOW_ROOT).tag_id
cdef str _mark = SHADOW_MARK


cdef class NodeTree:
    """A page's tree.

    Args:
        root: the root element, as `page.parsing.lexbor_root` returns it; it keeps the whole tree alive.

    Attributes:
        root: the root element.
    """

    def __cinit__(self, root):
        self.root = root
        self.top = <Node *> <size_t> root.mem_id
        self._others = {}
        self._names = [None] * MOST_NUMBERED
        memset(self._numbered, 0, sizeof(self._numbered))

    cdef str name(self, Node *node):
        """Return an element's name; None for other nodes. A number has one name."""
        cdef int marks = self.marks(node)
        if marks & NO_ELEMENT:
            return None
        if node.local_name < MOST_NUMBERED:
            return self._names[node.local_name]
        return self._others[node.local_name][0]

    cdef int marks(self, Node *node) except -1:
        """Return the mark bits of a node's name."""
        cdef int marks
        if node.type != ELEMENT_NODE:
            return NO_ELEMENT
        if node.local_name < MOST_NUMBERED:
            marks = self._numbered[node.local_name]
            if marks:
                return marks
        else:
            known = self._others.get(node.local_name)
            if known is not None:
                return known[1]
        return self._read_name(node)

    cdef int _read_name(self, Node *node) except -1:
        cdef size_t number = node.local_name
        cdef str name = "template" if _is_shadow_root(node) else _parsed_name(node)
        cdef int marks = READ | (NOT_COMPARED if name in _not_compared else 0)
        if number < MOST_NUMBERED:
            self._names[number] = name
            self._numbered[number] = marks
        else:
            self._others[number] = name, marks
        return marks


cdef str _parsed_name(Node *node):
    """Return an element's name like selectolax, with the capitals of some SVG names."""
    cdef size_t qualified = (<Element *> node).qualified_name
    return _brought(qualified, node.local_name) if qualified else _name(node.local_name, _known_names)


cdef str _name(size_t number, tuple known):
    if number >= MOST_NUMBERED:
        return _brought(number, number)
    if number >= <size_t> len(known) or known[number] is None:
        raise NotReadable
    return known[number]


cdef str _brought(size_t place, size_t number):
    """Return a name that the page defines."""
    cdef String data = name_data(place, number)
    if data.data == NULL:
        raise NotReadable
    return decoded(data.data, data.length)


cdef bint _is_shadow_root(Node *node) except -1:
    """Return whether an element is the root of a shadow tree."""
    cdef Attribute *current
    if node.local_name != _shadow_root:
        return False
    current = (<Element *> node).first_attribute
    while current != NULL and not _is_mark(current.node.local_name):
        current = current.next
    return current != NULL


cdef bint _is_mark(size_t number) except -1:
    return number >= MOST_NUMBERED and _brought(number, number) == _mark


cdef str class_of(Node *node):
    """Return an element's classes, or an empty string."""
    cdef String *value = attribute(node, class_number)
    return decoded(value.data, value.length) if value != NULL else ""


cdef str id_of(Node *node):
    """Return an element's id, or an empty string."""
    cdef String *value = attribute(node, id_number)
    return decoded(value.data, value.length) if value != NULL else ""


cdef bint _is_at(void *pointer, object node) except -1:
    return <size_t> pointer == (0 if node is None else <size_t> node.mem_id)


def check_layout() -> bool:
    """Return whether the parser's nodes have the expected memory layout.

    Each word is compared with selectolax's value before its target is read.
    """
    cdef Node *node
    cdef Text *text
    cdef Element *element
    global class_number, id_number
    root = LexborHTMLParser(_PROBE, scripting=False).root
    for found in root.traverse(include_text=True):
        node = <Node *> <size_t> found.mem_id
        is_alike = (
            _is_at(node.next, found.next)
            and _is_at(node.previous, found.prev)
            and _is_at(node.parent, found.parent)
            and _is_at(node.first_child, found.first_child)
            and _is_at(node.last_child, found.last_child)
            and node.local_name == found.tag_id
            and (node.type == ELEMENT_NODE) == found.is_element_node
            and (node.type == TEXT_NODE) == found.is_text_node
        )
        if not is_alike:
            return False
        if found.is_text_node:
            text = <Text *> node
            if text.text.length != <size_t> len(found.text_content):
                return False
            if decoded(text.text.data, text.text.length) != found.text_content:
                return False
        if found.is_element_node:
            element = <Element *> node
            if (element.qualified_name != 0) != (found.tag == "foreignObject"):
                return False
            if (element.first_attribute != NULL) != bool(found.attributes):
                return False
            if (element.last_attribute != NULL) != bool(found.attributes):
                return False
    return _check_attributes(root) and _check_names(root)


cdef bint _check_attributes(object root) except -1:
    global class_number, id_number
    found = root.css_first("p")
    cdef Element *element = <Element *> <size_t> found.mem_id
    cdef Attribute *first = element.first_attribute
    cdef Attribute *second
    if first.node.type != 2 or first.owner != element or first.previous != NULL or first.value == NULL:
        return False
    second = first.next
    if second == NULL or second.previous != first or second.owner != element:
        return False
    if second.next == NULL or second.next != element.last_attribute:
        return False
    if second.next.next != NULL or second.next.value != NULL:
        return False
    if first.value.length != 3 or decoded(first.value.data, 3) != "one" or second.value.length != 9:
        return False
    id_number, class_number = first.node.local_name, second.node.local_name
    if max(id_number, class_number) >= MOST_NUMBERED or class_of(&element.node) != "two three":
        return False
    found = root.css_first("svg")
    return class_of(<Node *> <size_t> found.mem_id) == "q"


cdef bint _check_names(object root) except -1:
    global _known_names
    for name in ("x-six", "seven-eight-nine-ten-eleven"):
        number = root.css_first(name).tag_id
        if number < MOST_NUMBERED or _name(number, ()) != name:
            return False
    found = next(node for node in root.traverse() if node.tag == "foreignObject")
    if _parsed_name(<Node *> <size_t> found.mem_id) != "foreignObject":
        return False
    parser = LexborHTMLParser("")
    _known_names = _names_by_number({parser.create_node(name).tag_id: name for name in NUMBERED_ELEMENTS})
    return bool(_known_names)


cdef tuple _names_by_number(dict numbers):
    """Return names by number; none at all if a number between them has no name."""
    cdef size_t first = min(numbers), last = max(numbers)
    if last >= MOST_NUMBERED or first == 0 or <Py_ssize_t> (last - first + 1) != len(numbers):
        return ()
    return tuple([numbers.get(number) for number in range(last + 1)])
