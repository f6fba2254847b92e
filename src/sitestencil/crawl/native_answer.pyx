# cython: language_level=3
"""Write the content of a page by an answer for each of its nodes."""

from cpython.mem cimport PyMem_Free, PyMem_Realloc
from libc.string cimport memcmp

from sitestencil.crawl.native_children cimport BREAKS, LINK, PICTURE, PRE, ROOT, SILENT, NativeNodes
from sitestencil.crawl.native_lines cimport NativeLines
from sitestencil.crawl.native_nodes cimport (
    TEXT_NODE, Attribute, Element, Node, String, Text, attribute, decoded, name_data, next_in,
)
from sitestencil.crawl.native_tree cimport (
    MOST_NUMBERED, NO_ELEMENT, NodeTree, alt_number, attributes_of, is_shadow_root, style_number,
)

from sitestencil.errors import NotReadable
from sitestencil.outputs.plain_text import marked_picture
from sitestencil.page.hidden import hides_by_style


cdef class NativeAnswer:
    """The lines of a page's content.

    Args:
        page: the page.
        template: per element, whether it is template.
        template_texts: the same per text.
        replaced: the text to write in the place of elements, by their numbers; None to leave out what their own
            attributes hide.

    Attributes:
        links: the number of the content's links.

    Raises:
        NotReadable: the page has a shadow tree, or other elements or texts.
    """

    cdef NodeTree _tree
    cdef NativeLines _lines
    cdef list _template, _template_texts
    cdef dict _replaced
    cdef Py_ssize_t _elements, _texts
    cdef bint *_open  # whether each element around is template
    cdef Py_ssize_t _depth, _room
    cdef readonly Py_ssize_t links

    def __init__(self, NativeNodes page, list template, list template_texts, dict replaced):
        self._tree, self._lines = page.tree, NativeLines()
        self._template, self._template_texts = template, template_texts
        self._replaced = replaced
        self._write()
        if self._elements != len(template) or self._texts != len(template_texts):
            raise NotReadable

    def __dealloc__(self):
        PyMem_Free(self._open)

    def text(self) -> str:
        """Return the content's text."""
        return self._lines.text()

    cdef int _write(self) except -1:
        cdef Node *top = self._tree.top
        cdef Node *node = top
        cdef Node *preformatted = NULL
        cdef int marks
        while True:
            if node.type == TEXT_NODE:
                self._write_text(&(<Text *> node).text, preformatted != NULL)
            else:
                marks = self._tree.marks(node)
                if marks & NO_ELEMENT:
                    pass
                elif self._is_replaced(node, marks):
                    self._lines.add_text(" " if self._replaced is None else self._replaced[self._elements])
                    self._skip(node)
                elif marks & SILENT:
                    self._skip(node)
                else:
                    self._push()
                    if marks & PRE and preformatted == NULL:
                        preformatted = node
                    if marks & BREAKS:
                        self._lines.end_at(marks, preformatted != NULL)
                    elif marks & LINK and self._lines.is_after_link and preformatted == NULL:
                        self._lines.add(" ", 1)
                    else:
                        self._lines.begin_inline()
                    if marks & PICTURE and not self._open[self._depth - 1]:
                        _add_picture(self._lines, node)
                    if node.first_child != NULL:
                        node = node.first_child
                        continue
                    self._leave(marks)
                    if node == preformatted:
                        preformatted = NULL
            while node != top and node.next == NULL:
                node = node.parent
                self._leave(self._tree.marks(node))
                if node == preformatted:
                    preformatted = NULL
            if node == top:
                return 0
            node = node.next

    cdef int _push(self) except -1:
        cdef bint *open
        if self._elements >= len(self._template):
            raise NotReadable
        if self._depth == self._room:
            self._room = 2 * self._room + 64
            open = <bint *> PyMem_Realloc(self._open, self._room * sizeof(bint))
            if open == NULL:
                raise MemoryError
            self._open = open
        self._open[self._depth] = self._template[self._elements]
        self._depth += 1
        self._elements += 1
        return 0

    cdef int _write_text(self, String *text, bint in_pre) except -1:
        cdef const char *data = text.data
        cdef Py_ssize_t length = text.length if data != NULL else 0
        if self._texts >= len(self._template_texts):
            raise NotReadable
        # A template's text leaves a space, so that the words on both sides stay apart.
        if self._open[self._depth - 1] and self._template_texts[self._texts]:
            data, length = " ", 1
        self._texts += 1
        return self._lines.add_preformatted(data, length) if in_pre else self._lines.add(data, length)

    cdef bint _is_replaced(self, Node *node, int marks) except -1:
        if is_shadow_root(node):
            raise NotReadable
        if self._replaced is None:
            return not marks & ROOT and _hides(node)
        return self._elements in self._replaced

    cdef int _skip(self, Node *top) except -1:
        cdef Node *node = top
        while node != NULL:
            if node.type == TEXT_NODE:
                self._texts += 1
            elif not self._tree.marks(node) & NO_ELEMENT:
                self._elements += 1
            node = next_in(node, top)
        return 0

    cdef int _leave(self, int marks) except -1:
        self._depth -= 1
        self.links += marks & LINK != 0 and not self._open[self._depth]
        return self._lines.close(marks)


cdef bint _hides(Node *node) except -1:
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


cdef int _add_picture(NativeLines lines, Node *node) except -1:
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
