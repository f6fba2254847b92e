# cython: language_level=3
"""Gather a page's text in UTF-8, as `outputs.plain_text.Lines` does."""

from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.string cimport memcpy, memmove

from sitestencil.crawl.native_children cimport BLOCK, CELL, LINK, VOID

from sitestencil.outputs.plain_text import with_pictures


cdef int _reserve(Buffer *buffer, Py_ssize_t more) except -1:
    cdef Py_ssize_t room
    cdef char *data
    if buffer.length + more > buffer.room:
        room = 2 * (buffer.length + more) + 256
        data = <char *> PyMem_Realloc(buffer.data, room)
        if data == NULL:
            raise MemoryError
        buffer.data, buffer.room = data, room
    return 0


cdef int _append(Buffer *buffer, const char *text, Py_ssize_t length) except -1:
    if length > 0:
        _reserve(buffer, length)
        memcpy(buffer.data + buffer.length, text, length)
        buffer.length += length
    return 0


cdef inline bint _is_ascii_space(unsigned char byte) noexcept nogil:
    return byte == 0x20 or 0x09 <= byte <= 0x0D or 0x1C <= byte <= 0x1F


cdef inline bint _is_control(unsigned char byte) noexcept nogil:
    return byte < 0x20 or byte == 0x7F


cdef Py_ssize_t _space_width(const unsigned char *text, Py_ssize_t length) noexcept nogil:
    """Return the width in bytes of the white space beyond ASCII that begins here, as `str.isspace`; else 0."""
    if length >= 2 and text[0] == 0xC2:
        return 2 if text[1] == 0x85 or text[1] == 0xA0 else 0
    if length < 3:
        return 0
    if text[0] == 0xE1:
        return 3 if text[1] == 0x9A and text[2] == 0x80 else 0
    if text[0] == 0xE2:
        if text[1] == 0x80:
            return 3 if 0x80 <= text[2] <= 0x8A or 0xA8 <= text[2] <= 0xA9 or text[2] == 0xAF else 0
        return 3 if text[1] == 0x81 and text[2] == 0x9F else 0
    return 3 if text[0] == 0xE3 and text[1] == 0x80 and text[2] == 0x80 else 0


cdef Py_ssize_t _character_width(const unsigned char *text, Py_ssize_t length) noexcept nogil:
    """Return the width in bytes of the character beyond ASCII that begins here; 0 if it is not UTF-8."""
    cdef unsigned char first = text[0]
    cdef Py_ssize_t width, number
    if 0xC2 <= first <= 0xDF:
        width = 2
    elif 0xE0 <= first <= 0xEF:
        width = 3
    elif 0xF0 <= first <= 0xF4:
        width = 4
    else:
        return 0
    if width > length:
        return 0
    for number in range(1, width):
        if text[number] & 0xC0 != 0x80:
            return 0
    # Refuse overlong forms, halves of surrogate pairs, and numbers beyond the last character.
    if (first == 0xE0 and text[1] < 0xA0) or (first == 0xED and text[1] > 0x9F):
        return 0
    if (first == 0xF0 and text[1] < 0x90) or (first == 0xF4 and text[1] > 0x8F):
        return 0
    return width


cdef bint _is_unfit(const unsigned char *text, Py_ssize_t width) noexcept nogil:
    """Return whether the character beyond ASCII that begins here is one that `visible` drops."""
    if width == 2:
        return text[0] == 0xC2 and (text[1] < 0xA0 or text[1] == 0xAD)
    if width != 3:
        return False
    if text[0] != 0xE2:
        return text[0] == 0xEF and text[1] == 0xBB and text[2] == 0xBF
    if text[1] == 0x80:
        return text[2] == 0x8B or 0xAA <= text[2] <= 0xAE
    return text[1] == 0x81 and (text[2] == 0xA0 or 0xA6 <= text[2] <= 0xA9)


