"""The parser's own nodes as they lie in memory, as far as they are read here.

The layout is that of lexbor's `lxb_dom_node_t`, `lxb_dom_element_t`, `lxb_dom_attr_t`, `lxb_dom_text_t` and
`lexbor_hash_entry_t`. It is no promise of selectolax's, so nothing is read before `native_tree.check_layout` has found
it to hold.
"""

from cpython.unicode cimport PyUnicode_DecodeUTF8

cdef enum:
    ELEMENT_NODE = 1
    TEXT_NODE = 3

cdef struct Node:
    void *events
    size_t local_name
    size_t prefix
    size_t namespace
    void *document
    Node *next
    Node *previous
    Node *parent
    Node *first_child
    Node *last_child
    void *user
    int type

cdef struct String:
    const char *data
    size_t length

cdef struct Text:
    Node node
    String text

cdef struct Attribute:
    Node node
    size_t upper_name
    size_t qualified_name
    String *value
    Element *owner
    Attribute *next
    Attribute *previous

cdef struct Element:
    Node node
    size_t upper_name
    size_t qualified_name
    void *is_value
    Attribute *first_attribute
    Attribute *last_attribute

cdef union Name:
    const char *long_name
    char short_name[17]

# A name that a page brings along: its number is where this lies.
cdef struct NameData:
    Name name
    size_t length
    void *next
    size_t number


cdef inline Node *following(Node *node, Node *top) noexcept nogil:
    """Return the node after a node and all that is below it, within a subtree; NULL where there is none."""
    while node != top:
        if node.next != NULL:
            return node.next
        node = node.parent
    return NULL


cdef inline Node *next_in(Node *node, Node *top) noexcept nogil:
    """Return the next node of a subtree in document order; NULL at its end."""
    return node.first_child if node.first_child != NULL else following(node, top)


cdef inline Py_ssize_t count_elements(Node *top) noexcept nogil:
    """Return how many elements a subtree has; comments are none."""
    cdef Py_ssize_t elements = 0
    cdef Node *node = top
    while node != NULL:
        elements += node.type == ELEMENT_NODE
        node = next_in(node, top)
    return elements


cdef inline String *attribute(Node *node, size_t name) noexcept nogil:
    """Return the value of an element's attribute by the parser's number of its name; NULL where it has none."""
    cdef Attribute *current = (<Element *> node).first_attribute
    while current != NULL:
        if current.node.local_name == name:
            return current.value
        current = current.next
    return NULL


cdef inline String name_data(size_t place, size_t number) noexcept nogil:
    """Return the name that lies at a place; without data where it is not of the number that is expected."""
    cdef NameData *data = <NameData *> place
    cdef String name = String(NULL, 0)
    if data.number == number:
        name.data = data.name.long_name if data.length > 16 else data.name.short_name
        name.length = data.length
    return name


cdef inline str decoded(const char *data, size_t length):
    """Return a text as selectolax decodes it."""
    return PyUnicode_DecodeUTF8(data, <Py_ssize_t> length, "replace") if data != NULL else ""
