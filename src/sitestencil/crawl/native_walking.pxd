from sitestencil.page.native_nodes cimport Node

cdef bint hides(Node *node) except -1
