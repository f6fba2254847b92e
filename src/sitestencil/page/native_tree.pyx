# cython: language_level=3
"""A page's tree read in place: what `selectolax.lexbor.LexborNode` tells of a node, without an object for each.

To make an object for every node and to ask it for each property is most of what reading a page takes.
"""

from libc.string cimport memset

from sitestencil.page.native_nodes cimport (
    ELEMENT_NODE, TEXT_NODE, Attribute, Element, Node, String, TagData, Text, attribute, decoded,
)

from selectolax.lexbor import LexborHTMLParser

from sitestencil.errors import NotReadable

# The names of those numbers, as far as they are known: the same for the whole process.
cdef list _known_names = [None] * MOST_NUMBERED
cdef int _steps_to_a_node = 20_000

_PROBE = (
    "<!doctype html><p Id=one clasS='two three' hidden>four<!-- five --><x-six></x-six>"
    "<seven-eight-nine-ten-eleven></seven-eight-nine-ten-eleven><svg class=q><foreignObject></foreignObject></svg>e"
)


cdef class NodeTree:
    """A page's tree.

    Args:
        root: the root element, as `page.parsing.lexbor_root` returns it; it keeps the whole tree.
        marks_of: by the name of an element what is known of all that have it, as bits; 0 for others.

    Attributes:
        root: the same.
    """

    def __cinit__(self, root, dict marks_of):
        self.root = root
        self.top = <Node *> <size_t> root.mem_id
        self._marks_of = marks_of
        self._others = {}
        self._names = [None] * MOST_NUMBERED
        memset(self._numbered, 0, sizeof(self._numbered))

    cdef str name(self, Node *node):
        """Return an element's name; None for what is no element. As in `PageNodes`, a number has one name."""
        cdef int marks = self.marks(node)
        if marks & NO_ELEMENT:
            return None
        if node.local_name < MOST_NUMBERED:
            return self._names[node.local_name]
        return self._others[node.local_name][0]

    cdef int marks(self, Node *node) except -1:
        """Return the bits that a node's name has."""
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

    cdef int own_marks(self, Node *node) except -1:
        """Return the bits of an element's name as the parser has it, to which a shadow tree's root is none."""
        cdef int marks = self.marks(node)
        if self.name(node) == "template":
            return READ | <int> self._marks_of.get(self.node_at(node).tag, 0)
        return marks

    cdef int _read_name(self, Node *node) except -1:
        cdef size_t number = node.local_name
        cdef bint is_plain = (<Element *> node).qualified_name == 0
        cdef TagData *data
        cdef str name = None
        cdef int marks
        if is_plain and number < MOST_NUMBERED:
            name = _known_names[number]
        elif is_plain:
            data = <TagData *> number
            if data.number == number:
                name = decoded(data.name.long_name if data.length > 16 else data.name.short_name, data.length)
        if name is None:
            from sitestencil.page.parsing import element_name  # which asks whether this module is used

            found = self.node_at(node)
            name = element_name(found)
            if name is None:
                raise NotReadable
            # An applet may stand for the root of a shadow tree.
            if is_plain and number < MOST_NUMBERED and found.tag == name != "applet":
                _known_names[number] = name
        marks = READ | <int> self._marks_of.get(name, 0)
        if number < MOST_NUMBERED:
            self._names[number] = name
            self._numbered[number] = marks
        else:
            self._others[number] = (name, marks)
        return marks

    cdef object node_at(self, Node *node):
        """Return a node as selectolax has it, by the way down to it."""
        cdef list ways = []
        cdef int steps = 0, way
        cdef Node *current = node
        while current != self.top:
            way = 0
            while current.previous != NULL:
                current = current.previous
                way += 1
            ways.append(way)
            steps += way + 1
            current = current.parent
            if current == NULL or steps > _steps_to_a_node:
                raise NotReadable
        found = self.root
        for way in reversed(ways):
            found = found.first_child
            for _ in range(way):
                found = found.next
        if found.mem_id != <size_t> node:
            raise NotReadable
        return found


cdef str class_of(Node *node):
    """Return an element's classes; the empty string where it has none."""
    cdef String *value = attribute(node, class_number)
    return decoded(value.data, value.length) if value != NULL else ""


cdef str id_of(Node *node):
    """Return an element's id; the empty string where it has none."""
    cdef String *value = attribute(node, id_number)
    return decoded(value.data, value.length) if value != NULL else ""


cdef bint _is_at(void *pointer, object node) except -1:
    return <size_t> pointer == (0 if node is None else <size_t> node.mem_id)


def check_layout() -> bool:
    """Return whether the parser's nodes lie in memory as they are taken to.

    Each word is compared with what selectolax says before anything that it points to is read.
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
    cdef TagData *data
    for name in ("x-six", "seven-eight-nine-ten-eleven"):
        number = root.css_first(name).tag_id
        if number < MOST_NUMBERED:
            return False
        data = <TagData *> <size_t> number
        if data.number != <size_t> number or data.length != <size_t> len(name):
            return False
        if decoded(data.name.long_name if data.length > 16 else data.name.short_name, data.length) != name:
            return False
    return True
