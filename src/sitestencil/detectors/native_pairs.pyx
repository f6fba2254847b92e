# cython: language_level=3
"""The compiled part of `tolerant_mapping`: pairing names in order."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc


def ordered_pairs(names, other_names):
    """Return positions of equal names, the n-th with the n-th, as many as keep the order; None equals nothing."""
    cdef list ours = list(names), theirs = list(other_names)
    cdef Py_ssize_t count = len(ours), other_count = len(theirs), room = 5 * count + other_count
    cdef Py_ssize_t *columns = <Py_ssize_t *> PyMem_Malloc(max(1, room) * sizeof(Py_ssize_t))
    if columns == NULL:
        raise MemoryError
    try:
        return _pairs(ours, theirs, columns)
    finally:
        PyMem_Free(columns)


cdef list _pairs(list ours, list theirs, Py_ssize_t *columns):
    cdef Py_ssize_t count = len(ours), pairs = 0, position, other
    cdef Py_ssize_t *firsts = columns
    cdef Py_ssize_t *seconds = columns + count
    cdef Py_ssize_t *next_alike = columns + 5 * count
    # Where each name comes next among the others; -1 where it has come as often as it is there.
    cdef dict next_of = {}
    for position in range(len(theirs) - 1, -1, -1):
        name = theirs[position]
        if name is not None:
            next_alike[position] = next_of.get(name, -1)
            next_of[name] = position
    for position in range(count):
        name = ours[position]
        if name is None:
            continue
        other = next_of.get(name, -1)
        if other >= 0:
            firsts[pairs], seconds[pairs] = position, other
            pairs += 1
            next_of[name] = next_alike[other]
    return _longest_increasing(firsts, seconds, pairs, columns + 2 * count, columns + 3 * count, columns + 4 * count)


cdef list _longest_increasing(
    Py_ssize_t *firsts, Py_ssize_t *seconds, Py_ssize_t count, Py_ssize_t *tails, Py_ssize_t *tops, Py_ssize_t *before
):
    """Return the most pairs whose second members ascend (patience sorting)."""
    cdef Py_ssize_t piles = 0, number, low, high, middle
    cdef list longest = []
    for number in range(count):
        low, high = 0, piles
        while low < high:
            middle = (low + high) // 2
            if tails[middle] < seconds[number]:
                low = middle + 1
            else:
                high = middle
        tails[low], tops[low] = seconds[number], number
        piles = max(piles, low + 1)
        before[number] = tops[low - 1] if low else -1
    number = tops[piles - 1] if piles else -1
    while number >= 0:
        longest.append((firsts[number], seconds[number]))
        number = before[number]
    longest.reverse()
    return longest
