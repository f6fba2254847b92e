# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Evaluate boosted trees by bits: the compiled sums of `tree_model`."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset

cdef enum:
    CHUNK = 64  # rows evaluated together, so that their bits stay in the processor's cache
    LEAVES = 8

# The place of the lowest bit of each byte; a tree always keeps a leaf.
cdef unsigned char[256] _lowest
for _byte in range(1, 256):
    _lowest[_byte] = (_byte & -_byte).bit_length() - 1


cdef class NativeScorer:
    """Prepared trees.

    Args:
        features: per tested feature its number, its thresholds, and the bits left above each number of them.
        leaves: per tree the values of its leaves, by the byte that keeps that leaf.
    """

    cdef Py_ssize_t _trees, _words, _count
    cdef tuple _numbers
    cdef Py_ssize_t *_starts  # of a feature's thresholds; its masks start by its number later
    cdef double *_thresholds
    cdef uint64_t *_masks
    cdef double *_leaves

    def __init__(self, list features, list leaves):
        cdef Py_ssize_t feature, place, at = 0, mask_at = 0
        cdef Py_ssize_t thresholds = sum([len(known) for _, known, _ in features])
        self._trees, self._count = len(leaves), len(features)
        self._words = (self._trees + 7) // 8
        self._numbers = tuple([number for number, _, _ in features])
        self._starts = <Py_ssize_t *> _room((self._count + 1) * sizeof(Py_ssize_t))
        self._thresholds = <double *> _room(thresholds * sizeof(double))
        self._masks = <uint64_t *> _room((thresholds + self._count) * self._words * 8)
        self._leaves = <double *> _room(self._trees * LEAVES * sizeof(double))
        self._starts[0] = 0
        for feature, (_, known, masks) in enumerate(features):
            for threshold in known:
                self._thresholds[at] = threshold
                at += 1
            self._starts[feature + 1] = at
            for mask in masks:
                data = mask.to_bytes(self._words * 8, "little")
                memcpy(self._masks + mask_at, <const char *> <bytes> data, self._words * 8)
                mask_at += self._words
        for place in range(self._trees):
            for at in range(LEAVES):
                self._leaves[LEAVES * place + at] = leaves[place][1 << at]

    def __dealloc__(self):
        PyMem_Free(self._starts)
        PyMem_Free(self._thresholds)
        PyMem_Free(self._masks)
        PyMem_Free(self._leaves)

    def sums(self, columns) -> list:
        """Return, per row, the sum of its leaves; the rows are given by columns."""
        cdef Py_ssize_t rows = len(columns[0]) if columns else 0, first, feature
        cdef list sums = []
        cdef uint64_t *left = NULL
        cdef double *own = <double *> _room(self._count * rows * sizeof(double))
        try:
            for feature in range(self._count):
                _copy(columns[self._numbers[feature]], own + feature * rows, rows)
            left = <uint64_t *> _room(CHUNK * self._words * 8)
            for first in range(0, rows, CHUNK):
                memset(left, 0xFF, CHUNK * self._words * 8)
                for feature in range(self._count):
                    self._rule_out(left, feature, own + feature * rows, first, min(rows, first + CHUNK))
                self._add(left, min(CHUNK, rows - first), sums)
        finally:
            PyMem_Free(own)
            PyMem_Free(left)
        return sums

    cdef int _rule_out(
        self, uint64_t *left, Py_ssize_t feature, double *column, Py_ssize_t first, Py_ssize_t last
    ) noexcept nogil:
        cdef Py_ssize_t start = self._starts[feature], end = self._starts[feature + 1]
        cdef Py_ssize_t row, low = start, high, middle, word
        cdef uint64_t *mask
        for row in range(first, last):
            # Blocks side by side often have the same value.
            if row == first or column[row] != column[row - 1]:
                low, high = start, end
                while low < high:
                    middle = (low + high) // 2
                    if self._thresholds[middle] < column[row]:
                        low = middle + 1
                    else:
                        high = middle
            if low > start:
                mask = self._masks + (low + feature) * self._words
                for word in range(self._words):
                    left[word] &= mask[word]
            left += self._words
        return 0

    cdef int _add(self, uint64_t *left, Py_ssize_t rows, list sums) except -1:
        cdef const unsigned char *byte = <const unsigned char *> left
        cdef Py_ssize_t row, tree
        cdef double total
        for row in range(rows):
            total = 0.0
            for tree in range(self._trees):
                total += self._leaves[LEAVES * tree + _lowest[byte[tree]]]
            sums.append(total)
            byte += 8 * self._words
        return 0


cdef int _copy(column, double *place, Py_ssize_t rows) except -1:
    """Copy the numbers of a column of so many rows."""
    cdef Py_ssize_t row = 0
    if len(column) != rows:
        raise ValueError("the columns differ in length")
    for value in column:
        if row == rows:
            break
        place[row] = value
        row += 1
    return 0


cdef void *_room(size_t size) except NULL:
    cdef void *room = PyMem_Malloc(size)
    if room == NULL:
        raise MemoryError
    return room
