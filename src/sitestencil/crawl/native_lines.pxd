cdef struct Buffer:
    char *data
    Py_ssize_t length
    Py_ssize_t room

cdef class NativeLines:
    cdef Buffer _line
    cdef Buffer _finished
    cdef bint has_parts
    cdef bint is_after_link
    cdef int between
    cdef bint _preformatted
    cdef bint _in_code
    cdef Py_ssize_t _blanks

    cdef int add(self, const char *text, Py_ssize_t length) except -1
    cdef int add_text(self, str text) except -1
    cdef int add_preformatted(self, const char *text, Py_ssize_t length) except -1
    cdef int begin_inline(self) except -1
    cdef int close(self, int marks) except -1
    cdef int end_cell(self) except -1
    cdef int end_at(self, int marks, bint in_pre) except -1
    cdef int end(self) except -1
    cdef int _finish(self) except -1
    cdef int _finish_preformatted(self) except -1
    cdef str text(self)

cdef bint is_space(const char *text, Py_ssize_t length) noexcept nogil