cdef bint _is_valid(const char *text, Py_ssize_t length) noexcept nogil:
    cdef const unsigned char *bytes_ = <const unsigned char *> text
    cdef Py_ssize_t position = 0, width
    while position < length:
        if bytes_[position] < 0x80:
            position += 1
            continue
        width = _character_width(bytes_ + position, length - position)
        if width == 0:
            return False
        position += width
    return True


cdef bint is_space(const char *text, Py_ssize_t length) noexcept nogil:
    """Return whether a text is only white space, as `str.isspace`."""
    cdef const unsigned char *bytes_ = <const unsigned char *> text
    cdef Py_ssize_t position = 0, width
    while position < length:
        if bytes_[position] < 0x80:
            if not _is_ascii_space(bytes_[position]):
                return False
            position += 1
            continue
        width = _space_width(bytes_ + position, length - position)
        if width == 0:
            return False
        position += width
    return length > 0


cdef class NativeLines:
    """Lines of a page's content, as `Lines`; `text` completes them."""

    def __dealloc__(self):
        PyMem_Free(self._line.data)
        PyMem_Free(self._finished.data)

    cdef int add(self, const char *text, Py_ssize_t length) except -1:
        """Add text to the line."""
        cdef bytes written
        cdef Py_ssize_t before = self._line.length
        if self.between == 2 and before and length and self.has_parts and c'A' <= text[0] <= c'Z':
            if c'a' <= self._line.data[before - 1] <= c'z':
                _append(&self._line, " ", 1)
        self.has_parts = True
        self.is_after_link, self.between = False, 0
        if _is_valid(text, length):
            return _append(&self._line, text, length)
        written = PyUnicode_DecodeUTF8(text, length, "replace").encode()
        return _append(&self._line, written, len(written))

    cdef int add_text(self, str text) except -1:
        """Add a text that is no text of a node."""
        cdef bytes written = text.encode("utf-8", "replace")
        return self.add(written, len(written))

    cdef int add_preformatted(self, const char *text, Py_ssize_t length) except -1:
        """Add text as `preformatted` does."""
        cdef const unsigned char *bytes_ = <const unsigned char *> text
        cdef bytes written
        cdef Py_ssize_t position = 0, width
        if not _is_valid(text, length):
            written = PyUnicode_DecodeUTF8(text, length, "replace").encode()
            return self.add_preformatted(written, len(written))
        self._preformatted = self.has_parts = True
        self.is_after_link, self.between = False, 0
        while position < length:
            width = 1
            if bytes_[position] == c'\n':
                self.end()
                self._preformatted = self.has_parts = True
            elif bytes_[position] == c'\t':
                _append(&self._line, "\t", 1)
            elif bytes_[position] < 0x80:
                if _is_ascii_space(bytes_[position]):
                    if bytes_[position] != c'\r':
                        _append(&self._line, " ", 1)
                elif not _is_control(bytes_[position]):
                    _append(&self._line, text + position, 1)
            else:
                width = _space_width(bytes_ + position, length - position)
                if width:
                    _append(&self._line, " ", 1)
                else:
                    width = _character_width(bytes_ + position, length - position)
                    if not _is_unfit(bytes_ + position, width):
                        _append(&self._line, text + position, width)
            position += width
        return 0

    cdef int begin_inline(self) except -1:
        """Begin an element within a line."""
        if self.between:
            self.between = 2
        return 0

    cdef int close(self, int marks) except -1:
        """End an element, whose name has these marks."""
        if marks & BLOCK:
            return self.end_at(marks, False)
        if marks & CELL:
            return self.end_cell()
        if not marks & VOID:
            self.between = 1
        if marks & LINK:
            self.is_after_link = True
        return 0

    cdef int end_cell(self) except -1:
        """Separate two cells of a table's row."""
        self.has_parts = True
        return _append(&self._line, "\0", 1)

    cdef int end_at(self, int marks, bint in_pre) except -1:
        """End the line at a line break, which is a line end in code, or at a block's edge, as `Lines.end_block`."""
        cdef Py_ssize_t position = 0
        if in_pre and not marks & BLOCK:
            return self.add_preformatted("\n", 1)
        if self._preformatted:
            while position < self._line.length and not self._line.data[position]:
                position += 1
            if position == self._line.length:
                self._preformatted = self.has_parts = False
                self._line.length = 0
        return self.end()

    cdef int end(self) except -1:
        """End the line; drop it if it is empty."""
        if not self.has_parts:
            self._preformatted = False
            return 0
        self.has_parts = False
        if self._preformatted:
            self._preformatted = False
            self._finish_preformatted()
        else:
            self._finish()
        self._line.length = 0
        return 0

    cdef int _finish_preformatted(self) except -1:
        cdef const unsigned char *line = <const unsigned char *> self._line.data
        cdef Py_ssize_t length = self._line.length, position
        for position in range(length):
            if self._line.data[position] == 0:
                self._line.data[position] = c'\t'
        while length:
            if _is_ascii_space(line[length - 1]):
                length -= 1
            elif length >= 2 and _space_width(line + length - 2, 2) == 2:
                length -= 2
            elif length >= 3 and _space_width(line + length - 3, 3) == 3:
                length -= 3
            else:
                break
        if length:
            for position in range(self._blanks):
                _append(&self._finished, "\n", 1)
            _append(&self._finished, self._line.data, length)
            _append(&self._finished, "\n", 1)
            self._in_code, self._blanks = True, 0
        elif self._in_code:
            self._blanks += 1
        return 0

    cdef int _finish(self) except -1:
        """Write the line's words with a space between them and its cells with a tab, without control characters."""
        cdef const unsigned char *line = <const unsigned char *> self._line.data
        cdef Py_ssize_t length = self._line.length, position = 0, width, first
        cdef bint in_cell = False, is_parted = False, has_cells = False
        cdef unsigned char byte
        cdef char *start
        cdef char *out
        # A line never grows, except by its end.
        _reserve(&self._finished, length + 1)
        start = out = self._finished.data + self._finished.length
        while position < length:
            byte = line[position]
            if byte == 0:
                out[0] = b"\t"
                out += 1
                in_cell, is_parted, has_cells = False, False, True
                position += 1
                continue
            width = 1
            if byte < 0x80:
                if _is_ascii_space(byte):
                    is_parted = True
                    position += 1
                    continue
                if _is_control(byte):
                    position += 1
                    continue
            else:
                width = _space_width(line + position, length - position)
                if width:
                    is_parted = True
                    position += width
                    continue
                width = max(1, _character_width(line + position, length - position))
                if _is_unfit(line + position, width):
                    position += width
                    continue
            if is_parted and in_cell:
                out[0] = b" "
                out += 1
            in_cell, is_parted = True, False
            memcpy(out, line + position, width)
            out += width
            position += width
        if has_cells:
            while out > start and ((out - 1)[0] == b" " or (out - 1)[0] == b"\t"):
                out -= 1
            first = 0
            while start + first < out and (start[first] == b" " or start[first] == b"\t"):
                first += 1
            memmove(start, start + first, out - start - first)
            out -= first
        if out > start:
            out[0] = b"\n"
            out += 1
            self._finished.length = out - self._finished.data
            self._in_code, self._blanks = False, 0
        return 0

    cdef str text(self):
        """Return all lines, each with a line end."""
        self.end()
        if not self._finished.length:
            return ""
        return with_pictures(PyUnicode_DecodeUTF8(self._finished.data, self._finished.length, NULL))


def lines_of(parts):
    """Return the lines of some parts; each names a method of `Lines` and the text to pass."""
    cdef NativeLines lines = NativeLines()
    cdef bytes written
    for method, text in parts:
        written = text
        if method == "add":
            lines.add(written, len(written))
        elif method == "add_preformatted":
            lines.add_preformatted(written, len(written))
        elif method == "end_cell":
            lines.end_cell()
        else:
            lines.end()
    return lines.text()
