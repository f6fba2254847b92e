from sitestencil.crawl.native_nodes cimport Node
from sitestencil.crawl.native_tree cimport NodeTree

cdef enum:
    NOT_COMPARED = 1
    SILENT = 2
    BREAKS = 4
    BLOCK = 8
    CELL = 16
    VOID = 32
    PRE = 64
    LINK = 128
    ROOT = 256
    PICTURE = 512

cdef class NativeNodes:
    cdef NodeTree tree
    cdef readonly object reading
    cdef dict _children

    cdef int _rename(self, names) except -1
    cdef NativeChildren children(self, Node *node)
    cdef int measure(self, Node *top, Py_ssize_t *elements, Py_ssize_t *text_bytes) except -1

cdef class NativeChildren:
    cdef NodeTree _tree
    cdef Node *node
    cdef Node **nodes
    cdef Py_ssize_t count
    cdef readonly list tags
    cdef readonly tuple kinds
    cdef tuple _identities
    cdef tuple _shapes

    cdef tuple _shape(self, Py_ssize_t number)
    cdef inline Node *node_at(self, Py_ssize_t number) except NULL:
        if not 0 <= number < self.count:
            raise IndexError(number)
        return self.nodes[number]
