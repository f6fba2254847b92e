from sitestencil.crawl.native_nodes cimport Node

from sitestencil.crawl.native_lines cimport NativeLines

cdef int add_picture(NativeLines lines, Node *node) except -1
