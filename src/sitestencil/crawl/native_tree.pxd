from sitestencil.crawl.native_nodes cimport Node

cdef enum:
    # Of the numbers that the parser gives to tags, those below are the same in all documents.
    MOST_NUMBERED = 1024
    READ = 0x4000
    NO_ELEMENT = 0x2000
    NOT_COMPARED = 1

cdef size_t class_number
cdef size_t id_number

cdef class NodeTree:
    cdef readonly object root
    cdef Node *top
    cdef dict _others
    cdef list _names
    cdef unsigned short _numbered[MOST_NUMBERED]

    cdef str name(self, Node *node)
    cdef int marks(self, Node *node) except -1
    cdef int _read_name(self, Node *node) except -1

cdef str class_of(Node *node)
cdef str id_of(Node *node)
