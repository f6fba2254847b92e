# cython: language_level=3
"""Find the elements that state facts about a page in place: the compiled search of `page_facts`."""

from sitestencil.page.native_nodes cimport (
    ELEMENT_NODE, TEXT_NODE, Attribute, Element, Node, Text, decoded, next_in,
)
from sitestencil.page.native_tree cimport NodeTree, attribute_name, attributes_of

cdef enum:
    STATES = 1
    LINKS = 2
    SCRIPTS = 4

cdef dict _marks = {
    **dict.fromkeys(("title", "meta", "base", "article", "time"), STATES),
    **dict.fromkeys(("a", "link"), LINKS),
    "script": SCRIPTS,
}


cdef class StatingElement:
    """An element that may state facts, like `page_facts.StatingNode`."""

    cdef NodeTree _tree
    cdef Node *_node
    cdef readonly str tag
    cdef readonly dict attributes

    def around(self) -> list:
        """Return the names of the elements around it, the nearest first."""
        cdef list names = []
        cdef Node *node = self._node.parent
        while node != NULL and node.type == ELEMENT_NODE:
            names.append(self._tree.name(node))
            node = node.parent
        return names

    def text(self) -> str:
        """Return all text below the element."""
        cdef list parts = []
        cdef Node *node = self._node
        while node != NULL:
            if node.type == TEXT_NODE:
                parts.append(decoded((<Text *> node).text.data, (<Text *> node).text.length))
            node = next_in(node, self._node)
        return "".join(parts)


def stating_elements(root) -> list:
    """Return the elements that may state facts, in document order."""
    cdef NodeTree tree = NodeTree(root, _marks)
    cdef Node *node = tree.top
    cdef list found = []
    cdef int marks
    cdef StatingElement element
    while node != NULL:
        if node.type == ELEMENT_NODE:
            marks = tree.marks(node)
            if marks & STATES or (marks & (LINKS | SCRIPTS) and _states_facts(node, marks)):
                element = StatingElement.__new__(StatingElement)
                element._tree = tree
                element._node = node
                element.tag = tree.name(node)
                element.attributes = attributes_of(node, None)
                found.append(element)
        node = next_in(node, tree.top)
    return found


cdef bint _states_facts(Node *node, int marks) except -1:
    """Return whether a link or a script may state facts, before its attributes are read."""
    cdef str name = "rel" if marks & LINKS else "type"
    cdef str value
    cdef Attribute *current = (<Element *> node).first_attribute
    while current != NULL:
        if attribute_name(current) == name:
            if current.value == NULL:
                return False
            value = decoded(current.value.data, current.value.length).lower()
            if marks & SCRIPTS:
                return "ld+json" in value
            return "canonical" in value or "license" in value or "author" in value
        current = current.next
    return False
