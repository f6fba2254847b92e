from sitestencil.page.native_nodes cimport Node

cdef class NativeElements:
    cdef object _root
    cdef Node **_nodes
    cdef Py_ssize_t _count, _room

    cdef int add(self, Node *node) except -1
    cdef Node *_node(self, Py_ssize_t element) except NULL
    cpdef dict attributes(self, Py_ssize_t element)
    cdef str kind(self, Py_ssize_t element, str tag)
