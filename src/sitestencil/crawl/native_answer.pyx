# cython: language_level=3
"""Write the content of a page by an answer for each of its nodes: the compiled `document_text`."""

from cpython.mem cimport PyMem_Free, PyMem_Realloc

from sitestencil.crawl.native_children cimport (
    BREAKS, LINK, PICTURE, PRE, SILENT, NativeNodes,
)
from sitestencil.crawl.native_lines cimport NativeLines
from sitestencil.crawl.native_walking cimport add_picture
from sitestencil.crawl.native_nodes cimport TEXT_NODE, Node, String, Text, next_in
from sitestencil.crawl.native_tree cimport NO_ELEMENT, NodeTree, is_shadow_root

from sitestencil.errors import NotReadable


cdef class NativeAnswer:
    """The lines of a page's content.

    Args:
        page: the page.
        template: per element, whether it is template.
        template_texts: the same per text.
        body: the number of the element to begin with.
        replaced: the text to write in the place of elements, by their numbers.

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

    def __init__(self, NativeNodes page, list template, list template_texts, Py_ssize_t body, dict replaced):
        self._tree, self._lines = page.tree, NativeLines()
        self._template, self._template_texts = template, template_texts
        self._replaced = replaced
        self._write(body)
        if self._elements != len(template) or self._texts != len(template_texts):
            raise NotReadable

    def __dealloc__(self):
        PyMem_Free(self._open)

    def text(self) -> str:
        """Return the content's text."""
        return self._lines.text()

    @property
    def links(self) -> int:
        """The number of the links that ended."""
        return self._lines.links

    cdef int _write(self, Py_ssize_t body) except -1:
        cdef Node *top = self._tree.top
        cdef Node *node = top
        cdef Node *preformatted = NULL
        cdef int marks
        while True:
            if node.type == TEXT_NODE:
                self._write_text(&(<Text *> node).text, preformatted != NULL, self._elements > body)
            else:
                marks = self._tree.marks(node)
                if marks & NO_ELEMENT:
                    pass
                elif self._elements < body:
                    self._push()
                    if node.first_child != NULL:
                        node = node.first_child
                        continue
                    self._depth -= 1
                elif self._is_replaced(node):
                    self._lines.add_text(self._replaced[self._elements])
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
                        add_picture(self._lines, node)
                    if node.first_child != NULL:
                        node = node.first_child
                        continue
                    self._leave(marks)
                    if node == preformatted:
                        preformatted = NULL
            while node != top and node.next == NULL:
                node = node.parent
                if self._elements > body:
                    self._leave(self._tree.marks(node))
                else:
                    self._depth -= 1
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

    cdef int _write_text(self, String *text, bint in_pre, bint is_shown) except -1:
        cdef const char *data = text.data
        cdef Py_ssize_t length = text.length if data != NULL else 0
        if self._texts >= len(self._template_texts):
            raise NotReadable
        if is_shown:
            # A template's text leaves a space, so that the words on both sides stay apart.
            if self._depth and self._open[self._depth - 1] and self._template_texts[self._texts]:
                data, length = " ", 1
            if in_pre:
                self._lines.add_preformatted(data, length)
            else:
                self._lines.add(data, length)
        self._texts += 1
        return 0

    cdef bint _is_replaced(self, Node *node) except -1:
        if is_shadow_root(node):
            raise NotReadable
        return self._replaced and self._elements in self._replaced

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
        return self._lines.close(marks)
